"""Figures of the simulated club as files and over the interface, beside a plain reckoning."""

import csv
import io
import re
from collections import Counter
from datetime import datetime
from itertools import combinations
from typing import Any

import pytest
from flask import Flask

from app.actions.groups import Role
from app.exchange.past_results import read_past_results
from app.rules.rule_sets import shipped_rule_sets
from app.web.tables import TABLES
from tests.club import PlainSeason, evenings_in, exported, games_of
from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, club_in
from tests.web.test_history import text


@pytest.fixture
def club(app: Flask):
    group = club_in(app, 12)
    return browser_in(app, group), browser_in(app, group, Role.WATCH)


def secret_of(client, role: str) -> str:
    """A token's, for a program with that role."""
    page = text(client.post("/group/tokens", data={"name": "The display", "role": role}))
    return re.search(r'value="([\w-]{43})"', page)[1]


def asked(client, secret: str, method: str, address: str, status: int = 200, **sent: Any) -> Any:
    """What the interface answers a program."""
    headers = {"Authorization": f"Bearer {secret}"}
    answer = client.open(f"/api/v1{address}", method=method, headers=headers, json=sent or None)
    assert answer.status_code == status, text(answer)
    return answer.get_json() if answer.data else None


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
    records = {one["record"]: one for one in rows(guest, "/tables/records.csv")}
    ended = [game for game in games if not game.stopped]
    fastest = min(ended, key=lambda game: game.ended - game.started)
    assert records["Fastest game"]["value"] == str((fastest.ended - fastest.started).seconds)
    assert records["Fastest game"]["winners"] == ", ".join(fastest.winners)
    assert records["Most rounds"]["value"] == str(max(max(g.rounds.values()) for g in games))
    for one in rows(guest, "/tables/rivals.csv"):
        shared = [g for g in games if {one["player"], one["rival"]} <= set(g.places)]
        assert int(one["games"]) == len(shared)
    assert guest.get("/tables/nothing.csv").status_code == 404


@ON_SQLITE
def test_every_table_is_downloaded_from_the_page_that_shows_it(club):
    _client, guest = club
    player = re.search(r'href="(/players/\d+)"', text(guest.get("/players")))[1]
    pages = ["/history", "/history/records", "/players", "/evenings", "/seasons", "/seasons/2025"]
    found = set[str]()
    for address in (*pages, f"{player}/milestones"):
        page = text(guest.get(address))
        assert page.count("Download as CSV") == 1
        shown = {kind for kind in ("card ", "figures", 'class="cards"') if kind in page}
        assert page.index("Download as CSV") > max(page.rindex(kind) for kind in shown), address
        files = re.findall(r'href="/tables/(\w+)\.csv(\?[^"]*)?"', page)
        apart = {name for name, query in files if "separator=semicolon" in query}
        assert apart == {name for name, query in files if "separator=" not in query}
        found |= apart
    assert found == {*TABLES, "2025"}


@ON_SQLITE
def test_between_semicolons_stand_decimal_commas_and_the_clock_of_the_server(club):
    _client, guest = club
    fractions = moments = 0
    for name in (*TABLES, "2025"):
        plain = rows(guest, f"/tables/{name}.csv")
        table = text(guest.get(f"/tables/{name}.csv?separator=semicolon")).removeprefix("\ufeff")
        local = list(csv.DictReader(io.StringIO(table), delimiter=";"))
        assert len(local) == len(plain)
        for cell, other in zip(
            (cell for row in local for cell in row.items()),
            (cell for row in plain for cell in row.items()),
            strict=True,
        ):
            if re.fullmatch(r"-?\d+\.\d+", other[1]):
                assert float(cell[1].replace(",", ".")) == round(float(other[1]), 4)
                assert "." not in cell[1]
                fractions += 1
            elif re.fullmatch(r"\d{4}-\d\d-\d\dT.*", other[1]):
                at = datetime.fromisoformat(other[1]).astimezone()
                assert cell[1] == at.strftime("%Y-%m-%d %H:%M")
                moments += 1
            else:
                assert cell == other
    assert fractions
    assert moments


@ON_SQLITE
def test_the_evenings_are_a_calendar(club):
    client, guest = club
    calendar = text(guest.get("/evenings.ics"))
    assert all(len(line.encode()) <= 75 for line in calendar.split("\r\n"))
    unfolded = calendar.replace("\r\n ", "")
    begins = re.findall(r"DTSTART:(\w+)", unfolded)
    games = games_of(exported(client))
    starts = [min(game.started for game in of) for of in evenings_in(games)]
    assert sorted(begins) == [one.strftime("%Y%m%dT%H%M%SZ") for one in starts]


@ON_SQLITE
def test_programs_are_told_of_players_evenings_and_seasons(club):
    client, _guest = club
    secret = secret_of(client, "watch")

    def told(address: str, status: int = 200):
        return asked(client, secret, "GET", address, status)

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


