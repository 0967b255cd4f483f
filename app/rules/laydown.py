"""Several melds as a contract: do they, all together, lay it down in one turn?

Melds are matched to the contract's parts over all assignments, never first come first served. Where
none fits, each meld is explained as the part in whose place it was entered, unless melds were
entered in each other's places: where each that moves is nearer to the part it comes to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise, product
from math import inf

from app.rules.card_supply import supply_reasons
from app.rules.cards import Card, rank_phrase
from app.rules.completion import can_be_completed
from app.rules.contracts import Contract, Kind, Part
from app.rules.legal_facts import with_facts
from app.rules.melds import judge_part
from app.rules.phrases import Phrase, say, say_plural
from app.rules.shapes import read_new_meld
from app.rules.variant import Variant
from app.rules.verdicts import Code, Fact, MeldReading, Reason, Verdict, illegal_verdict

_MOST_READINGS = 500
"""More than any table reaches; only made-up contracts have more."""


def judge_contract(
    variant: Variant, number: int, melds: Sequence[Sequence[Card]], *, decks: int | None = None
) -> Verdict:
    """Do these melds together lay down the contract of that number, from 1, in one turn?

    Raises `IndexError` for a number that is not in the list.
    """
    contract = variant.contract(number)
    impossible = supply_reasons(
        variant, decks or variant.decks, [one for meld in melds for one in meld]
    )
    if impossible:
        return illegal_verdict(*impossible)
    if len(melds) > len(contract.parts):
        return illegal_verdict(_wrong_meld_count(variant, contract, len(melds)))
    verdicts = [[judge_part(variant, part, meld) for part in contract.parts] for meld in melds]
    whole = _judge_whole(variant, contract, melds, verdicts)
    if whole is not None:
        return whole
    assigned = _nearest_assignment(verdicts)
    chosen = [verdicts[meld][part] for meld, part in enumerate(assigned)]
    parts = [contract.parts[part] for part in assigned]
    laid = [place for place, verdict in enumerate(chosen) if verdict.legal]
    empty = [part for part, meld in zip(parts, melds, strict=True) if not meld]
    faults = [
        _meld_reasons(variant, contract, part, meld, verdict, place)
        if meld
        else [_missing_reason(variant, number, empty)]
        for place, (part, meld, verdict) in enumerate(zip(parts, melds, chosen, strict=True), 1)
    ]
    kinds = [part.kind for part in parts]
    found = [reason for reasons in faults for reason in reasons]
    if len(melds) < len(contract.parts):
        lacking = [_wrong_meld_count(variant, contract, len(melds))]
    elif any(one.code is Code.TOO_FEW_CARDS for one in found):
        lacking = found
    else:
        return illegal_verdict(*found)
    lasting = _same_rank_reasons(variant, kinds, melds)
    for part, meld, reasons in zip(parts, melds, faults, strict=True):
        is_full = len(meld) >= part.size
        if reasons and (is_full or not can_be_completed(variant, part, meld)):
            lasting += _without_size(reasons)
    # Two runs that touch may still be laid longer.
    together = _combination_reasons(
        variant,
        [kinds[place] for place in laid],
        [melds[place] for place in laid],
        [chosen[place] for place in laid],
    )
    without_repeats = dict.fromkeys([*lacking, *lasting, *together])
    verdict = illegal_verdict(*without_repeats, is_unfinished=not lasting)
    if lasting or together or not laid:
        return verdict
    words = Contract(number, tuple(parts[place] for place in laid)).words
    message = say("Already legal: {words}.", words=words)
    return replace(verdict, facts=(Fact(variant, message, "contracts"),))


def _judge_whole(
    variant: Variant,
    contract: Contract,
    melds: Sequence[Sequence[Card]],
    verdicts: Sequence[Sequence[Verdict]],
) -> Verdict | None:
    """The verdict on melds that can serve all parts, each one of its own; None where they can't."""
    way = next(_assignments(contract, verdicts, frozenset({0})), None)
    if way is None or len(melds) < len(contract.parts):
        return None
    readings = tuple(islice(_legal_readings(variant, contract, melds, verdicts), _MOST_READINGS))
    if not readings:
        return illegal_verdict(*_combination_reasons(variant, way[0], melds, way[1]))
    number, words = contract.number, contract.words
    message = say("That’s contract {number}: {words}.", number=number, words=words)
    fact = Fact(variant, message, "contracts")
    return with_facts(variant, Verdict(legal=True, readings=readings), fact)


