"""A past result has a day and no hour: it is the same wherever the server stands."""

import json
import re

import pytest
from flask.testing import FlaskClient

from tests.club import exported
from tests.conftest import ON_SQLITE
from tests.web.test_data import brought_in
from tests.web.test_history import text
from tests.web.test_past_games import PAST_SEATS
from tests.web_table import PlainGame

ZONES = ["FAR+12", "FAR+8", "UTC0", "FAR-11:30", "FAR-12", "NZST-12NZDT,M9.5.0,M4.1.0/3", "FAR-14"]
"""Far behind UTC, as POSIX writes it with a plus, to far ahead."""
IN_ZONES = pytest.mark.parametrize("zone", ZONES, indirect=True)
SEATS = PAST_SEATS | {"p0-score": "5", "p2-score": "30"}
DAYS = {"2025-12-31": "Dec 31, 2025", "2026-01-01": "Jan 1, 2026"}


def typed(client: FlaskClient) -> list[str]:
    """The keys of a past result of either day, of two rule sets; another game just began."""
    PlainGame.started(client, "frustration", "Anna Zoé")
    found = []
    for day, rules in zip(DAYS, ("frustration", "frustration-rummy"), strict=True):
        added = client.post("/data/past-game", data={"date": day, "rules": rules} | SEATS)
        assert added.status_code == 303
        found.append(re.search(r"/games/([^/]+)/", added.location)[1])
    return found


def days_in(page: str) -> list[str]:
    """The days of this turn of the year that a page shows, none of which a device changes."""
    assert not re.search(r'datetime="202(5-12|6-01)', page)
    return re.findall(r"Dec \d+, 2025|Jan \d+, 2026", page)


@ON_SQLITE
@IN_ZONES
def test_every_page_shows_the_day_that_was_typed(client: FlaskClient, zone: None):
    keys = typed(client)
    first, last = DAYS.values()
    listed = text(client.get("/history"))
    assert days_in(listed) == [last, first]
    for key, day in zip(keys, DAYS.values(), strict=True):
        for address in ("rounds", "result.svg"):
            assert set(days_in(text(client.get(f"/games/{key}/{address}")))) == {day}, address
        for address in ("", "/evening.svg"):
            page = text(client.get(f"/evenings/{key}{address}"))
            assert set(days_in(page)) == {day}, address
    evenings = text(client.get("/evenings"))
    assert days_in(evenings) == [last, first]
    assert days_in(text(client.get("/players/1/milestones"))) == [first]
    client.post(f"/games/{keys[0]}/bin")
    assert f"{first} · deleted" in text(client.get("/history/deleted"))


@IN_ZONES
def test_a_year_has_the_results_of_its_days(client: FlaskClient, zone: None):
    typed(client)
    assert re.findall(r'href="/seasons/(\d+)"', text(client.get("/seasons"))) == ["2026", "2025"]
    for year, day in zip(("2025", "2026"), DAYS, strict=True):
        for asked in (f"year={year}", f"season={year}", f"since={day}&until={day}"):
            assert set(days_in(text(client.get(f"/history?{asked}")))) >= {DAYS[day]}, asked
            games = text(client.get(f"/tables/games.csv?{asked}"))
            assert re.findall(r"\d{4}-\d\d-\d\d", games) == [day, day], asked
        page = text(client.get(f"/seasons/{year}"))
        assert DAYS[day] in days_in(page.partition("</h1>")[2])
        counted = client.get(f"/tables/{year}.csv")
        assert re.findall(r"(?m)^\d,\w+,(\d)", text(counted)) == ["1", "1"]


@IN_ZONES
def test_files_say_the_day_that_was_typed(client: FlaskClient, zone: None):
    typed(client)
    calendar = text(client.get("/evenings.ics"))
    starts = re.findall(r"DTSTART;VALUE=DATE:(\d+)", calendar)
    assert sorted(starts) == [one.replace("-", "") for one in DAYS]
    rounds = text(client.get("/data/rounds.csv"))
    assert set(re.findall(r"\d{4}-\d\d-\d\d", rounds)) == set(DAYS)
    document = exported(client)
    kept = [one["started_at"] for one in document["games"] if "paper" in one]
    assert set(kept) == {f"{one}T12:00:00Z" for one in DAYS}


@ON_SQLITE
@IN_ZONES
@pytest.mark.parametrize("hour", ["00:00", "23:59"])
def test_a_document_may_say_any_hour_of_the_day_in_utc(client: FlaskClient, zone: None, hour: str):
    typed(client)
    document = exported(client)
    games = [one for one in document["games"] if "paper" in one]
    for number, game in enumerate(games):
        day = game["started_at"].partition("T")[0]
        moment = f"{day}T{hour}:00Z"
        game |= {"key": f"another{number}", "started_at": moment, "finished_at": moment}
    brought_in(client, json.dumps(document | {"games": games}))
    assert sorted(days_in(text(client.get("/history")))) == sorted([*DAYS.values()] * 2)
    assert not any(one.get("changed_games") for one in exported(client)["seasons"])
