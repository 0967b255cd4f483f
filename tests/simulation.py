"""Games that nobody played, for measuring with many of them: simulated round by round.

Players have a skill; a contract is met or not, somebody goes out, the others pay for cards that
are really drawn from the pack. When a game is over, and who has won, is the scorebook's to say. The
same seed makes the same games.

`python -m tests.simulation --games 10000` writes a group's document, for `flask import -`.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

from app.exchange import documents
from app.exchange.files import name_of_rules, serialize
from app.exchange.games import game_from_document
from app.rules.card_supply import full_pack
from app.rules.cards import Card
from app.rules.phrases import counted
from app.rules.rule_sets import family_rule_sets, rule_set_by_id, to_dict, with_house_rules
from app.rules.variant import Variant
from app.scorebook.game import Entry, Game, Round
from app.scorebook.points import least_cards_left, most_cards_left
from app.scorebook.progress import (
    Attempt,
    final_laydown_stops_play,
    finishers_among,
    first_down_candidates,
)
from app.scorebook.round_results import penalty_payers, round_attempts
from app.scorebook.standings import game_status
from tests.builders import with_ended_round

_NAMES = (
    "Anna", "Ben", "Cleo", "Dominique", "Emil", "Fatou",
    "Gwen", "Hugo", "Ines", "Jonas", "Kim", "Lena",
)  # fmt: skip
_FIRST_EVENING = datetime(2016, 1, 2, 18, 0, tzinfo=UTC)
_FIRST_OF_CLUB = datetime(2025, 6, 6, 18, 0, tzinfo=UTC)
_A_ROUND = timedelta(minutes=6)
_KEY_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def simulate_group(
    name: str, games: int, players: int, rounds: int, chance: Random
) -> documents.GroupDocument:
    """A group with so many games of so many players and about so many rounds each."""
    more = (f"Player {number}" for number in range(len(_NAMES) + 1, players + 1))
    names = [*_NAMES[:players], *more]
    played = {
        one.id: with_house_rules(one, {"max_deals": rounds, "keep_score": "yes", "jokers": 4})
        for one in family_rule_sets().values()
    }
    rule_sets = {name_of_rules(to_dict(one)): to_dict(one) for one in played.values()}
    return documents.GroupDocument(
        name,
        tuple(
            documents.PlayerDocument(one, _FIRST_EVENING) for one in sorted(names, key=str.casefold)
        ),
        rule_sets,
        _simulate_games(games, names, list(played.values()), chance),
    )


def simulate_club(chance: Random, evenings: int = 40, rounds: int = 4) -> documents.GroupDocument:
    """A club of twelve: an evening a week, of one to three games by three rule sets and of points.

    A game ends after so many rounds at the latest; 0: no such limit. Somebody was merged into
    another, one joined a game late, and one game stopped early.
    """
    chosen = ("frustration", "aggravation-rummy", "garbage-rummy")
    shipped = family_rule_sets()
    changes = {"max_deals": rounds, "keep_score": "yes", "jokers": 4}
    rules = [with_house_rules(shipped[one], changes) for one in chosen]
    points = {"win": "highest_score", "below_zero": True, "max_deals": rounds, "score_limit": 120}
    rules.append(with_house_rules(rule_set_by_id("points-only"), points))
    skills = {name: draw_skill(chance) for name in _NAMES}
    games: list[documents.GameDocument] = []
    for evening in range(evenings):
        moment = _FIRST_OF_CLUB + timedelta(weeks=evening)
        there = chance.sample(_NAMES, chance.randint(4, 7))
        for _ in range(chance.randint(1, 3)):
            number, playing = len(games), there[: chance.randint(3, len(there))]
            late, stops = number == 10, 2 if number == 20 else None
            game = _simulate_game(
                chance.choice(rules), playing, moment, skills, chance, late=late, stops=stops
            )
            games.append(game)
            moment = (game.finished_at or moment) + timedelta(minutes=chance.randint(5, 300))
    as_benny = [
        replace(seat, played_as="Benny") if seat.player == "Ben" else seat
        for seat in games[0].seats
    ]
    games[0] = replace(games[0], seats=tuple(as_benny))
    since = _FIRST_OF_CLUB
    players = [documents.PlayerDocument(name, since) for name in _NAMES]
    players.append(documents.PlayerDocument("Benny", since, merged_into="Ben"))
    rule_sets = {name_of_rules(to_dict(one)): to_dict(one) for one in rules}
    return documents.GroupDocument("The club", tuple(players), rule_sets, tuple(games))


def _simulate_games(
    count: int, names: Sequence[str], rules: Sequence[Variant], chance: Random
) -> Iterator[documents.GameDocument]:
    skills = {name: 0.24 + 0.12 * chance.random() for name in names}
    for number in range(count):
        started = _FIRST_EVENING + timedelta(hours=8 * number, minutes=chance.randrange(90))
        yield _simulate_game(
            chance.choice(rules), chance.sample(names, len(names)), started, skills, chance
        )


def _simulate_game(
    rules: Variant,
    names: Sequence[str],
    started: datetime,
    skills: Mapping[str, float],
    chance: Random,
    *,
    late: bool = False,
    stops: int | None = None,
) -> documents.GameDocument:
    """One game; the last player may join `late`, and it may stop after so many rounds."""
    record = documents.GameDocument(
        key="".join(chance.choice(_KEY_LETTERS) for _ in range(12)),
        rules=name_of_rules(to_dict(rules)),
        version=1,
        started_at=started,
        seats=tuple(
            documents.SeatDocument(
                player=name,
                deals_first=not place,
                joined_in=2 if late and place == len(names) - 1 else 1,
            )
            for place, name in enumerate(names)
        ),
    )
    game, moment = game_from_document(record, rules), started
    rounds: list[documents.RoundDocument] = []
    skill = {seat: skills[name] for seat, name in enumerate(names, start=1)}
    while not game_status(game).over and len(rounds) != stops:
        moment += _A_ROUND + timedelta(seconds=chance.randrange(240))
        played = simulate_round(game, skill, chance)
        game = with_ended_round(game, played)
        rounds.append(_round_document(played, rules, moment))
    log = _event_log(record, rounds)
    return replace(
        record,
        rounds=tuple(rounds),
        finished_at=moment,
        stopped=None if game_status(game).over else "result",
        log=log,
        version=log[-1].version,
    )


def draw_skill(chance: Random) -> float:
    """In how many rounds a player of the club meets the contract."""
    return 0.3 + 0.3 * chance.random()


def simulate_round(game: Game, skill: Mapping[int, float], chance: Random) -> Round:
    """One deal: who meets the contract, who of them goes out, and what the others have left."""
    number = len(game.rounds) + 1
    seats = [seat for seat in game.seats if seat.plays_in(number)]
    if not game.variant.contracts:
        drawn = {seat.id: chance.randint(-20, int(100 * skill[seat.id])) for seat in seats}
        return Round(number, tuple(Entry(one, penalty=points) for one, points in drawn.items()))
    met = [seat.id for seat in seats if chance.random() < skill[seat.id]]
    out = chance.choice(met) if met else None
    rows = tuple(Entry(seat.id, seat.id in met, seat.id == out) for seat in seats)
    played = _without_late_contracts(game, Round(number, rows))
    tried = round_attempts(game, played)
    finishers = first_down_candidates(game.variant, tried)
    if finishers:
        played = replace(played, first_down=out if out in finishers else finishers[0])
    payers = penalty_payers(game.variant, played, tried)
    pack = full_pack(game.variant, game.variant.decks_for(len(game.seats))) if payers else ()
    tries = {one.seat: one for one in tried}
    paid = tuple(
        replace(row, penalty=_points_left(game.variant, pack, tries[row.seat], chance))
        if row.seat in payers
        else row
        for row in played.entries
    )
    return replace(played, entries=paid)


def _without_late_contracts(game: Game, played: Round) -> Round:
    """The round without the contracts that came too late: somebody else was out, or had won."""
    rules, tried = game.variant, round_attempts(game, played)
    finishers = finishers_among(rules, tried) if final_laydown_stops_play(rules) else ()
    late = {one.seat for one in tried if one.seat in finishers or most_cards_left(rules, one) < 1}
    rows = (
        replace(row, met=False) if row.seat in late and not row.went_out else row
        for row in played.entries
    )
    return replace(played, entries=tuple(rows))


def _points_left(rules: Variant, pack: Sequence[Card], attempt: Attempt, chance: Random) -> int:
    """The points of the cards left in a hand: all of them until the contract lies."""
    most = min(4, most_cards_left(rules, attempt))
    left = least_cards_left(rules, attempt) or chance.randint(1, most)
    return rules.penalties.total(chance.sample(pack, left))


def _round_document(played: Round, rules: Variant, moment: datetime) -> documents.RoundDocument:
    rows = tuple(
        Entry(
            row.seat,
            met=row.laid_down,
            went_out=row.went_out,
            penalty=row.penalty,
            typed="" if row.penalty is None else str(row.penalty),
        )
        for row in played.entries
    )
    nobody_out = bool(rules.contracts) and not any(row.went_out for row in played.entries)
    return documents.RoundDocument(
        number=played.number,
        closed_at=moment,
        first_down=played.first_down,
        nobody_out=nobody_out,
        rows=rows,
    )


def _event_log(
    record: documents.GameDocument, rounds: Sequence[documents.RoundDocument]
) -> tuple[documents.EventDocument, ...]:
    names = [one.player for one in record.seats]
    told = {"players": names, "dealer": names[0]}
    started = documents.EventDocument(1, record.started_at, "started", after=told)
    closed = [
        documents.EventDocument(one.number + 1, one.closed_at, "closed", round_number=one.number)
        for one in rounds
        if one.closed_at is not None
    ]
    return (started, *closed)


def main() -> None:
    """Write a document to the standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=14)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sys.stdout.writelines(
        serialize(
            simulate_group(
                counted(asked.games, "game"),
                asked.games,
                asked.players,
                asked.rounds,
                Random(asked.seed),
            )
        )
    )


if __name__ == "__main__":
    main()
