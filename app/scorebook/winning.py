"""Who won, and the rule by which, once a round has ended the game or the table stopped.

Only who plays in the last round can win. Ties share the win. A score that is kept beside another
winning rule decides nothing here. Of a game that stopped, the standings themselves say who leads.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant
from app.scorebook.history import EntryResult, RoundResult


@dataclass(frozen=True, slots=True)
class Victory:
    """The seats that won, in dealing order, and the rule by which; None while nobody has."""

    winners: tuple[int, ...]
    reason: Phrase | None


def lead_reason(variant: Variant, rounds: int, *, by_score: bool) -> Phrase:
    """Why who leads after so many rounds does, whether or not the score decides `by_score` too."""
    if variant.win == "lowest_score":
        return _lowest_score_reason(rounds)
    if by_score or variant.win == "lowest_finisher":
        return _lowest_of_furthest_reason(rounds)
    return _furthest_reason(rounds)


def score_decides(variant: Variant) -> bool:
    """Is it the score that says who wins, perhaps among those who finished?"""
    return variant.scores and variant.win in ("lowest_score", "lowest_finisher")


def victory(variant: Variant, last: RoundResult) -> Victory:
    """Who won a game that this round ended."""
    if variant.win == "lowest_score":
        return _lowest_score(variant, last)
    if variant.win == "lowest_finisher":
        return _lowest_finisher(variant, last)
    if last.finishers:
        return _completed(variant, last)
    return _most_completed(last)


def _lowest_score(variant: Variant, last: RoundResult) -> Victory:
    if last.finishers and variant.progress == "individual":
        reason = say(
            "lowest score when contract {number} was laid down", number=variant.last_contract
        )
    else:
        reason = _lowest_score_reason(last.number)
    return Victory(_lowest_of(last.rows), reason)


def _lowest_finisher(variant: Variant, last: RoundResult) -> Victory:
    """The lowest score of those who are furthest: all contracts, or the most at the last round."""
    if last.finishers:
        number = variant.last_contract
        reason = say("lowest score of those who completed contract {number}", number=number)
    else:
        reason = _lowest_of_furthest_reason(last.number)
    return Victory(_lowest_of(_furthest(last)), reason)


def _completed(variant: Variant, last: RoundResult) -> Victory:
    if last.first_finisher is None:
        return Victory(
            last.finishers,
            say("completed contract {number} in the same round", number=variant.last_contract),
        )
    return Victory((last.first_finisher,), _first_to_complete(variant))


def _first_to_complete(variant: Variant) -> Phrase:
    if variant.win == "first_out_on_last":
        return say("first to go out on contract {number}", number=variant.last_contract)
    if variant.last_contract < len(variant.contracts):
        return say("first to complete contract {number}", number=variant.last_contract)
    return say_plural(
        "first to complete the contract",
        "first to complete all {count} contracts",
        variant.last_contract,
    )


def _most_completed(last: RoundResult) -> Victory:
    winners = tuple(row.seat for row in _furthest(last))
    return Victory(winners, _furthest_reason(last.number))


def _lowest_score_reason(rounds: int) -> Phrase:
    return say_plural("lowest score after 1 round", "lowest score after {count} rounds", rounds)


def _lowest_of_furthest_reason(rounds: int) -> Phrase:
    return say_plural(
        "most contracts completed after 1 round, and the lowest score of those",
        "most contracts completed after {count} rounds, and the lowest score of those",
        rounds,
    )


def _furthest_reason(rounds: int) -> Phrase:
    return say_plural(
        "most contracts completed after 1 round",
        "most contracts completed after {count} rounds",
        rounds,
    )


def _furthest(last: RoundResult) -> list[EntryResult]:
    most = max((row.contracts_completed for row in last.rows), default=0)
    return [row for row in last.rows if row.contracts_completed == most]


def _lowest_of(rows: Sequence[EntryResult]) -> tuple[int, ...]:
    least = min((row.score_after or 0 for row in rows), default=0)
    return tuple(row.seat for row in rows if (row.score_after or 0) == least)
