"""Adding cards to a meld on the table, which is ordered and whose wild cards keep their places.

All cards that are added in one turn are judged together, unless the table checks each card by
itself (`layoff_check`).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from app.rules.card_supply import supply_reasons
from app.rules.cards import JOKER, Card, cards_in_words, cards_phrase, rank_phrase
from app.rules.contracts import Kind, Part
from app.rules.legal_facts import with_facts
from app.rules.melds import (
    identical_cards_reason,
    least_on_table,
    part_reasons,
    table_meld_reasons,
    verdict_on,
)
from app.rules.phrases import Phrase, say, say_plural
from app.rules.runs import RunLine, RunStretch, extended_stretches, stretches_in_order
from app.rules.shapes import (
    MeldLayout,
    ace_or_corner_reason,
    mixed_suits_reason,
    read_meld,
    read_new_meld,
    run_layout,
    set_layout,
    set_shape_reason,
    split_cards,
    with_home_of_twos,
)
from app.rules.variant import Variant
from app.rules.verdicts import Code, Fact, Reason, Verdict, illegal_verdict


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
    if impossible := supply_reasons(variant, decks or variant.decks, [*meld, *add]):
        return illegal_verdict(*impossible)
    on_table, faults = read_table_meld(variant, kind, meld)
    if meld and not on_table:
        return illegal_verdict(*faults, is_unfinished=not add)
    if not meld or not add:
        message = what_to_enter(meld=bool(meld), add=bool(add))
        reason = Reason(variant, message, "layoff_on_others", Code.TOO_FEW_CARDS)
        return illegal_verdict(reason, is_unfinished=True)
    longer = _extended_layouts(variant, on_table, add)
    if not longer:
        return illegal_verdict(_cannot_join(variant, on_table[0], add))
    verdict = verdict_on(variant, longer, partial(table_meld_reasons, variant))
    if verdict.legal and variant.layoff_check == "each_card":
        in_turn = tuple(sorted(add))
        if not any(_has_legal_order(variant, lying, in_turn) for lying in on_table):
            return illegal_verdict(_each_card_reason(variant, on_table, add))
    part = Part(kind, len(meld) + len(add))
    message = say("With {cards} it’s a {part}.", cards=cards_in_words(add), part=part.words)
    limited = variant.wild_limit_scope == "always"
    return with_facts(variant, verdict, Fact(variant, message, kind), limited=limited)


def what_to_enter(*, meld: bool, add: bool) -> Phrase:
    """What a question about a lay-off, or a swap, still lacks, by what of it is there."""
    if meld:
        return say("Enter the cards to add.")
    return say("Enter the meld on the table.") if add else say("Enter a meld and the cards to add.")


def lay_off_words(variant: Variant) -> Phrase:
    """From when on a player can add cards to melds, and to whose."""
    if variant.layoff_on_others and variant.extras_same_turn:
        return say("Once your contract is down, you can add cards to any meld on the table.")
    if variant.layoff_on_others:
        return say("From the turn after your contract, you can add cards to any meld on the table.")
    if variant.extras_same_turn:
        return say("Once your contract is down, you can add cards to your own melds.")
    return say("From the turn after your contract, you can add cards to your own melds.")


def extra_meld_words(variant: Variant) -> Phrase:
    """From when on a player can lay new melds beside the contract."""
    if variant.extras_same_turn:
        return say("Once your contract is down, you can lay extra melds.")
    return say("From the turn after your contract, you can lay extra melds.")


def lacks_cards_on_table(
    variant: Variant, kind: Kind, meld: Sequence[Card], add: Sequence[Card]
) -> bool:
    """Can `add` be laid off once more cards are entered, on the table and with it?

    How many of them may be wild cards is left aside.
    """
    lacking = least_on_table(variant, kind) - len(meld)
    if not meld or lacking <= 0:
        return False
    cards, line = split_cards(variant, (*meld, *add)), variant.run_ranks
    if kind == "set":
        reasons = set_shape_reason, identical_cards_reason
        return all(one(variant, cards.naturals) is None for one in reasons)
    if mixed_suits_reason(variant, cards.naturals) is not None:
        return False
    more = [[Card(JOKER)] * count for count in range(len(line))]  # in place of any cards
    tables = [
        [*low, meld[0], *gap, *meld[1:], *high]
        for low, gap, high in product(more[: lacking + 1], more, more[: lacking + 1])
        if len(low) + len(high) == max(0, lacking - len(gap))
    ]
    stretches = [
        one for table in tables for one in stretches_in_order(line, table, variant.is_wild)
    ]
    loose = [split_cards(variant, (*add, *beside)) for beside in more]
    return any(extended_stretches(line, one, some) for one in stretches for some in loose)


def read_table_meld(
    variant: Variant, kind: Kind, meld: Sequence[Card]
) -> tuple[list[MeldLayout], list[Reason]]:
    """Every way to read a meld on the table in the order in which it lies; else why it is none.

    Cards that nobody can have laid are no meld, such as too few of them, or too many wild ones.
    """
    least = least_on_table(variant, kind)
    if len(meld) < least:
        message = say_plural(
            "A meld on the table has at least {least} cards, and you entered {count}.",
            "A meld on the table has at least {least} cards, and you entered {count}.",
            len(meld),
            least=least,
        )
        return [], [Reason(variant, message, "contracts", Code.TOO_FEW_CARDS)]
    layouts, reasons = read_meld(
        variant,
        kind,
        meld,
        lambda line: stretches_in_order(line, meld, variant.is_wild),
        lambda: _disorder_message(variant, kind, meld),
    )
    parts = [Part(kind, size) for size in range(least, len(meld) + 1)]
    faults = [
        min((part_reasons(variant, part, _as_laid(variant, one)) for part in parts), key=len)
        for one in layouts
    ]
    if layouts and all(faults):
        return [], min(faults, key=len)
    return [one for one, found in zip(layouts, faults, strict=True) if not found], reasons


def _as_laid(variant: Variant, layout: MeldLayout) -> MeldLayout:
    """A set with its natural cards first, as it was laid; a run as it lies."""
    if layout.kind == "run":
        return layout
    return set_layout(variant, sorted(layout.cards, key=variant.is_wild))


def _disorder_message(variant: Variant, kind: Kind, meld: Sequence[Card]) -> Phrase:
    """What gap keeps cards from being a run in any order; without one, that they lie in none."""
    _layouts, faults = read_new_meld(variant, kind, meld)
    gap = next((one for one in faults if one.code is Code.NOT_CONSECUTIVE), None)
    if gap is not None:
        return gap.message
    return say("{cards} aren’t in order from lowest to highest.", cards=cards_phrase(meld))


def _extended_layouts(
    variant: Variant, on_table: Sequence[MeldLayout], add: Sequence[Card]
) -> list[MeldLayout]:
    """Every way in which the cards fit onto the meld, limits aside."""
    longer = []
    for lying in on_table:
        added = split_cards(variant, add)
        naturals = (*lying.naturals, *added.naturals)
        if lying.kind == "set":
            if set_shape_reason(variant, naturals) is None:
                longer.append(set_layout(variant, (*lying.cards, *add)))
        elif mixed_suits_reason(variant, naturals) is None:
            loose = with_home_of_twos(variant, added, {card.suit for card in naturals})
            stretch = RunStretch(lying.start, lying.cards)
            found = extended_stretches(variant.run_ranks, stretch, loose)
            longer += [run_layout(variant, one) for one in found]
    return longer


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
                return Reason(variant, message, "layoff_check", reason.code)
    message = say("The cards don’t fit one after another.")
    return Reason(variant, message, "layoff_check", Code.CANNOT_JOIN)


def _cannot_join(variant: Variant, lying: MeldLayout, add: Sequence[Card]) -> Reason:
    """Why cards do not fit: the ace or the corner where they would but for that."""
    added = split_cards(variant, add)

    def fits(line: RunLine) -> bool:
        return any(
            extended_stretches(line, segment, added)
            for segment in stretches_in_order(line, lying.cards, variant.is_wild)
        )

    if lying.kind == "run":
        others = [
            one for one in added.naturals if mixed_suits_reason(variant, (*lying.naturals, one))
        ]
        if others:
            message = say_plural(
                "{cards} isn’t of the same suit as {meld}.",
                "{cards} aren’t of the same suit as {meld}.",
                len(others),
                cards=cards_in_words(others),
                meld=cards_in_words(lying.cards),
            )
            return Reason(variant, message, "run_suit", Code.CANNOT_JOIN)
        if barrier := ace_or_corner_reason(variant, len(lying.cards) + len(add), fits):
            return barrier
    return Reason(variant, _misfit_message(variant, lying, add), lying.kind, Code.CANNOT_JOIN)


def _misfit_message(variant: Variant, lying: MeldLayout, add: Sequence[Card]) -> Phrase:
    """Which cards do not fit onto the meld with those that do."""
    joined, left = lying, sorted(add, key=variant.is_wild)
    fitting: list[Card] = []
    while found := next(_joined_by_one(variant, lying, fitting, left), None):
        card, joined = found
        fitting.append(card)
        left.remove(card)
    misfits = [card for card in left if not variant.is_wild(card)] or left[:1]
    wrong = cards_in_words(misfits)
    if lying.kind == "set":
        return say_plural(
            "{cards} doesn’t go with {meld}: a set has one rank.",
            "{cards} don’t go with {meld}: a set has one rank.",
            len(misfits),
            cards=wrong,
            meld=cards_in_words(lying.cards),
        )
    ranks = variant.run_ranks[joined.start :][: len(joined.cards)]
    ends = {"first": rank_phrase(ranks[0]), "last": rank_phrase(ranks[-1])}
    if fitting:
        return say_plural(
            "{cards} doesn’t fit: with {others}, the run on the table goes from {first} to {last}.",
            "{cards} don’t fit: with {others}, the run on the table goes from {first} to {last}.",
            len(misfits),
            cards=wrong,
            others=cards_in_words(fitting),
            **ends,
        )
    return say_plural(
        "{cards} doesn’t fit the run on the table, which goes from {first} to {last}.",
        "{cards} don’t fit the run on the table, which goes from {first} to {last}.",
        len(misfits),
        cards=wrong,
        **ends,
    )


def _joined_by_one(
    variant: Variant, lying: MeldLayout, fitting: Sequence[Card], left: Sequence[Card]
) -> Iterator[tuple[Card, MeldLayout]]:
    """Each card that is left and fits with those that do, and a meld that they all make."""
    for card in dict.fromkeys(left):
        for longer in _extended_layouts(variant, [lying], [*fitting, card])[:1]:
            yield card, longer
