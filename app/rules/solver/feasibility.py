"""Can a contract be laid from a hand? Exact, and quick, or `TooManyWays`.

Exact sizes suffice, since a longer meld holds one of the exact size. What is sought is a position
for each meld such that the naturals can be shared out and the wild cards suffice. Melds that want
the same naturals are told apart by prices (`prices.py`): what is wanted more often than it is there
grows dearer, what is left over grows cheaper. A few rounds of that mostly end with positions that
can be laid, or with a bound above the wild cards that there are. Where they do not, each position
of one meld is tried in turn (branch and bound).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice, pairwise
from typing import NamedTuple

from app.rules.cards import Card
from app.rules.solver.effort import Effort
from app.rules.solver.prices import SET, HandCards, MeldDemand, Position, ShadowPrices
from app.rules.solver.rules import SolverRules
from app.rules.solver.sets import sets_with_fewest_wilds

MOST_STEPS = 100_000
"""Steps that the question may take; most price one position of a meld each."""
_ROUNDS_AT_FIRST = 30
_ROUNDS = 8
_LOOKS = 4
_PACE = 1.2
_BEYOND = 0.7
"""How far beyond the wild cards that there are the bound is driven."""
_ROUNDING = 1e-6

Lying = tuple[MeldDemand, Position]
LaidMelds = list[tuple[Lying, list[Card | None]]]
"""Melds that can be laid: the naturals of each, place by place, and `None` for a wild card."""


class _Group(NamedTuple):
    """Some melds that are alike, and where they may lie."""

    meld: MeldDemand
    copies: int
    positions: list[Position]

    def cheapest_first(self, costs: Sequence[float]) -> "_Group":
        order = sorted(range(len(costs)), key=costs.__getitem__)
        return self._replace(positions=[self.positions[at] for at in order])

    def within(self, costs: Sequence[float], slack: float) -> "_Group":
        """With the positions that cost at most so much more than the cheapest."""
        most = min(costs) + slack
        near = [one for one, cost in zip(self.positions, costs, strict=True) if cost <= most]
        return self._replace(positions=near)


class CardSlot(NamedTuple):
    """What takes up to `most` cards of these kinds, and of each kind up to `each`."""

    group: int
    kinds: tuple[int, ...]
    each: int = 1
    most: int = 1


class Assignment:
    """Which natural cards the melds get once it is decided where each of them lies (`held`).

    A place of a run, or a set as a whole, is a slot, which takes cards of certain kinds; some slots
    form a group. A group that holds cards keeps as many, though they may be others, in other places
    (augmenting paths, as in a flow): what is given first is sure, and what is given last is still
    as much in all as can be given.
    """

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


def melds_asked_for(rules: SolverRules) -> list[MeldDemand]:
    """The melds of the contract, sets first."""
    sets = [MeldDemand("set", size, rules.fewest_naturals_in_set(size)) for size in rules.sets]
    return sets + [MeldDemand("run", size, rules.fewest_naturals(size)) for size in rules.runs]


def agrees(rules: SolverRules, here: Lying, others: Sequence[Lying]) -> bool:
    """May a meld lie there beside the others?"""
    meld, (lane, start) = here
    if lane == SET:
        return not rules.rank_once or all(here[1] != one for _, one in others)
    return not rules.untouching or all(
        lane != other or (start + meld.size != first and first + one.size != start)
        for one, (other, first) in others
    )


def matched_naturals(
    supply: HandCards, lying: Sequence[Lying], counts: Sequence[int], forced: Sequence[int] = ()
) -> tuple[Assignment, list[range], int]:
    """What cards of so many kinds fill of melds that lie there, each meld a group of slots.

    With the slots of each meld, and how many of the naturals that they need are lacking. The slots
    that are `forced` take no wild card, and are groups by themselves.
    """
    slots: list[CardSlot] = []
    members = []
    for at, (meld, (lane, start)) in enumerate(lying):
        first = len(slots)
        if lane == SET:
            each = 1 if supply.rules.distinct_sets else meld.size
            slots.append(CardSlot(at, supply.in_sets[start], each, meld.size))
        else:
            kinds = supply.in_runs[lane][start : start + meld.size]
            slots += [CardSlot(at, one) for one in kinds]
        members.append(range(first, len(slots)))
    needs = Counter({at: meld.fewest_naturals_needed for at, (meld, _) in enumerate(lying)})
    for slot in forced:
        slots[slot], group = slots[slot]._replace(group=len(needs)), slots[slot].group
        needs.update({len(needs): 1, group: -1})
    assignment = Assignment(counts, slots)
    lacking = sum(
        max(0, need) - sum(assignment.give(group) for _ in range(need))
        for group, need in needs.items()
    )
    assignment.give_all()
    return assignment, members, lacking


class ContractSearch:
    """The search for one hand."""

    def __init__(
        self, rules: SolverRules, hand: Sequence[Card], most_steps: int | None = None
    ) -> None:
        self._rules = rules
        self._supply = HandCards(rules, hand)
        self._cards = len(hand)
        self.effort = Effort(most_steps or MOST_STEPS)

    def find(self) -> LaidMelds | None:
        """One way to lay the contract, with a card left for the discard where one is due.

        None where there is no way. Raises `TooManyWays`.
        """
        rules, groups = self._rules, []
        if self._cards < rules.contract.size + rules.must_discard:
            return None
        for meld, copies in Counter(melds_asked_for(rules)).items():
            positions = self._supply.meld_positions(meld)
            if not positions:
                return None
            groups.append(_Group(meld, copies, positions))
        sets_alone = self._sets_beside(self._supply.counts)
        if sets_alone is None or sets_alone[0] > self._supply.wilds:
            return None
        return self._search(groups, [0.0] * len(self._supply.counts), _ROUNDS_AT_FIRST)

    def _search(self, groups: list[_Group], prices: list[float], rounds: int) -> LaidMelds | None:
        """A way to lay the contract, its runs in positions of their groups, if there is one."""
        most = self._supply.wilds + _ROUNDING
        tried: set[tuple[Lying, ...]] = set()
        for turn in range(rounds):
            self.effort.spend(sum(len(group.positions) for group in groups))
            priced = ShadowPrices(self._supply, prices)
            costs = [
                [priced.cheapest_fill(one.meld, at)[0] for at in one.positions] for one in groups
            ]
            least = sum(one.copies * min(each) for one, each in zip(groups, costs, strict=True))
            slack = most - (least - priced.worth)
            if slack < 0:
                return None
            ranked = [one.cheapest_first(each) for one, each in zip(groups, costs, strict=True)]
            picked = self._pick(ranked, priced) if turn % 2 == 0 else None
            if picked is not None and picked not in tried:
                tried.add(picked)
                laid = self._lay(picked)
                if laid is not None:
                    return laid
            groups = [one.within(each, slack) for one, each in zip(groups, costs, strict=True)]
            excess = self._excess(ranked, priced, prices)
            length = sum(more * more for more in excess)
            if not length or all(len(group.positions) == 1 for group in groups):
                break
            step = _PACE * (slack + _BEYOND) / length
            prices = [max(0.0, one + step * more) for one, more in zip(prices, excess, strict=True)]
        return self._branch(groups, prices)

    def _excess(self, ranked: list[_Group], priced: ShadowPrices, prices: list[float]) -> list[int]:
        """How many cards of each kind are wanted beyond those that there are.

        What costs nothing cannot grow cheaper.
        """
        excess = [-count for count in self._supply.counts]
        for group in ranked:
            for kind in priced.cheapest_fill(group.meld, group.positions[0])[1]:
                excess[kind] += group.copies
        return [more if price else max(0, more) for more, price in zip(excess, prices, strict=True)]

    def _branch(self, groups: list[_Group], prices: list[float]) -> LaidMelds | None:
        """Try each position of one meld, the cheapest first."""
        priced = ShadowPrices(self._supply, prices)
        wide = [group for group in groups if len(group.positions) > 1]
        if not wide:
            picked = self._pick(groups, priced)
            return None if picked is None else self._lay(picked)
        # Sets first, since runs in different suits meet there.
        chosen = min(
            wide, key=lambda one: (one.meld.kind == "run", len(one.positions), -one.meld.size)
        )
        others = [group for group in groups if group is not chosen]
        order = sorted(chosen.positions, key=lambda one: priced.cheapest_fill(chosen.meld, one)[0])
        for passed, position in enumerate(order):
            # What was tried with one meld need not be tried with another that is like it.
            alike = [_Group(chosen.meld, chosen.copies - 1, order[passed:])]
            here = (chosen.meld, position)
            rest = [self._beside(here, one) for one in (*others, *alike) if one.copies]
            if all(group.positions for group in rest):
                laid = self._search([_Group(chosen.meld, 1, [position]), *rest], prices, _ROUNDS)
                if laid is not None:
                    return laid
        return None

    # Positions

    def _pick(self, ranked: list[_Group], priced: ShadowPrices) -> tuple[Lying, ...] | None:
        """Cheap positions, one for each meld, that may be beside each other.

        A meld looks at a few, since others may have taken the cards that it wants.
        """
        picked: list[Lying] = []
        runs = [group for group in ranked if group.meld.kind == "run"]
        left = list(self._supply.counts)
        for meld, copies, positions in runs:
            for _ in range(copies):
                free = (one for one in positions if agrees(self._rules, (meld, one), picked))
                choices = []
                for position in islice(free, _LOOKS):
                    cost, kinds = priced.cheapest_fill(meld, position)
                    lacking = sum(
                        max(0, count - left[kind]) for kind, count in Counter(kinds).items()
                    )
                    choices.append((cost + lacking, position, kinds))
                if not choices:
                    return None
                _, position, kinds = min(choices)
                for kind in kinds:
                    left[kind] = max(0, left[kind] - 1)
                picked.append((meld, position))
        sets = self._sets_beside(left) or self._sets_beside(self._supply.counts)
        return (*picked, *(sets[1] if sets else ()))

    def _sets_beside(self, left: Sequence[int]) -> tuple[int, list[Lying]] | None:
        """The fewest wild cards that the sets take with what is left, and where they lie then."""
        rules = self._rules
        ranks = [tuple(left[kind] for kind in kinds) for kinds in self._supply.in_sets.values()]
        found = sets_with_fewest_wilds(
            rules, tuple(rules.sets), ranks, lambda ways: self.effort.spend(ways // 6)
        )
        if found is None:
            return None
        places = list(self._supply.in_sets)
        melds = {one.size: one for one in melds_asked_for(rules) if one.kind == "set"}
        return found[0], [
            (melds[size], (SET, places[at])) for at, sizes in found[1] for size in sizes
        ]

    def _beside(self, here: Lying, group: _Group) -> _Group:
        """The group with the positions that may be beside a meld."""
        free = [one for one in group.positions if agrees(self._rules, (group.meld, one), [here])]
        return group._replace(positions=free)

    # Cards

    def _lay(self, picked: tuple[Lying, ...], forced: tuple[int, ...] = ()) -> LaidMelds | None:
        """The melds in their positions, if the cards suffice; no wild card in `forced` slots."""
        self.effort.spend(self._rules.contract.size)
        assignment, members, lacking = matched_naturals(
            self._supply, picked, self._supply.counts, forced
        )
        natural_twos = sum(
            held.count(kind) for held in assignment.held for kind in self._supply.own
        )
        naturals = sum(map(len, assignment.held)) - natural_twos
        if lacking or self._rules.contract.size - naturals > self._supply.wilds:
            return None
        runs = members if self._rules.wilds_apart else ()
        for one, other in chain.from_iterable(map(pairwise, runs)):
            if not (assignment.held[one] or assignment.held[other]):
                return self._lay(picked, (*forced, one)) or self._lay(picked, (*forced, other))
        return self._laid_melds(picked, members, assignment)

    def _laid_melds(
        self, picked: tuple[Lying, ...], members: list[range], assignment: Assignment
    ) -> LaidMelds:
        stock = [list(cards) for cards in self._supply.cards]
        laid: LaidMelds = []
        for lying, own in zip(picked, members, strict=True):
            naturals: list[Card | None] = []
            for at in own:
                naturals += [stock[kind].pop() for kind in assignment.held[at]]
                naturals += [None] * (assignment.slots[at].most - len(assignment.held[at]))
            laid.append((lying, naturals))
        return laid
