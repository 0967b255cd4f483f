"""Can a contract be laid from a hand? Exact, and quick for every hand.

Exact sizes suffice, since a longer meld holds one of the exact size. What the runs take, each lane
by itself, is found in `lanes.py`; with the fewest wild cards that the sets take it refuses most
hands at once. Only where runs and sets may want the same cards, a line sweeps over the places from
low to high and decides, rank by rank, which sets are laid and which naturals the lanes leave them.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from app.rules.cards import SUITS, Card
from app.rules.solver.groups import NEVER, choices, fewest_wilds_in_sets, wilds_in_sets, without
from app.rules.solver.lanes import Lane, Sizes, Standing
from app.rules.solver.tables import Rules


def is_layable(rules: Rules, hand: Sequence[Card]) -> bool:
    """Can the contract be laid, with a card left for the discard where one is due?"""
    if len(hand) < rules.contract.size + rules.must_discard:
        return False
    return Sweep(rules, hand).fits()


class _Columns(NamedTuple):
    """Natural cards that are alike to runs and sets, counted place by place."""

    lanes: tuple[int, ...]
    """The lane of each column."""
    rows: list[list[int]]
    """By place, then by column; the aces at both ends of a line that has them there."""
    wilds: int
    names: tuple[str, ...]
    """The suit of each column, where sets must tell suits apart."""

    def suits(self, left: Sizes) -> list[str]:
        """The suits of so many cards of each column."""
        return [name for name, count in zip(self.names, left, strict=True) for _ in range(count)]


def _columns(rules: Rules, hand: Sequence[Card]) -> _Columns:
    """The cards of the hand, counted.

    Where runs take any suit there is one column, unless sets must tell the suits apart; then a
    card without a suit has a column of its own, as it is like no other.
    """
    names = list(SUITS[: rules.lanes])
    apart = rules.any_suit and rules.distinct_sets
    if apart:
        names = [*SUITS, *("" for card in hand if not card.suit)]
    rows = [[0] * len(names) for _ in range(rules.length)]
    wilds, bare = 0, len(SUITS)
    for card in hand:
        wild, place, column = rules.where(card)
        wilds += wild
        if place >= 0:
            if apart:
                column = SUITS.index(card.suit) if card.suit else bare
                bare += not card.suit
            rows[place][column] += 1
    if rules.two_ends:
        rows[0] = rows[-1]
    return _Columns(
        (0,) * len(names) if apart else tuple(range(len(names))), rows, wilds, tuple(names)
    )


class State(NamedTuple):
    """Where the sweep stands: in a place, before one of its lanes.

    `runs` and `sets` are still to be begun. `asked` are the sets of the place's rank, and `left`
    the cards of each column that no run of the lanes passed has taken.
    """

    place: int
    lane: int
    runs: Sizes
    sets: Sizes
    standings: tuple[Standing, ...]
    asked: Sizes
    left: Sizes


class Stop(NamedTuple):
    """A state on the way, and the wild cards used before it."""

    state: State
    used: int


_BEFORE = -1
"""No lane yet: the sets of the place's rank are chosen first."""


