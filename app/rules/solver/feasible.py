"""Can a contract be laid from a hand? Exact, and quick for every hand.

Exact sizes suffice, since a longer meld holds one of the exact size. What the runs take, each lane
by itself, is found in `lanes.py`; with the fewest wild cards that the sets take it refuses most
hands at once. Only where runs and sets may want the same cards, a line sweeps over the places from
low to high and decides, rank by rank, which sets are laid and which naturals the lanes leave them.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from operator import le
from typing import NamedTuple

from app.rules.cards import SUITS, Card
from app.rules.solver.groups import NEVER, choices, fewest_wilds_in_sets, wilds_in_sets, without
from app.rules.solver.lanes import Lane, Sizes, Standing, Steps
from app.rules.solver.tables import Rules


def laid_sweep(rules: Rules, hand: Sequence[Card]) -> "Sweep | None":
    """The sweep that found the contract, with a card left for the discard where one is due.

    None where the contract cannot be laid.
    """
    if len(hand) < rules.contract.size + rules.must_discard:
        return None
    sweep = Sweep(rules, hand)
    return sweep if sweep.fits() else None


MOST_STEPS = 14_000
"""Steps that the question may take, which no contract of the rule sets comes near to."""


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
    what the lanes passed leave them, never more than they can take: the cards of each column where
    sets must tell suits apart, else of all together.
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
        steps = self._steps = Steps(MOST_STEPS)
        across = list(zip(*self._rows, strict=True))
        self._lanes = [
            Lane(rules, list(map(sum, zip(*(across[at] for at in those), strict=True))), steps)
            for those in self._of_lane
        ]
        self._takers = [lane.takers(columns.wilds) for lane in self._lanes]
        """By lane and place, how many of the contract's runs could take a natural there."""
        self._live = [lane for lane, takers in enumerate(self._takers) if any(takers)]
        """The lanes in which a run can lie at all."""
        self._nothing = (0,) * (len(columns.names) if rules.distinct_sets else 1)
        self._supply: dict[tuple[int, int, Sizes], int] = {}
        self._set_costs: dict[tuple[int, Sizes], int] = {}
        self._run_costs: dict[tuple[object, ...], tuple[int, int]] = {}
        self._tried: dict[tuple[object, ...], list[Sizes]] = {}
        self._found: list[Stop] = []

    def _least(self) -> int:
        """The wild cards that the parts need, each by itself."""
        needed = self._cost_of_sets(0, tuple(self._rules.sets)) if self._rules.sets else 0
        for size in self._rules.runs:
            needed += min(lane.cheapest(size, 0) for lane in self._lanes)
        return needed

    def fits(self) -> bool:
        """Can the contract be laid?"""
        if self._least() > self._wilds:
            return False
        start = self._settled(self._start())
        if self._least_wilds(start) > self._wilds or not self._is_hopeful(start, self._wilds):
            return False
        self._found = [Stop(start, 0)]
        if self._rules.sets and self._rules.runs:
            self._found = self._sweep(start, 0, to_end=False) or []
        return bool(self._found)

    def way(self) -> list[Stop]:
        """One way to lay the contract, decision by decision, once it is known to fit."""
        *found, last = self._found
        rest = self._sweep(*last, to_end=True)
        if rest is None:
            raise ValueError("the contract cannot be laid")
        return [*found, *rest]

    def held(self, state: State) -> int:
        """How many naturals the lane before which the sweep stands has for the place."""
        return self._lanes[state.lane].held(state.standings[state.lane])

    def _start(self) -> State:
        rules = self._rules
        lanes = (Standing(),) * rules.lanes
        runs, sets = tuple(rules.runs), tuple(rules.sets)
        return State(0, _BEFORE, runs, sets, lanes, (), self._nothing)

    # Floors

    def _is_hopeful(self, state: State, most: int) -> bool:
        """Could so many wild cards suffice from the state on? Certain where no sets are left."""
        if state.asked:
            held = sum(lane.count(state.place) for lane in self._lanes[state.lane :])
            most -= max(0, sum(state.asked) - sum(state.left) - held)
        if state.sets:
            most -= self._cost_of_sets(state.place + (state.lane != _BEFORE), state.sets)
        return most >= 0 and self._cost_of_runs(0, state.standings, state.runs, most) <= most

    def _least_wilds(self, state: State) -> int:
        """The cards still wanted, less the naturals of which use can still be made."""
        place, lane, sizes, sets, standings, asked, left = state
        runs, wanted = len(sizes), sum(sizes) + sum(sets) + sum(asked)
        for standing in standings:
            if standing.runs:
                runs += len(standing.runs)
                wanted += sum(run.cards for run in standing.runs)
        if lane == _BEFORE:
            return wanted - self._usable(place, runs, sets)
        wanted -= self._usable(place + 1, runs, sets)
        in_runs = in_all = 0
        if self._ranks[place]:
            for other in range(lane, self._rules.lanes):
                held = self._lanes[other].held(standings[other])
                in_runs += min(held, runs, self._takers[other][place])
                in_all += held
        return wanted - min(in_runs + sum(asked), in_all + sum(left))

    def _usable(self, place: int, runs: int, sets: Sizes) -> int:
        """How many naturals from a place on so many runs and these sets can take at most."""
        key = (place, runs, sets)
        known = self._supply.get(key)
        if known is None:
            known, gains = 0, []
            for at in range(place, self._rules.length):
                if self._ranks[at]:
                    in_runs = self._in_runs(at, runs)
                    known += in_runs
                    gains.append(self._ranks[at] - in_runs)
            gains.sort()
            known += min(sum(gains[-len(sets) :]), sum(sets)) if sets else 0
            self._supply[key] = known
        return known

    def _in_runs(self, place: int, runs: int) -> int:
        """How many naturals of a place so many runs can take, those at the low end with them."""
        both = self._rules.two_ends and place == self._rules.length - 1
        total = 0
        for lane, takers in zip(self._lanes, self._takers, strict=True):
            most = takers[place] + (takers[0] if both else 0)
            total += min(lane.count(place), most, runs + runs * both)
        return total

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

    def _cost_of_runs(
        self, at: int, standings: tuple[Standing, ...], sizes: Sizes, most: int
    ) -> int:
        """So many wild cards, at most `most`, suffice for all runs in the live lanes from one on.

        Or NEVER.
        """
        if at == len(self._live):
            return NEVER if sizes else 0
        lane = self._lanes[self._live[at]]
        standing = standings[self._live[at]]
        if at == len(self._live) - 1:
            return lane.wilds(standing, sizes, most)
        key = (at, standings, sizes)
        never, known = self._run_costs.get(key, (-1, NEVER))
        if known <= most:
            return known
        if never >= most:
            return NEVER
        ways = []
        every = choices(sizes, len(sizes))
        self._steps.take(1 + len(every) // 8)
        for some in every:
            rest = without(sizes, some)
            others = self._least_in(at + 1, standings, rest)
            floor = lane.floor(standing, some) + others
            if floor <= most:
                ways.append((floor, others, some, rest))
        ways.sort()
        for _, others, some, rest in ways:
            reach = most - others
            while (cost := lane.wilds(standing, some, reach)) <= reach:
                found = self._cost_of_runs(at + 1, standings, rest, most - cost)
                if found < NEVER:
                    self._run_costs[key] = never, cost + found
                    return cost + found
                reach = cost - 1
        self._run_costs[key] = most, known
        return NEVER

    def _least_in(self, at: int, standings: tuple[Standing, ...], sizes: Sizes) -> int:
        """The wild cards that runs need in the live lanes from one on, each by itself."""
        lanes = [(self._lanes[lane], standings[lane]) for lane in self._live[at:]]
        least = sum(lane.floor(standing, ()) for lane, standing in lanes)
        for size in sizes:
            least += min(lane.cheapest(size, standing.place) for lane, standing in lanes)
        return least

    # The sweep

    def _sweep(self, state: State, used: int, *, to_end: bool) -> list[Stop] | None:
        """A way to lay all that is left after so many wild cards were used; none where none is.

        Once all sets are laid the floor is exact, so that nothing must be looked at any more to
        know that there is a way `to_end`.
        """
        if not (state.sets or state.asked or (to_end and _runs_left(state))):
            return [Stop(state, used)]
        if state.place == self._rules.length:
            return None
        ways = []
        for moved, cost in self._next(state):
            self._steps.take(2)
            then = self._settled(moved)
            floor = used + cost + self._least_wilds(then)
            if floor <= self._wilds:
                ways.append((floor, used + cost, then))
        ways.sort()
        for _, more, then in ways:
            if self._is_new(then, more) and self._is_hopeful(then, self._wilds - more):
                rest = self._sweep(then, more, to_end=to_end)
                if rest is not None:
                    return [Stop(state, used), *rest]
        return None

    def _is_new(self, state: State, used: int) -> bool:
        """Was no state tried that is as good at least? Then this one is kept.

        As good is one that differs only in fewer wild cards used, fewer naturals that its runs
        lack, and more cards left for the sets, whatever their suits.
        """
        lacking = [
            tuple((run.cards, run.after_wild) for run in one.runs) for one in state.standings
        ]
        ends = [(one.ended, one.low) for one in state.standings]
        key = (*state[:4], state.asked, *lacking, *ends)
        naturals = [run.naturals for one in state.standings for run in one.runs]
        price = (used, *naturals, *sorted(-count for count in state.left))
        tried = self._tried.setdefault(key, [])
        if any(all(map(le, other, price)) for other in tried):
            return False
        tried.append(price)
        return True

    def _settled(self, state: State) -> State:
        """The state after all lanes and ranks where there is nothing to decide."""
        place, lane, sizes, sets, standings, asked, left = state
        while place < self._rules.length:
            if lane == _BEFORE:
                if sets and self._ranks[place]:
                    break
                lane = 0
            elif lane == self._rules.lanes:
                if asked:
                    break
                place, lane, left = place + 1, _BEFORE, self._nothing
            else:
                standing = standings[lane]
                idle = lane not in self._live or self._lanes[lane].is_idle(standing, sizes)
                if standing.low or not idle:
                    break
                if asked:
                    state = state._replace(place=place, left=left, asked=asked)
                    left = next(self._left(state, lane, self._lanes[lane].count(place)))
                then = Standing(place + 1, (), False, 0)
                standings = (*standings[:lane], then, *standings[lane + 1 :])
                lane += 1
        return State(place, lane, sizes, sets, standings, asked, left)

    def _next(self, state: State) -> Iterator[tuple[State, int]]:
        """Every way to take the next decision, with the wild cards that it takes."""
        if state.lane == _BEFORE:
            return self._choose_sets(state)
        if state.lane == self._rules.lanes:
            return self._lay_sets(state)
        return self._pass_lane(state)

    def _choose_sets(self, state: State) -> Iterator[tuple[State, int]]:
        """Which of the sets are laid of this rank?"""
        row = self._rows[state.place]
        for sizes in choices(state.sets, 1 if self._rules.rank_once else len(state.sets)):
            if wilds_in_sets(self._rules, sizes, row) <= self._wilds:
                yield state._replace(lane=0, sets=without(state.sets, sizes), asked=sizes), 0

    def _pass_lane(self, state: State) -> Iterator[tuple[State, int]]:
        """All runs of the lane grow by a card of the place."""
        lane = state.lane
        standing = state.standings[lane]
        held = self._lanes[lane].held(standing)
        wanted = sum(state.asked) - state.left[0]
        if self._rules.distinct_sets:
            wanted = len(state.asked) * len(self._of_lane[lane])
        for move in self._lanes[lane].moves(standing, state.runs, held, wanted):
            standings = (*state.standings[:lane], move.then, *state.standings[lane + 1 :])
            then = state._replace(lane=lane + 1, runs=move.sizes, standings=standings)
            for left in self._left(state, lane, held - move.naturals):
                yield then._replace(left=left), move.wilds

    def _left(self, state: State, lane: int, left: int) -> Iterator[Sizes]:
        """What so many cards of a lane add to what is left for the sets."""
        asked = state.asked
        if not asked:
            yield self._nothing
        elif not self._rules.distinct_sets:
            yield (min(state.left[0] + left, sum(asked)),)
        else:
            row = self._rows[state.place]
            columns = [at for at in self._of_lane[lane] if self.columns.names[at]]
            bare = [at for at in self._of_lane[lane] if row[at] and at not in columns]
            for counts in product(*(range(row[at] + 1) for at in columns)):
                if 0 <= left - sum(counts) <= len(bare):
                    rest = list(state.left)
                    for at, count in zip(columns, counts, strict=True):
                        rest[at] = min(count, len(asked))
                    for at in bare[: left - sum(counts)]:
                        rest[at] = 1
                    yield tuple(rest)

    def _lay_sets(self, state: State) -> Iterator[tuple[State, int]]:
        """The sets of the rank take what no run has taken, and wild cards."""
        then = state._replace(place=state.place + 1, lane=_BEFORE, asked=(), left=self._nothing)
        wilds = wilds_in_sets(self._rules, state.asked, state.left)
        if wilds < NEVER:
            yield then, wilds


def _runs_left(state: State) -> bool:
    return bool(state.runs) or any(standing.runs for standing in state.standings)
