"""One meld as it is newly laid: is it a set or a run, and does it keep the limits?

Cards offered as a new meld have no order: any legal reading counts, and all are found. What a meld
must be at all (`shapes.py`) is judged before what it may hold, so that the first reason is the most
basic one. Adding to melds on the table is `layoffs.py`; several melds as a contract are
`laydown.py`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from app.rules.card_supply import supply_reasons
from app.rules.cards import Card, card_phrase
from app.rules.contracts import Kind, Part
from app.rules.legal_facts import wild_limit_words, with_facts
from app.rules.phrases import say, say_plural
from app.rules.shapes import MeldLayout, place_cards, read_new_meld
from app.rules.variant import Variant
from app.rules.verdicts import Code, Fact, Reason, Verdict, illegal_verdict

_PAIR = Part("set", 2)


def judge_meld(
    variant: Variant,
    kind: Kind,
    cards: Sequence[Card],
    *,
    size: int | None = None,
    contract: int | None = None,
    decks: int | None = None,
) -> Verdict:
    """May these cards be laid as a new meld of that kind?

    With `size`: as the part of a contract, one of which must ask for so many cards (more are
    allowed where the variant lets a player extend in the same turn and sizes are not exact).
    Without: beyond the contract, by a player whose contract is down; `contract` is that contract's
    number. Where extra melds depend on it, raises `ValueError` if none is given and `IndexError`
    for one that is not there.

    >>> from app.rules.cards import read_cards
    >>> from app.rules.rule_sets import rule_set_by_id
    >>> verdict = judge_meld(rule_set_by_id("frustration"), "set", read_cards("5H 2S 2C"), size=3)
    >>> verdict.legal, verdict.reason_code.value
    (False, 'too_many_wilds')
    """
    if impossible := supply_reasons(variant, decks or variant.decks, cards):
        return illegal_verdict(*impossible)
    if size is not None and size not in (sizes := part_sizes(variant, kind)):
        message = say("No contract here has a {part}.", part=Part(kind, size).words)
        code = Code.WRONG_SIZE if any(one < size for one in sizes) else Code.TOO_FEW_CARDS
        return illegal_verdict(Reason(variant, message, "contracts", code))
    if size is not None:
        part, whole = Part(kind, size), Part(kind, len(cards))
        enough = Fact(variant, say("That’s a {part}.", part=whole.words), "contracts")
        if whole != part:
            message = say(
                "That’s a {part}: what a contract asks for can be bigger.", part=whole.words
            )
            enough = Fact(variant, message, "contract_size")
        return with_facts(variant, judge_part(variant, part, cards), enough)
    return _judge_extra(variant, kind, cards, contract)


def judge_part(variant: Variant, part: Part, cards: Sequence[Card]) -> Verdict:
    """May these cards be laid as that part of a contract, whatever lies beside them?"""
    sized = _size_reason(variant, part, cards)
    layouts, reasons = read_new_meld(variant, part.kind, cards)
    if not layouts or sized is not None:
        return illegal_verdict(*filter(None, [sized]), *reasons)
    return verdict_on(variant, layouts, lambda layout: part_reasons(variant, part, layout))


def part_reasons(variant: Variant, part: Part, layout: MeldLayout) -> list[Reason]:
    """Why a layout cannot serve as a part: it has no legal core of its size, or is not legal.

    The core is any stretch of a run; of a set, whose natural cards stand first when it is laid, its
    first cards, which are those with the fewest wild ones.
    """
    starts = range(1 if layout.kind == "set" else len(layout.cards) - part.size + 1)
    cores = [_core_reasons(variant, part, layout, low) for low in starts]
    # That cores have too many wild cards is told only where all have.
    keeping = [core for core in cores if all(one.rule != "wild_limit" for one in core)]
    faults = max(keeping or cores, key=_fineness, default=[])
    of_whole = table_meld_reasons(variant, layout)
    if len(layout.cards) > part.size:
        # If the whole has too many wild cards, that is told; else that each core of that size has.
        limited = any(one.rule == "wild_limit" for one in of_whole)
        of_core = _core_limit_reason(variant, part, layout)
        faults = [
            of_core if one.rule == "wild_limit" else one
            for one in faults
            if not (limited and one.rule == "wild_limit")
        ]
    return faults + [one for one in of_whole if one not in faults]


def _core_limit_reason(variant: Variant, part: Part, whole: MeldLayout) -> Reason:
    """That so many cards as are asked for have too many wild ones, whichever are taken."""
    starts = range(1 if whole.kind == "set" else len(whole.cards) - part.size + 1)
    fewest = min(sum(whole.wild_flags[low : low + part.size]) for low in starts)
    message = say(
        "Too many wild cards: at least {wild} of any {size}. {limit}",
        wild=fewest,
        size=part.size,
        limit=wild_limit_words(variant),
    )
    return Reason(variant, message, "wild_limit", Code.TOO_MANY_WILDS)


def _core_reasons(variant: Variant, part: Part, whole: MeldLayout, low: int) -> list[Reason]:
    found = _new_reasons(variant, whole.section(low, low + part.size), part)
    if found or _can_grow(variant, whole, low, low + part.size):
        return found
    message = say("Laid one at a time, these cards always break the wild-card limit.")
    return [Reason(variant, message, "layoff_check", Code.TOO_MANY_WILDS)]


def _can_grow(variant: Variant, whole: MeldLayout, low: int, high: int) -> bool:
    """Can the cards around the core of a run join it one after another, where that is asked for?

    In a set the natural cards may come first, so a legal whole can always be reached. What is wrong
    with an illegal whole is told by itself, so of that the answer is yes.
    """
    if (
        variant.layoff_check == "end_state"
        or whole.kind == "set"
        or table_meld_reasons(variant, whole)
    ):
        return True
    reached = [(low, high)]
    for first, last in reached:
        for longer in ((first - 1, last), (first, last + 1)):
            inside = longer[0] >= 0 and longer[1] <= len(whole.cards)
            if (
                inside
                and longer not in reached
                and not table_meld_reasons(variant, whole.section(*longer))
            ):
                reached.append(longer)
    return (0, len(whole.cards)) in reached


def _new_reasons(variant: Variant, core: MeldLayout, part: Part) -> list[Reason]:
    found = _limit_reasons(variant, core)
    if part == _PAIR and variant.pair_with_wild == "forbid" and any(core.wild_flags):
        message = say("A pair can’t have a wild card.")
        found.append(Reason(variant, message, "pair_with_wild", Code.TOO_MANY_WILDS))
    return found


def table_meld_reasons(variant: Variant, layout: MeldLayout) -> list[Reason]:
    """What is wrong with a meld after cards were added or swapped, by the rule for lay-offs."""
    return _limit_reasons(variant, layout, limited=variant.wild_limit_scope == "always")


def keeps_wild_limit(variant: Variant, wilds: int, naturals: int) -> bool:
    """Does a meld of so many wild and natural cards hold no more wild ones than the limit?"""
    match variant.wild_limit:
        case "at_most_naturals":
            return wilds <= naturals
        case "fewer_than_naturals":
            return wilds < naturals
        case "none":
            return True


def _limit_reasons(variant: Variant, meld: MeldLayout, *, limited: bool = True) -> list[Reason]:
    """What a meld may not hold: too many wild cards, two side by side, what some rules forbid.

    Their number is looked at only where it is `limited`.
    """
    found = []
    wilds = sum(meld.wild_flags)
    if limited and not keeps_wild_limit(variant, wilds, len(meld.cards) - wilds):
        message = say(
            "Too many wild cards: {wild} of {cards}. {limit}",
            wild=wilds,
            cards=len(meld.cards),
            limit=wild_limit_words(variant),
        )
        found.append(Reason(variant, message, "wild_limit", Code.TOO_MANY_WILDS))
    if meld.kind == "set":
        return [*found, *filter(None, [identical_cards_reason(variant, meld.naturals)])]
    if not variant.wilds_adjacent and any(a and b for a, b in pairwise(meld.wild_flags)):
        message = say("Two wild cards can’t be next to each other in a run.")
        found.append(Reason(variant, message, "wilds_adjacent", Code.ADJACENT_WILDS))
    line = variant.run_ranks
    if variant.run_both_aces == "forbid" and line[0] == "A" and len(meld.cards) == len(line):
        message = say("A run can’t have an ace at both ends here.")
        found.append(Reason(variant, message, "run_both_aces", Code.NOT_CONSECUTIVE))
    return found


def identical_cards_reason(variant: Variant, naturals: Sequence[Card]) -> Reason | None:
    """The first card that is there twice as the reason, where a set can't have that; else None."""
    counts = {} if variant.identical_cards_in_set == "allow" else Counter(naturals)
    twice = [one for one, count in counts.items() if count > 1 and one.suit]
    if not twice:
        return None
    message = say("A set can’t have {card} twice here.", card=card_phrase(twice[0]))
    return Reason(variant, message, "identical_cards_in_set", Code.WRONG_MELDS)


