"""What a table is told or asked in place of a change, and the exceptions that carry it.

What cannot be recorded of a round without contradiction is in `faults.py`, what only looks wrong
in `warnings.py`. Here stands what no change may make of a game: more than it can hold
(`limits.py`).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from app.rules.phrases import Phrase, say
from app.scorebook import limits
from app.scorebook.game import Game


@dataclass(frozen=True, slots=True)
class Notice:
    """What a table is told or asked: a code that stays, the seat if it is one's, and the words.

    Of a contradiction, `field` is the one at fault: of `Entry` or `Round` (`rows` for its entries,
    `row` for one of them) or a form, or what it is about (`undo`, `game`). Of a warning,
    `nearest` offers what may be meant instead of odd points, two at most: those with swapped digits
    first, then the nearest that can be counted; `rule_source` is where the rule stands that it goes
    against.
    """

    code: str
    seat: int | None
    message: Phrase
    field: str = ""
    nearest: tuple[int, ...] = ()
    rule_source: Phrase | None = None

    @property
    def identity(self) -> str:
        """Its code and its seat: the same while only the numbers in its words change."""
        return f"{self.code}|{self.seat or ''}"

    @property
    def acceptance(self) -> str:
        """What is sent back to overrule exactly what was shown, numbers and all."""
        return f"{self.identity}|{self.message}"


class NotApplied(Exception):
    """Something was asked for and not done as it was asked.

    Nothing of the game has changed. But a tap may be stored all the same and refused for points of
    its row that cannot be read, and are kept as they were typed.
    """


@dataclass
class Refused(NotApplied):
    """It cannot be done: the faults that say why."""

    faults: Sequence[Notice]


@dataclass
class ConfirmationNeeded(NotApplied):
    """It looks wrong; the table may overrule each warning by its acceptance."""

    warnings: Sequence[Notice]


@dataclass
class StaleVersion(NotApplied):
    """A game, or custom rules, are not where the request takes them to be.

    They are at another version, or the game in another round. `current_version` is today's.
    """

    current_version: int


@dataclass
class Conflict(NotApplied):
    """The same was changed meanwhile without the person knowing, on another page or device.

    Or nobody knows whether it was, or it is a repeat of a tap that was refused. Nothing is lost on
    either side: a person chooses.
    `current_version` is today's; `other` is the name of who did it, `device` their device, where
    these are known.
    """

    current_version: int
    other: str = ""
    device: int | None = None


def ask_unless_accepted(warnings: Iterable[Notice], accepted: Collection[str]) -> None:
    """Raise `ConfirmationNeeded` for warnings whose `acceptance` is not among the `accepted`."""
    if left := [one for one in warnings if one.acceptance not in accepted]:
        raise ConfirmationNeeded(left)


def refusal(field: str, message: Phrase, seat: int | None = None) -> Refused:
    """One fault beside one field, ready to raise; its code is the field's name."""
    return Refused((Notice(field, seat, message, field),))


_LIMITS: tuple[tuple[str, int, Callable[[Game], Iterable[int]], Phrase], ...] = (
    (
        "switch",
        limits.MOST_RULE_CHANGES,
        lambda game: (len(game.rule_changes),),
        say("A game can have at most {most} rule changes.", most=limits.MOST_RULE_CHANGES),
    ),
    (
        "game",
        limits.MOST_CORRECTIONS,
        lambda game: (len(game.decisions.corrections),),
        say(
            "Points can be added or subtracted at most {most} times in a game.",
            most=limits.MOST_CORRECTIONS,
        ),
    ),
    (
        "game",
        limits.MOST_DECISIONS,
        lambda game: map(
            len, (game.decisions.voids, game.decisions.dealers, game.decisions.seat_changes)
        ),
        say("A game can have at most {most} changes of this kind.", most=limits.MOST_DECISIONS),
    ),
    (
        "players",
        limits.MOST_STAND_INS,
        lambda game: (len(seat.stand_ins) for seat in game.seats),
        say("This seat has changed hands too often."),
    ),
    (
        "players",
        limits.MOST_ABSENCES,
        lambda game: (len(seat.missed) for seat in game.seats),
        say("This player has left and come back too often."),
    ),
)
"""Of each limit: the field that the refusal names, the most, how a game's are counted, and what is
said."""


def refuse_growth(before: Game, after: Game) -> None:
    """Raise `Refused` where something grows beyond what a game can hold.

    What was beyond it before may stay, or shrink.
    """
    for field, limit, counts, message in _LIMITS:
        if max(counts(after), default=0) > max([limit, *counts(before)]):
            raise refusal(field, message)
