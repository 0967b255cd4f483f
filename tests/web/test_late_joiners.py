"""A late joiner: what each choice of a contract and a score would come to, and one too many."""

import html
import re
from itertools import product

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.store.games import StoredGame
from app.store.queries.games import load_game
from tests.web.test_told_change import told, undo_address
from tests.web_table import PlainGame, fields_of


def started(client, rule_set: str, names: str, rounds: int = 2) -> PlainGame:
    game = PlainGame.started(client, rule_set, names)
    first, *others = names.split()
    for number in range(1, rounds + 1):
        typed = {name: str(20 * place) for place, name in enumerate(others, start=1)}
        assert game.close(number, out=first, met=others[0], **typed).status_code == 303
    return game


def places(page: str, field: str) -> dict[str, str]:
    """The place that each choice of a field is said to give."""
    found = rf'id="{field}-(\w+)"[^>]*><span>[^<]*<span class="small">place (\d+)<'
    return dict(re.findall(found, page, re.DOTALL))


def place_of(app: Flask, key: str, name: str) -> str:
    with app.app_context():
        loaded = load_game(
            db.session, db.session.scalars(select(StoredGame.id).where(StoredGame.key == key)).one()
        )
        seat = next(seat for seat, known in loaded.game.names.items() if known == name)
        place = str(loaded.status.standing(seat).place)
        db.session.rollback()
        return place


@pytest.mark.parametrize("rule_set", ["aggravation-rummy", "aggravation-rummy-family"])
def test_each_pair_of_choices_says_the_place_that_it_then_gives(app: Flask, client, rule_set):
    game = started(client, rule_set, "Anna Ben Cleo")
    address = f"/games/{game.key}/players"
    told = set()
    for contract, score in product(("first", "lowest"), ("zero", "average", "highest")):
        chosen = {"contract": contract, "score": score}
        page = client.get(address, query_string=chosen).get_data(as_text=True)
        place = places(page, "contract")[contract]
        assert places(page, "score")[score] == place
        name = f"{contract}-{score}"
        assert client.post(address, data={"name": name, **chosen}).status_code == 303
        assert place_of(app, game.key, name) == place
        told.add(place)
    assert len(told) > 1


def test_starts_that_come_to_the_same_are_offered_once(client):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    address = f"/games/{game.key}/players"
    page = client.get(address).get_data(as_text=True)
    assert re.findall(r'id="(?:contract|score)-(\w+)"', page) == ["first", "other", "zero", "other"]
    page = client.get(address, query_string={"contract": "lowest"}).get_data(as_text=True)
    assert re.search(r'id="contract-lowest" value="lowest" checked', page)
    assert 'id="contract-first"' not in page


def test_who_sits_at_another_table_too_is_remarked_once_and_let_in(client):
    words = "Also at another table now: Anna"
    other = PlainGame.started(client, "frustration", "Anna Zoe")
    seated = "/games/new/frustration?player=Anna&player=Ben"
    assert client.get(seated).get_data(as_text=True).count(words) == 1
    assert words not in client.get(seated.replace("Anna", "Cleo")).get_data(as_text=True)
    game = PlainGame.started(client, "frustration", "Ben Cleo")
    address = f"/games/{game.key}/players"
    assert words not in client.get(address).get_data(as_text=True)
    assert client.post(address, data={"name": "Anna"}).status_code == 303
    assert client.get(address).get_data(as_text=True).count(words) == 1
    client.post(f"/games/{other.key}/stop", data={"result": "no"})
    assert words not in client.get(address).get_data(as_text=True)


def test_who_skips_a_round_is_shown_as_absent_at_the_table(client):
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    client.post(f"/games/{game.key}/players/{game.seats['Cleo']}/leave")
    assert "Absent this round: Cleo" in game.page
    assert game.close(1, out="Anna").status_code == 303
    assert "Absent this round: Cleo" in game.page
    client.post(f"/games/{game.key}/players", data={"name": "Cleo"})
    assert "Absent this round" not in game.page


@pytest.mark.parametrize("other", ["40", "−5"])
def test_a_number_of_ones_own_counts_beside_the_other_choice(app: Flask, client, other):
    game = started(client, "aggravation-rummy", "Anna Ben Cleo")
    address = f"/games/{game.key}/players"
    chosen = {"contract": "lowest", "score": "other", "other_score": other}
    page = client.get(address, query_string=chosen).get_data(as_text=True)
    place = places(page, "contract")["lowest"]
    client.post(address, data={"name": "Dora", **chosen})
    assert place_of(app, game.key, "Dora") == place


