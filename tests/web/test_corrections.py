"""A score corrected beside its round, and buys: by form, by interface and in documents."""

import json
import re
from itertools import product

from flask import Flask

from tests.many_games import browser_in, play_games
from tests.web.test_data import brought_in, exported
from tests.web.test_interface import token_for
from tests.web_table import PlainGame


def text(answer) -> str:
    return answer.get_data(as_text=True)


def correct(game: PlainGame, name: str, points: str, **more: str):
    sent = {"seat": str(game.seats[name]), "number": "1", "points": points, **more}
    return game.client.post(f"/games/{game.key}/corrections", data=sent)


def scores(game: PlainGame) -> dict[str, int]:
    bearer = {"Authorization": f"Bearer {token_for(game.client, 'manage')}"}
    answer = game.client.get(f"/api/v1/games/{game.key}/standings", headers=bearer)
    return {one["player"]: one["score"] for one in answer.json["standings"]}


def test_a_correction_is_said_everywhere_and_changes_no_round(a_running_game: PlainGame):
    game, before = a_running_game, scores(a_running_game)
    assert correct(game, "Ben", "40", reason="Wrong lay-down").status_code == 303
    assert scores(game) == {**before, "Ben": before["Ben"] + 40}
    for address in ("", "/screen", "/rounds", "/result.svg"):
        page = text(game.client.get(f"/games/{game.key}{address}"))
        assert "Extra points: Ben +40 in round 1." in page
    record = text(game.client.get(f"/games/{game.key}/rounds"))
    assert "± +40" in record
    assert "Wrong lay-down" in record
    assert "Ben: extra points +40" in text(game.client.get(f"/games/{game.key}/activity"))
    correct(game, "Ben", "40", direction="take_off")
    assert scores(game) == before


def test_what_cannot_be_corrected_is_said_beside_its_field(a_running_game: PlainGame):
    for points in ("", "0", "10001", "x", "-5"):
        answer = correct(a_running_game, "Ben", points)
        assert answer.status_code == 422
        assert "Enter a whole number from 1 to 10,000." in text(answer)
    sent = {"seat": "", "number": "1", "points": "5"}
    answer = a_running_game.client.post(f"/games/{a_running_game.key}/corrections", data=sent)
    assert answer.status_code == 422


def test_every_player_and_round_that_is_offered_can_be_corrected(a_running_game: PlainGame):
    """Also a round that the player missed or had not joined for; and nothing once it is over."""
    game = a_running_game
    address = f"/games/{game.key}/players"
    game.client.post(f"{address}/{game.seats['Ben']}/leave", data={"cards": ""})
    assert game.close(2, out="Anna", Cleo="5").status_code == 303
    for name in ("Ben", "Dora"):
        joined = {"name": name, "after": "", "score": "zero", "contract": "first"}
        assert game.client.post(address, data=joined).status_code == 303
    form = text(game.client.get(f"/games/{game.key}/corrections"))
    seats = re.findall(r'name="seat" id="seat-\d+" value="(\d+)"', form)
    rounds = re.findall(r'<option[^>]* value="(\d+)"', form)
    assert (len(seats), rounds) == (4, ["1", "2", "3"])
    before = scores(game)
    bearer = {"Authorization": f"Bearer {token_for(game.client, 'score')}"}
    for seat, number in product(seats, rounds):
        sent = {"seat": seat, "number": number, "points": "10"}
        answer = game.client.post(f"/games/{game.key}/corrections", data=sent)
        assert answer.status_code == 303, (seat, number)
        said = {"seat": int(seat), "round": int(number), "points": 7}
        answer = game.client.post(
            f"/api/v1/games/{game.key}/corrections", json=said, headers=bearer
        )
        assert answer.status_code == 200, answer.json
    assert scores(game) == {name: score + 3 * 17 for name, score in before.items()}
    game.client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    correct(game, "Ben", "10")
    assert scores(game)["Ben"] == before["Ben"] + 3 * 17 + 10


