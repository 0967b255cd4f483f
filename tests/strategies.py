"""Cards, hands, tables and house rules for hypothesis: drawn so that many contracts can be laid.

A hand of random cards can rarely be laid; these keep to a few ranks or one stretch of the line,
and never hold more copies of a card than the decks do.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from app.rules.cards import JOKER, RANKS, SUITS, Card
from app.rules.solver import LaidMeld, TableMeld
from app.rules.variant import Variant

cards = st.builds(Card, st.sampled_from(RANKS), st.sampled_from(SUITS)) | st.just(Card(JOKER))

HOUSE_RULES: dict[str, tuple[Any, ...]] = {
    "twos": ("wild", "natural"),
    "run_suit": ("same", "any"),
    "run_order": ("ace_high", "ace_before_three", "two_slot"),
    "run_both_aces": ("allow", "forbid"),
    "wild_limit": ("at_most_naturals", "fewer_than_naturals", "none"),
    "wild_limit_scope": ("always", "initial_only"),
    "wilds_adjacent": (True, False),
    "two_natural_in_own_slot": (True, False),
    "contract_size": ("exact_core", "exact"),
    "pair_with_wild": ("allow", "forbid"),
    "identical_cards_in_set": ("allow", "forbid"),
    "two_sets_same_rank": ("allow", "forbid"),
    "touching_runs": ("allow", "forbid"),
    "extra_melds": ("any", "contract_parts", "none"),
    "extra_set_min": (2, 3, 4),
    "extra_run_min": (2, 3, 4, 5),
    "extras_same_turn": (True, False),
    "layoff_on_others": (True, False),
    "layoff_check": ("end_state", "each_card"),
    "must_discard_to_go_out": (True, False),
}
"""The fields that decide about melds, and what they may be."""


def deck(variant: Variant, decks: int = 2) -> list[Card]:
    """All cards of so many decks, with the variant's jokers."""
    jokers = [Card(JOKER)] * variant.joker_count(decks)
    return [Card(rank, suit) for rank in RANKS for suit in SUITS for _ in range(decks)] + jokers


@st.composite
def house_rules(draw: st.DrawFn) -> dict[str, Any]:
    """Up to four fields that decide about melds, changed."""
    names = draw(st.lists(st.sampled_from(sorted(HOUSE_RULES)), max_size=4, unique=True))
    return {name: draw(st.sampled_from(HOUSE_RULES[name])) for name in names}


@st.composite
def hands(draw: st.DrawFn, variant: Variant, least: int = 6, most: int = 9) -> tuple[Card, ...]:
    """A hand from the variant's two decks, of few ranks, or of a stretch of ranks in few suits."""
    if draw(st.booleans()):
        ranks = set(draw(st.lists(st.sampled_from(RANKS), min_size=2, max_size=5)))
        suits = set(SUITS)
    else:
        first = draw(st.integers(0, len(RANKS) - 1))
        length = draw(st.integers(4, 9))
        ranks = {RANKS[(first + step) % len(RANKS)] for step in range(length)}
        suits = set(draw(st.lists(st.sampled_from(SUITS), min_size=1, max_size=2)))
    every = deck(variant)
    wilds = [card for card in every if variant.is_wild(card)]
    naturals = [card for card in every if not variant.is_wild(card)]
    near = [card for card in naturals if card.rank in ranks and card.suit in suits]
    far = [card for card in naturals if card not in near]
    size = draw(st.integers(least, most))
    held = draw(st.permutations(wilds))[: draw(st.integers(0, min(4, len(wilds), size)))]
    strays = draw(st.permutations(far))[: draw(st.integers(0, 2))]
    rest = draw(st.permutations(near))[: max(0, size - len(held) - len(strays))]
    return tuple([*held, *strays, *rest][:size])


@st.composite
def tables(draw: st.DrawFn, variant: Variant, most: int = 3) -> tuple[TableMeld, ...]:
    """Up to so many melds on the table; some of them may break the variant's rules."""
    melds = []
    for _ in range(draw(st.integers(0, most))):
        maker = draw(st.sampled_from([_a_set, _a_run]))
        melds.append(maker(draw, variant))
    return tuple(melds)


def _a_set(draw: st.DrawFn, variant: Variant) -> TableMeld:
    ranks = [rank for rank in RANKS if not variant.is_wild(Card(rank, "S"))]
    rank = draw(st.sampled_from(ranks))
    suits = draw(st.lists(st.sampled_from(SUITS), min_size=1, max_size=4))
    jokers = draw(st.integers(0, 2))
    return TableMeld("set", (*(Card(rank, suit) for suit in suits), *[Card(JOKER)] * jokers))


def _a_run(draw: st.DrawFn, variant: Variant) -> TableMeld:
    line = variant.run_ranks
    length = draw(st.integers(3, 6))
    start = draw(st.integers(0, len(line) - length))
    suit = draw(st.sampled_from(SUITS))
    wild = draw(st.lists(st.sampled_from([False, False, False, True]), min_size=6, max_size=6))
    return TableMeld(
        "run",
        tuple(
            Card(JOKER) if wild[place] else Card(rank, suit)
            for place, rank in enumerate(line[start : start + length])
        ),
    )


def laid_from_hand(meld: LaidMeld, table: Sequence[TableMeld]) -> list[Card]:
    """The cards of a meld but for those that lay on the table before."""
    laid = Counter(meld.cards)
    laid.subtract(() if meld.onto is None else table[meld.onto].cards)
    return sorted(laid.elements())
