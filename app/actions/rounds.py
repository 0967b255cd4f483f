"""What happens in a round: it is entered, ended, edited, reopened, noted, corrected.

The open round belongs to the table: each tap is stored at once, as a value that is set, so that the
same one twice comes to what it came to once. Ending and editing take the whole round as a form
holds it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy.orm import Session

from app.actions.requests import REFUSED, UNREADABLE, Actor, keep_request_result
from app.actions.texts import validate_text
from app.actions.transaction import Change, game_action, open_change, recording
from app.rules.text import collapse_blanks
from app.scorebook.decisions import Correction
from app.scorebook.events import corrections
from app.scorebook.events.dealing import events_to_correct_dealer
from app.scorebook.events.entries import Tap, events_to_reach, with_points_back
from app.scorebook.events.event import Event, Subject, refuse_when_over
from app.scorebook.events.games import events_to_play_on
from app.scorebook.events.rounds import (
    RoundEdited,
    RoundNoted,
    RoundReopened,
    events_to_edit_round,
    events_to_end_round,
    events_to_note,
    validated_round,
)
from app.scorebook.game import Game, Round
from app.scorebook.refusals import Conflict, NotApplied, Notice, Refused, StaleVersion
from app.store.games import LogEntry
from app.store.queries.games import LoadedGame
from app.store.queries.log import count_since, last_actor_of, log_of_round


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a round is ended or edited on: version seen, warnings overruled, why it is edited."""

    seen_version: int | None = None
    accepted: frozenset[str] = frozenset()
    reason: str = ""


class Transition(NamedTuple):
    """A game before and after a tap; twice the same one where the tap changed nothing."""

    before: LoadedGame
    after: LoadedGame


def apply_tap(
    session: Session,
    actor: Actor,
    game_id: int,
    tap: Tap,
    *,
    seen_version: int | None = None,
    remember_refusal: bool = False,
) -> Transition:
    """Carry out a tap on the open round.

    A tap that says nothing new changes nothing. `seen_version` is the one that its person knew.
    Raises `StaleVersion` if the round is not the open one, `Conflict` where a person has to choose,
    `Refused` for what cannot be recorded, or where it sets something of an entry whose points
    cannot be read, even if they were typed before it; and what `open_change` raises.

    `remember_refusal` says that the device takes it as final when the tap is refused (for any other
    reason than that the game's log is full), in conflict, or its round is not the open one: then a
    repeat of the tap is not carried out, either. One on an entry with points that cannot be read is
    stored, then `Refused` is raised.

    A repeat of a tap that was carried out does nothing. A repeat of one whose refusal is remembered
    is never carried out. A repeat of one whose points could not be read is refused again, unless
    they can be read by now, or what was tapped was entered anew since.
    """
    change = open_change(session, actor, game_id)
    if change.earlier_result == "":  # carried out before, whatever became of its round since
        return Transition(change.loaded, change.commit())
    try:
        events, unreadable = _read_tap(change, tap, seen_version)
        if unreadable is not None and not remember_refusal:
            raise Refused((unreadable,))
    except NotApplied:
        if remember_refusal:
            keep_request_result(session, actor, REFUSED)
            session.commit()
        raise
    if not change.is_repeat:
        change.record(events)
        if unreadable is not None:
            keep_request_result(session, actor, UNREADABLE)
    after = change.commit()
    # A repeat that would change something: the field says something else by now.
    entered_anew = change.is_repeat and events
    if unreadable is not None and not entered_anew:
        raise Refused((unreadable,))
    return Transition(change.loaded, after)


def _read_tap(
    change: Change, tap: Tap, seen_version: int | None
) -> tuple[Sequence[Event], Notice | None]:
    """The events of a tap, and why its points cannot be read, if so. Raises as `apply_tap`."""
    _require_open_round(change, tap.number)
    entered, unreadable = tap.round_after(change.game)
    latest_first = _latest_first(change, tap.number)
    events = events_to_reach(change.game, with_points_back(change.game, tap, entered, latest_first))
    if events and change.earlier_result == REFUSED:
        raise Conflict(change.loaded.version)
    if events and not change.is_repeat:
        # Only a void deal is about the round as a whole.
        about = tap.subjects | {Subject("round", tap.number)}
        _refuse_conflict(change, seen_version, tap.number, about)
    return events, unreadable


def _latest_first(change: Change, number: int) -> Iterator[Event]:
    """The events of a round, the last one first; the log is read only if one is asked for."""
    for one in reversed(log_of_round(change.session, change.loaded.id, number, 0)):
        yield one.event


