"""The group's players: their names, their coming and going during a game, renaming and merging."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.orm import Session

from app.actions.groups import lock_group, read_group_name
from app.actions.requests import Actor, once, once_answering
from app.actions.results import move_facts, refresh_facts
from app.actions.transaction import Change, game_action, recording
from app.rules.field_types import Misfit
from app.rules.phrases import Day, say
from app.rules.text import abbreviate, collapse_blanks, is_fully_visible
from app.scorebook.events.attendance import (
    events_to_join,
    events_to_leave,
    events_to_return,
    old_seat_of,
)
from app.scorebook.events.event import Event, no_way_back, refuse_when_over, require_seat
from app.scorebook.events.seats import (
    HolderCorrected,
    PlayerRenamed,
    events_to_correct_holder,
    events_to_hand_over,
)
from app.scorebook.game import Seat, SeatHolder
from app.scorebook.limits import MOST_PLAYERS, MOST_SEATS
from app.scorebook.marks import COLORS, SHAPES, Mark, check_sign, next_mark
from app.scorebook.refusals import Refused, refusal
from app.scorebook.round_results import is_over
from app.store.base import batches, max_length
from app.store.games import StoredGame, StoredSeat, StoredStandIn
from app.store.groups import Group, Membership, Player, Removal
from app.store.queries.games import game_ids_of, games_with, load_games
from app.store.queries.players import marks_in_group


def read_name(typed: str) -> str:
    """The name that was typed, without stray blanks. Raises `Refused` if it isn’t a name."""
    name = collapse_blanks(typed)
    if not name or not is_fully_visible(name):
        raise refusal("players", say("Enter a name for the player."))
    most = max_length(Player.name)
    # A ligature is several letters in the key by which names are compared.
    if len(name) > most or len(name.casefold()) > max_length(Player.name_key):
        message = say(
            "“{name}” is too long. Use {most} characters or fewer.",
            name=abbreviate(name),
            most=most,
        )
        raise refusal("players", message)
    return name


def find_or_make_player(
    session: Session, actor: Actor, group: int, name: str, *, plays_again: bool = True
) -> Player:
    """The group's player of that name, made if the name is new. Case makes no difference.

    The name of a player who was merged into another means that other; who `plays_again` is no
    longer archived. Raises `Refused` where the group has no room for one more.
    """
    name_key = name.casefold()
    # Another device may bring the same new name at once, or merge the player with another.
    lock_group(session, group)
    player = session.scalar(
        select(Player).where(Player.group_id == group, Player.name_key == name_key)
    )
    if player is not None and player.merged_into_id is not None:
        player = session.get(Player, player.merged_into_id)
    if player is None:
        known = select(func.count()).where(Player.group_id == group)
        if (session.scalar(known) or 0) >= MOST_PLAYERS:
            raise refusal(
                "players", say("A group can have at most {most} players.", most=MOST_PLAYERS)
            )
        player = Player(
            group_id=group,
            name=name,
            name_key=name_key,
            created_at=actor.at,
            mark=next_mark(marks_in_group(session, group)),
        )
        session.add(player)
        session.flush()
    if plays_again:
        player.archived_at = None
    return player


def different_players(
    session: Session, actor: Actor, group: int, names: Sequence[str], *, plays_again: bool = True
) -> Sequence[Player]:
    """The players of these names, made where they are new; two that are one are `Refused`."""
    players = [
        find_or_make_player(session, actor, group, name, plays_again=plays_again) for name in names
    ]
    for place, player in enumerate(players):
        if player in players[:place]:
            other = names[players.index(player)]
            message = say("{name} and {other} are the same player.", name=names[place], other=other)
            raise refusal("players", message)
    return players


def set_up_group(
    session: Session, actor: Actor, group: int, typed: str, names: Sequence[str]
) -> None:
    """Give a group that was just made its name and its players. Raises `Refused`."""
    name = read_group_name(typed)
    session.execute(update(Group).where(Group.id == group).values(name=name))
    for one in names:
        find_or_make_player(session, actor, group, read_name(one))
    session.commit()


@game_action
def join_game(
    change: Change,
    typed: str,
    *,
    after: int | None,
    contract: int | str | None = None,
    score: int | str | None = None,
) -> None:
    """Give somebody a seat from the open round on, after another seat or as the last.

    A late joiner begins with a contract and a score as `events_to_join` says. Whoever left takes
    the old seat again. Raises `Refused`.
    """
    game, number = change.game, change.open_number
    refuse_when_over(game)
    if after is not None:
        require_seat(game, after, "after")
    player = _player_of(change, typed)
    seat = old_seat_of(game, player.player)
    if seat is not None:
        change.record(events_to_return(game, seat, player, contract, score))
    else:
        seat = _new_seat(change, player, number)
        change.record(events_to_join(game, seat, after, contract, score))


@game_action
def hand_over_seat(change: Change, seat_id: int, typed: str) -> None:
    """Let somebody play a seat on from the open round. Raises `Refused`."""
    change.record(events_to_hand_over(change.game, seat_id, _player_of(change, typed)))


leave_game = recording(events_to_leave)


@game_action
def correct_holder(change: Change, seat_id: int, typed: str, instead_of: str = "") -> None:
    """Let a game count for who held a seat all along. Raises `Refused`."""
    player = _player_of(change, typed)
    events = events_to_correct_holder(change.game, seat_id, player, instead_of)
    _let_devices_follow(change, events)
    change.record(events)


def with_known_holders(change: Change, events: Sequence[Event]) -> Iterator[Event]:
    """Events that a log tells, with the players whom it names. Raises `Refused`."""
    for one in events:
        if isinstance(one, HolderCorrected):
            (player,) = known_players(change, [one.player_name])
            known = replace(one, holder=SeatHolder(1, player.id, player.name, player.mark))
            _let_devices_follow(change, [known])
            yield known
        else:
            yield one


def _let_devices_follow(change: Change, events: Sequence[Event]) -> None:
    """Let the devices of who was taken for another be that other's, before the events are recorded.

    All devices of who plays nothing else; else those that came into the group since the game began,
    since whoever plays other games may have had a device before.
    """
    for one in events:
        if not isinstance(one, HolderCorrected) or one.holder is None:
            continue
        wrong = change.game.seat(one.seat).stints[one.stints[0]].player
        others = game_ids_of(wrong).where(StoredSeat.game_id != change.loaded.id)
        still_plays = any(
            stint.player == wrong for seat in one.apply(change.game).seats for stint in seat.stints
        )
        since = change.loaded.columns.started_at
        for device in (Membership, Removal):
            theirs = (device.player_id == wrong) & (device.group_id == change.group)
            if still_plays or change.session.scalar(others.limit(1)) is not None:
                theirs &= device.created_at >= since
            moved = update(device).where(theirs).values(player_id=one.holder.player)
            change.session.execute(moved)


def known_players(change: Change, names: Sequence[str]) -> Sequence[Player]:
    """The players who still have these names. Raises `Refused` where one has another now."""
    lock_group(change.session, change.group)
    named = select(Player).where(
        Player.group_id == change.group,
        Player.name.in_(names),
        Player.merged_into_id.is_(None),
    )
    known = {one.name: one for one in change.session.scalars(named)}
    if len(known) < len(names):
        raise no_way_back()
    return [known[name] for name in names]


def _player_of(change: Change, typed: str) -> SeatHolder:
    """The player of that name, made if it is new, from the open round on. Raises `Refused`."""
    name, over = read_name(typed), is_over(change.game)
    player = find_or_make_player(
        change.session, change.actor, change.group, name, plays_again=not over
    )
    number = change.game.open_number if over else change.open_number
    return SeatHolder(number, player.id, player.name, player.mark)


def _new_seat(change: Change, player: SeatHolder, number: int) -> Seat:
    """A seat, stored for its id, from the open round on. Raises `Refused` in a full game."""
    position = len(change.game.seats)
    if position >= MOST_SEATS:
        raise refusal("players", say("A game can have up to {count} players.", count=MOST_SEATS))
    kept = StoredSeat(
        game_id=change.loaded.id, player_id=player.player, position=position, joined_in=number
    )
    change.session.add(kept)
    change.session.flush()
    return Seat(kept.id, joined_in=number, name=player.name, player=player.player, mark=player.mark)


@once
def add_player(session: Session, actor: Actor, group: int, typed: str) -> None:
    """Add a player, or offer one of that name again. Raises `Refused`."""
    find_or_make_player(session, actor, group, read_name(typed))


@once_answering(str)
def rename_player(session: Session, actor: Actor, group: int, player_id: int, typed: str) -> str:
    """Give a player of the group another name, in old games too; answers the old. Raises `Refused`.

    The name of one who was merged into the player may be taken; the two change names.
    """
    _lock_games(session, group, player_id, *_RUNNING)
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
    if name != old[0]:
        _tell_running_games(session, actor, _running_games_of(session, player_id), old[0], name)
    return old[0]


@once
def change_mark(session: Session, actor: Actor, group: int, player_id: int, mark: Mark) -> None:
    """Give a player another mark, which they have in all games from now on. Raises `Refused`."""
    lock_group(session, group)
    player = _player(session, group, player_id)
    try:
        check_sign(mark.sign)
    except Misfit as misfit:
        raise refusal("sign", misfit.phrase) from None
    if not (1 <= mark.color <= COLORS and 1 <= mark.shape <= SHAPES):
        raise refusal("mark", say("Choose one of the options."))
    player.mark = mark


@once
def archive_player(
    session: Session, actor: Actor, group: int, player_id: int, *, archived: bool
) -> None:
    """No longer offer a player for new games, or offer them again. Nothing else changes."""
    lock_group(session, group)
    player = _player(session, group, player_id)
    if (player.archived_at is not None) != archived:
        player.archived_at = actor.at if archived else None


@once
def merge_players(session: Session, actor: Actor, group: int, player_id: int, into_id: int) -> None:
    """Let all games and devices of one player be another's, since both are the same person.

    The player stays, with the name, so that the merge can be undone. Who took over from the other
    was on one seat all the time. Raises `Refused`, naming a game where they had two.
    """
    _lock_games(session, group, player_id)
    player, into = _player(session, group, player_id), _player(session, group, into_id)
    if player.id == into.id:
        raise refusal("into", say("Choose the other player who is the same person."))
    shared = session.scalars(_shared_games(player.id, into.id)).all()
    _refuse_two_seats(session, player, into, shared)
    running = _running_games_of(session, player.id)
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
    for device in (Membership, Removal):
        session.execute(
            update(device).where(device.player_id == player.id).values(player_id=into.id)
        )
    player.merged_into_id = into.id
    refresh_facts(session, shared)
    move_facts(session, player.id, into.id)
    _tell_running_games(session, actor, running, player.name, into.name)


@once
def separate_players(session: Session, actor: Actor, group: int, player_id: int) -> None:
    """Undo a merge: the player has their own games again. Raises `Refused`."""
    _lock_games(session, group, player_id)
    player = session.get(Player, player_id)
    if player is None or player.group_id != group or player.merged_into_id is None:
        raise refusal("merge", say("That player isn’t merged with another."))
    into = player.merged_into_id
    move_facts(session, into, player.id, _games_played_as(player.id))
    for sits in (StoredSeat, StoredStandIn):
        session.execute(
            update(sits)
            .where(sits.player_before_merge_id == player.id)
            .values(player_id=player.id, player_before_merge_id=None)
        )
    player.merged_into_id = None
    refresh_facts(session, session.scalars(_shared_games(player.id, into)))
    other = session.get_one(Player, into).name
    running = _running_games_of(session, player.id)
    _tell_running_games(session, actor, running, other, player.name)


_RUNNING = (StoredGame.finished_at.is_(None), StoredGame.deleted_at.is_(None))


def _running_games_of(session: Session, player: int) -> Sequence[int]:
    played = StoredGame.id.in_(game_ids_of(player))
    return session.scalars(select(StoredGame.id).where(played, *_RUNNING)).all()


def _tell_running_games(
    session: Session, actor: Actor, games: Sequence[int], earlier: str, name: str
) -> None:
    """Log in these games how a player is called now, so that all devices show it.

    A game whose log is full shows it with its next page.
    """
    for loaded in load_games(session, games):
        change = Change(session, loaded, actor, None)
        change.record([PlayerRenamed(name, earlier)])
        with suppress(Refused):
            change.store()


def _lock_games(session: Session, group: int, player_id: int, *which: ColumnElement[bool]) -> None:
    """Let nobody else change a player's games, then the group, before this transaction ends."""
    played = StoredGame.id.in_(game_ids_of(player_id)) | StoredGame.id.in_(
        _games_played_as(player_id)
    )
    games = select(StoredGame.id).where(StoredGame.group_id == group, played, *which)
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


def _games_played_as(player: int) -> Select[int]:
    """The ids of the games of a player that another has now, since the two were merged."""
    return games_with(
        StoredSeat.player_before_merge_id == player, StoredStandIn.player_before_merge_id == player
    )


def _shared_games(player: int, other: int) -> Select[int]:
    """The ids of the games in which both played, in the order in which they started."""
    both = StoredGame.id.in_(game_ids_of(player)), StoredGame.id.in_(game_ids_of(other))
    return select(StoredGame.id).where(*both).order_by(StoredGame.started_at)


def _refuse_two_seats(
    session: Session, player: Player, into: Player, shared: Sequence[int]
) -> None:
    """Raise `Refused` where they had different seats of a game that they shared: nobody has two."""
    both = {player.id, into.id}
    for loaded in (one for some in batches(shared) for one in load_games(session, some)):
        seats = [one for one in loaded.game.seats if both & {held.player for held in one.stints}]
        if len(seats) > 1:
            day = loaded.started_at.astimezone()
            message = say(
                "{name} and {other} had two seats in “{game}” on {day}, so they can’t be merged.",
                name=player.name,
                other=into.name,
                game=loaded.name,
                day=Day(day.year, day.month, day.day),
            )
            raise refusal("into", message)
