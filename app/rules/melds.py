"""One meld as it is newly laid: is it a set or a run, and does it keep the limits?

Cards offered as a new meld have no order: any legal reading counts, and all are found. What a meld
must be at all (`shapes.py`) is judged before what it may hold (`limits.py`), so that the first
reason is the most basic one. Adding to melds on the table is `layoffs.py`; several melds as a
contract are `laydown.py`.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from app.rules.card_supply import supply_reasons
from app.rules.cards import SUITS, Card
from app.rules.contracts import Kind, Part
from app.rules.legal_facts import with_facts
from app.rules.limits import forbidden_meld_reasons, limit_reasons
from app.rules.phrases import Phrase, say, say_plural
from app.rules.runs import RunSegment, SplitCards, new_segments
from app.rules.shapes import run_shape_reason, set_shape_reason, split_cards
from app.rules.variant import Variant
from app.rules.verdicts import Code, Fact, MeldReading, Placement, Reason, Verdict, illegal_verdict

_PAIR = Part("set", 2)
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

    def section(self, low: int, high: int) -> "MeldLayout":
        """The cards from place `low` (from 0) up to, but not including, place `high`."""
        return MeldLayout(
            self.kind, self.cards[low:high], self.wild_flags[low:high], self.start + low
        )


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

    With `size`: as the part of a contract that asks for so many cards (more are allowed where the
    variant lets a player extend in the same turn and sizes are not exact). Without: beyond the
    contract, by a player whose contract is down; `contract` is that contract's number, needed where
    extra melds depend on it.

    >>> from app.rules.cards import read_cards
    >>> from app.rules.rule_sets import rule_set_by_id
    >>> verdict = judge_meld(rule_set_by_id("frustration"), "set", read_cards("5H 2S 2C"), size=3)
    >>> verdict.legal, verdict.reason_code.value
    (False, 'too_many_wilds')
    """
    impossible = supply_reasons(variant, decks or variant.decks, cards)
    if impossible:
        return illegal_verdict(*impossible)
    if size is not None and size < smallest_part_size(variant, kind):
        message = say("No contract here has a {part}.", part=Part(kind, size).words)
        return illegal_verdict(Reason(variant, Code.TOO_FEW_CARDS, message, "contracts"))
    if size is not None:
        enough = Fact(variant, _count_words(len(cards), size), "contracts")
        return with_facts(variant, judge_part(variant, Part(kind, size), cards), enough)
    return _judge_extra(variant, kind, cards, contract)


def judge_part(variant: Variant, part: Part, cards: Sequence[Card]) -> Verdict:
    """May these cards be laid as that part of a contract, whatever lies beside them?"""
    sized = _size_reason(variant, part, cards)
    layouts, reasons = read_new_meld(variant, part.kind, cards)
    if not layouts or sized is not None:
        return illegal_verdict(*filter(None, [sized]), *reasons)
    return _verdict(variant, layouts, lambda layout: part_reasons(variant, part, layout))


def read_new_meld(
    variant: Variant, kind: Kind, cards: Sequence[Card]
) -> tuple[list[MeldLayout], list[Reason]]:
    """Every way to read unordered cards as a meld of that kind, limits aside, or why none.

    Of no cards it says neither.
    """
    if not cards:
        return [], []
    sorted_cards = split_cards(variant, cards)
    if not sorted_cards.naturals:
        stretches = [] if kind == "set" else _stretches_of_wilds(variant, sorted_cards)
        layouts = own_two_layouts(variant, stretches)
        return layouts, [] if layouts else [_no_natural_reason(variant, kind, sorted_cards)]
    if kind == "set":
        fault = set_shape_reason(variant, sorted_cards)
        wild = (False,) * len(sorted_cards.naturals) + (True,) * len(sorted_cards.wilds)
        as_laid = (*sorted_cards.naturals, *sorted_cards.wilds)
        return ([], [fault]) if fault else ([MeldLayout("set", as_laid, wild)], [])
    fault = run_shape_reason(variant, sorted_cards)
    if fault:
        return [], [fault]
    stretches = new_segments(variant.run_ranks, with_home_of_twos(variant, sorted_cards))
    return [run_layout(variant, one) for one in stretches], []


def own_two_layouts(variant: Variant, stretches: Iterable[RunSegment]) -> list[MeldLayout]:
    """The stretches of wild cards that are runs, since a 2 is a natural card in its own place."""
    layouts = (run_layout(variant, one) for one in stretches)
    return [layout for layout in layouts if not all(layout.wild_flags)]


def _stretches_of_wilds(variant: Variant, cards: SplitCards) -> Iterable[RunSegment]:
    """Where wild cards alone can lie in a run, a 2 in its own place where it is natural there."""
    if not variant.two_natural_in_own_slot:
        return []
    homes = [_ANY_SUIT]
    if variant.run_suit == "same":
        suits = sorted({card.suit for card in cards.wilds if card.rank == "2"})
        homes = [frozenset({suit}) for suit in suits]
    lines = (new_segments(variant.run_ranks, SplitCards((), cards.wilds, one)) for one in homes)
    return dict.fromkeys(itertools.chain.from_iterable(lines))


