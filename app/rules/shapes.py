"""How cards can lie as a meld before any limit is looked at: of one rank, or in sequence.

A run is of one suit, too, where the rules ask for that.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from app.rules.cards import SUITS, Card, rank_phrase
from app.rules.contracts import Kind
from app.rules.phrases import Phrase, join_phrases, say
from app.rules.runs import RunLine, RunStretch, SplitCards, new_stretches
from app.rules.variant import Variant
from app.rules.verdicts import Code, MeldReading, Placement, Reason

_ANY_SUIT = frozenset({*SUITS, ""})
"""Of cards where runs take any suit, which may be given by their rank alone."""


@dataclass(frozen=True, slots=True)
class MeldLayout:
    """One way to read cards as a meld: as they lie, which count as wild, where a run starts.

    `place_cards` makes of it the `MeldReading` of a verdict, which says what each card stands for.
    """

    kind: Kind
    cards: tuple[Card, ...]
    wild_flags: tuple[bool, ...]
    start: int = 0

    @property
    def naturals(self) -> list[Card]:
        """The cards that count as natural where they lie."""
        return [card for card, wild in zip(self.cards, self.wild_flags, strict=True) if not wild]

    def section(self, low: int, high: int) -> "MeldLayout":
        """The cards from place `low` (from 0) up to, but not including, place `high`."""
        return MeldLayout(
            self.kind, self.cards[low:high], self.wild_flags[low:high], self.start + low
        )


def kind_by_look(variant: Variant, cards: Iterable[Card]) -> Kind:
    """What cards look like: natural cards of several ranks are a run, others a set."""
    return "run" if len({card.rank for card in cards if not variant.is_wild(card)}) > 1 else "set"


def set_layout(variant: Variant, cards: Sequence[Card]) -> MeldLayout:
    """Cards as a set, in their order."""
    return MeldLayout("set", tuple(cards), tuple(map(variant.is_wild, cards)))


def run_layout(variant: Variant, stretch: RunStretch) -> MeldLayout:
    """A stretch of the line as a run, with what counts as wild in it."""
    suits = {card.suit for card in stretch.cards if not variant.is_wild(card)}
    ranks = variant.run_ranks[stretch.start :]
    wild = tuple(
        is_wild_in_run(variant, card, rank, suits)
        for card, rank in zip(stretch.cards, ranks, strict=False)
    )
    return MeldLayout("run", stretch.cards, wild, stretch.start)


def is_wild_in_run(variant: Variant, card: Card, rank: str, suits: Collection[str]) -> bool:
    """Does a card count as wild in the place of a rank? `suits`: of the run, none if any will do.

    A 2 in its own place counts as natural only where the rules say so, and in a run of one suit
    only if it has that suit.
    """
    is_own_place = variant.two_natural_in_own_slot and card.rank == rank == "2"
    fits = variant.run_suit == "any" or not suits or card.suit in suits
    return variant.is_wild(card) and not (is_own_place and fits)


def place_cards(variant: Variant, layout: MeldLayout) -> MeldReading:
    """The layout card by card, with what each card stands for."""
    natural, is_run = layout.naturals[0], layout.kind == "run"
    ranks = variant.run_ranks[layout.start :] if is_run else (natural.rank,) * len(layout.cards)
    suit = natural.suit if is_run and variant.run_suit == "same" else ""
    return tuple(
        Placement(card, Card(rank, suit) if wild else card, wild)
        for card, wild, rank in zip(layout.cards, layout.wild_flags, ranks, strict=False)
    )


def split_cards(variant: Variant, cards: Sequence[Card]) -> SplitCards:
    """The natural and the wild ones of some cards, each sorted."""
    naturals = tuple(sorted(card for card in cards if not variant.is_wild(card)))
    return SplitCards(naturals, tuple(sorted(card for card in cards if variant.is_wild(card))))


def with_home_of_twos(variant: Variant, cards: SplitCards, suits: Iterable[str]) -> SplitCards:
    """The cards, noting the suits whose 2 prefers its own place in a run of those suits."""
    if not (variant.twos_are_wild and variant.two_natural_in_own_slot):
        return cards
    home = _ANY_SUIT if variant.run_suit == "any" else frozenset(suits)
    return replace(cards, suits_with_natural_two=home)


def read_new_meld(
    variant: Variant, kind: Kind, cards: Sequence[Card]
) -> tuple[list[MeldLayout], list[Reason]]:
    """Every way to read unordered cards as a meld of that kind, limits aside, or why none.

    Of no cards it says neither.
    """
    if not cards:
        return [], []
    split = split_cards(variant, cards)
    suits = {card.suit for card in split.naturals}
    # Wild cards alone are a run where one of them is a 2 in its own place, whose suit it has then.
    homes = [suits] if suits else [{one.suit} for one in split.wilds if one.rank == "2"]

    def stretches(line: RunLine) -> Iterable[RunStretch]:
        ways = (new_stretches(line, with_home_of_twos(variant, split, one)) for one in homes)
        return dict.fromkeys(chain.from_iterable(ways))

    as_laid, gap = (*split.naturals, *split.wilds), partial(_gap_message, variant, split)
    return read_meld(variant, kind, as_laid, stretches, gap)


def read_meld(
    variant: Variant,
    kind: Kind,
    cards: Sequence[Card],
    stretches: Callable[[RunLine], Iterable[RunStretch]],
    gap: Callable[[], Phrase],
) -> tuple[list[MeldLayout], list[Reason]]:
    """Every way to read cards as a meld of that kind, limits aside, or why there is none.

    `stretches` tells where they can lie on a line; `gap` gives the words for a run that has a gap.
    """
    naturals = [card for card in cards if not variant.is_wild(card)]
    shape_reason = set_shape_reason if kind == "set" else mixed_suits_reason
    if fault := shape_reason(variant, naturals):
        return [], [fault]
    if kind == "set":
        layouts = [set_layout(variant, cards)]
    else:
        layouts = [run_layout(variant, one) for one in stretches(variant.run_ranks)]
    if readable := [one for one in layouts if one.naturals]:
        return readable, []
    if not naturals:
        message = say("A meld can’t be all wild cards.")
        return [], [Reason(variant, message, "only-wild-cards", Code.NO_NATURAL_CARD)]
    barrier = ace_or_corner_reason(variant, len(cards), lambda line: any(stretches(line)))
    return [], [barrier or Reason(variant, gap(), "run", Code.NOT_CONSECUTIVE)]


def set_shape_reason(variant: Variant, naturals: Sequence[Card]) -> Reason | None:
    """Why natural cards are not of one rank; None where they are."""
    ranks = sorted({card.rank for card in naturals})
    if len(ranks) <= 1:
        return None
    named = join_phrases([rank_phrase(rank) for rank in ranks])
    message = say("A set has one rank, and these are {ranks}.", ranks=named)
    return Reason(variant, message, "set", Code.MIXED_RANKS)


def mixed_suits_reason(variant: Variant, naturals: Sequence[Card]) -> Reason | None:
    """That natural cards are of several suits, where a run must be of one; else None."""
    if variant.run_suit == "any" or len({card.suit for card in naturals}) <= 1:
        return None
    message = say("A run has one suit, and these have several.")
    return Reason(variant, message, "run_suit", Code.MIXED_SUITS)


def ace_or_corner_reason(
    variant: Variant, size: int, fits: Callable[[RunLine], bool]
) -> Reason | None:
    """The ace or the corner as the reason, where so many cards would fit but for that; else None.

    `fits` says whether they would on a given line; on the variant's own they must not. Cards for
    which a line has too few places are kept out by that, whatever the ace may do.
    """
    line = variant.run_ranks
    if line[0] != "A" and size <= len(line) and fits(("A", *line)):
        low = rank_phrase(line[0])
        message = say(
            "Aces are high here: the ace goes after the king, not before the {low}.", low=low
        )
        return Reason(variant, message, "run_order", Code.ACE_NOT_LOW)
    onward = line[1:] if line[0] == "A" else line
    if size <= len(onward) and fits((*line, *onward)):
        message = say("A run stops at the ace that follows the king.")
        return Reason(variant, message, "around-the-corner", Code.WRAPS_AROUND)
    return None


def _gap_message(variant: Variant, cards: SplitCards) -> Phrase:
    counts, line = Counter(card.rank for card in cards.naturals), variant.run_ranks
    twice = [rank for rank, count in counts.items() if count > line.count(rank)]
    if twice:
        if line.count(twice[0]) > 1:
            return say("A run has an ace at each end at most.")
        return say(
            "A run has one card of each rank, and {rank} appears twice.", rank=rank_phrase(twice[0])
        )
    from_low_ace = line[:2] == ("A", "2") and "A" in counts and counts.keys() & {"3", "4", "5"}
    if from_low_ace and variant.twos_are_wild and not cards.wilds:
        return say("Between a low ace and the 3, a wild card must stand for the 2.")
    if cards.count > len(line):
        return say("No run is longer than {most} cards.", most=len(line))
    return say("The cards aren’t in sequence.")
