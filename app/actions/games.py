"""What happens to a game as a whole: it is started, stopped, named, deleted, a change undone.

A change is undone as a new change, so that the log keeps both. What one request recorded is undone
together, as far as it can be; of a round's end the end alone. What was changed again since is never
overwritten.
"""

import secrets
from collections.abc import Container, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.actions.groups import lock_group, new_key
from app.actions.past_results import keep_past_result
from app.actions.players import different_players, read_name, with_known_holders
from app.actions.requests import Actor, once, once_answering
from app.actions.rulesets import keep_called
from app.actions.rulings import keep_rulings
from app.actions.texts import validate_line, validate_text
from app.actions.transaction import Change, any_game_action, lock_game, recording
from app.rules.phrases import say
from app.rules.rule_sets import to_dict
from app.rules.text import collapse_blanks
from app.rules.variant import Variant
from app.scorebook.dealing import has_dealer
from app.scorebook.events import games as events
from app.scorebook.events.event import changed_again
from app.scorebook.events.games import (
    ChangeUndone,
    GameStarted,
    events_to_leave_out,
    events_to_play_on,
    events_to_stop,
)
from app.scorebook.game import EveningMark
from app.scorebook.limits import MOST_SEATS
from app.scorebook.refusals import Conflict, StaleVersion, ask_unless_accepted, refusal
from app.scorebook.undo import events_to_undo
from app.scorebook.warnings import start_warnings
from app.store.announcements import Announcement, announce_when_committed
from app.store.games import StoredGame, StoredSeat
from app.store.queries.games import load_game, running_games
from app.store.queries.history import KEEP_DELETED
from app.store.queries.log import (
    NO_UNDOS,
    change_with,
    changed_since,
    last_actor_of,
    last_events,
    undos_in,
)


@dataclass(frozen=True, slots=True)
class StartPlan:
    """What a game is started with: its rules, the names in seating order, who deals first."""

    variant: Variant
    names: Sequence[str]
    first_dealer: int
    """Counts in `names`, from 0."""
    called: str = ""
    """What people call a game that is played by points alone: "Uno"."""
    title: str = ""


@once_answering(str)
def start_game(
    session: Session,
    actor: Actor,
    group: int,
    plan: StartPlan,
    *,
    accepted: frozenset[str] = frozenset(),
) -> str:
    """Start a game; answers its key. A repeated request answers the game that it started first.

    Raises `Refused`, and `ConfirmationNeeded` for those of the `start_warnings` whose `acceptance`
    is not among the `accepted`.
    """
    return _start(session, actor, group, plan, accepted)


def _start(session: Session, actor: Actor, group: int, plan: StartPlan, accepted: Set[str]) -> str:
    names = validate_names(plan.names)
    if not 0 <= plan.first_dealer < len(names):
        raise refusal("first_dealer", say("Choose who deals first."))
    ask_unless_accepted(start_warnings(plan.variant, len(names)), accepted)
    plan = replace(plan, variant=keep_called(session, actor, group, plan.variant, plan.called))
    game = _insert_game(session, actor, group, plan, names)
    change = Change(session, load_game(session, game.id), actor, earlier_result=None)
    dealer = names[plan.first_dealer] if has_dealer(plan.variant) else ""
    change.record([GameStarted(tuple(names), dealer)])
    change.store()
    return game.key


def validate_names(typed: Sequence[str]) -> list[str]:
    """The names, two or more and, case aside, no two alike. Raises `Refused`."""
    names = [read_name(name) for name in typed]
    for place, name in enumerate(names):
        if name.casefold() in [earlier.casefold() for earlier in names[:place]]:
            raise refusal("players", say("{name} is listed twice.", name=name))
    if len(names) < 2:
        raise refusal("players", say("A game needs at least 2 players."))
    if len(names) > MOST_SEATS:
        raise refusal("players", say("A game can have up to {count} players.", count=MOST_SEATS))
    return names


@once_answering(str)
def start_rematch(session: Session, actor: Actor, group: int, game_id: int) -> str:
    """Start the next game of a table: its rules of now, who sits there now, the next dealer.

    The table is asked about nothing that looks wrong. Where another device was quicker, its game is
    the next one. Raises `Refused`.
    """
    lock_group(session, group)
    loaded = load_game(session, game_id)
    seated, deals = loaded.game.seated, loaded.status.dealer
    dealer = next((place for place, seat in enumerate(seated) if seat == deals), 0)
    title = loaded.columns.title
    variant = keep_called(session, actor, group, loaded.game.lasting_rules, title)
    plan = StartPlan(variant, [one.name for one in seated.values()], dealer)
    accepted = {one.acceptance for one in start_warnings(variant, len(seated))}
    begun = _begun_game(session, group, game_id, plan)
    return begun or _start(session, actor, group, plan, accepted)


def _begun_game(session: Session, group: int, but: int, plan: StartPlan) -> str | None:
    """The key of the group's newest game in progress, if that is as planned and not that one.

    It is while it is in its first round, with the rules, names and dealer of the plan.
    """
    for running in running_games(session, group, 1):
        game = load_game(session, running.id).game
        if (
            running.id != but
            and game.open_number == 1
            and game.variant == plan.variant
            and [seat.name for seat in game.seats] == list(plan.names)
            and game.seats[plan.first_dealer].id == game.first_dealer
        ):
            return str(running.key)
    return None


play_on = recording(events_to_play_on)
stop_game = recording(events_to_stop)


