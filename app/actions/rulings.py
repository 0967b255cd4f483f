"""Recording a dispute, and switching a house rule on for the rest of a game."""

from dataclasses import dataclass

from sqlalchemy import func, select

from app.actions.texts import validate_text
from app.actions.transaction import Change, game_action
from app.rules.phrases import say
from app.rules.recorded_verdicts import RecordedVerdict
from app.scorebook.events.event import require_seat
from app.scorebook.events.games import RulingRecorded, events_to_switch_rule
from app.scorebook.limits import MOST_RULINGS
from app.scorebook.refusals import refusal
from app.store.games import RecordedRuling


@dataclass(frozen=True, slots=True)
class NewRuling:
    """A dispute to record; `rule_change` names a house rule and its new value."""

    question: str
    verdict: RecordedVerdict
    asking_seat: int | None = None
    decision: str = ""
    reason: str = ""
    rule_change: tuple[str, str] | None = None


@game_action
def record_ruling(change: Change, ruling: NewRuling) -> None:
    """Record a dispute in the round that is being played. Raises `Refused`."""
    seat = ruling.asking_seat
    if seat is not None:
        require_seat(change.game, seat, "asked_by")
    question = validate_text("question", ruling.question, RecordedRuling.question)
    decision = validate_text("decided", ruling.decision.strip(), RecordedRuling.decision)
    reason = validate_text("reason", ruling.reason.strip(), RecordedRuling.reason)
    number, game_id = change.open_number, change.loaded.id
    kept = select(func.count()).where(RecordedRuling.game_id == game_id)
    if (change.session.scalar(kept) or 0) >= MOST_RULINGS:
        message = say("A game can have at most {most} rulings.", most=MOST_RULINGS)
        raise refusal("question", message)
    change.session.add(
        RecordedRuling(
            game_id=game_id,
            round_number=number,
            at=change.actor.at,
            device_id=change.actor.device,
            question=question,
            verdict=ruling.verdict.english_text,
            recorded_verdict=ruling.verdict.to_dict(),
            asking_seat_id=seat,
            decision=decision,
            reason=reason,
        )
    )
    text, plain = ruling.verdict.english_text, ruling.verdict.to_dict()
    recorded = RulingRecorded(
        number, seat, question, recorded_verdict=plain, verdict_text=text, decision=decision
    )
    change.record([recorded])
    if ruling.rule_change is not None:
        change.record(events_to_switch_rule(change.game, *ruling.rule_change))
