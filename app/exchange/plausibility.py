"""Games of a document that could not have been played, by the scorebook's own judgement.

What a mended round may leave behind it in the app itself (a penalty now owed, a finish now shared,
rounds after the end) is let through, or a group could not bring its own games back. So is a row of
who does not play in its round, such as what was entered for a player who then left: it counts for
nothing, here as in the app.
"""

import itertools
import operator
from collections.abc import Iterator, Mapping
from dataclasses import replace

from app.exchange.documents import GameDocument, RoundDocument, SeatDocument
from app.exchange.schema import DocumentError
from app.rules.phrases import say
from app.rules.variant import Variant
from app.scorebook.dealing import players_in
from app.scorebook.faults import faults_by_round
from app.scorebook.game import Game, Round, Seat, StandIn
from app.scorebook.history import is_over

_LEFT_BY_MENDING = frozenset(
    {"penalty_blank", "first_down_missing", "first_down_wrong", "game_over"}
)


def game_from_document(record: GameDocument, variant: Variant) -> Game:
    """The scorebook's game of a record, whole; seats and players are numbered from 1 in it."""
    players = {name: number for number, name in enumerate(record.players, start=1)}
    ended = [one.closed_at is not None for one in record.rounds]
    rounds = [_round_of(one) for one in record.rounds]
    return Game(
        variant,
        seats=tuple(
            _seat_of(number, one, players) for number, one in enumerate(record.seats, start=1)
        ),
        first_dealer=next(n for n, one in enumerate(record.seats, start=1) if one.deals_first),
        rounds=tuple(itertools.compress(rounds, ended)),
        drafts=tuple(itertools.compress(rounds, map(operator.not_, ended))),
        rule_changes=record.rule_changes,
        is_reopened=record.reopened,
        decisions=record.course,
        stopped=record.stopped,
    )


def find_implausibilities(record: GameDocument, variant: Variant) -> Iterator[DocumentError]:
    """What could not have been played, each with its place in the game."""
    if record.paper:
        return
    game = game_from_document(record, variant)
    yield from _players_of_two_seats(game)
    for number, found in faults_by_round(game).items():
        for fault in found:
            if fault.code not in _LEFT_BY_MENDING:
                yield DocumentError(f"rounds[{number - 1}].{fault.field}", fault.message)
    if game.stopped and (
        is_over(replace(game, stopped=None)) or (game.stopped == "result" and not game.rounds)
    ):
        yield DocumentError("stopped", say("The rounds show that the game didn’t stop like this."))
    over, finished = is_over(game), record.finished_at is not None
    if over and not finished:
        yield DocumentError("finished_at", say("The rounds show that the game is over."))
    if finished and not over:
        yield DocumentError("finished_at", say("The rounds show that the game isn’t over."))


def _players_of_two_seats(game: Game) -> Iterator[DocumentError]:
    """Who is said to play two seats in one round."""
    if not any(seat.stand_ins for seat in game.seats):
        return
    for number in range(1, game.open_number + 1):
        playing = [seat.holder_in(number).name for seat in players_in(game, number)]
        for name in {one for one in playing if playing.count(one) > 1}:
            message = say("{name} plays two seats in round {number}.", name=name, number=number)
            yield DocumentError("seats", message)


def _seat_of(number: int, record: SeatDocument, players: Mapping[str, int]) -> Seat:
    return Seat(
        number,
        record.joined_in,
        record.left_after,
        record.starting_score,
        record.player,
        players[record.player],
        starting_contract=record.starting_contract,
        missed=tuple((one.first, one.last) for one in record.missed),
        stand_ins=tuple(
            StandIn(one.from_round, players[one.player], one.player) for one in record.stand_ins
        ),
    )


def _round_of(record: RoundDocument) -> Round:
    return Round(record.number, record.rows, record.first_down, record.nobody_out)
