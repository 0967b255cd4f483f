"""Why something was not done: faults that people cause, each with words meant for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.rules.wording import Phrase
from app.scorebook import Fault, Oddity


class NotDone(Exception):
    """Something was asked for and not done; nothing has changed."""


@dataclass
class Refused(NotDone):
    """It cannot be recorded without contradiction: the faults, most basic first."""

    faults: Sequence[Fault]


@dataclass
class Doubted(NotDone):
    """It looks wrong; the table may overrule each oddity by its code."""

    oddities: Sequence[Oddity]


@dataclass
class Stale(NotDone):
    """Somebody changed the game since this phone last showed it; `version` is today's."""

    version: int


@dataclass
class Overtaken(NotDone):
    """A tap that was sent late met something that another device changed meanwhile.

    Nothing is lost on either side: a person chooses. `version` is today's.
    """

    version: int


def refuse(field: str, message: Phrase, seat: int | None = None) -> Refused:
    """One fault beside one field, ready to raise."""
    return Refused((Fault(code=field, seat=seat, field=field, message=message),))
