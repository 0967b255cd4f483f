"""Forty evenings of a club, one game edited afterwards: every figure beside a plain reckoning.

The reckoning knows the exported document alone (`tests.club`). What it is compared with is what
anybody is told, on pages, in tables and over the interface: nothing is asked within the app.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import create_app
from app.extensions import db
from tests.club import PlainSeason, Played, evenings_in, exported, games_of, plain_milestones
from tests.many_games import browser_in, club_in
from tests.web.test_tables import asked, secret_of
from tests.web_table import fields_of


@dataclass
class Club:
    """The club after one of its games was edited, with its games before and after that."""

    client: FlaskClient
    secret: str
    """A program's that may watch."""
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
        return self.file(f"/tables/{name}.csv")

    def file(self, address: str) -> list[dict[str, str]]:
        lines = self.page(address).removeprefix("\ufeff")
        return list(csv.DictReader(io.StringIO(lines)))

    def told(self, address: str) -> Any:
        """What a program is told."""
        return asked(self.client, self.secret, "GET", address)

    @property
    def people(self) -> dict[str, int]:
        return {one["name"]: one["id"] for one in self.told("/players")["players"]}

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
    secret = secret_of(client, "watch")
    yield Club(client, secret, before, games_of(document), third.key, titles)
    with app.app_context():
        db.engine.dispose()


def edit(client: FlaskClient, game: Played) -> None:
    """Correct the points of round 1 of a game that is over: each who paid some had more."""
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
    assert "Changed or added after the season was decided" in club.page(record)
    other = next(game.key for game in club.games if game.key != club.edited)
    assert "Changed or added after" not in club.page(f"/games/{other}/rounds")
    club.client.post("/seasons/2025/settle", data={"anew": "yes"})
    assert season() == expected(club.games)
    assert "Changed or added after" not in club.page(record)


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
    names = {number: name for name, number in club.people.items()}
    by_contract = Counter[tuple[str, int]]()
    for (name, _title, contract), rounds in tries.items():
        by_contract[name, contract] += rounds
    for one in club.told("/contracts")["contracts"]:
        by_contract[names[one["player"]], one["stats"]["number"]] -= one["stats"]["sums"]["rounds"]
    assert not any(by_contract.values())
    for one in club.table("rivals"):
        shared = [game for game in club.of(one["player"]) if one["rival"] in game.places]
        pairs = [(game.places[one["player"]], game.places[one["rival"]]) for game in shared]
        counted = [sum(a < b for a, b in pairs), sum(a == b for a, b in pairs)]
        assert [int(one["ahead"]), int(one["level"])] == counted
        assert int(one["games"]) == len(shared)
    evenings = [(one["began"], int(one["games"])) for one in club.table("evenings")]
    assert [games for _began, games in evenings] == [len(of) for of in evenings_in(club.games)]
    played = [(one["game"], one["player"], int(one["place"])) for one in club.table("games")]
    assert sorted(played) == sorted(
        (game.key, name, place) for game in club.games for name, place in game.places.items()
    )


def test_every_record_and_streak_equals_the_reckoning(club: Club):
    ended = [game for game in club.games if not game.stopped]
    assert len(ended) < len(club.games)
    expected = {
        ("Fastest game", "seconds", ""): min(
            int((game.ended - game.started).total_seconds()) for game in ended
        ),
        ("Fewest rounds", "rounds", ""): min(len(game.lasted) for game in ended),
        ("Longest game", "seconds", ""): max(
            sum(map(int, game.lasted))
            if game.stopped
            else int((game.ended - game.started).total_seconds())
            for game in club.games
        ),
        ("Longest round", "seconds", ""): max(int(max(game.lasted)) for game in club.games),
        ("Most rounds", "rounds", ""): max(len(game.lasted) for game in club.games),
    }
    for compared, those in comparable(club.games).items():
        unit = "points" if compared else "contracts"
        name = club.titles[those[0].key] if compared else ""
        margins = [game.margin for game in those if game.margin is not None and not game.stopped]
        comeback = max(game.comeback for game in those)
        expected |= {("Closest finish", unit, name): min(margins)} if margins else {}
        expected |= {("Biggest comeback", unit, name): comeback} if comeback else {}
    fewest, most = (expected[f"{one} rounds", "rounds", ""] for one in ("Fewest", "Most"))
    if fewest == most:  # one game would hold both
        del expected["Fewest rounds", "rounds", ""]
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
    longest = re.search(
        r'"/games/(\w+)/rounds#round-(\d+)">(?:(?!</a>).)*Longest round', page, re.S
    )
    (held,) = (game for game in club.games if game.key == longest[1])
    assert int(held.lasted[int(longest[2]) - 1]) == expected["Longest round", "seconds", ""]
    rows = {one["player"]: one for one in club.table("streaks")}
    for name, number in club.people.items():
        won = [game.places[name] == 1 for game in club.of(name)]
        runs = list(map(len, "".join("x" if one else " " for one in won).split(" ")))
        streaks = club.told(f"/players/{number}")["streaks"]
        assert (streaks["wins_now"], streaks["most_wins"]) == (runs[-1], max(runs))
        assert (rows[name]["now"], rows[name]["most"]) == (str(runs[-1]), str(max(runs)))
    told = [
        (one["title"], one["value"], one["winners"]) for one in club.told("/records")["records"]
    ]
    assert told == [
        (one["record"], int(one["value"]), one["winners"].split(", ")) for one in records
    ]


