"""Why something is not recorded: exceptions with words for whoever asked for it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.rules.phrases import Phrase
from app.scorebook.faults import Fault, find_round_faults
from app.scorebook.game import Game, Round
from app.scorebook.warnings import GameWarning, find_warnings


class NotApplied(Exception):
    """Something was asked for and not done; nothing has changed."""


@dataclass
class Refused(NotApplied):
    """It cannot be recorded without contradiction: the faults, most basic first."""

    faults: Sequence[Fault]


@dataclass
class ConfirmationNeeded(NotApplied):
    """It looks wrong; the table may overrule each warning by its mark."""

    warnings: Sequence[GameWarning]


def refusal(field: str, message: Phrase, seat: int | None = None) -> Refused:
    """One fault beside one field, ready to raise."""
    return Refused((Fault(code=field, seat=seat, field=field, message=message),))


def check_round(game: Game, played: Round, accepted: Collection[str] = ()) -> None:
    """Raise `Refused` for the contradictions of a round that is to be recorded as ended.

    Raises `ConfirmationNeeded` for warnings whose mark is not among the `accepted`.
    """
    wrong = find_round_faults(game, played)
    if wrong:
        raise Refused(wrong)
    open_warnings = [one for one in find_warnings(game, played) if one.mark not in accepted]
    if open_warnings:
        raise ConfirmationNeeded(open_warnings)
