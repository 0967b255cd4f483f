"""What an answer costs: steps, counted and not timed, so that it is the same everywhere.

A step is what takes about a microsecond. The weights are fitted to the times of 900 hands in play
and of an adversary (`tests/bench/adversary.py`): so many steps of one kind take as long as those of
another, and a budget of steps is a bound of time.
"""

CONTRACT = 3
"""A position of one meld that is priced to see whether the contract can be laid."""
RUN = 10
"""A run that is made, to lay it or to lengthen one."""
LOOK = 2
"""A state of the search that is looked up."""
STATE = 3
"""A new state: its lower bound is worked out."""
BRANCH = 6
"""A state whose moves are tried."""
LANE = 9
"""A lane's cards of which it is told which runs they can still form."""
OPTIONS = 12
"""So many runs, or bounds that are known, are looked at in one step."""
GROUP = 3
"""Sets of a rank that are laid together."""
SHARE = 2
"""A way to share one suit among them."""


class TooManyWays(Exception):
    """There are more ways than the steps that may be taken can try."""


class Effort:
    """The steps that were taken, of so many that may be."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self.steps_taken = 0

    def spend(self, steps: int) -> None:
        """Take so many steps. Raises `TooManyWays`."""
        self.steps_taken += steps
        if self.steps_taken > self._budget:
            self.steps_taken = self._budget
            raise TooManyWays
