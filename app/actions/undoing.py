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
from app.store.queries.log import group_by_change, log_since


def undo_change(session: Session, game_id: int, version: int, actor: Actor) -> None:
    """Undo the change that the event with that version belongs to.

    Raises `Refused` where it cannot be undone or was changed again since, `StaleVersion` for a
    version that is not there.
    """
    change = open_change(session, game_id, actor)
    if change.is_repeat:
        return
    for recorded in group_by_change(log_since(session, game_id, 0)):
        if any(one.version == version for one in recorded):
            events = [one.event for one in recorded]
            change.record(inverse_events(change.game, events))
            number = events[0].to_log().round_number
            change.record([ChangeUndone(number, version)])
            change.commit()
            return
    raise StaleVersion(change.loaded.version)
