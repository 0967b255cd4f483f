"""Undoing a change to a game: the events that take it back."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from app.rules.phrases import say
from app.scorebook.events.attendance import JoinUndone
from app.scorebook.events.corrections import ScoreCorrected
from app.scorebook.events.entries import EntryChanged, EntryEvent, events_to_reach
from app.scorebook.events.event import Event, Subject, UnknownEvent, apply_all, no_way_back
from app.scorebook.events.games import ChangeUndone, GameRestored, GameStarted, events_to_play_on
from app.scorebook.events.rounds import RoundEdited, RoundEnded, RoundReopened, check_round
from app.scorebook.events.seats import HandOverUndone, refuse_two_seats
from app.scorebook.game import Game
from app.scorebook.refusals import ConfirmationNeeded, Refused, refusal, refuse_growth
from app.scorebook.round_results import is_over
from app.scorebook.warnings import FEW_LEFT, ROUNDS_AFTER_END, find_warnings


def can_be_undone(game: Game, events: Sequence[Event]) -> bool:
    """Can such a change be undone, as far as the events' kinds and the last round tell?"""
    if any(isinstance(one, JoinUndone | HandOverUndone | UnknownEvent) for one in events):
        return False  # who joins or takes over again does so anew
    ended = [one for one in events if isinstance(one, RoundEnded)]
    if ended:
        return any(one.round_number == len(game.rounds) for one in ended)
    if all(isinstance(one, ChangeUndone) for one in events):
        return True
    if any(isinstance(one, RoundEdited | EntryEvent) for one in events):
        return not any(isinstance(one, GameStarted) for one in events)
    return any(map(_has_inverse, events))


def subjects_to_undo(events: Sequence[Event]) -> frozenset[Subject]:
    """What undoing such a change would put back: what else was done about it since comes first."""
    of_end = [one for one in events if isinstance(one, RoundEnded)]
    others = [one for one in events if isinstance(one, EntryEvent) or _has_inverse(one)]
    subjects = [one.subjects for one in of_end] or [one.subjects for one in others]
    return frozenset[Subject]().union(*subjects)


def game_without(game: Game, events: Sequence[Event]) -> Game | None:
    """The game as it is once that change is undone; None where that would not be done.

    Whether an ended round then holds together is not looked at: it goes through all rounds, and
    many changes are asked about.
    """
    try:
        return apply_all(game, events_to_undo(game, events, checks=False))
    except Refused:
        return None


def is_worth_telling(events: Sequence[Event]) -> bool:
    """Is a change as such worth telling to who made it? Taps show for themselves.

    `own_change` in `app/web/activity.py` tells the end of a round and a new name besides; a new
    ruling is told by the page that shows it.
    """
    others = RoundEdited | RoundReopened | ChangeUndone | GameRestored
    return any(isinstance(one, others) or _has_inverse(one) for one in events)


def events_to_undo(
    game: Game, events: Sequence[Event], *, checks: bool = True
) -> tuple[Event, ...]:
    """The events that take a change back.

    Raises `Refused` where that cannot be, the game would come to more than it can hold or, if
    `checks`, an ended round would not hold together.
    """
    if not can_be_undone(game, events) or _goes_through_rounds_often(game, events):
        raise no_way_back()
    for event in events:
        if isinstance(event, RoundEnded):
            return (*events_to_play_on(game), RoundReopened(event.round_number))
    of_rounds = defaultdict[int, list[EntryEvent]](list)
    for event in events:
        if isinstance(event, EntryEvent):
            of_rounds[event.round_number].append(event)
    steps = [one.inverse_events for one in reversed(events) if _has_inverse(one)]
    edited = any(isinstance(one, RoundEdited | ChangeUndone) for one in events)
    steps += [
        partial(_undo_entries, events=those, edited=edited, checks=checks)
        for those in of_rounds.values()
    ]
    after, undoing = game, list[Event]()
    for step in steps:
        for event in step(after):
            after = event.apply(after)
            refuse_growth(game, after)
            undoing.append(event)
    refuse_two_seats(after, "undo")
    return tuple(undoing)


def _goes_through_rounds_often(game: Game, events: Sequence[Event]) -> bool:
    """Is it about several ended rounds, or corrections of a stopped game? Imported logs may be."""
    edited = {one.round_number for one in events if isinstance(one, EntryEvent)}
    corrected = sum(isinstance(one, ScoreCorrected) for one in events) if game.stopped else 0
    return max(corrected, sum(map(game.is_round_ended, edited))) > 1


def _has_inverse(event: Event) -> bool:
    return type(event).inverse_events is not Event.inverse_events


def _undo_entries(
    game: Game, events: Sequence[EntryEvent], *, edited: bool, checks: bool
) -> tuple[Event, ...]:
    """Put the round of these events back; an ended one must hold together after it, if `checks`.

    What the table let stand is not asked again: what looks wrong now, and what did before the round
    was `edited`, unless later rounds, which may have been played since, would not count. Few points
    come back in any case: the round may have ended before it was asked. In a game that is over that
    is an edit.
    """
    number = events[0].round_number
    if not _belong_together(game, events, number):
        raise no_way_back()
    changed = game.round(number)
    for event in reversed(events):
        changed = event.undo_in_round(game, changed)
    if checks and game.is_round_ended(number):
        stood = find_warnings(game, game.round(number))
        let_stand = (
            one
            for one in find_warnings(game, changed)
            if one in stood or one.code in FEW_LEFT or (edited and one.code != ROUNDS_AFTER_END)
        )
        try:
            check_round(game, changed, [one.acceptance for one in let_stand])
        except ConfirmationNeeded as asked:
            message = say("{oddity} Edit the round instead.", oddity=asked.warnings[0].message)
            raise refusal("undo", message) from None
        except Refused:
            message = say(
                "This can’t be undone alone: round {number} has ended and counts on it. Edit the "
                "round instead.",
                number=number,
            )
            raise refusal("undo", message) from None
    undone = events_to_reach(game, changed)
    if is_over(game) and game.is_round_ended(number):
        return (*undone, RoundEdited(number))
    return undone


def _belong_together(game: Game, events: Sequence[EntryEvent], number: int) -> bool:
    """Are these changes of a round that something is entered for, and of the game's players?

    An imported log may say anything.
    """
    entered = game.is_round_ended(number) or any(one.number == number for one in game.drafts)
    return entered and all(
        not isinstance(one, EntryChanged) or one.seat in game.names for one in events
    )
