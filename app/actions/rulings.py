"""A ruling is recorded, edited or removed, by a change to its game."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func, select

from app.actions.texts import validate_text
from app.actions.transaction import Change, any_game_action, game_action
from app.rules.phrases import say
from app.rules.text import collapse_blanks
from app.rules.verdicts import RecordedVerdict
from app.scorebook.events.event import require_seat
from app.scorebook.events.games import events_to_change_rule
from app.scorebook.events.rulings import RulingEdited, RulingRecorded, RulingState
from app.scorebook.limits import MOST_RULINGS
from app.scorebook.refusals import refusal
from app.store.games import RecordedRuling


@dataclass(frozen=True, slots=True)
class NewRuling:
    """A ruling to record; `rule_change` names a house rule and its new value."""

    question: str
    verdict: RecordedVerdict
    asking_seat: int | None = None
    decision: str = ""
    reason: str = ""
    rule_change: tuple[str, str] | None = None


@game_action
def record_ruling(change: Change, ruling: NewRuling) -> None:
    """Record a ruling with the number of the open round, and change the house rule that it names.

    In a game that is over the number is one more than it has rounds, and a ruling that names a
    house rule is refused. Raises `Refused`.
    """
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
    text, plain = ruling.verdict.english_text, ruling.verdict.to_dict()
    change.session.add(
        RecordedRuling(
            game_id=game_id,
            round_number=number,
            at=change.actor.at,
            device_id=change.actor.device,
            question=question,
            verdict=text,
            recorded_verdict=plain,
            asking_seat_id=seat,
            decision=decision,
            reason=reason,
        )
    )
    recorded = RulingRecorded(
        number, seat, question, recorded_verdict=plain, verdict_text=text, decision=decision
    )
    change.record([recorded])
    if ruling.rule_change is not None:
        change.record(events_to_change_rule(change.game, *ruling.rule_change))


@any_game_action
def edit_ruling(
    change: Change, ruling: int, decided: str, reason: str, seen: tuple[str, str] | None
) -> None:
    """Edit what was decided, and why.

    Raises `Refused`, also where either is no longer as it was `seen`, if that is said.
    """
    before = _state(_ruling(change, ruling))
    if seen is not None and (before["decided"], before["reason"]) != seen:
        raise _changed("decided")
    decided = validate_text("decided", collapse_blanks(decided), RecordedRuling.decision)
    reason = validate_text("reason", collapse_blanks(reason), RecordedRuling.reason)
    _record(change, before, {**before, "decided": decided, "reason": reason})


@any_game_action
def remove_ruling(change: Change, ruling: int) -> None:
    """Take a ruling out of the lists; its removal can be undone. Raises `Refused`."""
    before = _state(_ruling(change, ruling))
    _record(change, before, {**before, "removed": True})


def keep_rulings(change: Change) -> None:
    """Store what the change says of rulings. Raises `Refused` where they have changed since."""
    for event in change.events:
        if isinstance(event, RulingEdited):
            before, after = event.before, event.after
            rulings = select(RecordedRuling).where(RecordedRuling.game_id == change.loaded.id)
            kept = next(
                (one for one in change.session.scalars(rulings) if _state(one) == before), None
            )
            if kept is None:
                raise _changed("undo")
            kept.decision, kept.reason = after["decided"], after["reason"]
            kept.removed_at = change.actor.at if after["removed"] else None


def _record(change: Change, before: RulingState, after: RulingState) -> None:
    if before != after:
        change.record([RulingEdited(before, after)])
        keep_rulings(change)


def _ruling(change: Change, ruling: int) -> RecordedRuling:
    found = change.session.get(RecordedRuling, ruling)
    if found is None or found.game_id != change.loaded.id or found.removed_at is not None:
        raise refusal("decided", say("That ruling isn’t there anymore."))
    return found


def _state(ruling: RecordedRuling) -> RulingState:
    at: datetime = ruling.at
    return {
        "ruling": at.astimezone(UTC).isoformat(),
        "decided": ruling.decision,
        "reason": ruling.reason,
        "removed": ruling.removed_at is not None,
    }


def _changed(field: str) -> Exception:
    return refusal(field, say("That ruling has changed since. Look at it again."))
