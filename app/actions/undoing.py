"""Undoing one of the last changes to a game: as a new change, so that the log keeps both.

The events that one request recorded are undone together. What others changed since is never
overwritten: then the later change is to be undone first.
"""

from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.faults import StaleVersion
from app.actions.transaction import open_change
from app.scorebook.events.games import ChangeUndone
from app.scorebook.undo import inverse_events
from app.store.queries.log import change_with


def undo_change(session: Session, game_id: int, version: int, actor: Actor) -> None:
    """Undo the change that the event with that version belongs to.

    Raises `Refused` where it cannot be undone or was changed again since, `StaleVersion` for a
    version that is not there.
    """
    change = open_change(session, game_id, actor)
    if change.is_repeat:
        return
    recorded = change_with(session, game_id, version)
    if not recorded:
        raise StaleVersion(change.loaded.version)
    events = [one.event for one in recorded]
    change.record(inverse_events(change.game, events))
    change.record([ChangeUndone(events[0].to_log().round_number, version)])
    change.commit()
