"""The points of a round: what the cards left in a hand cost, and the bonuses.

Points count against a player, so a bonus is negative.
"""

from collections.abc import Set
from dataclasses import dataclass
from typing import Literal

from app.rules.variant import Variant
from app.scorebook.finishing import first_finisher, is_finisher_exempt
from app.scorebook.game import Entry, Game, Round
from app.scorebook.progress import Attempt, finishers_among, round_attempts

BonusKind = Literal["go_out", "completion", "exact_deal"]


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points that a seat got for something, as they are added to its score (so -25 helps)."""

    kind: BonusKind
    points: int


def penalty_payers(game: Game, played: Round) -> tuple[int, ...]:
    """The seats of which the table must say what their cards cost in this round.

    None where no score is kept; nor a seat that does not play, went out, or need not pay for the
    cards it still holds because it laid the last contract first. Where several laid it and nobody
    has said yet who was first, all of them must.
    """
    return payers_among(game.variant, played, round_attempts(game, played))


def payers_among(variant: Variant, played: Round, tried: tuple[Attempt, ...]) -> tuple[int, ...]:
    """The same where it is known what each seat tried."""
    if not variant.scores:
        return ()
    finisher = first_finisher(played, finishers_among(variant, tried))
    free = exempt_seats(variant, tried, finisher)
    return tuple(attempt.seat for attempt in tried if attempt.seat not in free)


def exempt_seats(
    variant: Variant, tried: tuple[Attempt, ...], finisher: int | None
) -> frozenset[int | None]:
    """The seats that pay nothing, whatever was typed; `finisher` was first with the last contract.

    These are who went out and, by default, the finisher whose contract ended the round.
    """
    out = {attempt.seat for attempt in tried if attempt.entry.went_out}
    return frozenset(out | ({finisher} if is_finisher_exempt(variant, tried) else set()))


def penalty_of(variant: Variant, entry: Entry, free: Set[int | None]) -> int | None:
    """The points that a seat's cards count; None where blank or where no score is kept."""
    if not variant.scores:
        return None
    return 0 if entry.seat in free else entry.penalty


def bonuses_of(
    variant: Variant, attempt: Attempt, dealer: int | None, finisher: int | None
) -> tuple[Bonus, ...]:
    """The bonuses of a seat in a round; they add up. None where no score is kept."""
    if not variant.scores:
        return ()
    offered: tuple[tuple[BonusKind, bool, int], ...] = (
        ("go_out", attempt.entry.went_out, variant.go_out_bonus),
        ("completion", attempt.seat == finisher, variant.completion_bonus),
        (
            "exact_deal",
            attempt.entry.exact_deal and attempt.seat == dealer,
            variant.exact_deal_bonus,
        ),
    )
    return tuple(Bonus(kind, points) for kind, earned, points in offered if earned and points)
