"""What the table decides about dealing the open round: a void deal, another dealer, other seats.

Each names the round that the device shows, and raises `Stale` if that is not the open one any more,
`Refused` where it cannot be.
"""

from collections.abc import Callable, Iterable, Sequence

from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.rounds import open_round
from app.actions.texts import fitting_line
from app.scorebook import Game, decisions
from app.scorebook.events import Event
from app.store.log import LogEntry


def void_round(
    session: Session,
    game_id: int,
    number: int,
    actor: Actor,
    *,
    passed_on: bool = False,
    reason: str = "",
) -> None:
    """The round is void and dealt again, by the next player if the deal is passed on."""
    line = fitting_line("reason", reason, LogEntry.reason)
    _decide(
        session,
        game_id,
        number,
        actor,
        lambda game: decisions.void_round(game, passed_on=passed_on, reason=line),
    )


def choose_dealer(
    session: Session, game_id: int, number: int, seat: int, actor: Actor, *, once: bool = False
) -> None:
    """Another player deals the round, and the deal goes on from there unless it is for `once`."""
    _decide(
        session,
        game_id,
        number,
        actor,
        lambda game: decisions.choose_dealer(game, seat, once=once),
    )


def change_seats(
    session: Session, game_id: int, number: int, order: Sequence[int], actor: Actor
) -> None:
    """The players sit in that order from the round on."""
    _decide(session, game_id, number, actor, lambda game: decisions.change_seats(game, order))


def _decide(
    session: Session,
    game_id: int,
    number: int,
    actor: Actor,
    decide: Callable[[Game], Iterable[Event]],
) -> None:
    change = open_round(session, game_id, number, actor)
    if not change.repeated:
        change.record(decide(change.game))
        change.commit()