def with_home_of_twos(
    variant: Variant, cards: SplitCards, table_suits: Iterable[str] = ()
) -> SplitCards:
    """The cards as they are placed in a run, where a 2 may prefer its own place.

    `table_suits` are the suits of the natural cards on the table that they are added to.
    """
    at_home = variant.twos_are_wild and variant.two_natural_in_own_slot
    suits = {*table_suits, *(card.suit for card in cards.naturals)}
    home = _ANY_SUIT if variant.run_suit == "any" else frozenset(suits)
    return replace(cards, suits_with_natural_two=home if at_home else frozenset())


def counts_as_wild(variant: Variant, card: Card, place: str, suits: Iterable[str]) -> bool:
    """Does a card count as wild in that place of a run of those suits?

    A 2 in its own place counts as natural only where the rules say so, and in a run of one suit
    only if it has that suit.
    """
    if not variant.is_wild(card):
        return False
    if not (variant.two_natural_in_own_slot and card.rank == "2" and place == "2"):
        return True
    return variant.run_suit == "same" and card.suit not in set(suits)


def part_reasons(variant: Variant, part: Part, layout: MeldLayout) -> list[Reason]:
    """Why a layout cannot serve as a part: it has no legal core of its size, or is not legal."""
    faults: list[Reason] | None = None
    for low in _core_starts(part, layout):
        found = _new_reasons(variant, layout.section(low, low + part.size), part)
        if not found and not _can_grow(variant, layout, low, low + part.size):
            message = say("Laid one at a time, these cards always break the wild-card limit.")
            found = [Reason(variant, Code.TOO_MANY_WILDS, message, "layoff_check")]
        if not found:
            faults = []
            break
        faults = found if faults is None or _is_finer(found, faults) else faults
    whole = table_meld_reasons(variant, layout)
    return (faults or []) + [one for one in whole if one not in (faults or [])]


def _core_starts(part: Part, layout: MeldLayout) -> Iterable[int]:
    """Where those cards begin that may be the core: a stretch of a run, the best of a set."""
    # In a new set naturals stand first, so its first cards are those with the fewest wild ones.
    return range(1 if layout.kind == "set" else len(layout.cards) - part.size + 1)


