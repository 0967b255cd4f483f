"""What forms and the interface can bring about is shown, found, edited and taken elsewhere."""

import json
import re

from flask import Flask
from flask.testing import FlaskClient

from tests.many_games import browser_in, club_in, play_games
from tests.web.test_corrections import correct, scores
from tests.web.test_data import brought_in, exported
from tests.web.test_own_rule_sets import made, text_of
from tests.web_table import PlainGame, fields_of


def test_scores_beyond_what_can_be_typed_are_shown_and_go_elsewhere(
    app: Flask, client: FlaskClient
):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    game.close(1, out="Anna", Ben="10", Cleo="20")
    for _ in range(3):
        assert correct(game, "Ben", "10000").status_code == 303
    assert scores(game)["Ben"] > 20_000
    shown = text_of(client, f"/games/{game.key}/players")
    highest = re.search(r"(\d+), the highest", shown.replace(",\u00a0", ", "))
    assert highest is not None
    joined = {"name": "Dora", "after": "", "score": "highest", "contract": ""}
    assert client.post(f"/games/{game.key}/players", data=joined).status_code == 303
    assert scores(game)["Dora"] == scores(game)["Ben"]
    other = browser_in(app, play_games(app, 0))
    brought_in(other, exported(client))
    assert json.loads(exported(other))["games"] == json.loads(exported(client))["games"]


def test_points_typed_over_counted_cards_hold_when_an_ended_round_is_edited(
    a_running_game: PlainGame,
):
    game, ben = a_running_game, a_running_game.seats["Ben"]
    counts = {f"{ben}-counted-{place}": "0" for place in range(4)} | {f"{ben}-counted-3": "2"}
    sent = game.sent(out="Anna", Cleo="5") | counts
    page = game.close(2, sent).get_data(as_text=True)
    accepted = re.findall(r'name="accepted" value="([^"]+)"', page)
    if accepted:
        game.close(2, sent | {"accepted": accepted})
    address = f"/games/{game.key}/rounds/2"
    edited = fields_of(text_of(game.client, address), "round")
    assert edited[f"{ben}-counted-3"] == "2"
    edited[f"{ben}-typed"] = "20"
    answer = game.client.post(address, data=edited)
    accepted = re.findall(r'name="accepted" value="([^"]+)"', answer.get_data(as_text=True))
    if accepted:
        answer = game.client.post(address, data=edited | {"accepted": accepted})
    assert answer.status_code == 303
    again = fields_of(text_of(game.client, address), "round")
    assert (again[f"{ben}-typed"], again[f"{ben}-counted-3"]) == ("20", "0")


def test_an_ended_round_saved_as_it_is_shown_changes_nothing_whatever_was_played(app: Flask):
    phone = browser_in(app, club_in(app, 4))
    game = PlainGame.started(phone, "frustration", "Anna Ben", **{"rule-last_contract": "1"})
    assert game.close(1, met="Anna").status_code == 303
    assert "No one went out" not in text_of(phone, f"/games/{game.key}/activity")
    rounds = set()
    for key in set(re.findall(r"/games/(\w+)", text_of(phone, "/history"))):
        record = text_of(phone, f"/games/{key}/rounds")
        rounds |= set(re.findall(rf'href="(/games/{key}/rounds/\d+)"', record))
    assert len(rounds) > 30
    for address in sorted(rounds):
        answer = phone.post(address, data=fields_of(text_of(phone, address), "round"))
        assert "Nothing has changed." in answer.text, address


def test_a_game_is_found_by_the_name_of_its_custom_rule_set(client: FlaskClient):
    game = PlainGame.started(client, made(client, name="Kitchen rules"), "Anna Ben")
    for words, found in (("kitchen", True), ("Rules KITCHEN", True), ("bathroom", False)):
        assert (game.key in text_of(client, f"/history?words={words}")) == found


def test_activity_names_who_joined_by_mistake_and_is_gone(client: FlaskClient):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    log = game_log(game)
    client.post(f"/games/{game.key}/players", data={"name": "Dora", "after": ""})
    joined = re.findall(rf"{log}/(\d+)/undo", text_of(client, log))[0]
    dora = max(re.findall(r'id="row-(\d+)"', game.page), key=int)
    tap = {"changed": f"{dora}-typed", f"{dora}-typed": "15"}
    client.post(f"/games/{game.key}/rounds/1/row", data=tap)
    assert client.post(f"{log}/{joined}/undo").status_code == 303
    shown = text_of(client, log)
    assert "Undone: Dora joined" in shown
    assert "Dora: 15 points" in shown
    assert "?:" not in shown


def test_activity_says_where_an_ended_round_is_changed_that_it_does_not_undo(client: FlaskClient):
    game = PlainGame.started(client, "frustration", "Anna Ben")
    tap = {"changed": "out", "out": str(game.seats["Anna"])}
    client.post(f"/games/{game.key}/rounds/1/row", data=tap)
    tapped = max(re.findall(r"/activity/(\d+)/undo", text_of(client, game_log(game))), key=int)
    game.close(1, out="Anna")
    answer = client.post(f"{game_log(game)}/{tapped}/undo")
    assert answer.status_code == 422
    assert f'href="/games/{game.key}/rounds/1">' in answer.get_data(as_text=True)


def game_log(game: PlainGame) -> str:
    return f"/games/{game.key}/activity"
