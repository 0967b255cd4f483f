"""A player's name in the round opens what can be done about that player; so without scripts."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.extensions import db
from app.rules.variant import Variant
from app.store.groups import Membership
from tests.any_rules import WITH_CONTRACTS
from tests.web.test_interface import token_for
from tests.web.test_invites import joined, made_link
from tests.web_table import PlainGame


def menu_of(game: PlainGame, name: str) -> str:
    row = game.page.split(f'id="row-{game.seats[name]}"')[1]
    found = re.search(r'<details class="row-person".*?</details>', row, re.DOTALL)
    assert found
    return found[0]


def test_a_name_opens_what_can_be_done_about_that_player(app: Flask, a_running_game: PlainGame):
    game = a_running_game
    menu, seat = menu_of(game, "Ben"), game.seats["Ben"]
    assert "Check contract 2" in menu
    links = [one.replace("&amp;", "&") for one in re.findall(r'<a href="([^"]+)"', menu)]
    assert links[1] == f"/games/{game.key}/check?seat={seat}"
    opened = game.client.get(links[2].partition("#")[0]).get_data(as_text=True)
    about = opened.split(f'id="seat-{seat}"')[1].split("</details>")[0]
    assert re.search(r"player-menu\" data-folds open", about)
    assert links[3] == f"/games/{game.key}/rounds#rounds"
    corrected = game.client.get(links[4]).get_data(as_text=True)
    assert re.search(rf'id="seat-{seat}" value="{seat}" checked', corrected)
    player = re.search(r'form="claim" name="player" value="(\d+)"', menu)
    assert player
    game.client.post(f"/games/{game.key}/mine", data={"player": player[1]})
    with app.app_context():
        assert db.session.query(Membership.player_id).scalar() == int(player[1])
    assert "This isn’t my device" in menu_of(game, "Ben")


def test_a_round_is_corrected_from_the_menu_the_strip_and_a_name_once_one_has_ended(
    client: FlaskClient, app: Flask
):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    link = f'<a href="/games/{game.key}/rounds#rounds">Correct a round</a>'
    assert link in game.page.split('id="menu-change"')[1].split("</section>")[0]
    assert game.page.count(link) == 1
    assert game.close(1, out="Anna", Ben="25", Cleo="30").status_code == 303
    assert link in game.page.split('class="bar-deal')[1].split("</p>")[0]
    assert link in menu_of(game, "Ben")
    watcher = joined(app, made_link(game, "watch"))
    assert link not in watcher.get(f"/games/{game.key}").get_data(as_text=True)


def test_a_round_of_a_finished_game_is_corrected_from_its_first_page_and_results_lead_to_rounds(
    client: FlaskClient, app: Flask
):
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-last_contract": "1"})
    assert game.close(1, out="Anna").status_code == 303
    rounds = f'href="/games/{game.key}/rounds#rounds">'
    assert f"{rounds}Correct a round</a>" in game.page.split('id="game"')[1]
    watcher = joined(app, made_link(game, "watch"))
    assert f"{rounds}Rounds</a>" in watcher.get(f"/games/{game.key}").get_data(as_text=True)
    results = client.get(f"/games/{game.key}/rounds").get_data(as_text=True)
    assert '<a href="#rounds">Rounds</a>' in results


@pytest.mark.parametrize("rules", WITH_CONTRACTS, ids=lambda one: one.id)
def test_the_contract_there_leads_to_its_sentence_and_picture(client: FlaskClient, rules: Variant):
    game = PlainGame.started(client, rules.id, "Anna Ben Cleo")
    link = re.search(r'<a href="([^"]+contract=1)">Explain', menu_of(game, "Ben"))
    assert link
    page = client.get(link[1], follow_redirects=True).get_data(as_text=True)
    said, _heading, tour = page.partition("How to play</h2>")
    assert "What you have to lay down in one turn. Contract 1: " in said
    assert said.count('class="playing-card') >= sum(one.size for one in rules.contract(1).parts)
    assert f'href="/games/{game.key}"' in said
    assert all(f"<b>{word}</b>" in tour for word in ("Set", "Run", "Wild card", "Lay off"))


def test_a_score_is_corrected_only_where_one_is_kept(client: FlaskClient):
    game = PlainGame.started(client, "frustration", "Anna Ben")
    assert "Add or subtract points" not in menu_of(game, "Ben")
    assert "Add or subtract points" not in game.page


@pytest.mark.parametrize("name", ["Anna", "Ben", "Cleo"])  # who deals, who starts, neither
@pytest.mark.parametrize(("language", "someone"), [("en", r"\w+s\b"), ("fr", r"\w+(?<!ez)\b")])
def test_your_own_row_says_what_you_do_and_not_what_someone_does(
    client: FlaskClient, language: str, someone: str, name: str
):
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    player = re.search(r'form="claim" name="player" value="(\d+)"', menu_of(game, name))
    assert player
    client.post(f"/games/{game.key}/mine", data={"player": player[1]})
    page = client.get(f"/games/{game.key}", headers={"Accept-Language": language})
    row = page.get_data(as_text=True).split(f'id="row-{game.seats[name]}"')[1]
    head = row.split("</summary>")[0]
    heard, *seen = re.findall(r'<span class="(?:sr-only|tag[^"]*)">(.*?)</span>', head, re.DOTALL)
    words = [re.sub(r"<[^>]*>", "", one) for one in (heard.split(":")[1], " ".join(seen))]
    assert all(re.match(r"\s*(?:you|vous)\b", one) for one in words), words
    assert not [one for one in words if re.match(rf"\s*(?:you|vous) {someone}", one)], words


def someone_else(game: PlainGame, seat: str, **sent: str) -> TestResponse:
    address = f"/games/{game.key}/corrections/seat/{game.seats[seat]}"
    assert game.client.get(address).status_code == 200
    return game.client.post(address, data=sent)


def test_a_seat_is_given_to_who_it_was_all_along_from_the_name_and_once_the_game_is_over(
    client: FlaskClient, app: Flask
):
    game = PlainGame.started(client, "frustration", "Ella Ben", **{"rule-last_contract": "1"})
    link = f'/games/{game.key}/corrections/seat/{game.seats["Ella"]}"'
    assert link in menu_of(game, "Ella")
    assert someone_else(game, "Ella", name="Emmy").location == f"/games/{game.key}"
    assert "Emmy" in menu_of(game, "Ella")
    assert game.close(1, out="Ella").status_code == 303
    assert link in client.get(f"/games/{game.key}/players").text
    watcher = joined(app, made_link(game, "watch"))
    assert link not in watcher.get(f"/games/{game.key}/players").text
    assert f'/games/{game.key}/players"' in client.get(f"/games/{game.key}/rounds").text
    asked = someone_else(game, "Ella", name="Élla")
    assert asked.status_code == 422
    assert "Is Élla the same person as Ella?" in asked.text
    refused = someone_else(game, "Ella", name="Ben")
    assert refused.status_code == 422
    assert "Ben already sits at this table. Correct that seat first." in refused.text
    assert someone_else(game, "Ella", name="Élla", meant="Ella").status_code == 303
    assert "Ella wins" in game.page
    assert "Seat of Emmy: it was Ella all along" in game.page.split('id="told-change"')[1]
    record = client.get(f"/games/{game.key}/rounds").text.split("<main")[1]
    assert "Ella" in record
    assert "Emmy" not in record
    changes = client.get(f"/games/{game.key}/activity").text
    assert "Seat of Ella: it was Emmy all along" in changes
    assert "Seat of Emmy: it was Ella all along" in changes


def row_of(client: FlaskClient, game: PlainGame, name: str) -> str:
    page = client.get(f"/games/{game.key}").get_data(as_text=True)
    return page.split(f'id="row-{game.seats[name]}"')[1].split("</details>")[0]


def is_mine(client: FlaskClient, game: PlainGame, name: str) -> bool:
    return "This isn’t my device" in row_of(client, game, name)


def claim(client: FlaskClient, game: PlainGame, name: str) -> None:
    player = re.search(r'form="claim" name="player" value="(\d+)"', row_of(client, game, name))
    client.post(f"/games/{game.key}/mine", data={"player": player[1]})


def test_the_device_of_who_was_taken_for_another_follows_them_and_goes_back_with_an_undo(
    client: FlaskClient, app: Flask
) -> None:
    game = PlainGame.started(client, "frustration", "Ella Ben")
    guest = joined(app, made_link(game, "score"))
    for one in (client, guest):
        claim(one, game, "Ella")
    assert someone_else(game, "Ella", name="Emmy").status_code == 303
    assert "Emmy" in menu_of(game, "Ella")
    assert [is_mine(one, game, "Ella") for one in (client, guest)] == [True, True]
    undo = re.search(r'action="(/games/\w+/activity/\d+/undo)"', game.page)
    assert client.post(undo[1]).status_code == 303
    assert [is_mine(one, game, "Ella") for one in (client, guest)] == [True, True]
    assert someone_else(game, "Ella", name="Emmy").status_code == 303
    later = PlainGame.started(client, "frustration", "Emmy Ella")
    assert [is_mine(client, later, name) for name in later.seats] == [True, False]


def test_the_device_of_who_plays_other_games_stays_theirs_where_it_was_there_before(
    client: FlaskClient, app: Flask
) -> None:
    earlier = PlainGame.started(client, "frustration", "Ella Ben")
    claim(client, earlier, "Ella")
    game = PlainGame.started(client, "frustration", "Ella Ben")
    guest = joined(app, made_link(game, "score"))
    claim(guest, game, "Ella")
    assert someone_else(game, "Ella", name="Emmy").status_code == 303
    assert is_mine(client, earlier, "Ella")
    assert not is_mine(client, game, "Ella")
    assert is_mine(guest, game, "Ella")


def test_a_program_says_who_held_a_seat_instead_of_one_of_several(a_running_game: PlainGame):
    game, client = a_running_game, a_running_game.client
    headers = {"Authorization": f"Bearer {token_for(client, 'score')}"}
    seat = f"/api/v1/games/{game.key}/players/{game.seats['Ben']}"
    client.put(seat, json={"name": "Dora"}, headers=headers)
    body = {"name": "Benno", "instead_of": "Ben"}
    answer = client.put(f"{seat}/holder", json=body, headers=headers)
    (one,) = (one for one in answer.json["standings"] if one["seat"] == game.seats["Ben"])
    assert (one["taken_by"], one["player"]) == ("Benno", "Dora")
    refused = client.put(f"{seat}/holder", json=body, headers=headers)
    assert refused.status_code == 422
    assert refused.json["faults"][0]["field"] == "instead_of"


def test_a_player_is_renamed_from_their_name_and_the_game_tells_it_with_its_undo(
    client: FlaskClient, app: Flask
):
    game = PlainGame.started(client, "frustration", "Anne Ben")
    scorer = joined(app, made_link(game, "score"))
    for who, may in ((client, True), (scorer, False)):
        menu = menu_of(PlainGame(who, game.key, game.seats), "Anne")
        assert (">Rename<" in menu) == may
    link = re.search(r'<a href="(/players/\d+\?game=\w+)">Rename', menu_of(game, "Anne"))
    assert link
    form = client.get(link[1]).text
    assert re.search(r'<details class="panel fold" id="mark" data-as-sent open>', form)
    assert f'<a href="/games/{game.key}">Back to the game</a>' in form
    address = re.search(r'action="([^"]+/name\?game=\w+)"', form)
    assert address
    refused = client.post(address[1], data={"name": "Ben"})
    assert refused.status_code == 422
    assert f'action="{address[1]}"' in refused.text
    assert client.post(address[1], data={"name": "Anna"}).location == f"/games/{game.key}"
    told = game.page.split('id="told-change"')[1].split("</button>")[0]
    assert "Anne is now called Anna" in told
    assert f'action="{address[1]}"' in told
    assert 'name="name" value="Anne"' in told
    assert client.post(address[1], data={"name": "Anne"}).location == f"/games/{game.key}"
    assert "Anna is now called Anne" in game.page.split('id="told-change"')[1]


def test_who_was_renamed_again_is_not_told_as_renamed_though_another_has_the_name(
    client: FlaskClient, app: Flask
):
    game = PlainGame.started(client, "frustration", "Anna Ben")
    other = joined(app, made_link(game, "manage"))
    (player,) = set(re.findall(r'<a href="/players/(\d+)\?game=\w+">Rename', menu_of(game, "Anna")))
    client.post(f"/players/{player}/name?game={game.key}", data={"name": "Anne"})
    assert "Anna is now called Anne" in game.page
    other.post(f"/players/{player}/name?game={game.key}", data={"name": "Annette"})
    PlainGame.started(other, "frustration", "Anne Cleo")
    assert "is now called" not in game.page


def test_who_was_merged_is_not_told_as_renamed(client: FlaskClient):
    first, game = (
        PlainGame.started(client, "frustration", f"{one} Ben") for one in ("Ann", "Anna")
    )
    ids = [
        re.search(rf'/players/(\d+)\?game={one.key}">Rename', menu_of(one, name))
        for one, name in ((first, "Ann"), (game, "Anna"))
    ]
    assert client.post(f"/players/{ids[1][1]}/merge", data={"into": ids[0][1]}).status_code == 303
    assert "Ann" in game.page
    assert "is now called" not in game.page
