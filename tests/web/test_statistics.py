"""Statistics beside an independent reckoning: plain Python over the exported JSON, nothing of ours.

The reckoning knows what a document says and the rules of two rule sets in a few lines; it shares no
code with the scorebook or the database.
"""

import json
import os
import re
from collections import Counter, defaultdict
from datetime import UTC, datetime
from random import Random

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from app.extensions import db
from app.scorebook.statistics import PlayerSums, total
from app.store.queries import players as reads
from app.store.queries.group_records import RecordQuery, game_tallies, group_records
from app.store.queries.players import contract_stats, player_contract_stats, streaks_of
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.queries.trends import months_of
from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, counting_queries, play_games
from tests.web.test_history import text


class PlainReckoning:
    """All statistics of a document, reckoned game by game."""

    def __init__(self, document: dict) -> None:
        self.rules = document["rule_sets"]
        self.sums: dict[str, Counter] = defaultdict(Counter)
        self.by_variant: dict[tuple, Counter] = defaultdict(Counter)
        self.contracts: dict[tuple, Counter] = defaultdict(Counter)
        self.rivals: dict[tuple, Counter] = defaultdict(Counter)
        self.stuck: Counter = Counter()
        self.won: dict[str, list] = defaultdict(list)
        for game in sorted(document["games"], key=lambda one: one.get("finished_at", "")):
            if "finished_at" in game and "deleted_at" not in game:
                self._add(game)

    def _add(self, game: dict) -> None:
        rules = {
            name: fact["value"]
            for name, fact in self.rules[game["rules"]].items()
            if isinstance(fact, dict) and "value" in fact
        }
        variant = self.rules[game["rules"]]["id"]
        names = [one["player"] for one in game["seats"]]
        done, score = [0] * len(names), [0] * len(names)
        tries: dict[tuple, int] = Counter()
        last = rules.get("last_contract", len(rules["contracts"]))
        finisher = None
        for played in game["rounds"]:
            rows = {row["seat"] - 1: row for row in played["rows"]}
            finishing = []
            for seat, name in enumerate(names):
                row = rows.get(seat, {})
                out = row.get("went_out", False)
                met = row.get("met", False) or out
                self.sums[name].update(rounds=1, times_went_out=int(out))
                if done[seat] < last:
                    tried = done[seat] + 1
                    tries[seat, tried] += 1
                    moves = met and (out or tried < last or rules["win"] != "first_out_on_last")
                    self.contracts[name, variant, tried].update(rounds=1, completed=int(moves))
                    if moves:
                        done[seat] += 1
                        if done[seat] == last:
                            finishing.append(seat)
            if finishing:
                finisher = finishing[0] if len(finishing) == 1 else played["first_down"] - 1
            for seat, name in enumerate(names):
                score[seat] += self._points(name, rows, seat, seat == finisher, rules)
        self._end(variant, names, done, score, rules, finisher)
        for (seat, _tried), rounds in tries.items():
            self.stuck[names[seat]] = max(self.stuck[names[seat]], rounds)

    def _points(self, name: str, rows: dict, seat: int, finishes: bool, rules: dict) -> int:
        points, row = 0, rows.get(seat, {})
        if row.get("went_out"):
            points += rules["go_out_bonus"]
            self._bonus(name, rules["go_out_bonus"])
        else:
            free = finishes and rules["win"] != "first_out_on_last" and not rules["finisher_pays"]
            if any(one.get("went_out") for one in rows.values()):
                free = free and not rules["finisher_pays_after_out"]
            penalty = 0 if free else row.get("penalty")
            if penalty is not None:
                points += penalty
                self.sums[name].update(penalty=penalty, penalty_rounds=1)
        if finishes:
            points += rules["completion_bonus"]
            self._bonus(name, rules["completion_bonus"])
        return points

    def _bonus(self, name: str, points: int) -> None:
        if points:
            self.sums[name].update(bonus=points, bonus_count=1)

    def _end(self, variant, names, done, score, rules, finisher) -> None:
        if rules["win"] == "lowest_score":
            ranks = score
        elif finisher is not None:
            ranks = [
                (0,) if seat == finisher else (1, -done[seat], score[seat])
                for seat in range(len(names))
            ]
        else:
            best = max(done)
            ranks = [
                (0,) if done[seat] == best else (1, -done[seat], score[seat])
                for seat in range(len(names))
            ]
        places = [1 + sum(other < mine for other in ranks) for mine in ranks]
        for seat, name in enumerate(names):
            won = places[seat] == 1
            both = {"games": 1, "wins": int(won), "placed": 1, "place_sum": places[seat]}
            self.sums[name].update(both)
            self.by_variant[name, variant].update(both)
            self.won[name].append(won)
            for other, rival in enumerate(names):
                if other != seat:
                    self.rivals[name, rival].update(
                        shared=1,
                        above=int(places[seat] < places[other]),
                        level=int(places[seat] == places[other]),
                    )


