"""The mark of a player: one and the same wherever they stand, and chosen by a tap."""

import json
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from app.scorebook.marks import COLORS, SHAPES, Mark, next_mark
from tests.web.test_interface import Program, token_for
from tests.web_table import PlainGame

MARK = re.compile(r'class="mark (mark-\d) [^>]*><use href="[^"]*#(mark-\d)"')


def person(client: FlaskClient, name: str) -> str:
    people = client.get("/players").text.split("<li>")
    row = next(one for one in people if f">{name}</span>" in one)
    return row.split('href="')[1].split('"')[0]


def change(client: FlaskClient, address: str, status: int = 303, **mark: object) -> str:
    answer = client.post(f"{address}/mark", data={"color": 1, "shape": 1, "sign": "", **mark})
    assert answer.status_code == status
    return answer.text


def marks(client: FlaskClient, address: str) -> set[tuple[str, str]]:
    return set(MARK.findall(client.get(address).text))


def test_who_takes_a_color_is_told_who_has_it_and_may_have_it(client: FlaskClient):
    PlainGame.started(client, "frustration", "Anna Ben Cleo Dora")
    anna, ben, cleo = (person(client, name) for name in ("Anna", "Ben", "Cleo"))
    change(client, anna, color=7)
    change(client, ben, color=8)
    assert "this shade, too" not in client.get(ben).text
    change(client, ben, color=7)
    assert "Anna has this shade, too." in client.get(ben).text
    swapped = client.post(
        f"{cleo}/mark", data={"color": 7, "shape": 1, "sign": ""}, headers={"HX-Request": "true"}
    )
    assert "data-announce>Anna and Ben have this shade, too." in swapped.text
    client.post(f"{anna}/archive", data={"archived": "yes"})
    assert ">Ben has this shade, too." in client.get(cleo).text


@given(st.integers(0, COLORS * SHAPES - 1))
def test_new_players_differ_as_long_as_marks_last(count: int) -> None:
    taken: list[Mark] = []
    for _ in range(count + 1):
        taken.append(next_mark(taken))
    assert len(set(taken)) == len(taken)
    first = taken[:COLORS]
    assert len({one.color for one in first}) == len({one.shape for one in first}) == len(first)


def test_a_player_has_one_mark_wherever_they_stand_and_in_the_next_game(client: FlaskClient):
    game = PlainGame.started(
        client, "aggravation-rummy", "Anna Ben Cleo", **{"rule-max_deals": "1"}
    )
    address = person(client, "Ben")
    before = marks(client, f"/games/{game.key}")
    change(client, address, color=5, shape=3, sign="🦊")
    again = PlainGame.started(client, "frustration", "Ben Cleo Dora")
    game.close(1, out="Anna", Ben="5", Cleo="5")
    ben = ("mark-5", "mark-3")
    assert ben not in before
    of_games = [f"/games/{game.key}{part}" for part in ("", "/rounds", "/screen", "/players")]
    for where in (*of_games, f"/games/{again.key}", "/", "/history", "/players", address):
        page = client.get(where).text
        assert ben in set(MARK.findall(page)), where
        assert "🦊" in page, where
    picture = client.get(f"/games/{game.key}/result.svg").text
    assert "🦊" in picture
    assert "#7a3aa8" in picture
    ElementTree.fromstring(picture)


@pytest.mark.parametrize("sign", ["ABC", "a b", "\u202e", "🦊" * 9])
def test_a_sign_is_one_emoji_or_two_letters(client: FlaskClient, sign: str) -> None:
    PlainGame.started(client, "frustration", "Anna Ben Cleo")
    assert "fault" in change(client, person(client, "Ben"), 422, sign=sign)


def test_a_merged_player_has_the_mark_of_who_was_kept_and_documents_bring_marks_along(
    app: Flask, client: FlaskClient
) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    PlainGame.started(client, "frustration", "Anna Benny Cleo")
    ben, benny = person(client, "Ben"), person(client, "Benny")
    change(client, benny, color=7, shape=2, sign="B")
    client.post(f"{ben}/merge", data={"into": benny.rsplit("/", 1)[1]})
    assert ("mark-7", "mark-2") in marks(client, f"/games/{game.key}")
    program = Program(app.test_client(), token_for(client, "manage"))
    standings = program.ask("GET", f"/games/{game.key}")["standings"]
    assert {"color": 7, "shape": 2, "sign": "B"} in [one["mark"] for one in standings]
    document = json.loads(client.get("/data/export.json").text)
    told = {one["name"]: one.get("mark") for one in document["players"]}
    assert told["Benny"] == {"color": 7, "shape": 2, "sign": "B"}


def test_eight_have_eight_colors_though_some_chose_another_shape() -> None:
    taken = [Mark(1, 4), Mark(2, 2), Mark(3, 2)]
    while len(taken) < COLORS:
        taken.append(next_mark(taken))
    assert len({one.color for one in taken}) == COLORS


def test_a_name_that_is_typed_is_not_lost_by_saving_the_mark(client: FlaskClient):
    PlainGame.started(client, "frustration", "Anna Ben")
    anna = person(client, "Anna")
    sent = {"color": 3, "shape": 1, "sign": "", "closes": "yes"}
    for name, stays_open in (("Annabel", True), ("Anna", False)):
        head = client.post(
            f"{anna}/mark", data=sent | {"name": name}, headers={"HX-Request": "true"}
        ).text
        assert f'value="{name}"' in head
        assert ("data-as-sent open" in head) == stays_open


def test_each_line_of_a_chart_bears_its_players_mark_on_the_way_and_none_hides_another(client):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo Dan Emil Finn")
    for number in range(1, 7):
        out, *others = (*game.seats,)[number - 1 :] + (*game.seats,)[: number - 1]
        points = {name: str(55 + 5 * place) for place, name in enumerate(others)}
        assert game.close_anyway(number, out=out, **points).status_code == 303
    charts = client.get(f"/games/{game.key}/rounds").text.split('class="chart"')[1:]
    assert charts
    for chart in charts:
        way = r'class="chart-end mark-(\d)"[^>]* x="([\d.-]+)" y="([\d.-]+)"'
        found = re.findall(way, chart)
        assert len({color for color, _x, _y in found}) == len(game.seats)
        places = [(float(x), float(y)) for _color, x, y in found]
        assert not [
            (one, other)
            for one, other in combinations(places, 2)
            if abs(one[0] - other[0]) < 9 and abs(one[1] - other[1]) < 9
        ]
