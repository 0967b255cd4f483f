"""Seasons of the simulated club beside a plain reckoning over the exported document."""

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from flask import Flask
from sqlalchemy import select

from app.actions.groups import Role, make_group
from app.actions.importing import NotImported, plan_import, require_plausible
from app.exchange.files import read_document
from app.extensions import db
from app.scorebook.limits import MOST_SEASONS
from app.scorebook.seasons import SeasonRules
from app.store.groups import StoredSeason
from app.web.game_parts.season_tables import MEASURE_WORDS, season_rules_in_words
from tests.club import PlainSeason, Played, evenings_in, exported, games_of
from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, club_in, imported
from tests.web.test_history import text
from tests.web.test_tables import asked, rows, secret_of
from tests.web_table import PlainGame, fields_of

NOW = datetime(2027, 6, 1, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"
RULES = (
    {"measure": "wins"},
    {"measure": "points", "place_points": [10, 6, 3]},
    {"measure": "average_place", "least_games": 8},
    {"measure": "contracts", "best_of": 5},
    {"measure": "points", "place_points": [5, 3, 2, 1], "best_of": 6, "least_games": 4},
    {"measure": "wins", "best_of": 3},
    {"measure": "penalty", "least_games": 3},
)


def test_a_new_season_says_before_it_is_saved_what_ends_it_and_what_its_numbers_do(client):
    client.post("/games", data={"variant": "frustration", "player": ["Anna", "Ben"]})
    page = text(client.get("/seasons/new"))
    for words in ("give one of them.", "only for “Most points for places”", "best evenings count"):
        assert words in page


@pytest.mark.parametrize("measure", MEASURE_WORDS)
def test_a_tie_is_not_said_to_be_decided_by_what_the_season_measures(measure):
    ties = str(season_rules_in_words(SeasonRules(measure))[-1])
    assert ties.startswith("Ties: ")
    assert ("more wins" in ties, "average place" in ties) == (
        measure != "wins",
        measure not in ("wins", "average_place"),
    )


def test_who_won_the_only_game_played_is_not_ahead_of_who_won_as_many_and_played_on(client):
    for place, names in enumerate(("Zoe Karim", "Karim Luc", "Luc Karim"), start=1):
        rules = {"rule-max_deals": "1"}
        game = PlainGame.started(client, "points-only", names, **rules)
        first, second = names.split()
        assert game.close(1, **{first: "1", second: "9"}).status_code == 303, place
    # Each won once; Karim came second twice, Luc once, Zoe never played again.
    evening = text(client.get(f"/evenings/{game.key}"))
    year = text(client.get(f"/seasons/{datetime.now(UTC).astimezone().year}"))
    assert "Karim wins!" in evening
    assert places(year) == [(1, "Karim"), (2, "Luc"), (3, "Zoe")]
    assert "Ties: more points for places (5\xa0–\xa03\xa0–\xa02\xa0–\xa01)." in year


@pytest.mark.parametrize("measure", ["wins", "points", "average_place"])
def test_the_points_of_a_season_are_explained_by_a_tap_where_a_column_has_them(client, measure):
    game = PlainGame.started(client, "points-only", "Zoe Karim", **{"rule-max_deals": "1"})
    game.close(1, Zoe="1", Karim="9")
    page = text(
        client.get(made(client, evenings="7", measure=measure, place_points="9 4").location)
    )
    heads = re.findall(
        r"<summary>([^<]+)</summary><p class=\"hint\">([^<]+)</p></details></th>", page
    )
    brought = "Each game brings points for the place, from the first down: "
    assert (
        heads
        == {
            "wins": [
                (
                    "Points",
                    f"{brought}5\xa0–\xa03\xa0–\xa02\xa0–\xa01. "
                    "They decide among those with as many wins.",
                )
            ],
            "points": [("Points", f"{brought}9\xa0–\xa04.")],
            "average_place": [],
        }[measure]
    )


@pytest.fixture
def club(app: Flask):
    group = club_in(app)
    return app, group, browser_in(app, group)


def in_year(games: list[Played], year: int) -> list[Played]:
    return [one for one in games if one.ended.year == year]


def places(page: str) -> list[tuple[int | None, str]]:
    """Place and name in each line of the table on a page."""
    rows = re.findall(r'class="place [^>]*>([^<]*)</span> <a [^>]*><[^>]*>([^<]*)<', page)
    return [(None if place == "–" else int(place), name) for place, name in rows]


def made(client, **fields: str | list[str]):
    form = {"name": "The cup", "since": "2025-08-01", "measure": "wins", "place_points": "5 3 2 1"}
    return client.post("/seasons/new", data={**form, **fields})


@pytest.mark.parametrize(
    ("group", "season", "file"),
    [
        ("", "Été 2026", "meldkeeper-ete-2026"),
        ("Les Hervé", 'Cup "A"; x=1', "les-herve-cup-a-x-1"),
    ],
)
def test_the_file_of_a_season_is_called_after_its_group_and_its_name(client, group, season, file):
    PlainGame.started(client, "frustration", "Ben Cleo")
    assert not group or client.post("/group/name", data={"name": group}).status_code == 303
    address = made(client, name=season, evenings="7").location
    sent = client.get(address.replace("/seasons/", "/tables/") + ".csv")
    assert sent.headers["Content-Disposition"] == f"attachment; filename={file}.csv"


def test_the_tables_of_all_kinds_of_seasons_equal_a_plain_reckoning(club):
    _app, _group, client = club
    games = games_of(exported(client))
    assert len({game.variant for game in games}) == 4
    secret = secret_of(client, "manage")
    for year in (2025, 2026):
        for rules in RULES:
            told = asked(client, secret, "PUT", f"/seasons/{year}", rules=rules)["table"]
            table = [(one["place"], one["player"]) for one in told]
            expected = PlainSeason(**rules).table(in_year(games, year))
            assert sorted(table, key=str) == sorted(expected, key=str), (year, rules)


@ON_SQLITE
def test_the_chart_of_any_season_shows_what_its_table_counts_at_its_true_height(club):
    _app, _group, client = club
    games = in_year(games_of(exported(client)), 2026)
    evenings = list(evenings_in(games))
    secret = secret_of(client, "manage")
    for rules in RULES:
        asked(client, secret, "PUT", "/seasons/2026", rules=rules)
        page, plain = text(client.get("/seasons/2026")), PlainSeason(**rules)
        table = re.findall(r'class="name">(\w+)</span></a></span>.*?</th><td><b>([^<]+)</b>', page)
        chips = re.findall(r">(\w+)</span></span> <b>([^<]+)</b>", page)
        ranked = sum(place is not None for place, _name in plain.table(games))
        assert chips == table[: min(8, ranked)], rules
        ends = re.search(r"After the last evening: ([^<]+)\.<", page)[1]
        assert re.findall(r"(\w+) ([\d.%]+)", ends) == chips
        low, high = (drawn_ticks(page)[place] for place in (0, -1))
        drawn = re.findall(r'class="chart-line mark-\d+" points="([^"]+)"', page)
        for (name, _value), line in zip(chips, drawn, strict=True):
            heights = [float(point.split(",")[1]) for point in line.split()]
            stands = [stood(plain, name, evenings[:count]) for count in range(1, 1 + len(evenings))]
            each = (high[1] - low[1]) / (high[0] - low[0])
            expected = [low[1] + (one - low[0]) * each for one in stands if one is not None]
            assert heights == pytest.approx(expected, abs=0.2), (rules, name)


def stood(rules: PlainSeason, name: str, evenings: list[list[Played]]) -> float | None:
    """What a player had come to, as a chart shows it."""
    mine = [game for of in evenings for game in of if name in game.places]
    value = rules.value(name, rules.best(name, mine)) if mine else None
    return None if value is None else abs(float(value)) * (1 + 99 * (rules.measure == "contracts"))


def drawn_ticks(page: str) -> list[tuple[int, float]]:
    """The numbers at the side of a chart, and how far down each stands."""
    found = re.findall(r'text-anchor="end">(\d+)</text>', page)
    lines = re.findall(r'chart-grid" x1="\d+" x2="\d+" y1="([\d.]+)"', page)
    return sorted((int(tick), float(at)) for tick, at in zip(found, lines, strict=True))


@ON_SQLITE
def test_a_season_of_evenings_ends_with_the_last_of_them(club):
    _app, _group, client = club
    evenings = list(evenings_in(games_of(exported(client))))
    since = datetime.fromisoformat("2025-08-01T00:00").astimezone()
    by_points = {"measure": "points", "place_points": "10, 6, 3", "least_games": "3"}
    for rules in ([], ["frustration", "points-only"]):
        answer = made(client, evenings="7", rules=rules, **by_points)
        assert answer.status_code == 303
        chosen = [[one for one in of if one.variant in rules or not rules] for of in evenings]
        counted = [games for games in chosen if games and games[0].started >= since][:7]
        plain = PlainSeason("points", (10, 6, 3), least_games=3)
        expected = plain.table([one for of in counted for one in of])
        assert any(place is None for place, _name in expected)
        page = text(client.get(answer.location))
        assert sorted(places(page), key=str) == sorted(expected, key=str)
        assert "· over" in page
        for words in ("10\xa0–\xa06\xa0–\xa03", "Ranked after 3 games", "Ties: more wins, then"):
            assert words in page
    champions = [name for place, name in expected if place == 1]
    player = re.search(rf'(/players/\d+)\?[^"]*"><[^>]*>{champions[0]}<', page)[1]
    assert "Champion: The cup" in text(client.get(player))


@ON_SQLITE
def test_a_past_season_stays_as_it_was_decided_until_a_manager_says_otherwise(club):
    app, group, client = club
    before = places(text(client.get("/seasons/2025")))
    games = in_year(games_of(exported(client)), 2025)
    third = next(of for number, of in enumerate(evenings_in(games), 1) if number == 3)[0]
    assert client.post(f"/games/{third.key}/bin").status_code == 303
    page = text(client.get("/seasons/2025"))
    assert "Changes after the end" in page
    assert places(page) == before
    assert "Update the season" not in text(browser_in(app, group, Role.WATCH).get("/seasons/2025"))
    guest = browser_in(app, group, Role.SCORE)
    assert guest.post("/seasons/2025/settle", data={"anew": "yes"}).status_code == 403
    client.post("/seasons/2025/settle", data={"anew": "no"})
    page = text(client.get("/seasons/2025"))
    assert "Changes after the end" not in page
    assert places(page) == before
    client.post(f"/games/{third.key}/about", data={"title": "A name", "note": ""})
    client.post("/history/deleted/" + third.key)
    assert "Changes after the end" in text(client.get("/seasons/2025"))
    client.post(f"/games/{third.key}/bin")
    client.post("/seasons/2025/settle", data={"anew": "yes"})
    page = text(client.get("/seasons/2025"))
    left = [one for one in games if one.key != third.key]
    assert sorted(places(page), key=str) == sorted(PlainSeason().table(left), key=str)
    assert "Changes after the end" not in page


def left_out_of(page: str) -> list[str]:
    """How much a season's page says does not count."""
    return re.findall(r"\d+ (?:evening|game)s? do(?:es)?n’t count\b(?! for)", page)


def test_an_evening_or_a_game_left_out_counts_for_no_season_until_it_is_said_to_count(club):
    app, group, client = club
    games = in_year(games_of(exported(client)), 2026)
    evening = next(of for of in evenings_in(games) if len(of) > 1)
    keys = [one.key for one in evening]

    def counted(*left_out: str) -> bool:
        """Does the season go without exactly these games, and say so in its documents?"""
        kept = [one for one in games if one.key not in left_out]
        page, document = text(client.get("/seasons/2026")), exported(client)
        marked = [one["key"] for one in document["games"] if one.get("left_out")]
        records = text(client.get("/history/records?season=2026"))
        table = sorted(PlainSeason().table(kept), key=str)
        return (
            sorted(places(page), key=str) == table
            and set(marked) == set(left_out)
            and f"{len(kept)} finished games." in records
        )

    def tried() -> int:
        return sum(int(one["rounds"]) for one in rows(client, "/tables/contracts.csv?season=2026"))

    def of_all() -> list[dict[str, str]]:
        return rows(client, "/tables/records.csv") + rows(client, "/tables/players.csv")

    before, rounds = of_all(), tried()
    page = client.post("/seasons/2026/leave-out", data={"evening": keys[0]}, follow_redirects=True)
    assert left_out_of(text(page)) == ["1 evening doesn’t count"]
    assert counted(*keys)
    assert tried() < rounds
    assert of_all() == before
    assert "This evening doesn’t count for seasons." in text(client.get(f"/evenings/{keys[0]}"))
    assert "Game left out of seasons" in text(client.get(f"/games/{keys[0]}/activity"))
    again = {"evening": keys[0], "counts": "yes"}
    page = client.post("/seasons/2026/leave-out", data=again, follow_redirects=True)
    assert left_out_of(text(page)) == []
    assert counted()
    ticked = {"left_out": keys[1]}
    page = client.post(f"/evenings/{keys[0]}/seasons", data=ticked, follow_redirects=True)
    assert "1 game of this evening doesn’t count for seasons." in text(page)
    assert counted(keys[1])
    stale = {"left_out": keys[0]}  # sent by who saw the page before that
    client.post(f"/evenings/{keys[0]}/seasons", data=stale)
    assert counted(*keys[:2])
    client.post(f"/evenings/{keys[0]}/seasons", data={"seen": keys[0]})
    assert counted(keys[1])
    guest = browser_in(app, group, Role.WATCH)
    page = text(guest.get("/seasons/2026"))
    assert left_out_of(page) == ["1 game doesn’t count"]
    assert "Leave out" not in page + text(guest.get(f"/evenings/{keys[1]}"))
    assert guest.post(f"/evenings/{keys[0]}/seasons").status_code == 403
    changes = text(client.get(f"/games/{keys[1]}/activity"))
    assert client.post(re.findall(r"/games/[^\"]+/undo", changes)[0]).status_code == 303
    assert counted()
    assert "An earlier change undone: Game left out of seasons" in text(
        client.get(f"/games/{keys[1]}/activity")
    )


@ON_SQLITE
def test_a_decided_season_asks_whether_it_goes_without_what_is_left_out(club):
    _app, _group, client = club
    games = in_year(games_of(exported(client)), 2025)
    evening = next(evenings_in(games))
    before = places(text(client.get("/seasons/2025")))
    said = {"evening": evening[0].key}
    page = client.post("/seasons/2025/leave-out", data=said, follow_redirects=True)
    assert "Changes after the end" in text(page)
    assert (places(text(page)), left_out_of(text(page))) == (before, [])
    client.post("/seasons/2025/settle", data={"anew": "yes"})
    page, left = text(client.get("/seasons/2025")), [one for one in games if one not in evening]
    assert sorted(places(page), key=str) == sorted(PlainSeason().table(left), key=str)
    assert left_out_of(page) == ["1 evening doesn’t count"]


@ON_SQLITE
def test_a_past_season_counts_each_result_that_is_typed_but_not_against_what_was_left(club):
    _app, _group, client = club
    games = [one for one in games_of(exported(client)) if "Anna" in one.places]
    played = in_year(games, 2025)
    seats = {"p0-player": "Anna", "p0-place": "1", "p1-player": "Ben", "p1-place": "2"}

    def typed(day: int) -> str:
        past = {"date": f"2025-12-{day}", "rules": "frustration"}
        added = client.post("/data/past-game", data=past | seats)
        return re.search(r"/games/([\w-]+)", added.location)[1]

    def counted() -> int:
        """How many games of Anna’s the season counts beside those that were played."""
        (year,) = (one for one in exported(client)["seasons"] if one["key"] == "2025")
        return sum(of["games"] for of in year["decided"] if of["player"] == "Anna") - len(played)

    third = [typed(day) for day in (20, 21, 30)][-1]
    assert counted() == 3
    client.post(f"/games/{third}/bin")
    assert counted() == 2
    client.post("/history/deleted/" + third)
    assert counted() == 3
    client.post(f"/evenings/{third}/seasons", data={"left_out": third})
    assert counted() == 2
    client.post(f"/evenings/{third}/seasons", data={"seen": third})
    assert counted() == 3
    assert "Changes after the end" not in text(client.get("/seasons/2025"))
    client.post(f"/games/{played[0].key}/bin")
    client.post("/seasons/2025/settle", data={"anew": "no"})
    last = typed(31)
    page = text(client.get("/seasons/2025"))
    assert re.findall(r'<li><a href="/games/([^/]+)/rounds', page) == [last]
    assert counted() == 3
    client.post("/seasons/2025/settle", data={"anew": "yes"})
    assert counted() == 4 - 1


@ON_SQLITE
def test_a_decided_season_that_runs_on_after_all_is_no_longer_decided(club):
    app, _group, client = club
    season = {"name": "Cup", "since": "2025-01-01", "until": "2025-06-30", "measure": "wins"}
    address = client.post("/seasons/new", data=season | {"least_games": "1"}).headers["Location"]
    first = min(games_of(exported(client)), key=lambda one: one.ended)
    client.post(f"/games/{first.key}/bin")

    def is_decided() -> bool:
        with app.app_context():
            (row,) = db.session.scalars(select(StoredSeason).where(StoredSeason.name == "Cup"))
            return row.decided is not None

    today = datetime.now(UTC).date()
    later = {"since": str(today), "until": str(today + timedelta(days=2))}
    for days, decided in (({"until": "2025-07-31"}, True), (later, False)):
        changed = season | days | {"least_games": "1"}
        assert client.post(f"{address}/edit", data=changed).status_code == 303
        assert is_decided() == decided


@ON_SQLITE
def test_the_evenings_that_count_are_told_from_those_that_do_not(club):
    _app, _group, client = club
    fields = {"measure": "points", "best_of": "6", "place_points": "5,3,2,1"}
    season = made(client, until="2025-12-31", **fields).location
    page = text(client.get(season))
    totals = dict(re.findall(r'<span class="name">(\w+)</span>.*?<td><b>(\d+)</b>', page))
    told = page.split('class="counted-evenings"')[1].split("</dl>")[0]
    lines = re.findall(r"<dt[^>]*>(\w+)</dt>\s*<dd>(.*?)</dd>", told, re.DOTALL)
    assert {name for name, _evenings in lines} == {*totals}
    crossed_out = 0
    for name, evenings in lines:
        counted, dropped = re.findall(r"<b>(\d+)", evenings), re.findall(r"<del>(\d+)", evenings)
        assert sum(map(int, counted)) == int(totals[name])
        assert len(counted) <= 6
        assert all(int(one) <= min(map(int, counted)) for one in dropped)
        assert len(counted) == 6 or not dropped
        assert len(re.findall("<time", evenings)) == len(counted + dropped)
        crossed_out += len(dropped)
    assert crossed_out
    assert "counted-evenings" not in text(client.get("/seasons/2025"))


@ON_SQLITE
def test_an_exported_season_comes_back_as_it_was_decided(club):
    app, _group, client = club
    assert made(client, until="2025-12-31", best_of="6").status_code == 303
    third = games_of(exported(client))[4]
    client.post(f"/games/{third.key}/bin")
    document = exported(client)
    assert {one["key"] for one in document["seasons"]} > {"2025"}
    assert any(one.get("changed_games") == [third.key] for one in document["seasons"])
    group = imported(app, document)
    other = browser_in(app, group)
    again = exported(other)
    assert again["seasons"] == document["seasons"]
    for one in again["seasons"]:  # though the games have keys of their own there
        page = text(other.get(f"/seasons/{one['key']}"))
        assert ("Games changed or added since:" in page) == ("changed_games" in one)
    for one in document["seasons"]:
        address = f"/seasons/{one['key']}"
        assert places(text(other.get(address))) == places(text(client.get(address)))


@ON_SQLITE
def test_a_season_that_makes_no_sense_is_refused_beside_its_field(club):
    _app, _group, client = club
    for fields, words in (
        ({"name": "", "until": "2025-12-31"}, "Give the season a name."),
        ({}, "Enter the last day or the number of evenings."),
        ({"until": "2025-07-01"}, "A season lasts 1 day to 2 years."),
        (
            {"until": "2025-12-31", "measure": "points", "place_points": "5 x"},
            "Enter up to 12 numbers",
        ),
    ):
        answer = made(client, **fields)
        assert answer.status_code == 422
        assert words in text(answer)
    assert made(client, until="2026-02-01").status_code == 303
    key = re.search(r"/seasons/(s\w+)", text(client.get("/seasons")))[1]
    form = fields_of(text(client.get(f"/seasons/{key}/edit")), "season-form")
    assert form["until"] == "2026-02-01"
    assert "– Feb 1, 2026 · " in text(client.get(f"/seasons/{key}"))  # by no device's own clock
    assert client.post(f"/seasons/{key}/remove").status_code == 303
    assert key not in text(client.get("/seasons"))


@ON_SQLITE
def test_points_for_places_are_judged_only_where_they_count(club):
    _app, _group, client = club
    wrong = {"until": "2026-03-01", "place_points": "5 x"}
    refused = made(client, **wrong, name="")
    kept = fields_of(text(refused), "season-form")["place_points"]
    assert (refused.status_code, kept) == (422, "5 x")
    address = made(client, **wrong).headers["Location"]
    assert fields_of(text(client.get(f"{address}/edit")), "season-form")["place_points"]
    assert made(client, **wrong, measure="points").status_code == 422
    assert client.post(f"{address}/remove").status_code == 303


@ON_SQLITE
def test_a_group_takes_no_more_seasons_than_a_document_holds_whichever_way_they_come(app: Flask):
    with app.app_context():
        group, other = (make_group(db.session(), name, NOW).id for name in ("Full", "Other"))
        for key in range(MOST_SEASONS):
            db.session.add(
                StoredSeason(
                    group_id=group, key=f"s{key:010}", name="Old", since=NOW, until=NOW,
                    measure="wins", place_points=(), best_of=None, least_games=0,
                )
            )  # fmt: skip
        db.session.commit()
    full, more = browser_in(app, group), browser_in(app, other)
    assert made(full, until="2025-12-31").status_code == 422
    assert made(more, until="2025-12-31").status_code == 303
    with app.app_context():
        document = read_document(exported(more))
        with pytest.raises(NotImported, match=f"limit is {MOST_SEASONS}"):
            plan_import(db.session(), group, require_plausible(document))


@ON_SQLITE
def test_a_season_is_drawn_as_a_picture_with_its_winner_or_its_lines_so_far(club):
    app, group, client = club
    table = places(text(client.get("/seasons/2025")))
    answer = browser_in(app, group, Role.WATCH).get("/seasons/2025/season.svg")
    assert answer.mimetype == "image/svg+xml"
    drawn = [one.text for one in ElementTree.fromstring(answer.data).iter(f"{SVG}text")]
    winners = [name for place, name in table if place == 1]
    assert drawn[0] == (f"{winners[0]} wins!" if len(winners) == 1 else "2025")
    assert [name for _place, name in table] == [one for one in drawn if one in dict(table).values()]
    assert "2025 · Most wins" in drawn[1]