def _missing_reason(variant: Variant, number: int, parts: Sequence[Part]) -> Reason:
    """That nothing lies yet for those parts, said once for all of them."""
    message = say("Still missing: {words}.", words=Contract(number, tuple(parts)).words)
    return Reason(variant, message, "contracts", Code.TOO_FEW_CARDS)


def _without_size(reasons: Sequence[Reason]) -> Sequence[Reason]:
    """What is wrong with a meld besides that it has too few cards; else that."""
    return [one for one in reasons if one.code is not Code.TOO_FEW_CARDS] or reasons


def _wrong_meld_count(variant: Variant, contract: Contract, count: int) -> Reason:
    message = say_plural(
        "Contract {number} is {words}, but you have {count} meld.",
        "Contract {number} is {words}, but you have {count} melds.",
        count,
        number=contract.number,
        words=contract.words,
    )
    return Reason(variant, message, "all-at-once", Code.WRONG_MELDS)


def _nearest_assignment(verdicts: Sequence[Sequence[Verdict]]) -> tuple[int, ...]:
    """Which part each meld serves: that of its place, unless all that move are nearer elsewhere.

    Of several such ways the one with the fewest faulty melds, where one that only lacks cards is
    none, then the one whose most basic faults are finest, then the one with the fewest.
    """
    costs = [[_cost(verdict) for verdict in row] for row in verdicts]

    @cache
    def best(meld: int, taken: int) -> tuple[float, tuple[int, ...]]:
        if meld == len(costs):
            return 0, ()
        ways: list[tuple[float, tuple[int, ...]]] = [(inf, ())]
        for part, cost in enumerate(costs[meld]):
            is_better = part == meld or cost < costs[meld][meld]
            if is_better and not taken >> part & 1:
                rest, parts = best(meld + 1, taken | 1 << part)
                ways.append((cost + rest, (part, *parts)))
        return min(ways)

    return best(0, 0)[1]


def _cost(verdict: Verdict) -> int:
    """How far a meld is from a part; a fault that is finer, or one less of them, is nearer."""
    if verdict.legal:
        return 0
    # One faulty meld more costs more than any difference in how basic the first faults are, and
    # that, in a meld, more than any in how many. Cards that only lack others are not faulty: two
    # fives lack a card for a set, but are no run, whatever comes to them.
    only_lacks = all(one.code is Code.TOO_FEW_CARDS for one in verdict.reasons)
    faulty = 0 if only_lacks else 10_000
    return faulty + 1000 - 10 * verdict.reasons[0].subtlety + min(len(verdict.reasons), 9)


def _meld_reasons(
    variant: Variant,
    contract: Contract,
    part: Part,
    meld: Sequence[Card],
    verdict: Verdict,
    place: int,
) -> list[Reason]:
    """What is wrong with one of the melds, in words that name it."""
    if verdict.legal:
        return []
    if _is_another_kind(variant, part, meld):
        message = say(
            "Contract {number} is {words}. Meld {place} isn’t a {part}.",
            number=contract.number,
            words=contract.words,
            place=place,
            part=part.words,
        )
        return [Reason(variant, message, "contracts", Code.WRONG_MELDS)]
    return [
        replace(one, message=_with_meld_name(one, part, place, alone=len(contract.parts) == 1))
        for one in verdict.reasons
    ]


def _is_another_kind(variant: Variant, part: Part, meld: Sequence[Card]) -> bool:
    """Are the cards no meld of that kind, but one of the other?"""
    other = Part("set" if part.kind == "run" else "run", max(3, len(meld)))
    layouts, _reasons = read_new_meld(variant, part.kind, meld)
    return not layouts and judge_part(variant, other, meld).legal


def _with_meld_name(reason: Reason, part: Part, place: int, *, alone: bool) -> Phrase:
    if alone:
        return reason.message
    if reason.code in (Code.TOO_FEW_CARDS, Code.WRONG_SIZE):  # which names it
        return say("Meld {place}: {fault}", place=place, fault=reason.message)
    return say("Meld {place} ({part}): {fault}", place=place, part=part.words, fault=reason.message)


def _combination_reasons(
    variant: Variant,
    kinds: Sequence[Kind],
    melds: Sequence[Sequence[Card]],
    chosen: Sequence[Verdict],
) -> tuple[Reason, ...]:
    """What a table forbids between two melds of one contract, whatever way they are read."""
    found = _same_rank_reasons(variant, kinds, melds)
    if variant.touching_runs == "forbid":
        runs = [one.readings for one, kind in zip(chosen, kinds, strict=True) if kind == "run"]
        if next(_readings_apart(variant, runs), None) is None:
            message = say("One run of a contract can’t continue another here.")
            found.append(Reason(variant, message, "touching_runs", Code.WRONG_MELDS))
    return tuple(found)


