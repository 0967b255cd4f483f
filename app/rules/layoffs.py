"""Adding cards to a meld on the table, which is ordered and whose wild cards keep their places.

All cards that are added in one turn are judged together, unless the table checks each card by
itself (`layoff_check`).
"""

from collections.abc import Sequence

from app.rules.card_supply import supply_reasons
from app.rules.cards import JOKER, Card, cards_in_words, cards_phrase, rank_phrase
from app.rules.contracts import Kind, Part
from app.rules.legal_facts import with_facts
from app.rules.melds import (
    MeldLayout,
    own_two_layouts,
    part_reasons,
    place_cards,
    run_layout,
    smallest_part_size,
    table_meld_reasons,
    with_home_of_twos,
)
from app.rules.phrases import Phrase, say, say_plural
from app.rules.runs import RunRanks, RunSegment, extended_segments, segments_in_order
from app.rules.shapes import ace_or_corner_reason, mixed_suits_reason, set_shape_reason, split_cards
from app.rules.variant import Variant
from app.rules.verdicts import Code, Fact, Reason, Verdict, illegal_verdict

_LEAST_ON_TABLE = 3


def judge_layoff(
    variant: Variant,
    kind: Kind,
    meld: Sequence[Card],
    add: Sequence[Card],
    *,
    decks: int | None = None,
) -> Verdict:
    """May a player whose contract is down add all these cards to that meld in one turn?

    `meld` lies on the table in its order; `add` may come in any order and at both ends of a run.
    """
    impossible = supply_reasons(variant, decks or variant.decks, [*meld, *add])
    if impossible:
        return illegal_verdict(*impossible)
    on_table, faults = read_table_meld(variant, kind, meld)
    if meld and not on_table:
        return illegal_verdict(*faults)
    if not meld or not add:
        message = say("Enter a meld and the cards to add.")
        reason = Reason(variant, Code.TOO_FEW_CARDS, message, "layoff_on_others")
        return illegal_verdict(reason, is_unfinished=True)
    longer = _extended_layouts(variant, on_table, add)
    if not longer:
        return illegal_verdict(_cannot_join(variant, on_table, add))
    part = Part(kind, len(meld) + len(add))
    message = say("With {cards} it’s a {part}.", cards=cards_in_words(add), part=part.words)
    limited = variant.wild_limit_scope == "always"
    return with_facts(
        variant,
        _judge_extended(variant, on_table, longer, add),
        Fact(variant, message, kind),
        limited=limited,
    )


def lay_off_words(variant: Variant) -> Phrase:
    """Since when a player can add cards to melds, and to whose."""
    if variant.layoff_on_others and variant.extras_same_turn:
        return say("Once your contract is down, you can add cards to any meld on the table.")
    if variant.layoff_on_others:
        return say("From the turn after your contract, you can add cards to any meld on the table.")
    if variant.extras_same_turn:
        return say("Once your contract is down, you can add cards to your own melds.")
    return say("From the turn after your contract, you can add cards to your own melds.")


def lacks_cards_on_table(
    variant: Variant, kind: Kind, meld: Sequence[Card], add: Sequence[Card]
) -> bool:
    """Limits aside, are too few cards on the table all that is wrong: could `add` fit onto more?"""
    if not meld or len(meld) >= _least_on_table(variant, kind):
        return False
    cards, line = split_cards(variant, (*meld, *add)), variant.run_ranks
    if kind == "set":
        return set_shape_reason(variant, cards) is None
    if mixed_suits_reason(variant, cards.naturals) is not None:
        return False
    more = [[Card(JOKER)] * count for count in range(len(line))]  # in place of any cards
    stretches = [
        one
        for gap in more
        for table in ([meld[0], *gap, *meld[1:]],)
        for one in segments_in_order(line, table, list(map(variant.is_wild, table)))
    ]
    loose = [split_cards(variant, (*add, *beside)) for beside in more]
    return any(extended_segments(line, one, some) for one in stretches for some in loose)