def _insert_game(
    session: Session, actor: Actor, group: int, plan: StartPlan, names: Sequence[str]
) -> StoredGame:
    game = StoredGame(
        key=new_key(),
        group_id=group,
        variant_id=plan.variant.id,
        rules=to_dict(plan.variant),
        title=validate_line("title", plan.title, StoredGame.title),
        started_at=actor.at,
    )
    players = different_players(session, actor, group, names)
    session.add(game)
    session.flush()
    session.add_all(
        StoredSeat(
            game_id=game.id,
            player_id=player.id,
            position=position,
            deals_first=position == plan.first_dealer,
        )
        for position, player in enumerate(players)
    )
    session.flush()
    return game


@any_game_action
def describe_game(
    change: Change, title: str, note: str, seen: tuple[str, str] | None = None
) -> None:
    """Give a game a name and a note; empty ones take them away.

    Of a name and a note that were `seen`, what was not changed stays as it is kept. Raises
    `Conflict` where another was written meanwhile than was seen, `Refused`.
    """
    title = validate_text("title", collapse_blanks(_visible(title)), StoredGame.title)
    note = validate_text("note", _visible(note), StoredGame.note)
    kept = change.stored_game
    if seen is not None:
        title = _unless_changed(change, title, kept.title, seen[0])
        note = _unless_changed(change, note, kept.note, _visible(seen[1]))
    before, after = events.Description(), events.Description()
    if kept.title != title:
        before["title"], after["title"] = kept.title, title
    if kept.note != note:
        before["note"], after["note"] = kept.note, note
    if after:
        kept.title, kept.note = title, note
        change.record([events.GameDescribed(before, after)])


def _unless_changed(change: Change, sent: str, kept: str, seen: str) -> str:
    """What is to be kept of a text. Raises `Conflict` where both sides have changed it."""
    if sent == seen:
        return kept
    if kept not in (seen, sent):
        other = last_actor_of(change.session, change.loaded.id, events.GameDescribed)
        raise Conflict(change.loaded.version, *other)
    return sent


@any_game_action
def archive_game(change: Change, *, archived: bool) -> None:
    """Put a game out of the way of lists, or back; it counts all the same."""
    if (change.stored_game.archived_at is not None) != archived:
        change.stored_game.archived_at = change.actor.at if archived else None
        change.record([events.GameArchived() if archived else events.GameUnarchived()])


@any_game_action
def mark_evening(change: Change, mark: EveningMark) -> None:
    """Say of a game that it begins an evening, or belongs to the one before."""
    before = change.stored_game.evening
    if before != mark:
        change.stored_game.evening = mark
        change.record([events.EveningChanged({"evening": before}, {"evening": mark})])


@once
def leave_out_games(
    session: Session, actor: Actor, _group: int, games: Sequence[int], left_out: Container[int]
) -> None:
    """Of these games let those that are `left_out` count for no season, and the others count."""
    for game in sorted(games):  # all of them before the group, which the first that changes locks
        lock_game(session, game)
    for game in sorted(games):
        change = Change(session, load_game(session, game), actor, earlier_result=None)
        change.record(events_to_leave_out(change.game, left_out=game in left_out))
        if change.events:
            change.store()


@any_game_action
def delete_game(change: Change) -> None:
    """Delete a game; it can be restored for 30 days.

    What was deleted longer ago goes for good on this occasion.
    """
    if change.stored_game.deleted_at is None:
        _delete(change)
    purge_deleted(change.session, change.actor.at)


def _delete(change: Change) -> None:
    change.stored_game.deleted_at, change.stored_game.share_key = change.actor.at, None
    change.record([events.GameDeleted()])
    announce_when_committed(change.session, Announcement(change.group))


@any_game_action
def undo_start(change: Change) -> None:
    """Delete a game in which nothing was done but that this device started it.

    Raises `StaleVersion` of any other: to delete those is left to who manages the group.
    """
    last = last_events(change.session, change.loaded.id, most=2)
    started_here = (events.GameStarted.kind, change.actor.device)
    if [(one.event.kind, one.device_id) for one in last] != [started_here]:
        raise StaleVersion(change.loaded.version)
    _delete(change)


def restore_game(session: Session, actor: Actor, group: int, key: str) -> None:
    """Restore a deleted game of that group; it counts again. Raises `Refused`."""
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
    """Remove for good what was deleted 30 days ago or earlier; answers how many games that were."""
    long_ago = StoredGame.deleted_at <= now - KEEP_DELETED
    ids = session.scalars(select(StoredGame.id).where(long_ago)).all()
    session.execute(delete(StoredGame).where(long_ago))
    return len(ids)


@any_game_action
def share_result(change: Change, *, shared: bool) -> None:
    """Let strangers who are given an address see a game's final standings, or no longer.

    What is shared again after that has a new address; the old one stays dead. Raises `Refused` for
    a game that has no result.
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
    """The text without blanks at its ends and what cannot be seen, but with its line breaks."""
    text = typed.replace("\r\n", "\n").replace("\r", "\n").strip()
    return "".join(letter for letter in text if letter == "\n" or letter.isprintable())


@any_game_action
def undo_change(change: Change, version: int) -> None:
    """Undo the change that the event with that version belongs to.

    Raises `Refused` where it cannot be undone or was changed again since, `StaleVersion` for a
    version that is not there.
    """
    recorded = change_with(change.session, change.loaded.id, version)
    if not recorded:
        raise StaleVersion(change.loaded.version)
    later = last_events(change.session, change.loaded.id, since=recorded[-1].version)
    number, since = recorded[0].change, [*later, *reversed(recorded)]
    # Undos are sought in the whole log: only where they count.
    if number in changed_since(since, NO_UNDOS) and number in changed_since(
        since, undos_in(change.session, change.loaded.id)
    ):
        raise changed_again()
    done = [one.event for one in recorded]
    change.record(with_known_holders(change, events_to_undo(change.game, done)))
    keep_past_result(change)
    keep_rulings(change)
    change.record([ChangeUndone(done[0].to_log().round_number, version)])
