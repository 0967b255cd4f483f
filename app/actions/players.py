"""What is done to the group's players beside the table: renaming, merging, archiving.

Who comes to and leaves a game is in `people.py`.
"""

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.faults import refusal
from app.actions.groups import lock_group
from app.actions.idempotency import claim_key
from app.actions.people import read_name
from app.actions.results import move_results
from app.rules.phrases import say
from app.store.games import StoredGame, StoredSeat, StoredStandIn
from app.store.groups import Membership, Player
from app.store.queries.games import game_ids_of, games_with


def rename_player(session: Session, group: int, player_id: int, typed: str, actor: Actor) -> None:
    """Give a player of the group another name, in old games too. Raises `Refused`.

    The name of an entry that was merged into the player may be taken; the two change names.
    """
    if claim_key(session, actor) is not None:
        return
    lock_group(session, group)
    player = _player(session, group, player_id)
    name = read_name(typed)
    name_key = name.casefold()
    other = session.scalar(
        select(Player).where(
            Player.group_id == group, Player.name_key == name_key, Player.id != player.id
        )
    )
    old = (player.name, player.name_key)
    if other is not None:
        if other.merged_into_id != player.id:
            message = say(
                "There is already a {name}. If they’re the same person, merge the two.",
                name=other.name,
            )
            raise refusal("name", message)
        other.name_key = f"\t{other.id}"  # no name that can be typed, while the two change places
        session.flush()
    player.name, player.name_key = name, name_key
    session.flush()
    if other is not None:
        other.name, other.name_key = old
    session.commit()


def archive_player(
    session: Session, group: int, player_id: int, actor: Actor, *, archived: bool
) -> None:
    """No longer offer a player for new games, or offer them again. Nothing else changes."""
    if claim_key(session, actor) is not None:
        return
    lock_group(session, group)
    player = _player(session, group, player_id)
    if (player.archived_at is not None) != archived:
        player.archived_at = actor.at if archived else None
    session.commit()


def merge_players(session: Session, group: int, player_id: int, into_id: int, actor: Actor) -> None:
    """Let all games of one entry be another's, since both are the same person.

    The entry stays, with its name, so that it can be separated again. Raises `Refused`, naming the
    game, where both sat at one table.
    """
    if claim_key(session, actor) is not None:
        return
    _lock_games(session, group, player_id)
    player, into = _player(session, group, player_id), _player(session, group, into_id)
    if player.id == into.id:
        raise refusal("into", say("Choose the other player who is the same person."))
    _refuse_if_both_played(session, player, into)
    for sits in (StoredSeat, StoredStandIn):
        session.execute(
            update(sits)
            .where(sits.player_id == player.id)
            .values(
                player_before_merge_id=func.coalesce(sits.player_before_merge_id, sits.player_id),
                player_id=into.id,
            )
        )
    session.execute(
        update(Player).where(Player.merged_into_id == player.id).values(merged_into_id=into.id)
    )
    session.execute(
        update(Membership).where(Membership.player_id == player.id).values(player_id=into.id)
    )
    player.merged_into_id = into.id
    move_results(session, player.id, into.id)
    session.commit()


def separate_players(session: Session, group: int, player_id: int, actor: Actor) -> None:
    """Undo a merge: the entry has the games again that it brought. Raises `Refused`."""
    if claim_key(session, actor) is not None:
        return
    _lock_games(session, group, player_id)
    player = session.get(Player, player_id)
    if player is None or player.group_id != group or player.merged_into_id is None:
        raise refusal("merge", say("That player isn’t merged with another."))
    move_results(session, player.merged_into_id, player.id, _games_played_as(player.id))
    for sits in (StoredSeat, StoredStandIn):
        session.execute(
            update(sits)
            .where(sits.player_before_merge_id == player.id)
            .values(player_id=player.id, player_before_merge_id=None)
        )
    player.merged_into_id = None
    session.commit()


def _lock_games(session: Session, group: int, player_id: int) -> None:
    """Let nobody else change a player's games, then the group, before this transaction ends."""
    played = StoredGame.id.in_(game_ids_of(player_id)) | StoredGame.id.in_(
        _games_played_as(player_id)
    )
    games = select(StoredGame.id).where(StoredGame.group_id == group, played)
    session.execute(games.order_by(StoredGame.id).with_for_update(key_share=True))
    lock_group(session, group)


def _player(session: Session, group: int, player_id: int) -> Player:
    player = session.scalar(
        select(Player).where(
            Player.id == player_id, Player.group_id == group, Player.merged_into_id.is_(None)
        )
    )
    if player is None:
        raise refusal("player", say("This player isn’t in your group."))
    return player


def _games_played_as(entry: int) -> Select[int]:
    """The ids of the games that were played by an entry before it was merged."""
    return games_with(
        StoredSeat.player_before_merge_id == entry, StoredStandIn.player_before_merge_id == entry
    )


def _refuse_if_both_played(session: Session, player: Player, into: Player) -> None:
    both = session.execute(
        select(StoredGame.title, StoredGame.rules, StoredGame.started_at)
        .where(StoredGame.id.in_(game_ids_of(player.id)), StoredGame.id.in_(game_ids_of(into.id)))
        .order_by(StoredGame.started_at)
        .limit(1)
    ).first()
    if both is None:
        return
    message = say(
        "{name} and {other} both played “{game}” on {day}, so they can’t be the same person.",
        name=player.name,
        other=into.name,
        game=both.title or str(both.rules["name"]),
        day=both.started_at.date().isoformat(),
    )
    raise refusal("into", message)
