"""A search for the slowest questions: it climbs from random hands by small changes.

Each climb begins with a hand of some size and changes cards, contract, table and house rules, one
thing at a time; a change that makes the answer no cheaper is kept. What a rule set of a table's
own may say is changed as well, so that no door is forgotten.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from app.rules.card_supply import supply_reasons
from app.rules.cards import JOKER, RANKS, SUITS, Card, read_cards, write_cards
from app.rules.contracts import Kind
from app.rules.judge_questions import MOST_CARDS
from app.rules.rule_sets import FaultyRules, shipped_rule_sets, with_house_rules
from app.rules.solver import TableMeld
from app.rules.variant import Variant
from tests.bench.play import Question
from tests.strategies import HOUSE_RULES, deck

SIZES = (14, 20, 26, 40)
_MOST_MELDS = 12
_RULES: dict[str, tuple[Any, ...]] = {
    **HOUSE_RULES,
    "decks": (2, 3, 4, 6),
    "jokers": (0, 4, 8, 16),
    "keep_score": ("yes", "no"),
}
_FOUND_BY_STRANGERS = (
    "aggravation-rummy-family",
    4,
    "2C JK 2H 2D JK 2C 2S JK 2D 2S 2H JK JS QS AS 10S JS AS 10S KS 8S 8S 5S 4S KS 6S 5S 7S 3S 9S",
)


@dataclass(frozen=True)
class Case:
    """A question to the solver in parts that can be changed one by one."""

    variant_id: str
    number: int
    hand: tuple[Card, ...]
    table: tuple[TableMeld, ...] = ()
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def rules(self) -> Variant:
        return with_house_rules(shipped_rule_sets()[self.variant_id], self.changes)

    def question(self) -> Question | None:
        """The question that can be asked; none where rules or cards cannot be."""
        try:
            rules = self.rules
        except FaultyRules:
            return None
        cards = [*self.hand, *(card for meld in self.table for card in meld.cards)]
        if not 0 < self.number <= len(rules.contracts) or len(self.hand) > MOST_CARDS:
            return None
        if supply_reasons(rules, rules.decks, cards):
            return None
        return Question(rules, self.number, self.hand, self.table)

    def __str__(self) -> str:
        table = [f"{meld.kind} {write_cards(meld.cards)}" for meld in self.table]
        return f"{self.variant_id} {self.number} {self.changes} {write_cards(self.hand)} {table}"


def seeds(rng: random.Random, size: int) -> Iterator[Case]:
    """Hands of that size to begin with, for ever; that of the strangers who found the first."""
    yield Case(*_FOUND_BY_STRANGERS[:2], read_cards(_FOUND_BY_STRANGERS[2])[-size:])
    while True:
        rules = rng.choice(list(shipped_rule_sets().values()))
        decks = 2 if size < 30 else 3
        changes: dict[str, Any] = {"decks": decks}
        cards = rng.sample(deck(rules, decks), size)
        yield Case(rules.id, rng.randint(1, len(rules.contracts)), tuple(cards), (), changes)


def climb(
    rng: random.Random, start: Case, cost: Callable[[Question], float], tries: int
) -> Iterator[tuple[Case, float]]:
    """Every case that was asked on the way up, with its cost."""
    question = start.question()
    if question is None:
        return
    best, dearest = start, cost(question)
    yield best, dearest
    for _ in range(tries):
        other = best
        for _ in range(rng.choice((1, 1, 2, 4))):
            other = _changed(rng, other)
        question = other.question()
        if question is None:
            continue
        found = cost(question)
        yield other, found
        if found >= dearest:
            best, dearest = other, found


def _changed(rng: random.Random, case: Case) -> Case:
    change = rng.choice(
        (
            _swap_card,
            _swap_card,
            _swap_card,
            _add_card,
            _add_card,
            _drop_card,
            _copy_card,
            _change_contract,
            _change_rule,
            _change_table,
        )
    )
    return change(rng, case)


def _random_card(rng: random.Random) -> Card:
    return Card(JOKER) if rng.random() < 0.15 else Card(rng.choice(RANKS), rng.choice(SUITS))


def _swap_card(rng: random.Random, case: Case) -> Case:
    return _add_card(rng, _drop_card(rng, case))


def _add_card(rng: random.Random, case: Case) -> Case:
    return replace(case, hand=(*case.hand, _random_card(rng)))


def _copy_card(rng: random.Random, case: Case) -> Case:
    return replace(case, hand=(*case.hand, rng.choice(case.hand))) if case.hand else case


def _drop_card(rng: random.Random, case: Case) -> Case:
    hand = list(case.hand)
    if hand:
        hand.pop(rng.randrange(len(hand)))
    return replace(case, hand=tuple(hand))


def _change_contract(rng: random.Random, case: Case) -> Case:
    if rng.random() < 0.5:
        return replace(case, number=rng.randint(1, 14))
    parts = [f"{rng.choice('sr')}{rng.randint(2, 7)}" for _ in range(rng.randint(1, 8))]
    if rng.random() < 0.5:
        parts = [parts[0]] * len(parts)
    return replace(case, number=1, changes={**case.changes, "contracts": [" ".join(parts)]})


def _change_rule(rng: random.Random, case: Case) -> Case:
    name = rng.choice(sorted(_RULES))
    return replace(case, changes={**case.changes, name: rng.choice(_RULES[name])})


def _change_table(rng: random.Random, case: Case) -> Case:
    table = list(case.table)
    if table and (len(table) >= _MOST_MELDS or rng.random() < 0.4):
        table.pop(rng.randrange(len(table)))
        return replace(case, table=tuple(table))
    suit, jokers = rng.choice(SUITS), rng.choice((0, 0, 1))
    if rng.random() < 0.5:
        rank = rng.choice(RANKS[1:])
        cards = [Card(rank, one) for one in rng.sample(SUITS, rng.randint(2, 4))]
    else:
        first = rng.randint(2, len(RANKS) - 4)
        cards = [Card(rank, suit) for rank in RANKS[first : first + rng.randint(3, 5)]]
    kind: Kind = "set" if cards[0].rank == cards[-1].rank else "run"
    return replace(case, table=(*table, TableMeld(kind, (*cards, *[Card(JOKER)] * jokers))))
