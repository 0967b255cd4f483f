"""Which natural cards the melds get once it is decided where each of them lies.

A place of a run, or a set as a whole, takes cards of certain kinds, and some slots form a group.
A group that holds cards keeps as many, though they may be others, in other places (augmenting
paths, as in a flow): what is given first is sure, and what is given last is still as much in all as
can be given.
"""

from collections.abc import Sequence
from typing import NamedTuple


class CardSlot(NamedTuple):
    """What takes up to `most` cards of these kinds, and of each kind up to `each`."""

    group: int
    kinds: tuple[int, ...]
    each: int = 1
    most: int = 1


class Assignment:
    """The kinds of the cards that each slot holds (`held`)."""

    def __init__(self, counts: Sequence[int], slots: Sequence[CardSlot]) -> None:
        self.slots = slots
        self.held: list[list[int]] = [[] for _ in slots]
        self._left = list(counts)
        self._slots_of: dict[int, list[int]] = {}
        self._groups: dict[int, list[int]] = {}
        for at, slot in enumerate(slots):
            self._groups.setdefault(slot.group, []).append(at)
            for kind in slot.kinds:
                self._slots_of.setdefault(kind, []).append(at)

    def give(self, group: int) -> bool:
        """Give the group one card more; false if that cannot be."""
        return self._gets(group, set())

    def give_all(self) -> None:
        """Give whatever can be given."""
        for group in self._groups:
            while self.give(group):
                pass

    def _gets(self, group: int, tried: set[int]) -> bool:
        """Give one card more to a slot of the group that has room for it."""
        return any(
            len(self.held[at]) < self.slots[at].most and self._takes(at, tried)
            for at in self._groups.get(group, ())
        )

    def _takes(self, at: int, tried: set[int]) -> bool:
        """Take a card, if need be one from a slot whose group can take another in its place."""
        slot, held = self.slots[at], self.held[at]
        for kind in slot.kinds:
            if kind in tried or held.count(kind) >= slot.each:
                continue
            tried.add(kind)
            # It is held from here on, so that nothing else comes into its place meanwhile.
            held.append(kind)
            if self._left[kind]:
                self._left[kind] -= 1
                return True
            if self._is_given_up(kind, at, tried):
                return True
            held.remove(kind)
        return False

    def _is_given_up(self, kind: int, wanted_by: int, tried: set[int]) -> bool:
        for at in self._slots_of[kind]:
            if (
                at != wanted_by
                and kind in self.held[at]
                and (self._takes(at, tried) or self._gets(self.slots[at].group, tried))
            ):
                self.held[at].remove(kind)
                return True
        return False