@pytest.mark.parametrize(("players", "said"), [("A B C D", False), ("A B C D E", True)])
def test_one_player_more_than_the_rules_are_for_is_told_and_let_in(client, players, said):
    game = PlainGame.started(client, "frustration-rummy", players)
    address = f"/games/{game.key}/players"
    words = "Frustration Rummy is for 2 to 5 players. With one more you are 6."
    assert (words in html.unescape(client.get(address).get_data(as_text=True))) == said
    assert client.post(address, data={"name": "F"}).status_code == 303


def test_the_undo_of_a_late_joiner_names_who_joined_and_not_what_else_was_chosen(
    a_running_game: PlainGame,
):
    game, start = a_running_game, {"score": "highest", "contract": "first"}
    game.client.post(f"/games/{game.key}/players", data={"name": "Dora", **start})
    assert "late joiner" in game.client.get(f"/games/{game.key}/activity").text
    game.client.post(undo_address(game), data={"back": "players"})
    assert told(game.client, game, "/players") == "Undone: Dora joined"


def test_what_a_late_joiner_began_with_is_offered_in_that_game_alone(client):
    """As the form says: the next game begins with its own usual start."""
    game = started(client, "aggravation-rummy", "Anna Ben Cleo")
    address, joins = f"/games/{game.key}/players", {"score": "highest", "contract": "lowest"}
    client.post(address, data={"name": "Dora", **joins})
    offered = re.compile(r'value="(?:highest|lowest)" checked')
    assert len(offered.findall(client.get(address).text)) == 2
    assert "A late joiner begins" not in client.get(f"/games/{game.key}/rounds").text
    client.post(f"/games/{game.key}/stop", data={**fields_of(game.page, "round"), "result": "yes"})
    assert "house rule" not in game.page
    again = client.post(f"/games/{game.key}/rematch").location
    assert not offered.search(client.get(f"{again}/players").text)


def test_what_late_joiners_begin_with_lasts_where_it_was_changed_as_a_house_rule(client):
    """The next late joiner begins otherwise, which holds for that game alone."""
    game = started(client, "aggravation-rummy", "Anna Ben Cleo")
    rules = f"/games/{game.key}/house-rules"
    sent = {"field": "joiner_score", "switch": "highest", "number": "3"}
    assert client.post(rules, data=sent).status_code == 303
    joins = {"name": "Dora", "score": "zero", "contract": "lowest"}
    assert client.post(f"/games/{game.key}/players", data=joins).status_code == 303
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    again = client.post(f"/games/{game.key}/rematch").location
    offered = client.get(f"{again}/players").text
    assert re.findall(r'id="score-(\w+)"[^>]*checked', offered) == ["highest"]
    assert re.findall(r'id="contract-(\w+)"[^>]*checked', offered) in ([], ["first"])


def test_who_left_in_the_middle_of_a_round_is_shown_as_gone_and_starts_nothing(client):
    game = started(client, "aggravation-rummy", "Anna Ben Cleo Dora")
    (name,) = re.findall(r"deals, <\w+>([^<]+)</\w+> starts", game.page)
    game.keep(3, **{name: "35"})
    client.post(f"/games/{game.key}/players/{game.seats[name]}/leave", data={"cards": "counted"})
    page = game.page
    rows = {row.split('row-name">')[1].split("<")[0]: row for row in page.split('id="row-')[1:]}
    assert {one for one, row in rows.items() if '<span class="tag">left<' in row} == {name}
    assert f"{name}: left, place" in rows[name]
    assert "starts" not in page
    earlier = client.get(f"/games/{game.key}/rounds/2").get_data(as_text=True)
    assert f'row-name">{name}<' in earlier
    assert '<span class="tag">left<' not in earlier


def test_who_joined_late_and_left_is_said_to_have_left_among_the_players_of_a_reopened_round(
    client,
):
    game = started(client, "frustration", "Anna Ben Cleo")
    players = f"/games/{game.key}/players"
    client.post(players, data={"name": "Dora"})
    game = PlainGame.known(client, game.key)
    dora = f'id="seat-{game.seats["Dora"]}"'
    assert game.close(3, out="Anna").status_code == 303
    client.post(f"{players}/{game.seats['Dora']}/leave", data={"cards": ""})
    for round_is_open in (False, True):
        if round_is_open:
            client.post(f"/games/{game.key}/rounds/3/undo")
        said = client.get(players).get_data(as_text=True).split(dora)[1].split("</li>")[0]
        assert ("Dora left after round 3" in said) != round_is_open
        assert ('<span class="tag">left<' in said) == round_is_open