@ON_SQLITE
def test_programs_choose_games_by_days_rule_set_and_players_as_people_do(club):
    client, _guest = club
    secret = secret_of(client, "watch")
    ids = {one["name"]: one["id"] for one in asked(client, secret, "GET", "/players")["players"]}
    games = games_of(exported(client))
    first, last = (games[number].ended.astimezone().date() for number in (3, 14))
    there = [game for game in games if first <= game.ended.astimezone().date() <= last]
    pairs = Counter(pair for game in there for pair in combinations(sorted(game.places), 2))
    ((one, other), _count) = pairs.most_common(1)[0]
    chosen = [game for game in there if {one, other} <= game.places.keys()]
    assert 1 < len(chosen) < len(there) < len(games)
    together = f"{ids[one]},{ids[other]}"
    query = f"since={first}&last_day={last}&with_players={together}"

    def told(address: str, query: str = query, status: int = 200) -> Any:
        return asked(client, secret, "GET", f"{address}?{query}", status)

    assert {one["name"]: one["sums"]["games"] for one in told("/players")["players"]} == {
        name: sum(name in game.places for game in chosen) for name in ids
    }
    rivals = {rival["name"]: rival for rival in told(f"/players/{ids[one]}")["rivals"]}
    assert rivals[other]["shared"] == len(chosen)
    assert {one["key"] for one in told("/evenings")["evenings"]} == {
        min((one for one in games if one.evening == number), key=lambda one: one.started).key
        for number in {game.evening for game in chosen}
    }
    rounds = {one["field"]: one["value"] for one in told("/records")["records"] if one["most"]}
    assert rounds["rounds"] == max(len(game.lasted) for game in chosen)
    tries = [len(tried) for game in chosen for tried in game.tries.values()]
    counted = [one["stats"]["sums"]["rounds"] for one in told("/contracts")["contracts"]]
    assert sum(counted) == sum(tries)
    for query, status in (
        ("with_players=999999", 404),
        ("with_players=Ben", 422),
        ("since=1700-01-01", 422),
        ("last_day=soon", 422),
        ("season=none", 404),
    ):
        told("/records", query, status)


@ON_SQLITE
def test_the_champion_and_who_leads_are_told_as_the_pages_do(club):
    client, _guest = club
    secret = secret_of(client, "watch")
    expected = [
        name for place, name in PlainSeason().table(games_of(exported(client))) if place == 1
    ]
    assert asked(client, secret, "GET", "/seasons")["leaders"] == {"2025": expected}
    (row,) = rows(client, "/tables/seasons.csv")
    assert (row["season"], row["leaders"]) == ("2025", ", ".join(expected))
    for one in asked(client, secret, "GET", "/players")["players"]:
        titles = asked(client, secret, "GET", f"/players/{one['id']}")["titles"]
        assert [title["name"] for title in titles] == (["2025"] if one["name"] in expected else [])
        assert ("Champion: 2025" in text(client.get(f"/players/{one['id']}"))) == bool(titles)


@ON_SQLITE
def test_a_table_of_games_can_be_imported_as_past_results(club):
    client, guest = club
    table = guest.get("/tables/games.csv").data
    read = read_past_results(table, shipped_rule_sets())
    assert not read.faults
    names = {name for game in games_of(exported(client)) for name in game.places}
    assert {one.player for one in read.lines} == names


@ON_SQLITE
def test_programs_make_change_and_settle_seasons_as_the_pages_do(club):
    client, _guest = club
    secret = secret_of(client, "manage")

    def ask(method: str, address: str, status: int = 200, **sent: Any) -> Any:
        return asked(client, secret, method, address, status, **sent)

    cup = {"name": "The cup", "since": "2025-08-01", "last_day": "2025-12-31"}
    by_points = {"measure": "points", "place_points": [10, 6, 3]}
    made = ask("POST", "/seasons", 201, **cup, rules=by_points, rule_sets=["frustration"])
    address = f"/seasons/{made['season']['key']}"
    assert ask("GET", address) == made
    page = text(client.get(address))
    assert "The cup" in page
    assert "10\xa0–\xa06\xa0–\xa03" in page
    games = [
        game
        for game in games_of(exported(client))
        if game.variant == "frustration" and f"{game.ended:%Y-%m-%d}" >= "2025-08-01"
    ]
    table = sorted((one["place"], one["player"]) for one in made["table"])
    assert table == sorted(PlainSeason("points", (10, 6, 3)).table(games))

    assert client.post(f"/games/{games[0].key}/bin").status_code == 303
    assert ask("GET", address)["season"]["changed_games"] == [games[0].key]
    assert ask("GET", address)["table"] == made["table"]
    anew = ask("POST", f"{address}/settle", decide_anew=True)
    table = sorted((one["place"], one["player"]) for one in anew["table"])
    assert table == sorted(PlainSeason("points", (10, 6, 3)).table(games[1:]))
    assert anew["season"]["changed_games"] == []

    changed = ask("PUT", address, **cup, rules={"measure": "wins", "best_of": 2})
    assert changed["season"]["rules"]["best_of"] == 2
    assert "The best 2 evenings count" in text(client.get(address))
    ask("DELETE", address, 204)
    ask("DELETE", address, 404)
    ask("PUT", address, 404, **cup)

    without = {"name": "The cup", "since": "2025-08-01"}
    assert ask("POST", "/seasons", 422, **without)["faults"][0]["field"] == "until"
    no_points = {**cup, "rules": {"measure": "points", "place_points": []}}
    assert ask("POST", "/seasons", 422, **no_points)["faults"][0]["field"] == "place_points"
    ask("POST", "/seasons", 404, **cup, rule_sets=["none"])
    assert "rules" in ask("POST", "/seasons", 422, **cup, rules={"best_of": 0})["errors"]["json"]


@ON_SQLITE
def test_programs_split_and_join_evenings_as_the_pages_do(club):
    client, _guest = club
    secret = secret_of(client, "manage")
    several = next(of for of in evenings_in(games_of(exported(client))) if len(of) > 1)
    first, second = sorted(several, key=lambda one: one.started)[:2]
    address = f"/games/{second.key}/evening"
    split = asked(client, secret, "PUT", address, mark="begins")
    assert (split["key"], split["results"]) == (second.key, len(several) - 1)
    joined = asked(client, secret, "PUT", address, mark="joins")
    assert (joined["key"], joined["results"]) == (first.key, len(several))
    asked(client, secret, "PUT", address, 422, mark="ends")
