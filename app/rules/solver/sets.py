"""What the natural cards of one rank that join no run can do: form sets, join sets, or stay.

All sets of a rank are looked at together. A natural card or a wild card that one of them can take
another could take as well, so only sums matter: how many naturals there are, how many wild cards
the sets need, how many they can take. Where identical cards may not share a set this does not
hold, and each set is looked at by itself (`distinct_suit_groups`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

from app.rules.cards import Card
from app.rules.solver import effort
from app.rules.solver.rules import UNLIMITED, SolverRules
from app.rules.solver.table_melds import TableSet

_SharedSuits = tuple[tuple[str, ...], ...]
SetsByRank = tuple[tuple[int, tuple[int, ...]], ...]
"""Of ranks, which sizes of sets lie there."""
Spend = Callable[[int], None]
"""Told of the steps before they are taken; may raise."""


class SetGroup(NamedTuple):
    """The sets of one rank: contract sets of these sizes, so many extra sets, those on the table.

    So many naturals as `natural_count` join them and `kept_count` stay in hand; any number of wild
    cards from `fewest_wilds` to `most_wilds` joins too, apart from what the table's sets could take
    anyway. `shares` tells who gets which suits, where that matters.
    """

    sizes: tuple[int, ...]
    extra_sets: int
    natural_count: int
    kept_count: int
    fewest_wilds: int
    most_wilds: int
    shares: tuple[tuple[str, ...], ...] = ()


def set_groups(
    rules: SolverRules, wanted: tuple[int, ...], on_table: bool, count: int, spare_one: bool
) -> list[SetGroup]:
    """Every useful way to use `count` naturals of one rank, the one that keeps fewest first.

    `wanted` are the sizes of the contract's sets that are still to be laid, `on_table` whether
    sets of the rank lie on the table. With `spare_one` one card more may stay, for the discard.
    """
    found: list[SetGroup] = []
    for sizes in size_subsets(wanted, 1 if rules.rank_once else len(wanted)):
        if sizes:
            found += _contract_groups(rules, sizes, count, spare_one)
        elif on_table:
            found += [
                SetGroup((), 0, count - kept, kept, 0, wild_room_gained(rules, count - kept))
                for kept in range(1 + spare_one)
            ]
        else:
            found += _extra_groups(rules, count, spare_one)
    if not on_table:
        found.append(SetGroup((), 0, 0, count, 0, 0))
    return sorted(found, key=lambda group: group.kept_count)


@lru_cache(maxsize=1024)
def size_subsets(wanted: tuple[int, ...], most: int) -> tuple[tuple[int, ...], ...]:
    """Every choice of up to `most` of the wanted sizes, each once."""
    chosen = {sizes for count in range(most + 1) for sizes in combinations(wanted, count)}
    return tuple(sorted(chosen, reverse=True))


@lru_cache(maxsize=1024)
def _splits(
    wanted: tuple[int, ...], most: int
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Every such choice of one or more, with the sizes that it leaves."""
    return tuple(
        (chosen, tuple((Counter(wanted) - Counter(chosen)).elements()))
        for chosen in size_subsets(wanted, most)
        if chosen
    )


def _contract_groups(
    rules: SolverRules, sizes: tuple[int, ...], count: int, spare_one: bool
) -> Iterator[SetGroup]:
    need = sum(map(rules.fewest_naturals_in_set, sizes))
    total = sum(sizes)
    for naturals in range(count, need - 1, -1):
        kept = count - naturals
        if not rules.grows:
            if naturals <= total:
                yield SetGroup(sizes, 0, naturals, kept, total - naturals, total - naturals)
        elif kept <= spare_one:
            least = max(0, total - naturals)
            most = sum(rules.most_wilds(0) for _ in sizes) + wild_room_gained(rules, naturals)
            yield SetGroup(sizes, 0, naturals, kept, least, max(least, most))


def _extra_groups(rules: SolverRules, count: int, spare_one: bool) -> Iterator[SetGroup]:
    for kept in range(min(count, 1 + spare_one)):
        naturals = count - kept
        least = fewest_wilds_in_extra_set(rules, naturals)
        if least is not None:
            most = rules.most_wilds(naturals)
            yield SetGroup((), 1, naturals, kept, least, most)


