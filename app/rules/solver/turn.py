"""A found turn told in cards: which lie where, what is thrown away, what stays."""

from collections import Counter
from collections.abc import Iterable, Sequence

from app.rules.cards import Card
from app.rules.contracts import Part
from app.rules.solver.feasibility import LayableMeld
from app.rules.solver.plan import DecisionPoint, SearchPlan
from app.rules.solver.records import LaidMeld, Solution, TableMeld
from app.rules.solver.rules import UNLIMITED, SolverRules
from app.rules.solver.run_options import RunOption
from app.rules.solver.run_shapes import EXTRA, shapes_of
from app.rules.solver.search import ChosenTurn
from app.rules.solver.sets import SetGroup, SetShare, deal_to_sets
from app.rules.solver.table_melds import TableRun, extended_window, wilds_to_extend


def turn_to_solution(plan: SearchPlan, chosen: ChosenTurn, table: Sequence[TableMeld]) -> Solution:
    """The solution for the turn that the search chose."""
    telling = _Telling(plan, chosen, table)
    telling.lay()
    return solution(plan.rules, telling.melds, telling.kept())


def contract_only_solution(
    rules: SolverRules, hand: Sequence[Card], laid: Sequence[LayableMeld]
) -> Solution:
    """The contract in its exact sizes and nothing more."""
    held = Counter(hand)
    held.subtract(card for one in laid for card in one.naturals if card is not None)
    wilds = [card for card in held.elements() if rules.variant.is_wild(card)]
    wilds.sort(key=lambda card: rules.weights[card.rank])
    melds = []
    for (kind, size, _), (lane, start), naturals in laid:
        cards = tuple(card or wilds.pop() for card in naturals)
        meant = rules.cards_meant(kind, size, lane, start)
        melds.append(LaidMeld(kind, cards, meant, cards, part=Part(kind, size)))
    kept = Counter(hand)
    kept.subtract(card for meld in melds for card in meld.cards)
    return solution(rules, melds, kept.elements())


def solution(rules: SolverRules, melds: Sequence[LaidMeld], cards: Iterable[Card]) -> Solution:
    """What these melds come to with these cards kept, the dearest of which is thrown away."""
    kept = sorted(cards, key=lambda card: (-rules.weights[card.rank], card))
    discard = kept.pop(0) if kept else None
    left = sum(rules.points[card.rank] for card in kept)
    laid = tuple(sorted(melds, key=_order))
    return Solution(bool(laid), bool(laid and not kept), left, laid, discard, tuple(sorted(kept)))


