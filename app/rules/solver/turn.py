"""A found turn told in cards: which lie where, what is thrown away, what stays."""

from collections import Counter
from collections.abc import Iterable, Sequence

from app.rules.cards import Card
from app.rules.contracts import Part
from app.rules.solver.feasibility import LaidMelds
from app.rules.solver.plan import DecisionPoint, SearchPlan
from app.rules.solver.records import LaidMeld, Solution, TableMeld
from app.rules.solver.rules import UNLIMITED, SolverRules
from app.rules.solver.run_options import RunOption
from app.rules.solver.run_shapes import EXTRA, windows
from app.rules.solver.search import Move, SearchState
from app.rules.solver.sets import SetGroup, SetShare, deal_to_sets
from app.rules.solver.table_melds import TableRun, extended_window, wilds_to_extend


def contract_only_solution(rules: SolverRules, hand: Sequence[Card], laid: LaidMelds) -> Solution:
    """The contract in its exact sizes and nothing more."""
    held = Counter(hand)
    held.subtract(card for _, naturals in laid for card in naturals if card is not None)
    wilds = [card for card in held.elements() if rules.variant.is_wild(card)]
    wilds.sort(key=lambda card: rules.weights[card.rank])
    melds = []
    for ((kind, size, _), (lane, start)), naturals in laid:
        cards = tuple(card or wilds.pop() for card in naturals)
        meant = rules.cards_meant(kind, size, lane, start)
        melds.append(LaidMeld(kind, cards, meant, part=Part(kind, size)))
    kept = Counter(hand)
    kept.subtract(card for meld in melds for card in meld.cards)
    return solution_of(rules, melds, kept.elements())


def solution_of(rules: SolverRules, melds: Sequence[LaidMeld], cards: Iterable[Card]) -> Solution:
    """What these melds come to with these cards kept, the dearest of which is thrown away."""
    kept = sorted(cards, key=lambda card: (-rules.weights[card.rank], card))
    discard = kept.pop(0) if kept else None
    left = sum(rules.points[card.rank] for card in kept)
    laid = tuple(sorted(melds, key=_order))
    return Solution(bool(laid), bool(laid and not kept), left, laid, discard, tuple(sorted(kept)))


