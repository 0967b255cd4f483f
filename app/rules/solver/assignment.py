"""Which natural cards the melds get once it is decided where each of them lies.

A place of a run, or a set as a whole, takes cards of certain kinds. Who holds a card keeps as many,
though they may be others (augmenting paths, as in a matching): what is given first is sure, and
what is given last is still as much in all as can be given.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Taker(NamedTuple):
    """What takes up to `most` cards of these kinds, and of each kind up to `each`."""

    kinds: tuple[int, ...]
    each: int = 1
    most: int = 1


class Assignment:
    """The kinds of the cards that each taker holds (`held`)."""

    def __init__(self, counts: Sequence[int], takers: Sequence[Taker]) -> None:
        self.takers = takers
        self.held: list[list[int]] = [[] for _ in takers]
        self._left = list(counts)
        self._takers_of: dict[int, list[int]] = {}
        for at, taker in enumerate(takers):
            for kind in taker.kinds:
                self._takers_of.setdefault(kind, []).append(at)

    def give(self, takers: Sequence[int], count: int) -> bool:
        """Give until these takers hold so many cards together; false if that cannot be."""
        count -= sum(len(self.held[at]) for at in takers)
        for at in takers:
            while count > 0 and self._gets(at):
                count -= 1
        return count <= 0

    def give_all(self) -> None:
        """Give whatever can be given."""
        for at in range(len(self.takers)):
            while self._gets(at):
                pass

    def _gets(self, at: int) -> bool:
        return len(self.held[at]) < self.takers[at].most and self._takes(at, set())

    def _takes(self, at: int, tried: set[int]) -> bool:
        """Take a card, if need be one from a taker that can take another in its place."""
        taker, held = self.takers[at], self.held[at]
        for kind in taker.kinds:
            if kind in tried or held.count(kind) >= taker.each:
                continue
            tried.add(kind)
            if self._left[kind]:
                self._left[kind] -= 1
            elif not self._is_given_up(kind, tried):
                continue
            held.append(kind)
            return True
        return False

    def _is_given_up(self, kind: int, tried: set[int]) -> bool:
        for at in self._takers_of[kind]:
            if kind in self.held[at] and self._takes(at, tried):
                self.held[at].remove(kind)
                return True
        return False
