"""Why something was not done: what the scorebook refuses, and conflicts between devices."""

from dataclasses import dataclass

from app.scorebook.refusal import Doubted, NotDone, Refused, refuse

__all__ = ["Doubted", "NotDone", "Overtaken", "Refused", "Stale", "refuse"]


@dataclass
class Stale(NotDone):
    """Somebody changed the game since this device last showed it; `version` is today's."""

    version: int


@dataclass
class Overtaken(NotDone):
    """A tap that was sent late met something that another device changed meanwhile.

    Nothing is lost on either side: a person chooses. `version` is today's.
    """

    version: int
