"""Why something is not recorded: exceptions with words for whoever asked for it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.rules.phrases import Phrase
from app.scorebook.faults import Fault, faults
from app.scorebook.game import Game, Round
from app.scorebook.oddities import Oddity, oddities


class NotDone(Exception):
    """Something was asked for and not done; nothing has changed."""


@dataclass
class Refused(NotDone):
    """It cannot be recorded without contradiction: the faults, most basic first."""

    faults: Sequence[Fault]


@dataclass
class Doubted(NotDone):
    """It looks wrong; the table may overrule each oddity by its mark."""

    oddities: Sequence[Oddity]


def refuse(field: str, message: Phrase, seat: int | None = None) -> Refused:
    """One fault beside one field, ready to raise."""
    return Refused((Fault(code=field, seat=seat, field=field, message=message),))


def judge(game: Game, played: Round, accepted: Collection[str] = ()) -> None:
    """Raise `Refused` for the contradictions of a round that is to be recorded as ended.

    Raises `Doubted` for oddities whose mark is not among the `accepted`.
    """
    wrong = faults(game, played)
    if wrong:
        raise Refused(wrong)
    odd = [one for one in oddities(game, played) if one.mark not in accepted]
    if odd:
        raise Doubted(odd)
