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
from typing import NamedTuple

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


class _Serving(NamedTuple):
    """A meld as it serves a part of the contract, and the verdict on that."""

    part: Part
    meld: Sequence[Card]
    verdict: Verdict


_EachPart = Sequence[Sequence[_Serving]]
"""Each meld as each part of the contract."""


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
    each = [
        [_Serving(part, meld, judge_part(variant, part, meld)) for part in contract.parts]
        for meld in melds
    ]
    whole = _judge_whole(variant, contract, each)
    if whole is not None:
        return whole
    served = _nearest_assignment(each)
    laid = [one for one in served if one.verdict.legal]
    empty = [one.part for one in served if not one.meld]
    faults = [
        _meld_reasons(variant, contract, one, place)
        if one.meld
        else [_missing_reason(variant, number, empty)]
        for place, one in enumerate(served, 1)
    ]
    found = [reason for reasons in faults for reason in reasons]
    if len(melds) < len(contract.parts):
        lacking = [_wrong_meld_count(variant, contract, len(melds))]
    elif any(one.code is Code.TOO_FEW_CARDS for one in found):
        lacking = found
    else:
        return illegal_verdict(*found)
    lasting = _same_rank_reasons(variant, served)
    for (part, meld, _verdict), reasons in zip(served, faults, strict=True):
        is_full = len(meld) >= part.size
        if reasons and (is_full or not can_be_completed(variant, part, meld)):
            lasting += _without_size(reasons)
    # Two runs that touch may still be laid longer.
    together = _combination_reasons(variant, laid)
    without_repeats = dict.fromkeys([*lacking, *lasting, *together])
    verdict = illegal_verdict(*without_repeats, is_unfinished=not lasting)
    if lasting or together or not laid:
        return verdict
    words = Contract(number, tuple(one.part for one in laid)).words
    message = say("Already legal: {words}.", words=words)
    return replace(verdict, facts=(Fact(variant, message, "contracts"),))


def _judge_whole(variant: Variant, contract: Contract, each: _EachPart) -> Verdict | None:
    """The verdict on melds that can serve all parts, each one of its own; None where they can't."""
    way = next(_assignments(each), None)
    if way is None or len(each) < len(contract.parts):
        return None
    readings = tuple(islice(_legal_readings(variant, each), _MOST_READINGS))
    if not readings:
        return illegal_verdict(*_combination_reasons(variant, way))
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


def _nearest_assignment(each: _EachPart) -> list[_Serving]:
    """What each meld serves as: the part of its place, unless all that move are nearer elsewhere.

    Of several such ways the one with the fewest faulty melds (one that only lacks cards is not
    faulty), then the one whose most basic faults are finest, then the one with the fewest.
    """
    costs = [[_cost(one.verdict) for one in of_meld] for of_meld in each]

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

    return [of_meld[part] for of_meld, part in zip(each, best(0, 0)[1], strict=True)]


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
    variant: Variant, contract: Contract, served: _Serving, place: int
) -> list[Reason]:
    """What is wrong with one of the melds; of several, in words that name it."""
    part, meld, verdict = served
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
    if len(contract.parts) == 1:
        return list(verdict.reasons)
    return [replace(one, message=_with_meld_name(one, part, place)) for one in verdict.reasons]


def _is_another_kind(variant: Variant, part: Part, meld: Sequence[Card]) -> bool:
    """Are the cards no meld of that kind, but one of the other?"""
    other = Part("set" if part.kind == "run" else "run", max(3, len(meld)))
    layouts, _reasons = read_new_meld(variant, part.kind, meld)
    return not layouts and judge_part(variant, other, meld).legal


def _with_meld_name(reason: Reason, part: Part, place: int) -> Phrase:
    if reason.code in (Code.TOO_FEW_CARDS, Code.WRONG_SIZE):  # which names it
        return say("Meld {place}: {fault}", place=place, fault=reason.message)
    return say("Meld {place} ({part}): {fault}", place=place, part=part.words, fault=reason.message)


def _combination_reasons(variant: Variant, served: Sequence[_Serving]) -> list[Reason]:
    """What a table forbids between two melds of one contract, whatever way they are read."""
    found = _same_rank_reasons(variant, served)
    if variant.touching_runs == "forbid" and not any(True for _ in _runs_apart(variant, served)):
        message = say("One run of a contract can’t continue another here.")
        found.append(Reason(variant, message, "touching_runs", Code.WRONG_MELDS))
    return found


def _same_rank_reasons(variant: Variant, served: Sequence[_Serving]) -> list[Reason]:
    """The second set of a rank as a fault, where a table allows one of each."""
    sets = [one.meld for one in served if one.part.kind == "set"]
    ranks = [next((one.rank for one in meld if not variant.is_wild(one)), None) for meld in sets]
    twice = next((rank for rank in ranks if rank and ranks.count(rank) > 1), None)
    if variant.two_sets_same_rank == "allow" or twice is None:
        return []
    message = say(
        "A contract can’t have two sets of one rank here ({rank}).", rank=rank_phrase(twice)
    )
    return [Reason(variant, message, "two_sets_same_rank", Code.WRONG_MELDS)]


def _runs_apart(variant: Variant, served: Sequence[_Serving]) -> Iterator[tuple[MeldReading, ...]]:
    """Every way to read the runs among some melds such that no two touch."""
    runs = [one.verdict.readings for one in served if one.part.kind == "run"]
    return _readings_apart(variant, runs)


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


def _legal_readings(variant: Variant, each: _EachPart) -> Iterator[tuple[MeldReading, ...]]:
    """Every way to read all melds together: each meld as each part that it can serve."""
    seen = set()
    for way in _assignments(each):
        if _combination_reasons(variant, way):
            continue
        for reading in _combined_readings(variant, way):
            if reading not in seen:
                seen.add(reading)
                yield reading


def _combined_readings(
    variant: Variant, served: Sequence[_Serving]
) -> Iterator[tuple[MeldReading, ...]]:
    """Every way to read melds whose kinds are settled."""
    every = [[reading for (reading,) in one.verdict.readings] for one in served]
    if variant.touching_runs == "allow":
        yield from product(*every)
        return
    for apart in _runs_apart(variant, served):
        of_runs = iter(apart)
        yield from product(
            *(
                [next(of_runs)] if one.part.kind == "run" else sets
                for one, sets in zip(served, every, strict=True)
            )
        )


def _assignments(
    each: _EachPart, taken: frozenset[int] = frozenset({0})
) -> Iterator[tuple[_Serving, ...]]:
    """What each meld may serve as, where all can serve different parts.

    Parts that read a meld alike count as one, named by the first; so several melds may name it.
    `taken` holds every set of parts, as bits, that the melds before may have taken.
    """
    if not each:
        yield ()
        return
    alike: dict[tuple[Kind, object], list[int]] = {}
    for at, one in enumerate(each[0]):
        if one.verdict.legal:
            alike.setdefault((one.part.kind, one.verdict.readings), []).append(at)
    for parts in alike.values():
        now = frozenset(
            before | 1 << part for before in taken for part in parts if not before >> part & 1
        )
        if now:
            for others in _assignments(each[1:], now):
                yield each[0][parts[0]], *others
