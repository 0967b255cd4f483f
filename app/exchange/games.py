"""The scorebook's game of a document."""

from collections.abc import Mapping

from app.exchange.documents import GameDocument, SeatDocument
from app.rules.variant import Variant
from app.scorebook.game import Game, Round, Seat, SeatHolder


def game_from_document(document: GameDocument, variant: Variant) -> Game:
    """The game that it describes; seats and players are numbered from 1 in it."""
    players = {name: number for number, name in enumerate(document.players, start=1)}
    ended = sum(one.closed_at is not None for one in document.rounds)
    rounds = [
        Round(one.number, one.rows, one.first_down, one.nobody_out) for one in document.rounds
    ]
    return Game(
        variant,
        seats=tuple(
            _seat_of(number, one, players) for number, one in enumerate(document.seats, start=1)
        ),
        first_dealer=next(n for n, one in enumerate(document.seats, start=1) if one.deals_first),
        rounds=tuple(rounds[:ended]),
        drafts=tuple(rounds[ended:]),
        rule_changes=document.rule_changes,
        decisions=document.course,
        stopped=document.stopped,
        left_out=document.left_out,
    )


def _seat_of(number: int, document: SeatDocument, players: Mapping[str, int]) -> Seat:
    return Seat(
        number,
        document.joined_in,
        document.left_after,
        document.starting_score,
        document.player,
        players[document.player],
        starting_contract=document.starting_contract,
        missed=tuple((one.first, one.last) for one in document.missed),
        stand_ins=tuple(
            SeatHolder(one.from_round, players[one.player], one.player)
            for one in document.stand_ins
        ),
    )
