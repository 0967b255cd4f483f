"""Figures of the simulated club as files and over the interface, beside a plain reckoning."""

import csv
import io
import re

import pytest
from flask import Flask

from app.actions.groups import Role
from tests.club import PlainSeason, club_in, evenings_in, exported, games_of
from tests.many_games import browser_in
from tests.web.test_history import text


@pytest.fixture
def club(app: Flask):
    group = club_in(app, 12)
    return browser_in(app, group), browser_in(app, group, Role.WATCH)


def rows(client, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text(client.get(address)).removeprefix("\ufeff"))))


def test_every_table_is_a_file_for_who_may_watch(club):
    client, guest = club
    games = games_of(exported(client))
    players = {one["player"]: one for one in rows(guest, "/tables/players.csv")}
    names = {name for game in games for name in game.places}
    assert {name for name, one in players.items() if one["games"] != "0"} == names
    for name in names:
        mine = [game for game in games if name in game.places]
        assert int(players[name]["wins"]) == sum(game.places[name] == 1 for game in mine)
    tried = sum(int(one["rounds"]) for one in rows(guest, "/tables/contracts.csv"))
    assert tried == sum(len(rounds) for game in games for rounds in game.tries.values())
    evenings = rows(guest, "/tables/evenings.csv")
    assert [int(one["games"]) for one in evenings] == [len(of) for of in evenings_in(games)]
    season = [(int(one["place"]), one["player"]) for one in rows(guest, "/tables/2025.csv")]
    expected = PlainSeason().table([game for game in games if game.ended.year == 2025])
    assert sorted(season) == sorted(expected)
    for one in rows(guest, "/tables/rivals.csv"):
        shared = [g for g in games if {one["player"], one["rival"]} <= set(g.places)]
        assert int(one["games"]) == len(shared)
    assert guest.get("/tables/nothing.csv").status_code == 404


def test_the_evenings_are_a_calendar(club):
    client, guest = club
    calendar = text(guest.get("/evenings.ics"))
    assert all(len(line.encode()) <= 75 for line in calendar.split("\r\n"))
    unfolded = calendar.replace("\r\n ", "")
    begins = re.findall(r"DTSTART:(\w+)", unfolded)
    games = games_of(exported(client))
    starts = [min(game.started for game in of) for of in evenings_in(games)]
    assert sorted(begins) == [one.strftime("%Y%m%dT%H%M%SZ") for one in starts]


def test_programs_are_told_of_players_evenings_and_seasons(club):
    client, _guest = club
    page = text(client.post("/group/tokens", data={"name": "The display", "role": "watch"}))
    secret = re.search(r'value="([\w-]{43})"', page)[1]

    def told(address: str, status: int = 200):
        headers = {"Authorization": f"Bearer {secret}"}
        answer = client.get(f"/api/v1{address}", headers=headers)
        assert answer.status_code == status, text(answer)
        return answer.get_json()

    games = games_of(exported(client))
    assert [one["results"] for one in reversed(told("/evenings")["evenings"])] == [
        len(of) for of in evenings_in(games)
    ]
    assert [one["key"] for one in told("/seasons")["seasons"]] == ["2025"]
    table = told("/seasons/2025")["table"]
    assert sorted((one["place"], one["player"]) for one in table) == sorted(
        PlainSeason().table(games)
    )
    of_rules = [game for game in games if game.variant == "frustration"]
    players = told("/players?season=2025&rule_set=frustration")["players"]
    assert sum(one["sums"]["wins"] for one in players) == sum(len(g.winners) for g in of_rules)
    told("/players?season=none", 404)
    told("/seasons/none", 404)