def _can_grow(variant: Variant, whole: MeldLayout, low: int, high: int) -> bool:
    """Can the cards around the core of a run join it one after another, where that is asked for?

    In a set the natural cards may come first, so a legal whole can always be reached.
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
    found = limit_reasons(variant, core.kind, core.wild_flags)
    found += forbidden_meld_reasons(variant, core.kind, core.cards, core.wild_flags, core.start)
    if part == _PAIR and variant.pair_with_wild == "forbid" and any(core.wild_flags):
        message = say("A pair here takes two natural cards.")
        found.append(Reason(variant, Code.TOO_MANY_WILDS, message, "pair_with_wild"))
    return found


def table_meld_reasons(variant: Variant, layout: MeldLayout) -> list[Reason]:
    """What is wrong with a meld after cards were added or swapped, by the rule for lay-offs."""
    limited = variant.wild_limit_scope == "always"
    found = limit_reasons(variant, layout.kind, layout.wild_flags, limited=limited)
    return found + forbidden_meld_reasons(
        variant, layout.kind, layout.cards, layout.wild_flags, layout.start
    )


def _judge_extra(
    variant: Variant, kind: Kind, cards: Sequence[Card], contract: int | None
) -> Verdict:
    barred = _extra_reason(variant, kind, cards, contract)
    layouts, reasons = read_new_meld(variant, kind, cards)
    least = variant.extra_set_min if kind == "set" else variant.extra_run_min
    short = []
    if barred is None and variant.extra_melds == "any" and len(cards) < least:
        short = [_too_few_reason(variant, f"extra_{kind}_min", len(cards), least)]
    if barred or short or not layouts:
        return illegal_verdict(*filter(None, [barred]), *short, *reasons)
    part = Part(kind, len(cards))
    enough = Fact(variant, _count_words(len(cards), least), f"extra_{kind}_min")
    if variant.extra_melds == "contract_parts":
        message = say("Contract {number} has a {part}.", number=str(contract), part=part.words)
        enough = Fact(variant, message, "extra_melds")
    verdict = _verdict(variant, layouts, lambda layout: _new_reasons(variant, layout, part))
    return with_facts(variant, verdict, enough)


def _extra_reason(
    variant: Variant, kind: Kind, cards: Sequence[Card], contract: int | None
) -> Reason | None:
    match variant.extra_melds:
        case "any":
            return None
        case "none":
            message = say("You can’t lay extra melds here, only lay off cards.")
            return Reason(variant, Code.EXTRA_MELD_NOT_ALLOWED, message, "extra_melds")
        case "contract_parts":
            if contract is None:
                raise ValueError("contract")
            asked = variant.contract(contract)
            if Part(kind, len(cards)) in set(asked.parts) - {_PAIR}:
                return None
            message = say(
                "An extra meld must match a meld of contract {number}: {words}.",
                number=asked.number,
                words=asked.words,
            )
            return Reason(variant, Code.EXTRA_MELD_NOT_ALLOWED, message, "extra_melds")


def _size_reason(variant: Variant, part: Part, cards: Sequence[Card]) -> Reason | None:
    count = len(cards)
    if count < part.size:
        return _too_few_reason(variant, "contracts", count, part.size)
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
    return Reason(variant, Code.WRONG_SIZE, message, field)


def smallest_part_size(variant: Variant, kind: Kind) -> int:
    """The smallest size of that kind that a contract asks for; else the least of an extra meld."""
    parts = [part for contract in variant.contracts for part in contract.parts]
    extra = variant.extra_set_min if kind == "set" else variant.extra_run_min
    return min((part.size for part in parts if part.kind == kind), default=extra)


def new_meld_sizes(variant: Variant, kind: Kind, count: int) -> list[int | None]:
    """As what so many cards can be meant: sizes of parts, and None for any extra meld.

    What they come nearest to is first: the largest part that they fill, else the smallest.
    """
    parts = {part.size for one in variant.contracts for part in one.parts if part.kind == kind}
    filled = sorted((size for size in parts if size <= count), reverse=True)
    sizes: list[int | None] = [*filled, *sorted(parts.difference(filled))]
    return [*sizes, None] if variant.extra_melds == "any" else sizes


def _too_few_reason(variant: Variant, field: str, count: int, least: int) -> Reason:
    return Reason(variant, Code.TOO_FEW_CARDS, _count_words(count, least), field)


def _count_words(count: int, least: int) -> Phrase:
    if count > least:
        return say_plural(
            "You have {count} card and need at least {least}.",
            "You have {count} cards and need at least {least}.",
            count,
            least=least,
        )
    return say_plural(
        "You have {count} card and need {least}.",
        "You have {count} cards and need {least}.",
        count,
        least=least,
    )


def _no_natural_reason(variant: Variant, kind: Kind, cards: SplitCards) -> Reason:
    message = say_plural(
        "{count} wild card and no natural card: that isn’t a {kind}.",
        "{count} wild cards and no natural card: that isn’t a {kind}.",
        len(cards.wilds),
        kind=say("set") if kind == "set" else say("run"),
    )
    return Reason(variant, Code.NO_NATURAL_CARD, message, "only-wild-cards")


def run_layout(variant: Variant, stretch: RunSegment) -> MeldLayout:
    """A stretch of the line as a run, with what counts as wild in it."""
    suits = _suits(variant, stretch.start, stretch.cards)
    wild = tuple(
        counts_as_wild(variant, card, variant.run_ranks[stretch.start + place], suits)
        for place, card in enumerate(stretch.cards)
    )
    return MeldLayout("run", stretch.cards, wild, stretch.start)


def _suits(variant: Variant, start: int, cards: Sequence[Card]) -> set[str]:
    """The suits of a run's natural cards; without others, of the 2 in its own place."""
    return {card.suit for card in cards if not variant.is_wild(card)} or {
        card.suit
        for place, card in enumerate(cards, start)
        if card.rank == "2" == variant.run_ranks[place]
    }


def _is_finer(found: Sequence[Reason], others: Sequence[Reason]) -> bool:
    """Is the worst of these faults finer than the worst of the others? Fewer are finer, too."""

    def rank(reasons: Sequence[Reason]) -> tuple[int, int]:
        return min((one.subtlety for one in reasons), default=99), -len(reasons)

    return rank(found) > rank(others)


def place_cards(variant: Variant, layout: MeldLayout) -> MeldReading:
    """The layout card by card, with what each card stands for."""
    naturals = [
        card for card, wild in zip(layout.cards, layout.wild_flags, strict=True) if not wild
    ]
    suit = naturals[0].suit if layout.kind == "run" and variant.run_suit == "same" else ""
    placements = []
    for place, (card, wild) in enumerate(zip(layout.cards, layout.wild_flags, strict=True)):
        rank = naturals[0].rank if layout.kind == "set" else variant.run_ranks[layout.start + place]
        placements.append(Placement(card, Card(rank, suit) if wild else card, wild))
    return tuple(placements)


def _verdict(
    variant: Variant,
    layouts: Sequence[MeldLayout],
    faults_of: Callable[[MeldLayout], list[Reason]],
) -> Verdict:
    """Legal if one of the layouts has no faults, with all of those; else the finest faults."""
    faults = [(layout, faults_of(layout)) for layout in layouts]
    legal = tuple((place_cards(variant, layout),) for layout, found in faults if not found)
    if legal:
        return Verdict(legal=True, readings=legal)
    finest = faults[0][1]
    for _layout, found in faults:
        finest = found if _is_finer(found, finest) else finest
    return illegal_verdict(*finest)
