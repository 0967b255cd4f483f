"""What people do to a game beside playing it: name it, put it away, bin it, share its result."""

import secrets
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.texts import validate_text
from app.actions.transaction import Change, any_game_action
from app.rules.phrases import say
from app.rules.text import collapse_blanks
from app.scorebook.events import games as events
from app.scorebook.refusals import refusal
from app.store.games import StoredGame
from app.store.queries.history import KEEP_DELETED


@any_game_action
def describe_game(change: Change, title: str, note: str) -> None:
    """Give a game a name and a note; empty ones take them away. Raises `Refused`."""
    title = validate_text("title", collapse_blanks(_visible(title)), StoredGame.title)
    note = validate_text("note", _visible(note), StoredGame.note)
    kept = change.stored_game
    before, after = events.Description(), events.Description()
    if kept.title != title:
        before["title"], after["title"] = kept.title, title
    if kept.note != note:
        before["note"], after["note"] = kept.note, note
    if after:
        kept.title, kept.note = title, note
        change.record([events.GameDescribed(before, after)])


@any_game_action
def archive_game(change: Change, *, archived: bool) -> None:
    """Put a game out of the way of lists, or back; it counts all the same."""
    if (change.stored_game.archived_at is not None) != archived:
        change.stored_game.archived_at = change.actor.at if archived else None
        change.record([events.GameArchived() if archived else events.GameUnarchived()])


@any_game_action
def delete_game(change: Change) -> None:
    """Delete a game into the bin, from where it can be taken back for 30 days.

    What has lain there longer goes for good on this occasion.
    """
    if change.stored_game.deleted_at is None:
        change.stored_game.deleted_at, change.stored_game.share_key = change.actor.at, None
        change.record([events.GameDeleted()])
    purge_deleted(change.session, change.actor.at)


def restore_game(session: Session, actor: Actor, group: int, key: str) -> None:
    """Take a game of that group out of the bin; it counts again. Raises `Refused`."""
    found = session.scalar(
        select(StoredGame.id).where(StoredGame.group_id == group, StoredGame.key == key)
    )
    if found is None:
        raise refusal("game", say("That game is no longer in Recently deleted."))
    _restore_game(session, actor, found)


@any_game_action
def _restore_game(change: Change) -> None:
    deleted_at = change.stored_game.deleted_at
    if deleted_at is None or deleted_at <= change.actor.at - KEEP_DELETED:
        raise refusal("game", say("That game is no longer in Recently deleted."))
    change.stored_game.deleted_at = None
    change.record([events.GameRestored()])


def purge_deleted(session: Session, now: datetime) -> int:
    """Delete for good what has lain in the bin for 30 days; answers how many games that were."""
    long_ago = StoredGame.deleted_at <= now - KEEP_DELETED
    ids = session.scalars(select(StoredGame.id).where(long_ago)).all()
    session.execute(delete(StoredGame).where(long_ago))
    return len(ids)


@any_game_action
def share_result(change: Change, *, shared: bool) -> None:
    """Let strangers who are given an address see a game's final table, or no longer.

    Sharing it again makes a new address; the old one stays dead. Raises `Refused` for a game that
    has no result.
    """
    game = change.stored_game
    if (game.share_key is not None) == shared:
        return
    if shared and game.stopped == "no_result":
        raise refusal("share", say("This game stopped without a result."))
    if shared and game.finished_at is None:
        raise refusal("share", say("The game isn’t over yet."))
    game.share_key = secrets.token_urlsafe(16) if shared else None
    change.record([events.ResultShared() if shared else events.ResultUnshared()])


def _visible(typed: str) -> str:
    """The text without what cannot be seen, but with its line breaks."""
    text = typed.replace("\r\n", "\n").replace("\r", "\n").strip()
    return "".join(letter for letter in text if letter == "\n" or letter.isprintable())
