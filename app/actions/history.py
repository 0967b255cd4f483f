"""What people do to a game beside playing it: name it, put it away, bin it, share its result."""

import secrets
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.faults import refusal
from app.actions.texts import validate_text
from app.actions.transaction import open_change
from app.rules.phrases import say
from app.rules.text import collapse_blanks
from app.scorebook.events import games as events
from app.store.games import StoredGame
from app.store.queries.history import KEEP_DELETED


def describe_game(session: Session, game_id: int, title: str, note: str, actor: Actor) -> None:
    """Give a game a name and a note; empty ones take them away. Raises `Refused`."""
    title = validate_text("title", collapse_blanks(_visible(title)), StoredGame.title)
    note = validate_text("note", _visible(note), StoredGame.note)
    change = open_change(session, game_id, actor, allow_results_only=True)
    if change.is_repeat:
        return
    kept = change.stored_game
    before, after = events.Description(), events.Description()
    if kept.title != title:
        before["title"], after["title"] = kept.title, title
    if kept.note != note:
        before["note"], after["note"] = kept.note, note
    if after:
        kept.title, kept.note = title, note
        change.record([events.GameDescribed(before, after)])
    change.commit()


def archive_game(session: Session, game_id: int, actor: Actor, *, archived: bool) -> None:
    """Put a game out of the way of lists, or back; it counts all the same."""
    change = open_change(session, game_id, actor, allow_results_only=True)
    if not change.is_repeat and (change.stored_game.archived_at is not None) != archived:
        change.stored_game.archived_at = actor.at if archived else None
        change.record([events.GameArchived() if archived else events.GameUnarchived()])
    change.commit()


def delete_game(session: Session, game_id: int, actor: Actor) -> None:
    """Delete a game into the bin, from where it can be taken back for 30 days.

    What has lain there longer goes for good on this occasion.
    """
    change = open_change(session, game_id, actor, allow_results_only=True)
    if change.is_repeat:
        return
    if change.stored_game.deleted_at is not None:
        change.commit()
        return
    change.stored_game.deleted_at, change.stored_game.share_key = actor.at, None
    change.record([events.GameDeleted()])
    change.commit()
    purge_deleted(session, actor.at)


def restore_game(session: Session, group: int, key: str, actor: Actor) -> None:
    """Take a game of that group out of the bin; it counts again. Raises `Refused`."""
    found = session.execute(
        select(StoredGame.id, StoredGame.deleted_at).where(
            StoredGame.group_id == group, StoredGame.key == key
        )
    ).first()
    if found is None:
        raise refusal("game", say("That game is no longer in Recently deleted."))
    change = open_change(session, found.id, actor, allow_results_only=True)
    if change.is_repeat:
        return
    if found.deleted_at is None or found.deleted_at <= actor.at - KEEP_DELETED:
        raise refusal("game", say("That game is no longer in Recently deleted."))
    change.stored_game.deleted_at = None
    change.record([events.GameRestored()])
    change.commit()


def purge_deleted(session: Session, now: datetime) -> int:
    """Delete for good what has lain in the bin for 30 days; answers how many games that were."""
    long_ago = StoredGame.deleted_at <= now - KEEP_DELETED
    ids = session.scalars(select(StoredGame.id).where(long_ago)).all()
    session.execute(delete(StoredGame).where(long_ago))
    session.commit()
    return len(ids)


def share_result(session: Session, game_id: int, actor: Actor, *, shared: bool) -> None:
    """Let strangers who are given an address see a game's final table, or no longer.

    Sharing it again makes a new address; the old one stays dead. Raises `Refused` for a game that
    has no result.
    """
    change = open_change(session, game_id, actor, allow_results_only=True)
    game = change.stored_game
    if change.is_repeat:
        return
    if (game.share_key is not None) == shared:
        change.commit()
        return
    if shared and game.stopped == "no_result":
        raise refusal("share", say("This game stopped without a result."))
    if shared and game.finished_at is None:
        raise refusal("share", say("The game isn’t over yet."))
    game.share_key = secrets.token_urlsafe(16) if shared else None
    change.record([events.ResultShared() if shared else events.ResultUnshared()])
    change.commit()


def _visible(typed: str) -> str:
    """The text without what cannot be seen, but with its line breaks."""
    text = typed.replace("\r\n", "\n").replace("\r", "\n").strip()
    return "".join(letter for letter in text if letter == "\n" or letter.isprintable())