class TurnInCards:
    """The turn that the search chose: naturals and wild cards dealt out, meld by meld."""

    def __init__(
        self, plan: SearchPlan, moves: Sequence[Move], end: SearchState, table: Sequence[TableMeld]
    ) -> None:
        self._plan = plan
        self._rules = plan.rules
        self._table = table
        self._groups = [(one.set_group, one.point) for one in moves if one.set_group and one.point]
        self._naturals = {key: list(cards) for key, cards in plan.naturals.items()}
        _, cards, _, needed, room, thrown, _ = end
        self._wilds = plan.wilds_to_place(cards)
        placed = min(len(plan.wilds), room)
        if self._rules.must_discard and not thrown and placed == len(plan.wilds):
            placed -= 1
        self._spare = placed - needed
        """How many wild cards are laid that no meld needs."""
        self._melds: list[LaidMeld] = []
        self._lay([one.run_option for one in moves if one.run_option is not None])

    def _lay(self, runs: Sequence[RunOption]) -> None:
        """Lay everything: sets whose suits matter first, then runs, then the other sets."""
        for group, point in self._groups:
            if group.shares:
                self._lay_group(group, point)
        for run in runs:
            self._lay_run(run)
        for group, point in self._groups:
            if not group.shares:
                self._lay_group(group, point)
        self._lay_wilds_alone({run.onto.index for run in runs if run.onto is not None})

    @property
    def solution(self) -> Solution:
        """What is laid, and what is kept."""
        naturals = [
            card
            for (place, _), cards in self._naturals.items()
            for card in cards
            if place != self._rules.own_two
        ]
        return solution_of(self._rules, self._melds, naturals + self._wilds)

    def _take_wilds(self, least: int, most: int) -> list[Card]:
        """At least that many wild cards, the dearest, and of the spare ones all that fit."""
        more = min(most - least, self._spare)
        self._spare -= more
        taken = self._wilds[: least + more]
        del self._wilds[: least + more]
        return taken

    # Runs

    def _lay_run(self, run: RunOption) -> None:
        least, most = run.fewest_wilds - run.natural_twos, run.most_wilds - run.natural_twos
        if run.onto is not None:
            grown = wilds_to_extend(self._rules, run.onto, run.mask)
            wilds = self._take_wilds(least, grown[1] if grown else least)
            self._lengthen(run.onto, run.mask, wilds)
            return
        wilds = self._take_wilds(least, most)
        start, end = run.window or next(windows(self._rules, run.mask, run.size, len(wilds)))
        cards = self._filled(range(start, end), run.mask, run.lane, wilds)
        part = None if run.size == EXTRA else Part("run", run.size)
        meant = self._rules.cards_meant("run", end - start, run.lane, start)
        self._melds.append(LaidMeld("run", cards, meant, part=part))

    def _lengthen(self, run: TableRun, mask: int, wilds: list[Card]) -> None:
        start, end = extended_window(self._rules, run, mask, len(wilds))
        below = self._filled(range(start, run.start), mask, run.lane, wilds)
        above = self._filled(range(run.end, end), mask, run.lane, wilds)
        cards = (*below, *self._table[run.index].cards, *above)
        meant = self._rules.cards_meant("run", end - start, run.lane, start)
        self._melds.append(LaidMeld("run", cards, meant, onto=run.index))

    def _filled(self, places: range, mask: int, lane: int, wilds: list[Card]) -> tuple[Card, ...]:
        high = [self._rules.places[rank][-1] for rank in self._rules.line]
        return tuple(
            self._naturals[high[place], lane].pop() if mask >> place & 1 else wilds.pop()
            for place in places
        )

    # Sets

    def _lay_group(self, group: SetGroup, point: DecisionPoint) -> None:
        if not (group.natural_count or group.sizes):
            return
        table = [one for one in self._plan.table_sets if one.rank_place == point.rank_place]
        pools = [self._naturals[point.rank_place, lane] for lane in point.lanes]
        naturals = [_pick(pools, suit) for share in group.shares for suit in share]
        if not naturals:
            naturals = [_pick(pools) for _ in range(group.natural_count)]
        most = min(UNLIMITED, group.most_wilds + sum(one.wild_room for one in table))
        wilds = self._take_wilds(group.fewest_wilds, most)
        shares = deal_to_sets(self._rules, group, naturals, wilds, table)
        self._lay_shares(self._rules.line[point.rank_place], shares)

    def _lay_shares(self, rank: str, shares: Sequence[SetShare]) -> None:
        for share in shares:
            added = (*share.naturals, *share.wilds)
            onto = None if share.onto is None else share.onto.index
            if onto is None or added:
                cards = added if onto is None else (*self._table[onto].cards, *added)
                part = Part("set", share.asked) if share.asked else None
                meant = (Card(rank),) * len(cards)
                self._melds.append(LaidMeld("set", cards, meant, part=part, onto=onto))

    # Wild cards by themselves

    def _lay_wilds_alone(self, lengthened: set[int]) -> None:
        """Wild cards onto table melds that took no natural."""
        for readings in self._plan.table_runs:
            grown = [(wilds_to_extend(self._rules, run, 0) or (0, 0))[1] for run in readings]
            if self._spare and readings[0].index not in lengthened:
                wilds = self._take_wilds(0, max(grown))
                self._lengthen(readings[grown.index(max(grown))], 0, wilds)
        # The table's sets of a rank of which any set was laid or lengthened were filled then.
        filled = {
            point.rank_place for group, point in self._groups if group.natural_count or group.sizes
        }
        for one in self._plan.table_sets:
            if self._spare and one.rank_place not in filled:
                share = SetShare(wilds=self._take_wilds(0, one.wild_room), onto=one)
                self._lay_shares(self._rules.line[one.rank_place], [share])


def _pick(pools: list[list[Card]], suit: str | None = None) -> Card:
    """The last card, of that suit if one is given, of the first pool that has one."""
    return next(
        pool.pop(at)
        for pool in pools
        for at in reversed(range(len(pool)))
        if suit in (None, pool[at].suit)
    )


def _order(meld: LaidMeld) -> tuple[int, str, tuple[str, ...]]:
    rank = 0 if meld.part is not None else 1 if meld.onto is None else 2
    return rank, str(meld.part or meld.onto or ""), tuple(map(str, meld.cards))