def test_every_milestone_equals_the_reckoning(club: Club):
    expected = plain_milestones(club.games)
    kinds = {one[0] for said in expected.values() for one in said}
    assert kinds >= {"first_win", "first_ahead", "contract"}

    def told(address: str) -> set[tuple[str, Any]]:
        found = club.told(address)["milestones"]
        return {(m["game"], (m["kind"], m["player"], m["count"], m["rival"])) for m in found}

    for game in club.games:
        at = f"/games/{game.key}/milestones"
        assert told(at) == {(game.key, one) for one in expected[game.key]}
    for name, number in club.people.items():
        found = told(f"/players/{number}")
        page = club.page(f"/players/{number}/milestones")
        address = re.search(r"/tables/milestones[^\"]*", page)
        rows = club.file(address[0]) if address else []
        assert Counter(one["game"] for one in rows) == Counter(key for key, _one in found)
        own = {(key, one) for key, said in expected.items() for one in said if one[1] == name}
        assert {one for one in found if one[1][0] != "contract"} == own


def test_every_moment_of_an_evening_equals_the_reckoning(club: Club):
    won_so_far = Counter[str]()
    streaks, rows = 0, club.table("moments")
    for games in evenings_in(club.games):
        at = f"/evenings/{min(games, key=lambda one: one.started).key}"
        shown, told = club.page(at), club.told(at)
        moments = dict(re.findall(r"<dt>([^<]+)</dt><dd><a [^>]*>([^<]+)</a>", shown))
        assert {one["title"]: one["text"] for one in told["moments"]} == moments
        of_table = [one for one in rows if one["began"] == told["evening"]["began"]]
        assert [(one["moment"], one["words"]) for one in of_table] == list(moments.items())
        values = {one["kind"]: one["value"] for one in told["moments"]}
        seconds, number, _key = max(
            (seconds, -number, game.key)
            for game in games
            for number, seconds in enumerate(game.lasted, 1)
        )
        minutes = max(1, int(seconds) // 60)
        assert re.match(rf"{minutes} minutes?: round {-number}, ", moments["Longest round"])
        assert values["round"] == int(seconds)
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
            assert values["streak"] == longest
    assert streaks


def test_who_was_there_and_who_won_each_evening_equals_the_reckoning(club: Club):
    rows, winners = club.table("attendance"), [one["winners"] for one in club.table("evenings")]
    for number, games in enumerate(evenings_in(club.games)):
        told = club.told(f"/evenings/{games[0].key}")
        expected = sorted(PlainSeason().table(games))
        if len(games) == 1:  # the places in it, of which too few have points
            expected = sorted((place, name) for name, place in games[0].places.items())
        assert sorted((one["place"], one["player"]) for one in told["table"]) == expected
        first = sorted(name for place, name in expected if place == 1)
        assert sorted(told["winners"]) == sorted(winners[number].split(", ")) == first
        assert {one["key"] for one in told["games"]} == {game.key for game in games}
        of_table = [one for one in rows if one["began"] == told["evening"]["began"]]
        assert sorted((int(one["place"]), one["player"]) for one in of_table) == expected
        wins = Counter(name for game in games for name in game.winners)
        assert all(int(one["wins"]) == wins[one["player"]] for one in of_table)


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
    of = comparable([one for one in games if one.margin is not None and not one.stopped])
    compared = max(of, key=lambda one: len(of[one]), default="")
    if not of:
        return ""
    held = min(of[compared], key=lambda game: (game.margin or 0, len(game.winners) < 2))
    if len(held.winners) > 1:
        return "tie"
    if compared or held.margin:
        return counted(held.margin or 0, "point" if compared else "contract")
    apart = held.points_apart
    return "level on contracts" + (f", {counted(apart, 'point')} apart" if apart else "")


def comeback(games: list[Played]) -> str:
    of = comparable(games)
    compared = max(of, key=lambda one: len(of[one]))
    most = max(game.comeback for game in of[compared])
    return counted(most, "point" if compared else "contract") if most else ""


def test_the_evenings_of_a_season_equal_the_reckoning(club: Club):
    evenings = list(evenings_in([one for one in club.games if one.ended.year == 2026]))
    played = club.told("/seasons/2026")["evenings"]
    points = PlainSeason("points")
    for name, number in club.people.items():
        mine = [games_with(name, of) for of in evenings]
        assert [one["points"] for one in played if one["id"] == number] == [
            points.value(name, of) for of in mine if of
        ]


def test_an_evening_says_of_chosen_games_what_these_came_to_and_of_how_many(club: Club):
    chance, whole = Random(1), Counter(game.evening for game in club.games)
    parts = 0
    for number in range(8):
        query, games = drawn_choice(club, chance, number)
        evenings = list(evenings_in(games))
        there = club.file(f"/tables/attendance.csv?{query}")
        cards = club.page(f"/evenings?{query}").split('class="card game-card"')[1:]
        assert len(cards) == min(20, len(evenings)), query
        lines = 0
        for of in evenings:
            wins = Counter(name for game in of for name in game.winners)
            people = {name: wins[name] for game in of for name in game.places}
            rows = there[lines : lines + len(people)]
            lines += len(people)
            assert {one["player"]: int(one["wins"]) for one in rows} == people, query
        assert lines == len(there)
        for card, of in zip(cards, reversed(evenings), strict=False):
            count = whole[of[0].evening]
            parts += len(of) < count
            said = f"{len(of)} of {count} games" if len(of) < count else counted(count, "game")
            assert re.search(f">{said}(</span>| · )", card), query
            wins = Counter(name for game in of for name in game.winners)
            shown = re.findall(r">(\w+)</span></span>(?: <b>(\d+) wins?<)?", card)
            people = {name for game in of for name in game.places}
            # Who won none is named alone.
            assert dict(shown) == {name: str(wins[name] or "") for name in people}, query
            best = sorted(name for place, name in PlainSeason().table(of) if place == 1)
            title = re.search(r'game-card-name">([^<]*)<', card)
            assert title
            assert sorted(re.findall(r"[A-Z]\w+", title[1])) == best, query
    assert parts > 20


def one_decimal(total: int, count: int) -> str:
    """The average, halves rounded up: 9 of 4 are 2.3."""
    tenths = (20 * total + count) // (2 * count)
    return f"{tenths // 10}.{tenths % 10}"


def drawn_choice(club: Club, chance: Random, number: int) -> tuple[str, list[Played]]:
    """A filter as an address says it, and the games that it chooses."""
    games, parts = club.games, []
    if number % 2:
        variant = chance.choice(games).variant
        parts.append(f"rules={variant}")
        games = [one for one in games if one.variant == variant]
    if number & 2:
        first, last = sorted(chance.choice(club.games).ended.astimezone().date() for _ in range(2))
        parts.append(f"since={first}&until={last}")
        games = [one for one in games if first <= one.ended.astimezone().date() <= last]
    if number & 4 or not parts:
        name = chance.choice(sorted(club.people))
        parts.append(f"with={club.people[name]}")
        games = games_with(name, games)
    return "&".join(parts), games


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
    months = Counter[tuple[int, int]]()
    for one in club.told(f"/players/{people[ann]}")["months"]:
        months[one["year"], one["month"]] += one["sums"]["place_sum"]
    rivalry = {
        (one["year"], one["month"]): (one["ahead"], one["behind"])
        for one in club.told(f"/players/{people[ann]}/rivals/{people[ben]}")["months"]
    }
    plain, ahead, behind = (Counter[tuple[int, int]]() for _ in range(3))
    for game in club.of(ann):
        month = game.ended.year, game.ended.month
        plain[month] += game.places[ann]
        if ben in game.places:
            ahead[month] += game.places[ann] < game.places[ben]
            behind[month] += game.places[ann] > game.places[ben]
    assert months == plain
    played = Counter((game.ended.year, game.ended.month) for game in club.of(ann))
    averages = [one_decimal(plain[month], played[month]) for month in sorted(plain)]
    assert rivalry == {month: (ahead[month], behind[month]) for month in ahead}

    said = re.search(
        r"first on top: ([\d.]+) in .*?, ([\d.]+) in ", club.page(f"/players/{people[ann]}")
    )
    assert said
    assert said.groups() == (averages[0], averages[-1])
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
    cell = r"<title>(\w+), contract (\d+): (?:average rounds )?([\d.–]+|never completed)</title>"
    labels = re.findall(cell, records)
    assert len(labels) > 20
    for player, contract, shown in labels:
        tried = each.get((player, int(contract)), [])
        laid = sum(tried)
        none = "never completed" if tried else "–"
        assert shown == (one_decimal(len(tried), laid) if laid else none)
