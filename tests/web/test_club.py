"""Forty evenings of a club, one game edited afterwards: every figure beside a plain reckoning.

The reckoning knows the exported document alone (`tests.club`).
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from itertools import accumulate
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from app.extensions import db
from app.scorebook.seasons import values_so_far
from app.store.queries.evenings import evening_sums
from app.store.queries.milestones import milestones_of_game, milestones_of_player
from app.store.queries.players import player_names
from app.store.queries.seasons import season_of
from app.store.queries.selection import ALL_GAMES
from app.store.queries.streaks import streaks_of
from app.store.queries.trends import rivalry_by_month, sums_of
from tests.club import PlainSeason, Played, club_in, evenings_in, exported, games_of
from tests.many_games import browser_in
from tests.web.test_milestones import plain_milestones, told
from tests.web_table import fields_of


@dataclass
class Club:
    """The club after one of its games was edited, with its games before and after that."""

    app: Flask
    client: FlaskClient
    before: list[Played]
    games: list[Played]
    edited: str
    titles: dict[str, str]
    """Of the rule sets, by the keys of their games."""

    def page(self, address: str) -> str:
        answer = self.client.get(address)
        assert answer.status_code == 200, address
        return unescape(answer.get_data(as_text=True))

    def table(self, name: str) -> list[dict[str, str]]:
        lines = self.page(f"/tables/{name}.csv").removeprefix("\ufeff")
        return list(csv.DictReader(io.StringIO(lines)))

    @property
    def people(self) -> dict[str, int]:
        with self.app.app_context():
            return {name: number for number, name in player_names(db.session(), 1)}

    def of(self, name: str) -> list[Played]:
        return games_with(name, self.games)


@pytest.fixture(scope="module")
def club(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    folder = tmp_path_factory.mktemp("club")
    (folder / migrated.name).write_bytes(migrated.read_bytes())
    app = create_app({"INSTANCE_PATH": str(folder), "SECRET_KEY": "only for these tests"})
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    client = browser_in(app, club_in(app))
    before = games_of(exported(client))
    third = next(of for of in evenings_in(before) if of[0].evening == 3)[0]
    edit(client, third)
    document = exported(client)
    names = {key: one["name"] for key, one in document["rule_sets"].items()}
    titles = {one["key"]: names[one["rules"]] for one in document["games"]}
    yield Club(app, client, before, games_of(document), third.key, titles)
    with app.app_context():
        db.engine.dispose()


def edit(client: FlaskClient, game: Played) -> None:
    """Correct the points of round 1 of a game that is over: each who paid some had more."""
    assert client.post(f"/games/{game.key}/reopen").status_code == 303
    address = f"/games/{game.key}/rounds/1"
    page = client.get(address).get_data(as_text=True)
    sent = fields_of(page, "round")
    typed = [name for name in sent if name.endswith("-typed") and sent[name]]
    sent |= {name: str(int(sent[name]) + 9 * place) for place, name in enumerate(typed, 1)}
    answer = client.post(address, data=sent)
    if answer.status_code != 303:
        page = answer.get_data(as_text=True)
        marks = [unescape(one) for one in re.findall(r'name="accepted" value="([^"]+)"', page)]
        answer = client.post(address, data={**fields_of(page, "round"), "accepted": marks})
    assert answer.status_code == 303, answer.get_data(as_text=True)


def test_the_club_is_as_it_has_to_be(club: Club):
    document = exported(club.client)
    assert len({game.variant for game in club.games}) == 4
    assert len(list(evenings_in(club.games))) == 40
    assert any(one.get("merged_into") for one in document["players"])
    assert any(seat.get("joined_in", 1) > 1 for game in document["games"] for seat in game["seats"])
    assert any(game.get("stopped") for game in document["games"])
    old, new = (next(g for g in of if g.key == club.edited) for of in (club.before, club.games))
    assert old.penalty != new.penalty


def test_a_decided_season_stays_until_a_manager_lets_it_follow_the_edited_game(club: Club):
    """And the record of the game says so until then."""

    def season() -> list[tuple[int, str]]:
        return sorted((int(one["place"]), one["player"]) for one in club.table("2025"))

    def expected(games: list[Played]) -> list[tuple[int | None, str]]:
        return sorted(PlainSeason().table([game for game in games if game.ended.year == 2025]))

    record = f"/games/{club.edited}/rounds"
    assert season() == expected(club.before)
    assert "This game changed after the season was decided" in club.page(record)
    other = next(game.key for game in club.games if game.key != club.edited)
    assert "This game changed after" not in club.page(f"/games/{other}/rounds")
    club.client.post("/seasons/2025/settle", data={"anew": "yes"})
    assert season() == expected(club.games)
    assert "This game changed after" not in club.page(record)


def test_every_table_equals_the_reckoning(club: Club):
    rows = {one["player"]: one for one in club.table("players")}
    for name in {name for game in club.games for name in game.places}:
        mine = club.of(name)
        places = [game.places[name] for game in mine]
        sums = {"games": len(mine), "wins": places.count(1), "place_sum": sum(places)}
        sums["rounds"] = sum(name in of for game in mine for of in game.worths)
        for field, of in (("contract_rounds", "rounds"), ("times_met", "met")):
            sums[field] = sum(getattr(game, of)[name] for game in mine)
        sums["penalty"] = sum(game.penalty[name] for game in mine)
        assert {field: int(rows[name][field]) for field in sums} == sums
    tries = Counter[tuple[str, str, int]]()
    laid = Counter[tuple[str, str, int]]()
    for game in club.games:
        for (name, contract), tried in game.tries.items():
            tries[name, club.titles[game.key], contract] += len(tried)
            laid[name, club.titles[game.key], contract] += sum(tried)
    found = {
        (one["player"], one["rule set"], int(one["contract"])): one
        for one in club.table("contracts")
    }
    assert {key: int(one["rounds"]) for key, one in found.items()} == tries
    assert all(int(one["completed"]) == laid[key] for key, one in found.items())
    for one in club.table("rivals"):
        shared = [game for game in club.of(one["player"]) if one["rival"] in game.places]
        pairs = [(game.places[one["player"]], game.places[one["rival"]]) for game in shared]
        counted = [sum(a < b for a, b in pairs), sum(a == b for a, b in pairs)]
        assert [int(one["ahead"]), int(one["level"])] == counted
        assert int(one["games"]) == len(shared)
    evenings = [(one["began"], int(one["games"])) for one in club.table("evenings")]
    assert [games for _began, games in evenings] == [len(of) for of in evenings_in(club.games)]


def test_every_record_and_streak_equals_the_reckoning(club: Club):
    seconds = [int((game.ended - game.started).total_seconds()) for game in club.games]
    rounds = [len(game.lasted) for game in club.games]
    expected = {
        ("Fastest game", "seconds", ""): min(seconds),
        ("Fewest rounds", "rounds", ""): min(rounds),
        ("Most rounds", "rounds", ""): max(rounds),
    }
    for compared, those in comparable(club.games).items():
        unit = "points" if compared else "contracts"
        name = club.titles[those[0].key] if compared else ""
        margins = [game.margin for game in those if game.margin is not None]
        comeback = max(game.comeback for game in those)
        expected["Closest finish", unit, name] = min(margins)
        expected |= {("Biggest comeback", unit, name): comeback} if comeback else {}
    records = club.table("records")
    found = {
        (one["record"], one["unit"], one["rule set"] if one["unit"] == "points" else ""): one
        for one in records
    }
    assert {key: int(one["value"]) for key, one in found.items()} == expected
    assert len({name for _record, _unit, name in found if name}) == 3
    page = club.page("/history/records")
    shown = Counter(re.findall(r'<span class="small">([^<]+)</span>', page.split("<main")[1]))
    for record, _unit, name in found:
        assert shown[f"{record} · {name}" if name else record] == 1
    for name, number in club.people.items():
        won = [game.places[name] == 1 for game in club.of(name)]
        runs = "".join("x" if one else " " for one in won).split(" ")
        with club.app.app_context():
            streaks = streaks_of(db.session(), number)
        assert (streaks.wins_now, streaks.most_wins) == (len(runs[-1]), max(map(len, runs)))


def test_every_milestone_equals_the_reckoning(club: Club):
    expected = plain_milestones(club.games)
    with club.app.app_context():
        session = db.session()
        keys = {one.id: one.key for one in session.execute(db.text("SELECT id, key FROM games"))}
        for game, key in keys.items():
            assert told(milestones_of_game(session, game)) == {(key, one) for one in expected[key]}
        for name, number in club.people.items():
            found = told(milestones_of_player(session, number, name))
            own = {(key, one) for key, said in expected.items() for one in said if one[1] == name}
            assert {one for one in found if one[1][0] != "contract"} == own


def test_every_moment_of_an_evening_equals_the_reckoning(club: Club):
    won_so_far = Counter[str]()
    streaks = 0
    for games in evenings_in(club.games):
        shown = club.page(f"/evenings/{min(games, key=lambda one: one.started).key}")
        moments = dict(re.findall(r"<dt>([^<]+)</dt><dd><a [^>]*>([^<]+)</a>", shown))
        seconds, number, _key = max(
            (seconds, -number, game.key)
            for game in games
            for number, seconds in enumerate(game.lasted, 1)
        )
        minutes = max(1, int(seconds) // 60)
        assert re.match(rf"{minutes} minutes?: round {-number}, ", moments["Longest round"])
        tries = [
            (len(tried), name, contract)
            for game in games
            for (name, contract), tried in game.tries.items()
        ]
        most = max((one[0] for one in tries), default=0)
        assert ("Most stubborn contract" in moments) == (most >= 3)
        if most >= 3:
            sayings = [f"{n}: {r} rounds on contract {c}, " for r, n, c in tries if r == most]
            assert any(moments["Most stubborn contract"].startswith(one) for one in sayings)
        assert moments.get("Closest finish", "").split(":")[0] == closest(games)
        assert moments.get("Biggest comeback", "").split(":")[0] == comeback(games)
        broken = []
        for game in games:
            for name, place in game.places.items():
                if place != 1 and won_so_far[name] >= 3:
                    winners = join([other for other in game.places if game.places[other] == 1])
                    words = f"{name} had won {won_so_far[name]} in a row until {winners}"
                    broken.append((won_so_far[name], words))
                won_so_far[name] = won_so_far[name] + 1 if place == 1 else 0
        longest = max((one for one, _words in broken), default=0)
        streaks += bool(broken)
        assert ("Streak broken" in moments) == bool(broken)
        if broken:
            assert moments["Streak broken"] in [words for one, words in broken if one == longest]
    assert streaks


def join(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def counted(value: int, what: str) -> str:
    return f"{value} {what}" if value == 1 else f"{value} {what}s"


def comparable(games: list[Played]) -> dict[str, list[Played]]:
    """The games whose points compare, by rule set; those that contracts decided together."""
    found: dict[str, list[Played]] = {}
    for game in games:
        found.setdefault(game.variant if game.by_points else "", []).append(game)
    return found


def closest(games: list[Played]) -> str:
    of = comparable([game for game in games if game.margin is not None])
    compared = max(of, key=lambda one: len(of[one]), default="")
    margins = [game.margin for game in of.get(compared, ()) if game.margin is not None]
    return counted(min(margins), "point" if compared else "contract") if margins else ""


def comeback(games: list[Played]) -> str:
    of = comparable(games)
    compared = max(of, key=lambda one: len(of[one]))
    most = max(game.comeback for game in of[compared])
    return counted(most, "point" if compared else "contract") if most else ""


def test_the_points_over_a_season_equal_the_reckoning_evening_after_evening(club: Club):
    rules, games = PlainSeason("points"), [one for one in club.games if one.ended.year == 2026]
    with club.app.app_context():
        session = db.session()
        season = season_of(session, 1, "2026", datetime.now(UTC))
        assert season
        played = evening_sums(session, 1, season.selection, rules.points)
    for name, number in club.people.items():
        mine = [[game for game in of if name in game.places] for of in evenings_in(games)]
        expected = accumulate(rules.value(name, of) for of in mine if of)
        so_far = values_so_far([one for one in played if one.player == number], "points")
        assert list(so_far) == list(expected)
    page = club.page("/seasons/2026")
    wins = Counter(name for game in games for name in game.winners)
    chips = dict(re.findall(r">(\w+)</span></span> <b>(\d+)</b>", page))
    assert chips == {name: str(wins[name]) for name in chips}
    assert len(chips) == 8


def test_between_two_games_the_big_screen_shows_the_season_that_goes_on(club: Club):
    since = {"name": "The cup", "since": "2026-01-02", "evenings": "200", "measure": "points"}
    club.client.post("/seasons/new", data={**since, "place_points": "5, 3, 2, 1"})
    games = [one for one in club.games if one.ended.year == 2026]
    screen = club.page(f"/games/{games[-1].key}/screen")
    shown = re.search(r"<h2>The cup</h2>\s*<ol>(.*?)</ol>", screen, re.DOTALL)
    assert shown
    lines = re.findall(r"<b>(\d+)\.</b> (\w+) <b>(\d+)</b>", shown[1])
    rules = PlainSeason("points")
    table = sorted(one for one in rules.table(games) if one[0])
    expected = [
        (str(place), name, str(rules.value(name, games_with(name, games)))) for place, name in table
    ]
    assert len(lines) == 8
    assert set(lines) <= set(expected)
    assert [int(place) for place, *_ in lines] == [place for place, _name in table][:8]


def games_with(name: str, games: list[Played]) -> list[Played]:
    return [game for game in games if name in game.places]


def test_every_figure_of_the_charts_equals_the_reckoning(club: Club):
    people = club.people
    ann, ben = [
        name
        for name, _games in Counter(
            name for game in club.games for name in game.places
        ).most_common(2)
    ]
    with club.app.app_context():
        session = db.session()
        months = Counter[tuple[int, int]]()
        for (_variant, month), sums in sums_of(session, people[ann]).items():
            months[month] += sums.place_sum
        rivalry = rivalry_by_month(session, people[ann], people[ben], ALL_GAMES)
    plain, ahead, behind = (Counter[tuple[int, int]]() for _ in range(3))
    for game in club.of(ann):
        month = game.ended.year, game.ended.month
        plain[month] += game.places[ann]
        if ben in game.places:
            ahead[month] += game.places[ann] < game.places[ben]
            behind[month] += game.places[ann] > game.places[ben]
    assert months == plain
    assert rivalry == {month: (ahead[month], behind[month]) for month in ahead}

    page = club.page(f"/players/{people[ann]}?with={people[ben]}")
    ends = f"{ann} {ahead.total()} and {ben} {behind.total()}"
    assert f"Games in which each finished ahead, added up: {ends}." in page
    records = club.page("/history/records")
    name = re.search(r"(\w[\w ]+), all players", records)[1]
    each = {}
    for game in club.games:
        if club.titles[game.key] == name:
            for (player, contract), tried in game.tries.items():
                each.setdefault((player, contract), []).extend(tried)
    labels = re.findall(r"<title>(\w+), contract (\d+): ([\d.–]+)( rounds each)?</title>", records)
    assert len(labels) > 20
    for player, contract, shown, _words in labels:
        tried = each.get((player, int(contract)), [])
        laid = sum(tried)
        assert shown == (f"{len(tried) / laid:.1f}" if laid else "–")
