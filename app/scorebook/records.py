"""What a game is made of: its rule set, its seats, and what was recorded of each round.

Everything else about a game follows from these records and is never kept. Whether a round may be
recorded at all is judged in `faults.py`; here any round is taken as it is.
"""

from dataclasses import dataclass, replace

from app.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place in a game.

    A late joiner plays from round `joined_in` on, from contract 1, with `starting_score`; who
    left played for the last time in round `left_after`.
    """

    id: int
    joined_in: int = 1
    left_after: int | None = None
    starting_score: int = 0

    def plays_in(self, number: int) -> bool:
        """Does this seat play in the round of that number?"""
        return self.joined_in <= number and not self.has_left_by(number)

    def has_left_by(self, number: int) -> bool:
        """Had the player left before the round of that number?"""
        return self.left_after is not None and self.left_after < number


@dataclass(frozen=True, slots=True)
class Row:
    """What happened to one seat in one round; a `penalty` of None is a blank, not 0.

    `not_counted` says that nobody knows the penalty any more: then a blank may stand, and adds
    nothing. `exact_deal` marks a dealer who lifted exactly the cards for the deal.
    """

    seat: int
    met: bool = False
    went_out: bool = False
    penalty: int | None = None
    exact_deal: bool = False
    not_counted: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """One deal, numbered from 1, with a row for each seat that played; their order is free.

    `first_down` is the seat that laid the last contract first, asked only where several did.
    """

    number: int
    rows: tuple[Row, ...]
    first_down: int | None = None

    def row_of(self, seat: int) -> Row:
        """The row of a seat; a blank one where none was recorded."""
        return next((row for row in self.rows if row.seat == seat), Row(seat))


@dataclass(frozen=True, slots=True)
class Game:
    """One playing of a rule set: seats in dealing order, closed rounds in order from 1.

    The variant has the house rules already in it. `first_dealer` is the id of one of the seats.
    """

    variant: Variant
    seats: tuple[Seat, ...]
    first_dealer: int
    rounds: tuple[Round, ...] = ()

    def __hash__(self) -> int:
        # What was made of a game is remembered by it, so this must cost little; games that differ
        # in an earlier round alone are rare.
        return hash((self.seats, self.first_dealer, len(self.rounds), self.rounds[-1:]))


def with_round(game: Game, played: Round) -> Game:
    """The game with a round added, or mended if there is one of that number.

    All that follows is derived anew. If the mended round ends the game, the rounds after it are
    kept but no longer count (`rounds_after_end`). Raises `ValueError` for a number that is
    neither recorded nor the next.
    """
    if not 1 <= played.number <= len(game.rounds) + 1:
        raise ValueError(f"round {played.number} would leave a gap")
    earlier, later = game.rounds[: played.number - 1], game.rounds[played.number :]
    return replace(game, rounds=(*earlier, played, *later))


def in_dealing_order(game: Game, played: Round) -> Round:
    """The round with its rows in the order of the seats; rows of no seat come last.

    What is said of a round shall not depend on the order in which its rows were entered.
    """
    order = {seat.id: place for place, seat in enumerate(game.seats)}
    rows = sorted(played.rows, key=lambda row: (order.get(row.seat, len(order)), row.seat))
    return replace(played, rows=tuple(rows))


def before_round(game: Game, number: int) -> Game:
    """The game as it stood before the round of that number was played."""
    rounds = game.rounds[: max(0, number - 1)]
    return game if len(rounds) == len(game.rounds) else replace(game, rounds=rounds)