def test_the_page_leads_to_a_round_that_was_entered_wrong(a_running_game: PlainGame):
    page = text(a_running_game.client.get(f"/games/{a_running_game.key}/corrections"))
    link = f'<a href="/games/{a_running_game.key}/rounds#rounds">A round was entered wrong?'
    assert link in page


def test_a_correction_is_removed(a_running_game: PlainGame):
    game, before = a_running_game, scores(a_running_game)
    correct(game, "Ben", "40", reason="a & b")
    sent = {"seat": str(game.seats["Ben"]), "number": "1", "points": "40", "reason": "a & b"}
    address = f"/games/{game.key}/corrections/remove"
    assert game.client.post(address, data=sent).status_code == 303
    assert scores(game) == before
    assert game.client.post(address, data=sent).status_code == 303


def test_corrections_and_buys_travel_in_documents_and_spreadsheets(app: Flask, client):
    game = PlainGame.started(client, "shanghai-rummy", "Anna Ben Cleo")
    sent = game.sent(out="Anna", Ben="100", Cleo="100") | {f"{game.seats['Ben']}-buys": "2"}
    assert game.close(1, sent).status_code == 303
    correct(game, "Cleo", "25", direction="take_off", reason="agreed")
    before = json.loads(exported(client))
    (kept,) = before["games"]
    assert kept["course"]["corrections"] == [
        {"number": 1, "seat": 3, "points": -25, "reason": "agreed"}
    ]
    assert [row.get("buys", 0) for row in kept["rounds"][0]["rows"]] == [0, 2, 0]
    other = browser_in(app, play_games(app, 0))
    brought_in(other, json.dumps(before))
    assert json.loads(exported(other))["games"] == before["games"]
    lines = text(client.get("/data/rounds.csv")).splitlines()
    assert [line.rsplit(",", 3)[1:3] for line in lines[2:4]] == [["2", ""], ["", "-25"]]


def test_a_tap_counts_a_buy_and_a_round_is_mended_with_it(client):
    game = PlainGame.started(client, "shanghai-rummy", "Anna Ben Cleo")
    ben = game.seats["Ben"]
    tap = {"changed": f"{ben}-buys", f"{ben}-buys": "1"}
    assert client.post(f"/games/{game.key}/rounds/1/row", data=tap).status_code == 303
    assert game.sent()[f"{ben}-buys"] == "1"
    assert "Ben: 1 buy" in text(client.get(f"/games/{game.key}/activity"))
    wrong = {"changed": f"{ben}-buys", f"{ben}-buys": "x"}
    assert client.post(f"/games/{game.key}/rounds/1/row", data=wrong).status_code == 422
    plain = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    assert "-buys" not in plain.page


def test_players_stand_in_the_order_of_the_rows_of_the_round_where_points_are_added(
    a_running_game: PlainGame,
):
    """Whose phone it is comes first; who left is among the others."""
    game, client = a_running_game, a_running_game.client

    def names(address: str, found: str) -> list[str]:
        return re.findall(found, text(client.get(f"/games/{game.key}{address}")))

    def offered() -> list[str]:
        return names("/corrections", r'for="seat-\d+">\s*.*class="name [^>]*>([^<]+)<')

    sent = {"player": ["Cleo", "Anna", "Ben"]}
    assert client.post(f"/games/{game.key}/dealing/2/seats", data=sent).status_code == 303
    assert offered() == names("", r'row-name">([^<]+)<') == ["Cleo", "Anna", "Ben"]
    client.post(f"/games/{game.key}/rounds/1/undo")
    assert offered() == names("", r'row-name">([^<]+)<') == ["Anna", "Ben", "Cleo"]
    client.post(f"/games/{game.key}/players/{game.seats['Anna']}/leave", data={"cards": ""})
    (ben,) = re.findall(r'<option value="(\d+)"[^>]*>Ben<', text(client.get("/group")))
    client.post("/group/me", data={"player": ben, "device": "phone"})
    assert offered() == ["Ben", "Anna", "Cleo"]