@lru_cache(maxsize=4096)
def fewest_wilds_in_extra_set(rules: SolverRules, naturals: int) -> int | None:
    """How many wild cards an extra set of so many naturals needs; none where it cannot be."""
    needs = [
        max(0, size - naturals)
        for size in rules.extra_set_sizes
        if rules.fewest_naturals_in_set(size) <= naturals
    ]
    return min(needs) if needs and min(needs) <= rules.most_wilds(naturals) else None


def fewest_for_set(rules: SolverRules, wilds: int) -> int:
    """How many naturals of a rank are needed for any new set, with so many wild cards."""
    fewest = [max(rules.fewest_naturals_in_set(size), size - wilds) for size in rules.sets]
    for naturals in range(1, 32):
        needed = fewest_wilds_in_extra_set(rules, naturals) if rules.extra_set_sizes else None
        if needed is not None and needed <= wilds:
            fewest.append(naturals)
            break
    return min(fewest, default=UNLIMITED)


def wild_room_gained(rules: SolverRules, naturals: int) -> int:
    """How many more wild cards a set can take for so many more naturals."""
    return rules.most_wilds(naturals) - rules.most_wilds(0) if naturals else 0


def sets_with_fewest_wilds(
    rules: SolverRules, sizes: tuple[int, ...], ranks: Sequence[tuple[int, ...]], spend: Spend
) -> tuple[int, SetsByRank] | None:
    """The fewest wild cards that sets of these sizes take, and where each lies; none if nowhere.

    `ranks` tells of each rank how many naturals of each kind there are.
    """
    most = 1 if rules.rank_once else len(sizes)
    ways = 0
    reached: dict[tuple[int, ...], tuple[int, SetsByRank]] = {sizes: (0, ())}
    for at, counts in enumerate(ranks):
        for wanted, (wilds, lying) in list(reached.items()):
            splits = _splits(wanted, most)
            ways += len(splits)
            for chosen, rest in splits:
                lacking = _lacking(rules, chosen, counts)
                if lacking is not None and (
                    rest not in reached or wilds + lacking < reached[rest][0]
                ):
                    reached[rest] = wilds + lacking, (*lying, (at, chosen))
    spend(ways)
    return reached.get(())


@lru_cache(maxsize=8192)
def _lacking(rules: SolverRules, sizes: tuple[int, ...], counts: tuple[int, ...]) -> int | None:
    """How many wild cards sets of one rank take, with so many naturals of each kind."""
    each = len(sizes) if rules.distinct_sets else sum(counts)
    naturals = sum(min(count, each) for count in counts)
    if sum(map(rules.fewest_naturals_in_set, sizes)) > naturals:
        return None
    if rules.distinct_sets:
        naturals = min(naturals, sum(min(size, len(counts)) for size in sizes))
    return max(0, sum(sizes) - naturals)


# Sets without identical cards


def distinct_suit_groups(
    rules: SolverRules,
    wanted: tuple[int, ...],
    table: Sequence[TableSet],
    suits: list[str],
    count: int,
    spend: Spend,
) -> list[SetGroup]:
    """Every way to use up to `count` naturals of one rank, the one that keeps fewest first.

    `suits` are the suits that the naturals may have, as often as they are held; with `wanted` as
    in `set_groups`. Where runs take any suit, they took any of the cards, so `suits` may be more
    than `count`.
    """
    found: dict[tuple[object, ...], SetGroup] = {}
    on_table = [tuple(card.suit for card in one.naturals if card.suit) for one in table]
    for sizes in size_subsets(wanted, 1 if rules.rank_once else len(wanted)):
        for extras in range(count + 1 if rules.extra_set_sizes else 1):
            barred = [()] * (len(sizes) + extras) + on_table
            for shares in _all_shares(suits, barred, count, spend):
                spend(effort.GROUP)
                group = _group(rules, sizes, extras, shares, count)
                if group is not None:
                    found.setdefault(group[:-1], group)
    return sorted(found.values(), key=lambda group: group.kept_count)


