"""Undoing a change to a game: the events that take it back."""

from collections.abc import Sequence

from app.rules.phrases import say
from app.scorebook.events.event import Event, apply
from app.scorebook.events.games import GameStarted, GameStopped
from app.scorebook.events.rounds import (
    EntryChanged,
    EntryEvent,
    RoundEdited,
    RoundEnded,
    changes_to,
)
from app.scorebook.game import Game
from app.scorebook.history import is_over
from app.scorebook.refusals import ConfirmationNeeded, check_round, refusal
from app.scorebook.rounds import events_to_reopen_round


def can_be_undone(game: Game, events: Sequence[Event]) -> bool:
    """Can a change that was recorded as these events be undone, as far as its kinds tell?"""
    ended = [one for one in events if isinstance(one, RoundEnded)]
    if ended:
        return any(one.round_number == len(game.rounds) for one in ended)
    if is_over(game) and not game.is_reopened:
        return game.stopped is not None and any(isinstance(one, GameStopped) for one in events)
    if any(isinstance(one, RoundEdited | EntryEvent) for one in events):
        return not any(isinstance(one, GameStarted) for one in events)
    return any(map(_undoes_itself, events))


def inverse_events(game: Game, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events that take a change back. Raises `Refused` where something changed again since."""
    if not can_be_undone(game, events):
        raise refusal("undo", say("This change can’t be undone here."))
    for event in events:
        if isinstance(event, RoundEnded):
            return events_to_reopen_round(event.round_number)
    undone: tuple[Event, ...] = ()
    for event in reversed(events):
        if _undoes_itself(event):
            undone += event.inverse_events(apply(game, undone))
    entries = [one for one in events if isinstance(one, EntryEvent)]
    return undone + _undo_entries(apply(game, undone), entries)


def _undoes_itself(event: Event) -> bool:
    return type(event).inverse_events is not Event.inverse_events


def _undo_entries(game: Game, events: Sequence[EntryEvent]) -> tuple[Event, ...]:
    """Put a round back; an ended one must hold together after it as before."""
    if not events:
        return ()
    number = events[0].round_number
    if not _belong_together(game, events, number):
        raise refusal("undo", say("This change can’t be undone here."))
    changed = game.round(number)
    for event in reversed(events):
        changed = event.undo_in_round(game, changed)
    if game.is_round_ended(number):
        try:
            check_round(game, changed)
        except ConfirmationNeeded as doubted:
            message = say("{oddity} Edit the round instead.", oddity=doubted.warnings[0].message)
            raise refusal("undo", message) from None
    return changes_to(game, changed)


def _belong_together(game: Game, events: Sequence[EntryEvent], number: int) -> bool:
    """Are these changes of one round that something is entered for, and of the game's players?

    An imported log may say anything.
    """
    entered = game.is_round_ended(number) or any(one.number == number for one in game.drafts)
    return entered and all(
        one.round_number == number and (not isinstance(one, EntryChanged) or one.seat in game.names)
        for one in events
    )
