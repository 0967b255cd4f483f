"""Undoing one of the last changes to a game: as a new change, so that the log keeps both.

The events that one request recorded are undone together. What others changed since is never
overwritten: then the later change is to be undone first.
"""

from app.actions.transaction import Change, game_action
from app.scorebook.events.games import ChangeUndone
from app.scorebook.refusals import StaleVersion
from app.scorebook.undo import inverse_events
from app.store.queries.log import change_with


@game_action
def undo_change(change: Change, version: int) -> None:
    """Undo the change that the event with that version belongs to.

    Raises `Refused` where it cannot be undone or was changed again since, `StaleVersion` for a
    version that is not there.
    """
    recorded = change_with(change.session, change.loaded.id, version)
    if not recorded:
        raise StaleVersion(change.loaded.version)
    events = [one.event for one in recorded]
    change.record(inverse_events(change.game, events))
    change.record([ChangeUndone(events[0].to_log().round_number, version)])