def read_table_meld(
    variant: Variant, kind: Kind, meld: Sequence[Card]
) -> tuple[list[MeldLayout], list[Reason]]:
    """Every way to read a meld on the table in the order in which it lies; else why it is none.

    Cards that nobody can have laid are no meld, such as too few of them, or too many wild ones.
    """
    layouts, reasons = _layouts_in_order(variant, kind, meld)
    parts = [Part(kind, size) for size in range(_least_on_table(variant, kind), len(meld) + 1)]
    faults = [
        min((part_reasons(variant, part, _best_first(one)) for part in parts), key=len)
        for one in layouts
    ]
    if layouts and all(faults):
        return [], min(faults, key=len)
    return [one for one, found in zip(layouts, faults, strict=True) if not found], reasons


def _best_first(layout: MeldLayout) -> MeldLayout:
    """A set with its natural cards first, as it was laid; a run as it lies."""
    if layout.kind == "run":
        return layout
    order = sorted(range(len(layout.cards)), key=layout.wild_flags.__getitem__)
    cards, flags = layout.cards, layout.wild_flags
    return MeldLayout("set", tuple(cards[at] for at in order), tuple(flags[at] for at in order))


def _layouts_in_order(
    variant: Variant, kind: Kind, meld: Sequence[Card]
) -> tuple[list[MeldLayout], list[Reason]]:
    """Every way to read the cards in their order, limits aside; else why there is none."""
    short = _short_meld_reason(variant, kind, meld)
    if short is not None:
        return [], [short]
    cards = split_cards(variant, meld)
    if not cards.naturals:
        wild_cards = [True] * len(meld)
        runs = [] if kind == "set" else segments_in_order(variant.run_ranks, meld, wild_cards)
        layouts = own_two_layouts(variant, runs)
        message = say("The meld has no natural card.")
        fault = Reason(variant, Code.NO_NATURAL_CARD, message, "only-wild-cards")
        return layouts, [] if layouts else [fault]
    if kind == "set":
        mixed_ranks = set_shape_reason(variant, cards)
        wild = tuple(map(variant.is_wild, meld))
        return ([], [mixed_ranks]) if mixed_ranks else ([MeldLayout("set", tuple(meld), wild)], [])
    mixed = mixed_suits_reason(variant, cards.naturals)
    if mixed is not None:
        return [], [mixed]
    stretches = segments_in_order(variant.run_ranks, meld, list(map(variant.is_wild, meld)))
    if not stretches:
        return [], [_disorder_reason(variant, meld)]
    return [run_layout(variant, one) for one in stretches], []


def _short_meld_reason(variant: Variant, kind: Kind, meld: Sequence[Card]) -> Reason | None:
    """That so few cards cannot lie on a table as a meld; None where they are enough."""
    if len(meld) >= _least_on_table(variant, kind):
        return None
    message = say_plural(
        "{count} card on the table isn’t a meld.",
        "{count} cards on the table aren’t a meld.",
        len(meld),
    )
    return Reason(variant, Code.TOO_FEW_CARDS, message, "contracts")


def _least_on_table(variant: Variant, kind: Kind) -> int:
    return min(_LEAST_ON_TABLE, smallest_part_size(variant, kind))


def _disorder_reason(variant: Variant, meld: Sequence[Card]) -> Reason:
    """Why cards on the table are no run in the order in which they lie."""
    wild = list(map(variant.is_wild, meld))
    message = say("{cards} aren’t in order from lowest to highest.", cards=cards_phrase(meld))
    gap = Reason(variant, Code.NOT_CONSECUTIVE, message, "run")
    barrier = ace_or_corner_reason(
        variant, len(meld), lambda line: bool(segments_in_order(line, meld, wild))
    )
    return barrier or gap


def _extended_layouts(
    variant: Variant, on_table: Sequence[MeldLayout], add: Sequence[Card]
) -> list[MeldLayout]:
    """Every way in which the cards fit onto the meld, limits aside."""
    longer = []
    for lying in on_table:
        if lying.kind == "set":
            whole = (*lying.cards, *add)
            if set_shape_reason(variant, split_cards(variant, whole)) is None:
                longer.append(MeldLayout("set", whole, tuple(map(variant.is_wild, whole))))
            continue
        if _mixed_suits(variant, lying, add):
            continue
        suits = {card.suit for card in _naturals(lying)}
        loose = with_home_of_twos(variant, split_cards(variant, add), suits)
        stretch = RunSegment(lying.start, lying.cards)
        longer += [
            run_layout(variant, one) for one in extended_segments(variant.run_ranks, stretch, loose)
        ]
    return longer