def _all_shares(
    suits: list[str], barred: Sequence[tuple[str, ...]], count: int, spend: Spend
) -> Iterator[_SharedSuits]:
    """Ways to share the cards among the sets, one for each outcome in numbers."""
    reached: dict[tuple[int, ...], _SharedSuits] = {(0,) * len(barred): ((),) * len(barred)}
    # A card without a suit is like no other.
    named = sorted(Counter(filter(None, suits)).items())
    for suit, copies in [*named, *[("", 1)] * suits.count("")]:
        open_sets = [at for at, names in enumerate(barred) if not suit or suit not in names]
        numbers = range(1, min(copies, len(open_sets)) + 1)
        ways = sum(comb(len(open_sets), number) for number in numbers)
        spend(effort.SHARE * ways * len(reached))
        for shares in list(reached.values()):
            for number in numbers:
                for chosen in combinations(open_sets, number):
                    more = tuple(
                        (*share, suit) if at in chosen else share for at, share in enumerate(shares)
                    )
                    if sum(map(len, more)) <= count:
                        reached.setdefault(tuple(map(len, more)), more)
    return iter(reached.values())


def _group(
    rules: SolverRules, sizes: tuple[int, ...], extras: int, shares: _SharedSuits, count: int
) -> SetGroup | None:
    numbers = [len(share) for share in shares]
    least, most = 0, 0
    for size, naturals in zip(sizes, numbers, strict=False):
        if naturals < rules.fewest_naturals_in_set(size):
            return None
        if not rules.grows and naturals > size:
            return None
        least += max(0, size - naturals)
        most += rules.most_wilds(naturals) if rules.grows else size - naturals
    for naturals in numbers[len(sizes) : len(sizes) + extras]:
        fewest = fewest_wilds_in_extra_set(rules, naturals)
        if fewest is None:
            return None
        least += fewest
        most += rules.most_wilds(naturals)
    most += sum(wild_room_gained(rules, naturals) for naturals in numbers[len(sizes) + extras :])
    placed = sum(numbers)
    return SetGroup(sizes, extras, placed, count - placed, least, most, shares)


# Cards for the sets


@dataclass(slots=True)
class SetShare:
    """One set and what it gets: a new one, or one on the table (`onto`).

    `asked` is the size that the contract asks for, 0 for any other set; `size` the least.
    """

    asked: int = 0
    size: int = 0
    naturals: list[Card] = field(default_factory=list)
    wilds: list[Card] = field(default_factory=list)
    onto: TableSet | None = None

    @property
    def missing(self) -> int:
        """How many cards it still needs."""
        return self.size - len(self.naturals) - len(self.wilds)

    def room(self, rules: SolverRules) -> int:
        """How many wild cards more it can take."""
        if self.onto is None:
            return rules.most_wilds(len(self.naturals)) - len(self.wilds)
        if rules.free_wilds:
            return UNLIMITED
        return self.onto.wild_room + len(self.naturals) - len(self.wilds)


def deal_to_sets(
    rules: SolverRules,
    group: SetGroup,
    naturals: list[Card],
    wilds: list[Card],
    table: list[TableSet],
) -> list[SetShare]:
    """The cards of a group, given to its sets so that each is legal.

    Where the group says who gets which suits, the naturals come in that order.
    """
    extras = [SetShare() for _ in range(group.extra_sets)]
    shares = [SetShare(size, size) for size in group.sizes] + extras
    shares += [SetShare(onto=one) for one in table]
    if group.shares:
        for share, suits in zip(shares, group.shares, strict=True):
            share.naturals += [naturals.pop(0) for _ in suits]
    else:
        _share_naturals(rules, shares, list(naturals))
    for share in extras:
        fewest = fewest_wilds_in_extra_set(rules, len(share.naturals))
        share.size = len(share.naturals) + (fewest or 0)
    _share_wilds(rules, shares, list(wilds))
    return shares


def _share_naturals(rules: SolverRules, shares: list[SetShare], naturals: list[Card]) -> None:
    for share in shares:
        for _ in range(rules.fewest_naturals_in_set(share.size) if share.size else 0):
            share.naturals.append(naturals.pop())
    for share in shares:
        while naturals and share.missing > 0:
            share.naturals.append(naturals.pop())
    shares[0].naturals += naturals


def _share_wilds(rules: SolverRules, shares: list[SetShare], wilds: list[Card]) -> None:
    for share in shares:
        while share.missing > 0:
            share.wilds.append(wilds.pop())
    for share in shares:
        while wilds and share.room(rules) > 0:
            share.wilds.append(wilds.pop())
