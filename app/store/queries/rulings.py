"""Reads of what was disputed in a game, and of the rules that hold in each of its rounds."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.rules.loading import FaultyRules, with_house_rules
from app.rules.variant import Variant
from app.store.games import KeptSeat
from app.store.groups import Player
from app.store.rulings import RecordedRuling, RuleChange


@dataclass(frozen=True, slots=True)
class Dispute:
    """A recorded ruling as it is shown."""

    round_number: int
    at: datetime
    question: str
    verdict: str
    said: Mapping[str, Any] | None
    asked_by: str
    decided: str
    reason: str


@dataclass(frozen=True, slots=True)
class ChangedRule:
    """A house rule that was switched on during a game."""

    from_round: int
    field: str
    value: Any


def disputes_of(session: Session, game_id: int) -> Sequence[Dispute]:
    """What was disputed in a game, in the order in which it was recorded."""
    rows = session.execute(
        select(
            RecordedRuling.round_number,
            RecordedRuling.at,
            RecordedRuling.question,
            RecordedRuling.verdict,
            RecordedRuling.said,
            func.coalesce(Player.name, ""),
            RecordedRuling.decided,
            RecordedRuling.reason,
        )
        .outerjoin(KeptSeat, KeptSeat.id == RecordedRuling.asked_by_id)
        .outerjoin(Player, Player.id == KeptSeat.player_id)
        .where(RecordedRuling.game_id == game_id)
        .order_by(RecordedRuling.id)
    )
    return [Dispute(*row) for row in rows]


def changed_rules_of(session: Session, game_id: int) -> Sequence[ChangedRule]:
    """The house rules that were switched on during a game, oldest first."""
    rows = session.execute(
        select(RuleChange.from_round, RuleChange.field, RuleChange.value)
        .where(RuleChange.game_id == game_id)
        .order_by(RuleChange.from_round, RuleChange.id)
    )
    return [ChangedRule(*row) for row in rows]


def rules_in_round(variant: Variant, changes: Sequence[ChangedRule], number: int) -> Variant:
    """The rules that hold in a round: the game's own, with what was switched on by then.

    A change that does not fit those before it holds no more: rounds that were opened again may have
    brought an earlier one since.
    """
    held = variant
    for change in changes:
        if change.from_round <= number:
            with suppress(FaultyRules):
                held = with_house_rules(held, {change.field: change.value})
    return held
