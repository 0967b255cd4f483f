"""The melds on the table as places to lay off onto: what each can still take.

A meld that cannot be read, or that breaks the variant's own rules, takes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.rules.cards import SUITS, Card
from app.rules.contracts import Kind
from app.rules.melds import least_on_table
from app.rules.solver.records import TableMeld
from app.rules.solver.rules import UNLIMITED, SolverRules
from app.rules.solver.run_shapes import Window, are_wilds_apart, can_grow, first_place


@dataclass(frozen=True, slots=True)
class TableSet:
    """A set on the table: its index, the place of its rank, its naturals.

    `wild_room` is how many wild cards it can take before naturals are added.
    """

    index: int
    rank_place: int
    naturals: tuple[Card, ...]
    wild_room: int


@dataclass(frozen=True, slots=True)
class TableRun:
    """A run on the table: its index, where it lies, and the places of its naturals."""

    index: int
    lane: int
    start: int
    end: int
    mask: int

    @property
    def wild_count(self) -> int:
        """How many of its cards are wild."""
        return self.end - self.start - self.mask.bit_count()


def _open_melds(
    rules: SolverRules, table: Sequence[TableMeld], kind: Kind
) -> Iterator[tuple[int, TableMeld]]:
    """The melds of that kind that can be laid off onto, each with its index."""
    if rules.grows and rules.variant.layoff_on_others:
        least = least_on_table(rules.variant, kind)
        for index, meld in enumerate(table):
            if meld.kind == kind and len(meld.cards) >= least:
                yield index, meld


def table_sets(rules: SolverRules, table: Sequence[TableMeld]) -> list[TableSet]:
    """The sets that can be laid off onto."""
    read = (_set(rules, *one) for one in _open_melds(rules, table, "set"))
    return [one for one in read if one is not None]


def table_runs(rules: SolverRules, table: Sequence[TableMeld]) -> list[list[TableRun]]:
    """The runs that can be laid off onto; for each, every way to read where it lies."""
    read = (list(_readings(rules, *one)) for one in _open_melds(rules, table, "run"))
    return list(filter(None, read))


def wilds_to_extend(rules: SolverRules, run: TableRun, added: int) -> tuple[int, int] | None:
    """The least and most wild cards with which the added places can join the run, if they can."""
    mask = run.mask | added
    low = min(run.start, first_place(added)) if added else run.start
    high = max(run.end, added.bit_length())
    naturals = mask.bit_count()
    gaps = high - low - naturals - run.wild_count
    if high - low > rules.longest_run or not are_wilds_apart(rules, mask, low, high):
        return None
    most = min(_room(rules, mask, low, high) + gaps, rules.most_wilds(naturals) - run.wild_count)
    if gaps > most or not can_grow(rules, mask, (low, high), (run.start, run.end)):
        return None
    return gaps, most


def wild_room(rules: SolverRules, readings: Sequence[TableRun]) -> int:
    """How many wild cards a run on the table takes if no natural is added."""
    grown = (wilds_to_extend(rules, run, 0) for run in readings)
    return max(most for _, most in (one or (0, 0) for one in grown))


def extended_window(rules: SolverRules, run: TableRun, added: int, wilds: int) -> Window:
    """The stretch that the run fills once it has taken the added places and so many wild cards."""
    low = min(run.start, first_place(added)) if added else run.start
    high = max(run.end, added.bit_length())
    ends = wilds - (high - low - (run.mask | added).bit_count() - run.wild_count)
    return next(
        (low - below, high + ends - below)
        for below in range(ends + 1)
        if low - below >= 0
        and high + ends - below <= rules.length
        and are_wilds_apart(rules, run.mask | added, low - below, high + ends - below)
    )


def _room(rules: SolverRules, mask: int, low: int, high: int) -> int:
    """How many wild cards can still stand at the two ends of a stretch."""
    room = rules.longest_run - (high - low)
    if not rules.wilds_apart:
        return room
    below = low > 0 and mask >> low & 1
    above = high < rules.length and mask >> (high - 1) & 1
    return min(room, below + above)


def _set(rules: SolverRules, index: int, meld: TableMeld) -> TableSet | None:
    naturals = tuple(card for card in meld.cards if not rules.variant.is_wild(card))
    if len({card.rank for card in naturals}) != 1:
        return None
    suits = [card.suit for card in naturals if card.suit]
    if rules.distinct_sets and len(set(suits)) < len(suits):
        return None
    most = rules.most_wilds(len(naturals))
    room = most if most == UNLIMITED else most - (len(meld.cards) - len(naturals))
    if room < 0:
        return None
    return TableSet(index, rules.places[naturals[0].rank][-1], naturals, room)


def _readings(rules: SolverRules, index: int, meld: TableMeld) -> Iterator[TableRun]:
    for lane, suit in enumerate(("",) if rules.any_suit else SUITS):
        for start in range(rules.length - len(meld.cards) + 1):
            mask = _mask(rules, meld, start, suit)
            run = TableRun(index, lane, start, start + len(meld.cards), mask)
            if mask and wilds_to_extend(rules, run, 0) is not None:
                yield run


def _mask(rules: SolverRules, meld: TableMeld, start: int, suit: str) -> int:
    """The places of the natural cards if the meld lies there in that suit; 0 where it cannot."""
    mask = 0
    for place, card in enumerate(meld.cards, start):
        fits = card.rank == rules.line[place] and suit in ("", card.suit)
        if rules.variant.is_wild(card):
            mask |= (fits and rules.own_two >= 0 and card.rank == "2") << place
        elif fits:
            mask |= 1 << place
        else:
            return 0
    return mask
