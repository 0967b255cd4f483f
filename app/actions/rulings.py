"""Rulings that were recorded are edited or removed, by a change to their game."""

from datetime import UTC, datetime

from sqlalchemy import select

from app.actions.texts import validate_text
from app.actions.transaction import Change, any_game_action
from app.rules.phrases import say
from app.rules.text import collapse_blanks
from app.scorebook.events.rulings import RulingEdited, RulingState
from app.scorebook.refusals import refusal
from app.store.games import RecordedRuling


@any_game_action
def edit_ruling(
    change: Change, ruling: int, decided: str, reason: str, seen: tuple[str, str]
) -> None:
    """Put otherwise what was decided, and why. Raises `Refused`, as where it is not as `seen`."""
    before = _state(_ruling(change, ruling))
    if (before["decided"], before["reason"]) != seen:
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