def _same_rank_reasons(
    variant: Variant, kinds: Sequence[Kind], melds: Sequence[Sequence[Card]]
) -> list[Reason]:
    """The second set of a rank as a fault, where a table allows one of each."""
    sets = [meld for meld, kind in zip(melds, kinds, strict=True) if kind == "set"]
    ranks = [next((one.rank for one in meld if not variant.is_wild(one)), None) for meld in sets]
    twice = next((rank for rank in ranks if rank and ranks.count(rank) > 1), None)
    if variant.two_sets_same_rank == "allow" or twice is None:
        return []
    message = say(
        "A contract can’t have two sets of one rank here ({rank}).", rank=rank_phrase(twice)
    )
    return [Reason(variant, message, "two_sets_same_rank", Code.WRONG_MELDS)]


def _readings_apart(
    variant: Variant, runs: Sequence[Sequence[tuple[MeldReading, ...]]]
) -> Iterator[tuple[MeldReading, ...]]:
    """Every way to read all runs such that no two touch.

    A reading that leaves some later run no way at all is not followed, so that many runs with many
    wild cards do not multiply.
    """
    if not runs:
        yield ()
        return
    for (reading,) in runs[0]:
        left = [
            [other for other in later if not _runs_touch(variant, reading, other[0])]
            for later in runs[1:]
        ]
        if all(left):
            yield from ((reading, *rest) for rest in _readings_apart(variant, left))


def _runs_touch(variant: Variant, one: MeldReading, other: MeldReading) -> bool:
    if variant.run_suit == "same" and one[0].stands_for.suit != other[0].stands_for.suit:
        return False
    # A run ends at the high ace and begins at the low one, and nothing lies beyond either.
    pairs = [pair for pair in pairwise(variant.run_ranks) if "A" not in pair]
    ends = (one[-1].stands_for.rank, other[0].stands_for.rank)
    starts = (other[-1].stands_for.rank, one[0].stands_for.rank)
    return ends in pairs or starts in pairs


def _legal_readings(
    variant: Variant,
    contract: Contract,
    melds: Sequence[Sequence[Card]],
    verdicts: Sequence[Sequence[Verdict]],
) -> Iterator[tuple[MeldReading, ...]]:
    """Every way to read all melds together: each meld as each part that it can serve."""
    seen = set()
    for kinds, chosen in _assignments(contract, verdicts, frozenset({0})):
        if _combination_reasons(variant, kinds, melds, chosen):
            continue
        for reading in _combined_readings(variant, kinds, chosen):
            if reading not in seen:
                seen.add(reading)
                yield reading


def _combined_readings(
    variant: Variant, kinds: Sequence[Kind], chosen: Sequence[Verdict]
) -> Iterator[tuple[MeldReading, ...]]:
    """Every way to read melds whose kinds are settled."""
    every = [[reading for (reading,) in one.readings] for one in chosen]
    if variant.touching_runs == "allow":
        yield from product(*every)
        return
    runs = [one.readings for one, kind in zip(chosen, kinds, strict=True) if kind == "run"]
    for apart in _readings_apart(variant, runs):
        of_runs = iter(apart)
        yield from product(
            *(
                [next(of_runs)] if kind == "run" else sets
                for kind, sets in zip(kinds, every, strict=True)
            )
        )


def _assignments(
    contract: Contract, verdicts: Sequence[Sequence[Verdict]], taken: frozenset[int]
) -> Iterator[tuple[tuple[Kind, ...], tuple[Verdict, ...]]]:
    """What each meld may serve as, so that all serve different parts: its kind and its verdict.

    Parts as which a meld is read alike are one choice. `taken` holds every set of parts, as bits,
    that the melds before may have taken.
    """
    if not verdicts:
        yield (), ()
        return
    alike: dict[tuple[Kind, object], list[int]] = {}
    for part, verdict in enumerate(verdicts[0]):
        if verdict.legal:
            alike.setdefault((contract.parts[part].kind, verdict.readings), []).append(part)
    for (kind, _readings), parts in alike.items():
        now = frozenset(
            before | 1 << part for before in taken for part in parts if not before >> part & 1
        )
        if now:
            for kinds, chosen in _assignments(contract, verdicts[1:], now):
                yield (kind, *kinds), (verdicts[0][parts[0]], *chosen)
