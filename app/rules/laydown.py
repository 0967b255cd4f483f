"""Several melds as a contract: do they, all together, lay it down in one turn?

Melds are matched to the contract's parts over all assignments, never first come first served. Where
none fits, the nearest assignment is explained: the one whose faults are fewest and finest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, islice, pairwise, product

from app.rules.cards import Card, rank_words
from app.rules.contracts import Contract, Part
from app.rules.copies import card_reasons
from app.rules.melds import judge_part, read_new
from app.rules.variant import Variant
from app.rules.verdicts import Code, MeldReading, Reason, Verdict, because, illegal, in_order
from app.rules.wording import Phrase, say, say_many

_MOST_READINGS = 500
"""More than any table reaches; only made-up contracts have more."""


def judge_contract(
    variant: Variant,
    number: int,
    melds: Sequence[Sequence[Card]],
    *,
    decks: int | None = None,
) -> Verdict:
    """Do these melds together lay down the contract of that number, from 1, in one turn?

    Raises `IndexError` for a number that is not in the list.
    """
    contract = variant.contract(number)
    impossible = card_reasons(
        variant, decks or variant.decks, [one for meld in melds for one in meld]
    )
    if impossible:
        return illegal(*impossible)
    if len(melds) != len(contract.parts):
        return illegal(_wrong_number(variant, contract, len(melds)))
    verdicts = [[judge_part(variant, part, meld) for part in contract.parts] for meld in melds]
    readings = tuple(islice(_legal_readings(variant, contract, verdicts), _MOST_READINGS))
    if readings:
        return Verdict(legal=True, readings=readings)
    assigned = _nearest(verdicts)
    chosen = [verdicts[meld][part] for meld, part in enumerate(assigned)]
    faults = [
        reason
        for place, verdict in enumerate(chosen)
        for reason in _meld_reasons(
            variant, contract, contract.parts[assigned[place]], melds[place], verdict, place + 1
        )
    ]
    return illegal(*(faults or _together_reasons(variant, contract, assigned, chosen)))


def _wrong_number(variant: Variant, contract: Contract, count: int) -> Reason:
    message = say_many(
        "contract {number} asks for {words}, and here is {count} meld",
        "contract {number} asks for {words}, and here are {count} melds",
        count,
        number=contract.number,
        words=contract.words,
    )
    return because(variant, Code.WRONG_MELDS, message, "all-at-once")


def _nearest(verdicts: Sequence[Sequence[Verdict]]) -> tuple[int, ...]:
    """Which part each meld serves, such that the faults are fewest and then finest."""
    costs = [[_cost(verdict) for verdict in row] for row in verdicts]

    @cache
    def best(meld: int, taken: int) -> tuple[int, tuple[int, ...]]:
        if meld == len(costs):
            return 0, ()
        ways = []
        for part, cost in enumerate(costs[meld]):
            if not taken >> part & 1:
                rest, parts = best(meld + 1, taken | 1 << part)
                ways.append((cost + rest, (part, *parts)))
        return min(ways)

    return best(0, 0)[1]


def _cost(verdict: Verdict) -> int:
    if verdict.legal:
        return 0
    # One fault more costs more than any difference in how basic it is.
    return 100 - verdict.reasons[0].finesse


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
            "contract {number} asks for {words}; meld {place} is no {part}",
            number=contract.number,
            words=contract.words,
            place=place,
            part=part.words,
        )
        return [because(variant, Code.WRONG_MELDS, message, "contracts")]
    return [
        replace(one, message=_named(one, part, place, alone=len(contract.parts) == 1))
        for one in verdict.reasons
    ]


def _is_another_kind(variant: Variant, part: Part, meld: Sequence[Card]) -> bool:
    """Would the cards do as the other kind of meld?"""
    other = Part("set" if part.kind == "run" else "run", max(3, len(meld)))
    readings, _reasons = read_new(variant, part.kind, meld)
    return not readings and judge_part(variant, other, meld).legal


def _named(reason: Reason, part: Part, place: int, *, alone: bool) -> Phrase:
    if alone:
        return say("{part}: {fault}", part=part.words, fault=reason.message)
    return say("meld {place} ({part}): {fault}", place=place, part=part.words, fault=reason.message)


def _together_reasons(
    variant: Variant, contract: Contract, assigned: Sequence[int], chosen: Sequence[Verdict]
) -> tuple[Reason, ...]:
    """What a table forbids between two melds of one contract, whatever way they are read."""
    found = []
    kinds = [contract.parts[part].kind for part in assigned]
    sets = [one.readings[0][0] for one, kind in zip(chosen, kinds, strict=True) if kind == "set"]
    if variant.two_sets_same_rank == "forbid":
        ranks = [_rank_of(reading) for reading in sets]
        twice = next((rank for rank in ranks if ranks.count(rank) > 1), None)
        if twice is not None:
            message = say(
                "two sets of {rank} in one contract are not allowed here", rank=rank_words(twice)
            )
            found.append(because(variant, Code.WRONG_MELDS, message, "two_sets_same_rank"))
    if variant.touching_runs == "forbid":
        runs = [
            [reading[0] for reading in one.readings]
            for one, kind in zip(chosen, kinds, strict=True)
            if kind == "run"
        ]
        if not _can_be_apart(variant, runs, ()):
            message = say("two runs of one contract may not go on where the other ends here")
            found.append(because(variant, Code.WRONG_MELDS, message, "touching_runs"))
    return in_order(found)


def _can_be_apart(
    variant: Variant, runs: Sequence[Sequence[MeldReading]], read: tuple[MeldReading, ...]
) -> bool:
    """Is there a way to read all runs such that no two touch?"""
    if len(read) == len(runs):
        return True
    return any(
        not any(_touch(variant, one, other) for other in read)
        and _can_be_apart(variant, runs, (*read, one))
        for one in runs[len(read)]
    )


def _touch(variant: Variant, one: MeldReading, other: MeldReading) -> bool:
    if variant.run_suit == "same" and one[0].stands_for.suit != other[0].stands_for.suit:
        return False
    # A run ends at the high ace and begins at the low one, and nothing lies beyond either.
    pairs = [pair for pair in pairwise(variant.line) if "A" not in pair]
    ends = (one[-1].stands_for.rank, other[0].stands_for.rank)
    starts = (other[-1].stands_for.rank, one[0].stands_for.rank)
    return ends in pairs or starts in pairs


def _rank_of(reading: MeldReading) -> str:
    return next(one.card.rank for one in reading if not one.is_wild)


def _legal_readings(
    variant: Variant, contract: Contract, verdicts: Sequence[Sequence[Verdict]]
) -> Iterator[tuple[MeldReading, ...]]:
    """Every way to read all melds together: each meld as each part that it can serve."""
    seen = set()
    for assigned in _assignments(contract, verdicts, ()):
        chosen = [verdicts[meld][part] for meld, part in enumerate(assigned)]
        if _together_reasons(variant, contract, assigned, chosen):
            continue
        runs = [at for at, part in enumerate(assigned) if contract.parts[part].kind == "run"]
        for ways in product(*(verdict.readings for verdict in chosen)):
            reading = tuple(meld for way in ways for meld in way)
            apart = variant.touching_runs == "allow" or not any(
                _touch(variant, reading[one], reading[other])
                for one, other in combinations(runs, 2)
            )
            if apart and reading not in seen:
                seen.add(reading)
                yield reading


def _assignments(
    contract: Contract, verdicts: Sequence[Sequence[Verdict]], taken: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """Every way in which each meld serves a part; parts that are alike are told apart once only."""
    if len(taken) == len(verdicts):
        yield taken
        return
    tried = set()
    for part, verdict in enumerate(verdicts[len(taken)]):
        asked = contract.parts[part]
        if verdict.legal and part not in taken and asked not in tried:
            tried.add(asked)
            yield from _assignments(contract, verdicts, (*taken, part))