def _judge_extra(
    variant: Variant, kind: Kind, cards: Sequence[Card], contract: int | None
) -> Verdict:
    least = _least_extra(variant, kind)
    rule = say("An extra set needs at least {least} cards", least=least)
    if kind == "run":
        rule = say("An extra run needs at least {least} cards", least=least)
    part = Part(kind, len(cards))
    message = say("{rule}, and that’s a {part}.", rule=rule, part=part.words)
    enough = Fact(variant, message, f"extra_{kind}_min")
    barred = _extra_reason(variant, kind, cards, contract)
    if barred is None and variant.extra_melds == "any" and len(cards) < least:
        message = say("{rule}, and you have {count}.", rule=rule, count=len(cards))
        barred = Reason(variant, message, enough.rule, Code.TOO_FEW_CARDS)
    layouts, reasons = read_new_meld(variant, kind, cards)
    if barred or not layouts:
        return illegal_verdict(*filter(None, [barred]), *reasons)
    if variant.extra_melds == "contract_parts":
        message = say(
            "Extra melds must match contract {number}, and it has a {part}.",
            number=str(contract),
            part=part.words,
        )
        enough = Fact(variant, message, "extra_melds")
    verdict = verdict_on(variant, layouts, lambda layout: _new_reasons(variant, layout, part))
    return with_facts(variant, verdict, enough)