class _Telling:
    """The work of `turn_to_solution`: deals naturals and wild cards out, meld by meld."""

    def __init__(self, plan: SearchPlan, chosen: ChosenTurn, table: Sequence[TableMeld]) -> None:
        self._plan = plan
        self._rules = plan.rules
        self._table = table
        self._chosen = chosen
        self._naturals = {key: list(cards) for key, cards in plan.naturals.items()}
        self._wilds = plan.wilds_to_place(chosen.packed_remaining)
        self._spare = self._wilds_beyond_need()
        self.melds: list[LaidMeld] = []

    def lay(self) -> None:
        """Lay everything: sets whose suits matter first, then runs, then the other sets."""
        for group, point in self._chosen.groups:
            if group.shares:
                self._lay_group(group, point)
        for run in self._chosen.runs:
            self._lay_run(run)
        for group, point in self._chosen.groups:
            if not group.shares:
                self._lay_group(group, point)
        self._lay_wilds_alone({run.onto.index for run in self._chosen.runs if run.onto is not None})

    def kept(self) -> list[Card]:
        """What was not laid."""
        naturals = [
            card
            for (place, _), cards in self._naturals.items()
            for card in cards
            if place != self._rules.own_two
        ]
        return naturals + self._wilds

    def _wilds_beyond_need(self) -> int:
        """How many wild cards are laid that no meld needs."""
        wilds = len(self._plan.wilds)
        placed = min(wilds, self._chosen.wild_room)
        if self._rules.must_discard and not self._chosen.throws_natural and placed == wilds:
            placed -= 1
        return placed - self._chosen.wilds_needed

    def _take_wilds(self, least: int, most: int) -> list[Card]:
        """At least that many wild cards, the dearest, and of the spare ones all that fit."""
        more = min(most - least, self._spare)
        self._spare -= more
        taken = self._wilds[: least + more]
        del self._wilds[: least + more]
        return taken

    # Runs

    def _lay_run(self, run: RunOption) -> None:
        if run.onto is not None:
            grown = wilds_to_extend(self._rules, run.onto, run.mask)
            most = grown[1] if grown else run.fewest_wilds - run.natural_twos
            self._lengthen(
                run.onto, run.mask, self._take_wilds(run.fewest_wilds - run.natural_twos, most)
            )
            return
        wilds = self._take_wilds(
            run.fewest_wilds - run.natural_twos, run.most_wilds - run.natural_twos
        )
        windows = shapes_of(self._rules).windows(run.mask, run.size, len(wilds))
        start, end = run.window or next(windows)
        cards = self._filled(range(start, end), run.mask, run.lane, wilds)
        part = None if run.size == EXTRA else Part("run", run.size)
        meant = self._rules.cards_meant("run", end - start, run.lane, start)
        self.melds.append(LaidMeld("run", cards, meant, cards, part=part))

    def _lengthen(self, run: TableRun, mask: int, wilds: list[Card]) -> None:
        start, end = extended_window(self._rules, run, mask, len(wilds))
        below = self._filled(range(start, run.start), mask, run.lane, wilds)
        above = self._filled(range(run.end, end), mask, run.lane, wilds)
        cards = (*below, *self._table[run.index].cards, *above)
        meant = self._rules.cards_meant("run", end - start, run.lane, start)
        self.melds.append(LaidMeld("run", cards, meant, (*below, *above), onto=run.index))

    def _filled(self, places: range, mask: int, lane: int, wilds: list[Card]) -> tuple[Card, ...]:
        return tuple(
            self._natural(place, lane) if mask >> place & 1 else wilds.pop() for place in places
        )

    def _natural(self, place: int, lane: int) -> Card:
        high = self._rules.places[self._rules.line[place]][-1]
        return self._naturals[high, lane].pop()

    # Sets

    def _lay_group(self, group: SetGroup, point: DecisionPoint) -> None:
        if not (group.natural_count or group.sizes):
            return
        table = [one for one in self._plan.table_sets if one.rank_place == point.rank_place]
        naturals = self._naturals_for(
            point.rank_place, point.lanes, group.natural_count, group.shares
        )
        most = min(UNLIMITED, group.most_wilds + sum(one.wild_room for one in table))
        wilds = self._take_wilds(group.fewest_wilds, most)
        shares = deal_to_sets(self._rules, group, naturals, wilds, table)
        self._lay_shares(self._rules.line[point.rank_place], shares)

    def _naturals_for(
        self, place: int, lanes: tuple[int, ...], count: int, shares: tuple[tuple[str, ...], ...]
    ) -> list[Card]:
        pools = [self._naturals[place, lane] for lane in lanes]
        wanted = [suit for share in shares for suit in share]
        if wanted:
            return [_pick(pools, suit) for suit in wanted]
        return [next(pool for pool in pools if pool).pop() for _ in range(count)]

    def _lay_shares(self, rank: str, shares: Sequence[SetShare]) -> None:
        for share in shares:
            added = (*share.naturals, *share.wilds)
            onto = None if share.onto is None else share.onto.index
            if onto is None or added:
                cards = added if onto is None else (*self._table[onto].cards, *added)
                part = Part("set", share.asked) if share.asked else None
                meant = (Card(rank),) * len(cards)
                self.melds.append(LaidMeld("set", cards, meant, added, part=part, onto=onto))

    # Wild cards by themselves

    def _lay_wilds_alone(self, lengthened: set[int]) -> None:
        """Wild cards onto table melds that took no natural."""
        for readings in self._plan.table_runs:
            grown = [(wilds_to_extend(self._rules, run, 0) or (0, 0))[1] for run in readings]
            if self._spare and readings[0].index not in lengthened:
                wilds = self._take_wilds(0, max(grown))
                self._lengthen(readings[grown.index(max(grown))], 0, wilds)
        used = {meld.onto for meld in self.melds if meld.onto is not None}
        for one in self._plan.table_sets:
            if self._spare and one.index not in used and self._untouched(one.rank_place):
                share = SetShare(wilds=self._take_wilds(0, one.wild_room), onto=one)
                self._lay_shares(self._rules.line[one.rank_place], [share])

    def _untouched(self, place: int) -> bool:
        """Was no set of the rank laid or lengthened, so that its table sets were not filled yet?"""
        return not any(
            point.rank_place == place and (group.natural_count or group.sizes)
            for group, point in self._chosen.groups
        )


def _pick(pools: list[list[Card]], suit: str) -> Card:
    for pool in pools:
        for card in pool:
            if card.suit == suit:
                pool.remove(card)
                return card
    raise AssertionError(suit)


def _order(meld: LaidMeld) -> tuple[int, str, tuple[str, ...]]:
    rank = 0 if meld.part is not None else 1 if meld.onto is None else 2
    return rank, str(meld.part or meld.onto or ""), tuple(map(str, meld.cards))