def streaks(won: list[bool]) -> tuple[int, int]:
    runs = "".join("w" if one else " " for one in won)
    current = len(runs) - len(runs.rstrip("w"))
    return current, max((len(run) for run in runs.split()), default=0)


@pytest.fixture
def played(app: Flask) -> tuple[Flask, int]:
    return app, play_games(app, 60, players=4, rounds=9, seed=3)


def test_all_statistics_equal_a_plain_reckoning_over_the_exported_document(played):
    app, group = played
    document = json.loads(browser_in(app, group).get("/data/export.json").get_data(as_text=True))
    plain = PlainReckoning(document)
    assert sum(any(won) for won in plain.won.values()) >= 3
    with app.app_context():
        session = db.session()
        assert {one.name for one in reads.players_with_sums(session, group)} == set(plain.sums)
        assert_statistics_equal(session, group, plain, ALL_GAMES)


def test_the_statistics_of_any_period_and_rule_sets_equal_a_plain_reckoning_over_those_games(
    played,
):
    app, group = played
    document = json.loads(browser_in(app, group).get("/data/export.json").get_data(as_text=True))
    chance, games = Random(5), document["games"]
    ends = sorted(game["finished_at"] for game in games)
    played_variants = sorted({document["rule_sets"][game["rules"]]["id"] for game in games})
    for _ in range(SELECTIONS):
        variants = chance.sample(played_variants, chance.randrange(4))
        since, until = sorted(chance.sample([*ends, None, None], 2), key=lambda one: one or "")
        chosen = [
            game
            for game in games
            if (not variants or document["rule_sets"][game["rules"]]["id"] in variants)
            and (since is None or game["finished_at"] >= since)
            and (until is None or game["finished_at"] < until)
        ]
        moments = (None if one is None else datetime.fromisoformat(one) for one in (since, until))
        selection = GameSelection(tuple(variants), *moments)
        with app.app_context():
            plain = PlainReckoning({**document, "games": chosen})
            assert_statistics_equal(db.session(), group, plain, selection)
            tallies = game_tallies(db.session(), group, selection)
            assert sum(one.games for one in tallies) == len(chosen)
            (record,) = group_records(db.session(), group, [MOST_ROUNDS], tallies, selection)
            most = max((len(game["rounds"]) for game in chosen), default=None)
            assert (record and record.value) == most


SELECTIONS = int(os.environ.get("MELDKEEPER_SELECTIONS", "8"))
MOST_ROUNDS = RecordQuery("rounds", "rounds", is_maximum=True)


def assert_statistics_equal(
    session: Session, group: int, plain: PlainReckoning, selection: GameSelection
) -> None:
    """All that is read of the group's players equals the plain reckoning of these games."""
    for one in reads.players_with_sums(session, group, selection):
        expected = plain.sums[one.name]
        for field in ("games", "wins", "placed", "place_sum", "rounds", "times_went_out"):
            assert getattr(one.sums, field) == expected[field], field
        for field in ("penalty", "penalty_rounds", "bonus", "bonus_count"):
            assert getattr(one.sums, field) == expected[field], field
        months = months_of(session, one.id, selection)
        assert total([PlayerSums(), *(month.sums for month in months)]) == one.sums
        for variant in {month.variant for month in months}:
            sums = total([month.sums for month in months if month.variant == variant])
            assert sums.wins == plain.by_variant[one.name, variant]["wins"]
            assert sums.place_sum == plain.by_variant[one.name, variant]["place_sum"]
        tries = player_contract_stats(session, group, selection, player=one.id)
        contracts = contract_stats(tries)
        said = {
            (one.name, variant, one_of.number): (one_of.sums.rounds, one_of.sums.completed)
            for variant, stats in contracts.items()
            for one_of in stats
        }
        assert said == {
            key: (sums["rounds"], sums["completed"])
            for key, sums in plain.contracts.items()
            if key[0] == one.name
        }
        stretches = streaks_of(session, one.id, selection)
        most = max((record.most_rounds for of in contracts.values() for record in of), default=0)
        assert most == plain.stuck[one.name]
        assert (stretches.wins_now, stretches.most_wins) == streaks(plain.won[one.name])
        for rival in reads.rivals_of(session, one.id, selection):
            sums = plain.rivals[one.name, rival.name]
            assert (rival.shared, rival.ahead, rival.level) == tuple(
                sums[name] for name in ("shared", "above", "level")
            )
        form = reads.last_games_of(session, one.id, 3, selection)
        assert [game.won for game in form] == plain.won[one.name][-3:]


