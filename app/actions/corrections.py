"""Correcting a score beside the cards."""

from dataclasses import replace

from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.texts import validate_text
from app.actions.transaction import open_change
from app.rules.text import collapse_blanks
from app.scorebook import corrections
from app.scorebook.course import Correction
from app.store.log import LogEntry


def correct_score(session: Session, game_id: int, correction: Correction, actor: Actor) -> None:
    """Add points to a seat's score from a round on. Raises `Refused`."""
    reason = validate_text("reason", collapse_blanks(correction.reason), LogEntry.reason)
    change = open_change(session, game_id, actor)
    if not change.is_repeat:
        said = replace(correction, reason=reason)
        change.record(corrections.events_to_correct(change.game, said))
    change.commit()


def remove_correction(session: Session, game_id: int, correction: Correction, actor: Actor) -> None:
    """Remove a correction; nothing changes where there is none like it. Raises `Refused`."""
    change = open_change(session, game_id, actor)
    if not change.is_repeat:
        change.record(corrections.events_to_remove_correction(change.game, correction))
    change.commit()