def _extra_reason(
    variant: Variant, kind: Kind, cards: Sequence[Card], contract: int | None
) -> Reason | None:
    match variant.extra_melds:
        case "any":
            return None
        case "none":
            message = say("You can’t lay extra melds here, only lay off cards.")
            return Reason(variant, message, "extra_melds", Code.EXTRA_MELD_NOT_ALLOWED)
        case "contract_parts":
            if contract is None:
                raise ValueError("contract")
            asked = variant.contract(contract)
            if Part(kind, len(cards)) in set(asked.parts) - {_PAIR}:  # a pair is no extra meld
                return None
            message = say(
                "An extra meld must match a meld of contract {number}: {words}.",
                number=asked.number,
                words=asked.words,
            )
            return Reason(variant, message, "extra_melds", Code.EXTRA_MELD_NOT_ALLOWED)


def _size_reason(variant: Variant, part: Part, cards: Sequence[Card]) -> Reason | None:
    count = len(cards)
    if count < part.size:
        message = say(
            "A {part} needs {size} cards, and you have {count}.",
            part=part.words,
            size=part.size,
            count=count,
        )
        return Reason(variant, message, "contracts", Code.TOO_FEW_CARDS)
    exact = variant.contract_size == "exact"
    if count == part.size or (variant.extras_same_turn and not exact):
        return None
    message = say_plural(
        "A {part} takes exactly {size} cards, not {count}.",
        "A {part} takes exactly {size} cards, not {count}.",
        count,
        part=part.words,
        size=part.size,
    )
    field = "contract_size" if exact else "extras_same_turn"
    return Reason(variant, message, field, Code.WRONG_SIZE)


def least_on_table(variant: Variant, kind: Kind) -> int:
    """How many cards a meld on the table has at the least: 3, or fewer where fewer can be laid."""
    sizes = {3} | part_sizes(variant, kind)
    return min(sizes | {_least_extra(variant, kind)} if variant.extra_melds == "any" else sizes)


def part_sizes(variant: Variant, kind: Kind) -> set[int]:
    """The sizes of that kind for which contracts ask."""
    return {part.size for one in variant.contracts for part in one.parts if part.kind == kind}


def _least_extra(variant: Variant, kind: Kind) -> int:
    return variant.extra_set_min if kind == "set" else variant.extra_run_min


def new_meld_sizes(variant: Variant, kind: Kind, count: int) -> list[int | None]:
    """The sizes of the parts that so many cards can be meant as.

    Where any extra meld may be laid, None stands last for that.

    What they come nearest to is first: the largest part that they fill, else the smallest.
    """
    parts = part_sizes(variant, kind)
    filled = sorted((size for size in parts if size <= count), reverse=True)
    sizes: list[int | None] = [*filled, *sorted(parts.difference(filled))]
    return [*sizes, None] if variant.extra_melds == "any" else sizes


def verdict_on(
    variant: Variant,
    layouts: Sequence[MeldLayout],
    faults_of: Callable[[MeldLayout], list[Reason]],
) -> Verdict:
    """Legal if one of the layouts has no faults, with all of those; else the finest faults."""
    faults = [faults_of(layout) for layout in layouts]
    if finest := max(faults, key=_fineness):
        return illegal_verdict(*finest)
    legal = [one for one, found in zip(layouts, faults, strict=True) if not found]
    readings = dict.fromkeys(place_cards(variant, one) for one in legal)
    return Verdict(legal=True, readings=tuple((reading,) for reading in readings))


def _fineness(reasons: Sequence[Reason]) -> tuple[int, int]:
    """How fine the worst of these faults is, and how few they are; no fault is finest."""
    return min((one.subtlety for one in reasons), default=99), -len(reasons)
