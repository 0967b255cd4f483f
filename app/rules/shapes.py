"""What a meld must be before any limit is looked at: of one rank, or in sequence.

A run is of one suit, too, where the rules ask for that.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from app.rules.cards import Card, rank_phrase, ranks_phrase
from app.rules.phrases import Phrase, say
from app.rules.runs import RunRanks, SplitCards, new_segments
from app.rules.variant import Variant
from app.rules.verdicts import Code, Reason


def split_cards(variant: Variant, cards: Sequence[Card]) -> SplitCards:
    """The natural and the wild ones of some cards, each sorted."""
    naturals = tuple(sorted(card for card in cards if not variant.is_wild(card)))
    return SplitCards(naturals, tuple(sorted(card for card in cards if variant.is_wild(card))))


def set_shape_reason(variant: Variant, cards: SplitCards) -> Reason | None:
    """Why natural cards are not of one rank; None where they are."""
    ranks = sorted({card.rank for card in cards.naturals})
    if len(ranks) <= 1:
        return None
    message = say("A set has one rank, and these are {ranks}.", ranks=ranks_phrase(ranks))
    return Reason(variant, Code.MIXED_RANKS, message, "set")


def run_shape_reason(variant: Variant, cards: SplitCards) -> Reason | None:
    """Why these cards cannot be put in order as a run, limits aside; None where they can."""
    mixed = mixed_suits_reason(variant, cards.naturals)
    if mixed is not None:
        return mixed
    if new_segments(variant.run_ranks, cards):
        return None
    barrier = ace_or_corner_reason(
        variant, cards.count, lambda line: bool(new_segments(line, cards))
    )
    gap = Reason(variant, Code.NOT_CONSECUTIVE, _gap_message(variant, cards), "run")
    return barrier or gap


def mixed_suits_reason(variant: Variant, naturals: Sequence[Card]) -> Reason | None:
    """That natural cards are of several suits, where a run must be of one; else None."""
    if variant.run_suit == "any" or len({card.suit for card in naturals}) <= 1:
        return None
    message = say("A run has one suit, and these have several.")
    return Reason(variant, Code.MIXED_SUITS, message, "run_suit")


def ace_or_corner_reason(
    variant: Variant, size: int, fits: Callable[[RunRanks], bool]
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
        return Reason(variant, Code.ACE_NOT_LOW, message, "run_order")
    onward = line[1:] if line[0] == "A" else line
    if size <= len(onward) and fits((*line, *onward)):
        message = say("A run never goes around the corner.")
        return Reason(variant, Code.WRAPS_AROUND, message, "around-the-corner")
    return None


def _gap_message(variant: Variant, cards: SplitCards) -> Phrase:
    counts, line = Counter(card.rank for card in cards.naturals), variant.run_ranks
    twice = [rank for rank, count in counts.items() if count > line.count(rank)]
    if twice:
        return say("{rank} appears twice.", rank=rank_phrase(twice[0]))
    from_low_ace = line[:2] == ("A", "2") and "A" in counts and counts.keys() & {"3", "4", "5"}
    if from_low_ace and variant.twos_are_wild and not cards.wilds:
        return say("Between a low ace and the 3, a wild card must stand for the 2.")
    if cards.count > len(line):
        return say("No run is longer than {most} cards.", most=len(line))
    return say("The cards aren’t in sequence.")
