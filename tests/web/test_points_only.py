"""Any other game that night: points alone, at setup, in a game, in exports, to other programs."""

import json
import re
from html import unescape

from flask import Flask
from flask.testing import FlaskClient

from tests.club import exported
from tests.web.test_data import brought_in
from tests.web.test_interface import Program, token_for
from tests.web_table import PlainGame, fields_of

SKULL = {"rule-win": "highest_score", "rule-score_limit": "100", "rule-below_zero": "true"}


def shown(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return unescape(answer.get_data(as_text=True))


def played(client: FlaskClient) -> PlainGame:
    """A game that Ben wins with the highest score, after two rounds."""
    game = PlainGame.started(client, "points-only", "Anna Ben Cleo", **SKULL)
    assert game.close(1, Anna="20", Ben="-10", Cleo="30").status_code == 303
    assert game.close(2, Anna="10+20", Ben="120-5", Cleo="0").status_code == 303
    return game


def test_which_way_and_until_when_are_asked_at_setup_and_said_in_the_game(client):
    setup = shown(client, "/games/new/points-only").split("House rules")[0]
    assert {"rule-win", "rule-score_limit", "rule-max_deals"} <= {*fields_of(setup, "new-game")}
    assert not re.search(r"deck|card|wild|contract", setup.split('<form id="new-game"')[1])
    game = PlainGame.started(client, "points-only", "Anna Ben", **SKULL)
    assert "Highest score wins, up to 100 points" in game.page


def test_a_game_is_played_to_its_limit_and_everything_tells_who_won(client):
    game = played(client)
    assert "Ben wins!" in game.page
    record = shown(client, f"/games/{game.key}/rounds")
    assert "After the last round, higher is better: Anna 50, Ben 105 and Cleo 30." in record
    assert "Contracts completed" not in record
    assert "The highest score wins." in record
    assert "Ben wins!" in shown(client, f"/games/{game.key}/result.svg")
    assert "Ben wins!" in shown(client, "/")
    assert "0/0" not in record + shown(client, "/") + shown(client, f"/games/{game.key}/screen")


def test_statistics_have_no_figures_of_contracts_where_none_were_played(client):
    played(client)
    page = shown(client, "/players")
    player = re.search(r'href="(/players/\d+)"', page)
    assert player
    mine = shown(client, player[1]).split("<main")[1]
    assert not re.search(r"going out|contract|Success", mine)
    PlainGame.started(client, "frustration", "Anna Ben Cleo", **{"rule-last_contract": "1"}).close(
        1, out="Anna"
    )
    assert re.search(r"[^0]<[^>]*>[^<]*rounds ended by going out", shown(client, player[1]))


def test_a_game_goes_out_whole_and_comes_back_the_same(client, app: Flask):
    key = played(client).key
    document = exported(client)
    stranger = app.test_client()
    PlainGame.started(stranger, "frustration", "Xenia Yves")
    brought_in(stranger, json.dumps(document))
    whole, copy = (
        next(one for one in each["games"] if key in (one["key"], one.get("imported_key")))
        for each in (document, exported(stranger))
    )
    assert copy["rounds"] == whole["rounds"]
    assert document["rule_sets"][whole["rules"]]["contracts"]["value"] == []
    assert "120-5" in json.dumps(whole)
    assert ",115,105," in shown(client, "/data/rounds.csv")


def test_there_is_nothing_to_check_and_a_few_questions_have_their_answers(client):
    game = PlainGame.started(client, "points-only", "Anna Ben", **SKULL)
    assert "/check" not in game.page.split('id="game"')[0].split("<main")[0].split('class="bar"')[1]
    answer = client.get(f"/games/{game.key}/check", follow_redirects=True)
    page = unescape(answer.get_data(as_text=True))
    assert "The player with the highest score." in page
    assert "After the round in which a score gets to 100." in page
    assert "points-only" not in shown(client, "/check").split("<select")[1].split("</select>")[0]
    assert page.count('class="panel faq"') <= 8


def test_a_family_has_its_own_game_after_one_short_form(client):
    fields = fields_of(shown(client, "/rules/custom/new?base=points-only"), "rule-set")
    sent = {**fields, "name": "Wizard", "rule-win": "highest_score", "rule-below_zero": "true"}
    sent |= {"rule-points_step": "10", "rule-max_deals": "2", "rule-dealer_rotation": "none"}
    kept = client.post("/rules/custom/new", data=sent)
    assert kept.status_code == 303
    assert "Highest score wins, up to 2 rounds" in shown(client, kept.location)
    game = PlainGame.started(client, kept.location.rsplit("/", 1)[1], "Anna Ben Cleo")
    assert "deals" not in game.page.split('id="bar"')[1].split("</main>")[0]
    asked = game.close(1, Anna="25", Ben="20", Cleo="-10")
    assert "steps of 10: 20 or 30, not 25" in unescape(asked.get_data(as_text=True))
    assert game.close_anyway(1, Anna="25", Ben="20", Cleo="-10").status_code == 303
    assert game.close(2, Anna="0", Ben="0", Cleo="0").status_code == 303
    assert "Anna wins!" in game.page


def test_where_nobody_deals_people_change_seats_alone(client):
    nobody = {"rule-dealer_rotation": "none"}
    game = PlainGame.started(client, "points-only", "Anna Ben Cleo", **nobody)
    assert f'<a href="/games/{game.key}/dealing">Seats</a>' in game.page
    links = re.findall(
        r"<a [^>]*>([^<]+)</a>", game.page.split('class="menu-panel"')[1].split("</header>")[0]
    )
    assert len(links) == len({*links})  # no word of the menu stands for two things
    game.client.post(f"/games/{game.key}/dealing/1/seats", data={"player": ["Anna", "Cleo", "Ben"]})
    assert game.close(1, Anna="1", Ben="2", Cleo="3").status_code == 303
    assert "New seats: Anna, Cleo and Ben." in shown(client, f"/games/{game.key}/rounds")
    for part in ("", "/dealing", "/rounds", "/activity"):
        page = shown(client, f"/games/{game.key}{part}").split("</footer>")[0]
        assert not re.search("Dealer|their dealers", page), part


def test_a_program_plays_it_too_and_hears_why_no_one_goes_out(client, app: Flask):
    PlainGame.started(client, "frustration", "Xenia Yves")
    program = Program(app.test_client(), token_for(client, "manage"))
    sent = {"rule_set": "points-only", "players": ["Anna", "Ben"], "house_rules": {"max_deals": 1}}
    game = program.ask("POST", "/games", 201, **sent)
    seats = [one["seat"] for one in game["standings"]]
    assert game["rules"]["contracts"]["value"] == []
    address = f"/games/{game['key']}/rounds/1"
    refused = program.ask(
        "POST", f"{address}/close", 422, rows=[{"seat": one, "went_out": True} for one in seats]
    )
    assert "no one goes out" in refused["faults"][0]["message"]
    rows = [{"seat": one, "points": str(10 * one)} for one in seats]
    done = program.ask("POST", f"{address}/close", rows=rows)
    assert (done["over"], done["winners"]) == (True, seats[:1])
    asked = {"ask": "meld", "variant": "points-only", "kind": "set", "cards": "5H 5D 5C"}
    assert "only points" in json.dumps(program.ask("POST", "/judge", 422, **asked))


def own_key(client: FlaskClient, name: str) -> str:
    """The key of the group's only rule set of that name."""
    (found,) = [
        one["key"] for one in exported(client)["own_rule_sets"] if one["rules"]["name"] == name
    ]
    return str(found)


def test_games_that_are_called_otherwise_have_figures_of_their_own(client):
    for name, best in (("Uno", "120"), ("Golf", "300")):
        game = PlainGame.started(client, "points-only", "Anna Ben", called=name, **SKULL)
        assert game.close(1, Anna=best, Ben="0").status_code == 303
    uno, golf = own_key(client, "Uno"), own_key(client, "Golf")
    for key, best in ((uno, "120"), (golf, "300")):
        records = shown(client, f"/history/records?rules={key}")
        assert f"{best} points" in records
        assert len(re.findall("300 points|120 points", records)) == 1
    assert f'<option value="{uno}"' in shown(client, "/history")


def test_a_name_typed_again_is_played_by_the_rules_that_it_was_played_by(client):
    PlainGame.started(client, "points-only", "Anna Ben", called="Uno", **SKULL)
    uno = own_key(client, "Uno")
    assert f'href="/games/new/{uno}"' in shown(client, "/games/new/points-only")
    golf = {"rule-win": "", "rule-max_deals": "9"}
    client.post("/games/new/points-only/rules", data=golf)
    arranged = client.post("/games/new/points-only", data={"called": "uno", **golf}).text
    assert "<h1>Uno</h1>" in arranged
    fields = fields_of(arranged, "new-game")
    assert (fields["variant"], fields["rule-max_deals"]) == (uno, "")
    game = PlainGame.started(client, "points-only", "Anna Cleo", called=" UNO ", **golf)
    assert "Highest score wins, up to 100 points" in game.page
    assert client.post(f"/rules/custom/{uno}/remove").status_code == 303
    again = PlainGame.started(client, "points-only", "Anna Dora", called="Uno", **SKULL)
    assert "Uno" in again.page
    assert own_key(client, "Uno") == uno
    assert len(exported(client)["own_rule_sets"]) == 1


def test_what_people_call_their_game_is_its_name_wherever_it_is_named(client):
    assert 'name="called"' in shown(client, "/games/new/points-only")
    assert 'name="called"' not in shown(client, "/games/new/frustration")
    uno = PlainGame.started(client, "points-only", "Anna Ben", called="  Uno ", **SKULL)
    for part in ("", "/screen"):
        page = shown(client, f"/games/{uno.key}{part}")
        assert "Uno" in page
        assert "Points only" not in page
    assert uno.close(1, Anna="120", Ben="0").status_code == 303
    client.post(f"/games/{uno.key}/share", data={"shared": "yes"})
    link = re.search(r"/results/[\w-]+", shown(client, f"/games/{uno.key}/rounds"))
    assert link
    assert "<h1>Uno</h1>" in shown(client, link[0])
    assert "Uno · " in shown(client, f"/games/{uno.key}/result.svg")
    for page in (shown(client, "/"), shown(client, "/history").split('class="cards"')[1]):
        assert "Uno" in page
        assert "Points only" not in page
    again = client.post(f"/games/{uno.key}/rematch")
    assert again.status_code == 303
    assert "Uno" in shown(client, again.location).split('class="bar-title"')[1].split("</h1>")[0]
    assert len({one["rules"] for one in exported(client)["games"]}) == 1
    assert client.post(f"/games/{uno.key}/about", data={"title": "UNO Flip"}).status_code == 303
    assert "UNO Flip" in shown(client, f"/games/{uno.key}")