def _mixed_suits(variant: Variant, lying: MeldLayout, add: Sequence[Card]) -> bool:
    """Are there natural cards of several suits where a run is of one?"""
    naturals = (*_naturals(lying), *split_cards(variant, add).naturals)
    return mixed_suits_reason(variant, naturals) is not None


def _naturals(lying: MeldLayout) -> list[Card]:
    """The cards that count as natural where they lie."""
    return [card for card, wild in zip(lying.cards, lying.wild_flags, strict=True) if not wild]


def _judge_extended(
    variant: Variant,
    on_table: Sequence[MeldLayout],
    longer: Sequence[MeldLayout],
    add: Sequence[Card],
) -> Verdict:
    legal = [layout for layout in longer if not table_meld_reasons(variant, layout)]
    if not legal:
        faults = [table_meld_reasons(variant, layout) for layout in longer]
        return illegal_verdict(*min(faults, key=lambda found: (len(found), -found[0].subtlety)))
    if variant.layoff_check == "each_card" and not any(
        _has_legal_order(variant, lying, tuple(sorted(add))) for lying in on_table
    ):
        return illegal_verdict(_each_card_reason(variant, on_table, add))
    readings = dict.fromkeys(place_cards(variant, layout) for layout in legal)
    return Verdict(legal=True, readings=tuple((reading,) for reading in readings))


def _has_legal_order(variant: Variant, lying: MeldLayout, add: tuple[Card, ...]) -> bool:
    """Is there an order in which each card may be added by itself?"""
    seen: set[tuple[MeldLayout, tuple[Card, ...]]] = set()
    waiting = [(lying, add)]
    while waiting:
        grown, rest = waiting.pop()
        if not rest:
            return True
        if (grown, rest) in seen:
            continue
        seen.add((grown, rest))
        for card in dict.fromkeys(rest):
            left = list(rest)
            left.remove(card)
            waiting += [
                (longer, tuple(left))
                for longer in _extended_layouts(variant, [grown], [card])
                if not table_meld_reasons(variant, longer)
            ]
    return False


def _each_card_reason(
    variant: Variant, on_table: Sequence[MeldLayout], add: Sequence[Card]
) -> Reason:
    for card in add:
        for longer in _extended_layouts(variant, on_table, [card]):
            for reason in table_meld_reasons(variant, longer):
                message = say("Laid one at a time: {fault}", fault=reason.message)
                return Reason(variant, reason.code, message, "layoff_check")
    message = say("The cards don’t fit one after another.")
    return Reason(variant, Code.CANNOT_JOIN, message, "layoff_check")


def _cannot_join(variant: Variant, on_table: Sequence[MeldLayout], add: Sequence[Card]) -> Reason:
    lying = on_table[0]
    if lying.kind == "run" and not _mixed_suits(variant, lying, add):
        barrier = _extension_barrier(variant, lying, add)
        if barrier is not None:
            return barrier
    return Reason(variant, Code.CANNOT_JOIN, _misfit_message(variant, lying, add), lying.kind)


def _extension_barrier(variant: Variant, lying: MeldLayout, add: Sequence[Card]) -> Reason | None:
    """The ace or the corner as the reason, where the cards would fit but for that; else None."""
    added = split_cards(variant, add)
    wild = list(map(variant.is_wild, lying.cards))

    def fits(line: RunRanks) -> bool:
        return any(
            extended_segments(line, segment, added)
            for segment in segments_in_order(line, lying.cards, wild)
        )

    return ace_or_corner_reason(variant, len(lying.cards) + len(add), fits)


def _misfit_message(variant: Variant, lying: MeldLayout, add: Sequence[Card]) -> Phrase:
    naturals = [card for card in add if not variant.is_wild(card)]
    wrong = cards_in_words(naturals or add[:1])
    if lying.kind == "set":
        rank = next(card.rank for card in lying.cards if not variant.is_wild(card))
        return say("{cards} doesn’t fit a set of {rank}.", cards=wrong, rank=rank_phrase(rank))
    ranks = variant.run_ranks[lying.start :][: len(lying.cards)]
    return say(
        "{cards} doesn’t fit a run from {first} to {last}.",
        cards=wrong,
        first=rank_phrase(ranks[0]),
        last=rank_phrase(ranks[-1]),
    )
