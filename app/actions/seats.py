"""Which seat is meant: the one place that says whether it is one of this game and this round.

Whatever names a seat comes through here before it is kept, whichever door it came in by.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from app.actions.faults import Refused, refuse
from app.rules.wording import say
from app.scorebook import Fault, players_in
from app.store.queries.games import Table


def seat_in_game(table: Table, seat: int, field: str) -> int:
    """The seat, which is one of the game. Raises `Refused`."""
    if seat not in table.names:
        raise refuse(field, say("That seat isn’t in this game."))
    return seat


def seat_in_round(table: Table, number: int, seat: int, field: str) -> int:
    """The seat, which plays in that round of the game. Raises `Refused`."""
    wrong = list(_not_playing(table, number, seat, field))
    if wrong:
        raise Refused(wrong)
    return seat


def seat_faults(table: Table, number: int, seats: Sequence[int]) -> Iterator[Fault]:
    """What is wrong with the seats for which a whole round was entered, each named once."""
    for seat, count in Counter(seats).items():
        yield from _not_playing(table, number, seat, "rows")
        if count > 1 and seat in table.names:
            message = say("{name} is entered more than once.", name=table.names[seat])
            yield Fault("row_twice", seat, "rows", message)


def _not_playing(table: Table, number: int, seat: int, field: str) -> Iterator[Fault]:
    if any(one.id == seat for one in players_in(table.game, number)):
        return
    message = say("That player isn’t in this round.")
    if seat in table.names:
        name = table.names[seat]
        message = say("{name} isn’t playing in round {number}.", name=name, number=number)
    yield Fault("not_playing", seat, field, message)