@game_action
def save_open_round(change: Change, entered: Round) -> None:
    """Store the whole open round as a form holds it, without ending it.

    Raises `StaleVersion` if the round is not the open one, `Refused` for what cannot be recorded.
    """
    _require_open_round(change, entered.number)
    change.record(events_to_reach(change.game, validated_round(change.game, entered)))


@game_action
def end_round(change: Change, entered: Round, confirmation: Confirmation) -> None:
    """End the open round with what the form holds.

    Raises `StaleVersion` when the game was changed since the device showed it or the round is not
    the open one, `Refused` for contradictions, `ConfirmationNeeded` for warnings not accepted.
    """
    change.refuse_unless_seen(confirmation.seen_version)
    if entered.number != change.open_number:
        raise StaleVersion(change.loaded.version)
    change.record(events_to_end_round(change.game, entered, confirmation.accepted))


@game_action
def edit_round(
    change: Change,
    entered: Round,
    confirmation: Confirmation,
    note: str | None = None,
    dealer: int | None = None,
) -> None:
    """Change an ended round; everything after it follows.

    Raises as `end_round`, `StaleVersion` for a round that has not ended. `note` is the note on
    the round from now on, `dealer` the seat that dealt it; None where it stays.
    """
    change.refuse_unless_seen(confirmation.seen_version)
    if not change.game.is_round_ended(entered.number):
        raise StaleVersion(change.loaded.version)
    reason = validate_text("reason", confirmation.reason.strip(), LogEntry.reason)
    dealt = dealer and events_to_correct_dealer(change.game, entered.number, dealer)
    change.record(dealt or ())
    edits = events_to_edit_round(change.game, entered, confirmation.accepted, reason)
    change.record(edits or (dealt and [RoundEdited(entered.number, reason)]) or ())
    if note is not None:
        _note_round(change, entered.number, note)


@game_action
def reopen_round(change: Change, number: int) -> None:
    """Reopen the round that ended last. Raises `StaleVersion` for any other."""
    if number < 1 or number != len(change.game.rounds):
        raise StaleVersion(change.loaded.version)
    change.record([*events_to_play_on(change.game), RoundReopened(number)])


@game_action
def apply_decision(
    change: Change, number: int, decision: Callable[[Game], Iterable[Event]]
) -> None:
    """Carry out what the table decided about the open round (`scorebook.events`).

    Raises `StaleVersion` for any other round, `Refused` where it cannot be.
    """
    _require_open_round(change, number)
    change.record(decision(change.game))


def _require_open_round(change: Change, number: int) -> None:
    if number != change.open_number:
        raise StaleVersion(change.loaded.version)
    refuse_when_over(change.game)


def _refuse_conflict(
    change: Change, seen_version: int | None, number: int, about: Set[Subject]
) -> None:
    """Raise `Conflict` where what a tap is about was changed elsewhere since `seen_version`.

    Also where the log has gaps after that version, as after a restored backup.
    """
    if seen_version in (None, change.loaded.version):
        return
    session, game = change.session, change.loaded.id
    if count_since(session, game, seen_version) != change.loaded.version - seen_version:
        raise Conflict(change.loaded.version)
    for one in reversed(log_of_round(session, game, number, seen_version)):
        if one.device_id != change.actor.device and about & one.event.subjects:
            raise Conflict(change.loaded.version, one.actor_name, one.device_id)


@game_action
def correct_score(change: Change, correction: Correction) -> None:
    """Add points to a seat's score from a round on, or subtract some. Raises `Refused`."""
    reason = validate_text("reason", collapse_blanks(correction.reason), LogEntry.reason)
    change.record(corrections.events_to_correct(change.game, replace(correction, reason=reason)))


remove_correction = recording(corrections.events_to_remove_correction)


@game_action
def note_round(change: Change, number: int, note: str, seen: str | None = None) -> None:
    """Write a line about a round, or remove it where it is blank.

    Raises `Conflict` where another was written meanwhile than the one `seen`, `Refused`.
    """
    if seen is not None and not change.is_repeat:
        kept = change.game.decisions.note_on(number)
        if kept not in (seen, collapse_blanks(note)):
            other = last_actor_of(change.session, change.loaded.id, RoundNoted, number)
            raise Conflict(change.loaded.version, *other)
    _note_round(change, number, note)


def _note_round(change: Change, number: int, note: str) -> None:
    note = validate_text("note", collapse_blanks(note), LogEntry.reason)
    change.record(events_to_note(change.game, number, note))
