"""The points of a round: what the cards left in a hand cost, and the bonuses.

Points count against a player, so a bonus is negative.
"""

from dataclasses import dataclass
from typing import Literal

from app.rules.variant import Variant
from app.scorebook.finishing import ends_at_once, first_finisher
from app.scorebook.game import Entry, Game, Round
from app.scorebook.progress import Attempt, attempts, finished

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
    return payers_among(game.variant, played, attempts(game, played))


def payers_among(variant: Variant, played: Round, tried: tuple[Attempt, ...]) -> tuple[int, ...]:
    """The same where it is known what each seat tried."""
    if not variant.scores:
        return ()
    finisher = first_finisher(played, finished(variant, tried))
    return tuple(
        attempt.seat for attempt in tried if not pays_nothing(variant, attempt.entry, finisher)
    )


def pays_nothing(variant: Variant, entry: Entry, finisher: int | None) -> bool:
    """Is a seat free of any penalty, whatever was typed?"""
    if entry.went_out:
        return True
    return entry.seat == finisher and ends_at_once(variant) and not variant.finisher_pays


def penalty_of(variant: Variant, entry: Entry, finisher: int | None) -> int | None:
    """The points that a seat's cards count; None where blank or where no score is kept."""
    if not variant.scores:
        return None
    return 0 if pays_nothing(variant, entry, finisher) else entry.penalty


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