class Sweep:
    """The search for one hand."""

    def __init__(self, rules: Rules, hand: Sequence[Card]) -> None:
        self._rules = rules
        self.columns = columns = _columns(rules, hand)
        self._wilds = columns.wilds
        self._rows = [tuple(row) for row in columns.rows]
        self._ranks = [
            0 if (rules.two_ends and not place) or place == rules.own_two else sum(row)
            for place, row in enumerate(self._rows)
        ]
        self._of_lane = [
            [at for at, lane in enumerate(columns.lanes) if lane == one]
            for one in range(rules.lanes)
        ]
        across = list(zip(*self._rows, strict=True))
        self._lanes = [
            Lane(rules, [sum(counts) for counts in zip(*(across[at] for at in those), strict=True)])
            for those in self._of_lane
        ]
        self._ahead = [0]
        for count in reversed(self._ranks):
            self._ahead.append(self._ahead[-1] + count)
        self._ahead.reverse()
        self._set_costs: dict[tuple[int, Sizes], int] = {}
        self._run_costs: dict[tuple[object, ...], tuple[int, int]] = {}
        self._tried: dict[State, int] = {}

    def _least(self) -> int:
        """The wild cards that the parts need, each by itself."""
        needed = self._cost_of_sets(0, tuple(self._rules.sets)) if self._rules.sets else 0
        for size in self._rules.runs:
            needed += min(lane.cheapest(size) for lane in self._lanes)
        return needed

    @property
    def steps(self) -> int:
        """How many states were looked at."""
        return len(self._tried) + sum(lane.steps for lane in self._lanes)

    def fits(self) -> bool:
        """Can the contract be laid?"""
        if self._least() > self._wilds:
            return False
        start = self._start()
        if self._floor(start, self._wilds) > self._wilds:
            return False
        both = self._rules.sets and self._rules.runs
        return not both or self._sweep(start, 0, to_end=False) is not None

    def way(self) -> list[Stop]:
        """One way to lay the contract, decision by decision; it must be there."""
        found = self._sweep(self._start(), 0, to_end=True)
        if found is None:
            raise ValueError("the contract cannot be laid")
        return found

    def held(self, state: State) -> int:
        """How many naturals the lane before which the sweep stands has for the place."""
        return self._lanes[state.lane].held(state.standings[state.lane])

    def _start(self) -> State:
        rules = self._rules
        lanes = (Standing(),) * rules.lanes
        nothing = (0,) * len(self.columns.lanes)
        return State(0, _BEFORE, tuple(rules.runs), tuple(rules.sets), lanes, (), nothing)

    # Floors

    def _floor(self, state: State, most: int) -> int:
        """So many wild cards are needed from the state on, if not more."""
        place, lane, sizes, sets, lanes, asked, left = state
        passed = lane != _BEFORE
        needed = max(0, sum(asked) - sum(left))
        if sets:
            needed += self._cost_of_sets(place + passed, sets)
        if needed > most:
            return needed
        cards = sum(sizes) + sum(sets) + sum(asked)
        cards += sum(run.cards for standing in lanes for run in standing.runs)
        held = self._ahead[place + passed]
        if place + passed < self._rules.length:
            held -= sum(standing.low for standing in lanes)
        if passed and self._ranks[place]:
            held += sum(left)
        if cards - held > most:
            return cards - held
        cost = self._cost_of_runs(0, lanes, sizes, most - needed)
        while cost < NEVER:
            less = self._cost_of_runs(0, lanes, sizes, cost - 1)
            if less == NEVER:
                break
            cost = less
        return needed + cost

    def _cost_of_sets(self, place: int, sizes: Sizes) -> int:
        key = (place, sizes)
        known = self._set_costs.get(key)
        if known is None:
            if self._rules.distinct_sets:
                held = zip(self._rows[place:], self._ranks[place:], strict=True)
                rows = tuple(row for row, count in held if count)
            else:
                rows = tuple((count,) for count in sorted(self._ranks[place:]) if count)
            known = self._set_costs[key] = fewest_wilds_in_sets(self._rules, sizes, rows)
        return known

    def _cost_of_runs(self, lane: int, lanes: tuple[Standing, ...], sizes: Sizes, most: int) -> int:
        """So many wild cards, at most `most`, suffice for all runs from that lane on; or NEVER."""
        if lane == len(lanes) - 1:
            return self._lanes[lane].wilds(lanes[lane], sizes, most)
        key = (lane, lanes[lane:], sizes)
        never, known = self._run_costs.get(key, (-1, NEVER))
        if known <= most:
            return known
        for some in choices(sizes, len(sizes)) if most > never else ():
            reach = most
            while (cost := self._lanes[lane].wilds(lanes[lane], some, reach)) <= reach:
                rest = without(sizes, some)
                others = self._cost_of_runs(lane + 1, lanes, rest, most - cost)
                if others < NEVER:
                    self._run_costs[key] = never, cost + others
                    return cost + others
                reach = cost - 1
        self._run_costs[key] = max(never, most), known
        return NEVER

    # The sweep

    def _sweep(self, state: State, used: int, *, to_end: bool) -> list[Stop] | None:
        """A way to lay all that is left after so many wild cards were used; none where none is.

        Once all sets are laid the floor is exact, so that nothing must be looked at any more to
        know that there is a way `to_end`.
        """
        if not (state.sets or state.asked or (to_end and _runs_left(state))):
            return [Stop(state, used)]
        if state.place == self._rules.length or self._tried.get(state, NEVER) <= used:
            return None
        self._tried[state] = used
        ways = []
        for then, cost in self._next(state):
            floor = used + cost + self._floor(then, self._wilds - used - cost)
            if floor <= self._wilds:
                ways.append((floor, used + cost, then))
        ways.sort()
        for _, more, then in ways:
            rest = self._sweep(then, more, to_end=to_end)
            if rest is not None:
                return [Stop(state, used), *rest]
        return None

    def _next(self, state: State) -> Iterator[tuple[State, int]]:
        """Every way to take the next decision, with the wild cards that it takes."""
        if state.lane == _BEFORE:
            return self._choose_sets(state)
        if state.lane == self._rules.lanes:
            return self._lay_sets(state)
        return self._pass_lane(state)

    def _choose_sets(self, state: State) -> Iterator[tuple[State, int]]:
        """Which of the sets are laid of this rank?"""
        place = state.place
        left = self._rows[place]
        ways: tuple[Sizes, ...] = ((),)
        if self._ranks[place]:
            ways = choices(state.sets, 1 if self._rules.rank_once else len(state.sets))
        for sizes in ways:
            if wilds_in_sets(self._rules, sizes, left) <= self._wilds:
                rest = without(state.sets, sizes)
                yield state._replace(lane=0, sets=rest, asked=sizes, left=left), 0

    def _pass_lane(self, state: State) -> Iterator[tuple[State, int]]:
        """All runs of the lane grow by a card of the place."""
        lane, columns = state.lane, self._of_lane[state.lane]
        standing = state.standings[lane]
        held = self._lanes[lane].held(standing)
        moves = self._lanes[lane].moves(standing, state.runs, held, fewer=bool(state.asked))
        for move in moves:
            standings = (*state.standings[:lane], move.then, *state.standings[lane + 1 :])
            then = state._replace(lane=lane + 1, runs=move.sizes, standings=standings)
            gone = sum(state.left[at] for at in columns) - held + move.naturals
            for left in self._left(state, columns, gone):
                yield then._replace(left=left), move.wilds

    def _left(self, state: State, columns: list[int], taken: int) -> Iterator[Sizes]:
        """What the lane may leave for the sets, all that is alike to them told alike."""
        asked = len(state.asked) if self._rules.distinct_sets else sum(state.asked)
        rest = [state.left[at] for at in columns]
        for some in product(*(range(min(taken, count) + 1) for count in rest)):
            if sum(some) == taken:
                left = list(state.left)
                for at, count, fewer in zip(columns, rest, some, strict=True):
                    left[at] = min(count - fewer, asked)
                yield tuple(left)

    def _lay_sets(self, state: State) -> Iterator[tuple[State, int]]:
        """The sets of the rank take what no run has taken, and wild cards."""
        then = state._replace(
            place=state.place + 1, lane=_BEFORE, asked=(), left=(0,) * len(state.left)
        )
        wilds = wilds_in_sets(self._rules, state.asked, state.left)
        if wilds < NEVER:
            yield then, wilds


def _runs_left(state: State) -> bool:
    return bool(state.runs) or any(standing.runs for standing in state.standings)
