"""Where not every player of a group is shown or offered, and that it is said."""

import re

import pytest
from flask.testing import FlaskClient

from tests.web_table import PlainGame

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
NAMES = "Anna Ben Cleo Dora Emil Fatou Gwen Hugo Ines"


def text(client: FlaskClient, address: str) -> str:
    return client.get(address, follow_redirects=True).get_data(as_text=True)


def played(client: FlaskClient, names: str) -> None:
    game = PlainGame.started(client, "points-only", names)
    first, *others = names.split()
    game.close_anyway(1, **dict.fromkeys(others, "5"), **{first: "0"})
    assert client.post(f"/games/{game.key}/stop", data={"result": "yes"}).status_code == 303


def test_a_season_says_how_many_players_its_chart_leaves_out(client: FlaskClient) -> None:
    played(client, NAMES)
    played(client, NAMES)
    latest = re.findall(r'href="/games/(\w+)/rounds', text(client, "/history"))[0]
    client.post(f"/games/{latest}/evening", data={"mark": "begins"})
    (season,) = re.findall(r'href="/seasons/(\d+)"', text(client, "/seasons"))
    page = text(client, f"/seasons/{season}")
    chart = page.split('<figure class="chart"')[1].split("</figure>")[0]
    lines = chart.split('class="chart-key"')[1].count('class="chip"')
    assert lines == 8
    assert ">and 1 more player<" in chart


def test_whose_device_it_is_offers_no_player_who_was_merged(client: FlaskClient) -> None:
    played(client, "Anna Ben")
    played(client, "Annie Ben")
    offered = re.compile(r'<option[^>]*value="(\d+)"[^>]*>([^<]+)<')
    whose = text(client, "/group").split('id="player"')[1].split("</select>")[0]
    ids = {name: number for number, name in offered.findall(whose)}
    assert {"Anna", "Ben", "Annie"} <= set(ids)
    client.post(f"/players/{ids['Annie']}/merge", data={"into": ids["Anna"]})
    whose = text(client, "/group").split('id="player"')[1].split("</select>")[0]
    assert {name for _number, name in offered.findall(whose)} & set(ids) == {"Anna", "Ben"}
