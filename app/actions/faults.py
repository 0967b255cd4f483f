"""Why something was not done: what the scorebook refuses, and conflicts between devices."""

from dataclasses import dataclass

from app.scorebook.refusals import ConfirmationNeeded, NotApplied, Refused, refusal

__all__ = ["ConfirmationNeeded", "NotApplied", "Refused", "StaleVersion", "TapConflict", "refusal"]


@dataclass
class StaleVersion(NotApplied):
    """Somebody changed the game since this device last showed it; `current_version` is today's."""

    current_version: int


@dataclass
class TapConflict(NotApplied):
    """A tap that was sent late met something that another device changed meanwhile.

    Nothing is lost on either side: a person chooses. `current_version` is today's.
    """

    current_version: int