PAGES = ("/", "/history", "/history?end=1", "/history/records", "/players", "/players/{player}")


@ON_SQLITE
def test_no_page_asks_the_database_more_often_where_more_games_were_played(app: Flask):
    few, many = (play_games(app, games, players=4, rounds=3, seed=3) for games in (5, 45))

    def queries(group: int) -> dict[str, int]:
        client = browser_in(
            app,
            group,
        )
        with app.app_context():
            player = reads.players_with_sums(db.session(), group)[0].id
        counts = {}
        for page in PAGES:
            address = page.format(player=player)
            client.get(address)
            with counting_queries(app) as asked:
                assert client.get(address).status_code == 200
            counts[page] = len(asked)
        return counts

    assert queries(many) == queries(few)


def test_the_records_name_the_extremes_of_all_games(played):
    app, group = played
    page = text(browser_in(app, group).get("/history/records"))
    for title in ("Fastest game", "Most rounds", "Closest finish"):
        assert title in page
    assert "9 rounds" in page


@ON_SQLITE
def test_a_choice_of_games_narrows_every_page_and_stays_in_its_links(played):
    app, group = played
    client = browser_in(app, group)
    games = json.loads(text(client.get("/data/export.json")))["games"]
    ends = [datetime.fromisoformat(one["finished_at"]).astimezone() for one in games]
    days = sorted({one.date() for one in ends})
    first, last = days[3], days[9]
    chosen = sum(first <= one.date() <= last for one in ends)
    query = f"since={first}&until={last}"
    page = text(client.get(f"/history/records?{query}"))
    assert f"{chosen} finished games" in page
    links = [
        one.replace("&amp;", "&")
        for one in re.findall(r'href="(/history|/players)\?([^"]*)', page)[0]
    ]
    assert links == ["/history", query]
    people = text(client.get(f"/players?{query}"))
    assert people.count(f"{chosen} games") == 4
    (player, kept), *_rest = re.findall(r'href="(/players/\d+)\?([^"]*)', people)
    kept = kept.replace("&amp;", "&")
    assert kept == query
    shown = text(client.get(f"{player}?{kept}"))
    assert f"<b>{chosen}</b>" in shown
    assert text(client.get(f"/history?{query}")).count('class="card game-card"') == min(20, chosen)
    year = text(client.get(f"/players?season={days[0].year}"))  # a year is a season, too
    assert f'<option value="{days[0].year}" selected>' in year
    ways = {
        "/evenings": r"/evenings/\w+\?",
        "/history": r"(?:/games/\w+/rounds|/data)\?",
        "/players": r"/players/\d+\?",
        player: r"/players/\d+/milestones\?",
    }
    for at, way in ways.items():
        page = text(client.get(f"{at}?{query}")).replace("&amp;", "&")
        address = re.search(rf'href="({way}[^"]*)"', page)
        assert address, at
        tabs = text(client.get(address[1])).split('<nav class="places')[-1].replace("&amp;", "&")
        assert f'href="/players?{query}"' in tabs, address[1]
    files = {}
    for at in ("/history", "/history/records", "/players", "/evenings"):
        for file, kept in re.findall(
            r'href="(/[\w/]+\.(?:csv|ics))\?([^"]*)"', text(client.get(f"{at}?{query}"))
        ):
            assert kept.replace("&amp;", "&").removeprefix("separator=semicolon&") == query, file
            files[file] = text(client.get(f"{file}?{query}"))
    assert len(files["/tables/games.csv"].splitlines()) == 1 + 4 * chosen
    evenings = len(files["/tables/evenings.csv"].splitlines()) - 1
    assert 0 < evenings == files["/evenings.ics"].count("BEGIN:VEVENT") < chosen + 1


@ON_SQLITE
def test_a_choice_that_is_none_is_left_out(app: Flask):
    client = browser_in(app, play_games(app, 0))
    for query in ("year=1", "since=0001-01-01", "until=9999-12-31", "since=soon", "with=0&with=x"):
        page = text(client.get(f"/history/records?{query}"))
        assert "<summary>Filter: All games</summary>" in page, query


@ON_SQLITE
@pytest.mark.parametrize("page", ["/history", "/history/records", "/players", "/evenings"])
def test_a_choice_of_games_stands_out_and_one_tap_beside_it_has_all(app: Flask, page: str):
    client = browser_in(app, play_games(app, 3))
    address, cleared = f"{page}?year={datetime.now(UTC).year}", f'href="{page}">All games '
    assert cleared in text(client.get(address)).split('narrowed">')[1]
    every = text(client.get(page))
    assert "narrowed" not in every
    assert cleared not in every
