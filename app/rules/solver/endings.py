"""How a search ends: what the turn found consists of, and what its wild cards come to."""

from typing import NamedTuple

from app.rules.solver.groups import Group
from app.rules.solver.options import IMPOSSIBLE, Plan, RunOption, Step


class TooLong(Exception):
    """A search has used up its patience; another may do better with this hand."""


class Chosen(NamedTuple):
    """The decisions of one turn.

    `runs` are laid or lengthened, `groups` are the sets of ranks; all that needs `needed` wild
    cards and has room for so many as `room`. `thrown` tells whether a natural card is thrown away.
    """

    runs: tuple[RunOption, ...]
    groups: tuple[tuple[Group, Step], ...]
    needed: int
    room: int
    thrown: bool


def loss_of_wilds(plan: Plan, needed: int, room: int, *, thrown: bool) -> int:
    """What the wild cards weigh that find no room, one of them thrown away unless another card is.

    `IMPOSSIBLE` where a discard is due and there is no card for it.
    """
    weights = plan.wild_weights
    unplaced = max(0, plan.wilds - room)
    if thrown:
        return sum(weights[:unplaced])
    if unplaced:
        return sum(weights[: unplaced - 1])
    return 0 if not plan.rules.must_discard or needed < plan.wilds else IMPOSSIBLE
