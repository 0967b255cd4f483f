"""Correcting a score beside the cards."""

from dataclasses import replace

from app.actions.texts import validate_text
from app.actions.transaction import Change, game_action
from app.rules.text import collapse_blanks
from app.scorebook.course import Correction
from app.scorebook.events import corrections
from app.store.log import LogEntry


@game_action
def correct_score(change: Change, correction: Correction) -> None:
    """Add points to a seat's score from a round on. Raises `Refused`."""
    reason = validate_text("reason", collapse_blanks(correction.reason), LogEntry.reason)
    change.record(corrections.events_to_correct(change.game, replace(correction, reason=reason)))


@game_action
def remove_correction(change: Change, correction: Correction) -> None:
    """Remove a correction; nothing changes where there is none like it. Raises `Refused`."""
    change.record(corrections.events_to_remove_correction(change.game, correction))
