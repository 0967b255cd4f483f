"""The sets of one rank where identical cards may not share a set: each is looked at by itself."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb

from app.rules.cards import Card
from app.rules.solver.groups import Group, choices, fewest_wilds_in_extra_set, gain
from app.rules.solver.rules import Rules
from app.rules.solver.table_melds import TableSet

_Shares = tuple[tuple[str, ...], ...]
Spend = Callable[[int], None]
"""Told of the steps before they are taken; may raise."""


def distinct_groups(
    rules: Rules,
    wanted: tuple[int, ...],
    table: Sequence[TableSet],
    suits: list[str],
    count: int,
    spend: Spend,
) -> list[Group]:
    """Every way to use up to `count` naturals of one rank, the one that keeps fewest first.

    `suits` are the suits that the naturals may have, as often as they are held; with `wanted` as
    in `groups`. Where runs take any suit, they took any of the cards, so `suits` may be more than
    `count`.
    """
    found: dict[tuple[object, ...], Group] = {}
    for sizes in choices(wanted, 1 if rules.rank_once else len(wanted)):
        for extras in range(count + 1 if rules.extra_sets else 1):
            barred = [()] * (len(sizes) + extras) + [_suits_of(one.naturals) for one in table]
            for shares in _all_shares(suits, barred, count, spend):
                group = _group(rules, sizes, extras, shares, count)
                if group is not None:
                    found.setdefault(group[:-1], group)
    return sorted(found.values(), key=lambda group: group.kept)


def cheapest_group(rules: Rules, sizes: tuple[int, ...], suits: list[str]) -> Group:
    """The sets of these sizes and no other, with the fewest wild cards; they can be made."""
    shares = _all_shares(suits, [()] * len(sizes), len(suits), lambda _steps: None)
    found = (_group(rules, sizes, 0, one, len(suits)) for one in shares)
    return min((one for one in found if one is not None), key=lambda one: one.least)


def _suits_of(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(card.suit for card in cards if card.suit)


def _all_shares(
    suits: list[str], barred: Sequence[tuple[str, ...]], count: int, spend: Spend
) -> Iterator[_Shares]:
    """Ways to share the cards among the sets, one for each outcome in numbers."""
    reached: dict[tuple[int, ...], _Shares] = {(0,) * len(barred): ((),) * len(barred)}
    for suit, copies in _copies(suits):
        open_sets = [at for at, names in enumerate(barred) if not suit or suit not in names]
        for shares in list(reached.values()):
            for number in range(1, min(copies, len(open_sets)) + 1):
                spend(comb(len(open_sets), number) // 16)
                for chosen in combinations(open_sets, number):
                    more = tuple(
                        (*share, suit) if at in chosen else share for at, share in enumerate(shares)
                    )
                    if sum(map(len, more)) <= count:
                        reached.setdefault(tuple(map(len, more)), more)
    return iter(reached.values())


def _copies(suits: list[str]) -> list[tuple[str, int]]:
    """Each suit and how many cards have it; a card without a suit is like no other."""
    named = [(suit, suits.count(suit)) for suit in sorted(set(suits)) if suit]
    return named + [("", 1)] * suits.count("")


def _group(
    rules: Rules, sizes: tuple[int, ...], extras: int, shares: _Shares, count: int
) -> Group | None:
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
    most += sum(gain(rules, naturals) for naturals in numbers[len(sizes) + extras :])
    placed = sum(numbers)
    return Group(sizes, extras, placed, count - placed, least, most, shares)
