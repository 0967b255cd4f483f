"""Players: their names, and their coming and going during a game."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.faults import refuse
from app.actions.groups import hold_group
from app.actions.seats import seat_in_game
from app.actions.transaction import Change, open_change
from app.rules.text import one_line, shown
from app.rules.wording import say
from app.store.base import longest
from app.store.games import KeptSeat
from app.store.groups import Player

LEAST_PLAYERS = 2
"""So many stay at the table."""
MOST_PLAYERS = 12
MOST_STARTING_SCORE = 10_000


def read_name(typed: str) -> str:
    """The name that was typed, without stray blanks. Raises `Refused` for one that is none."""
    name = one_line(typed)
    if not name or not name.isprintable():
        raise refuse("players", say("Enter a name for the player."))
    most = longest(Player.name)
    # A ligature is several letters in the key by which names are compared.
    if len(name) > most or len(name.casefold()) > longest(Player.name_key):
        message = say(
            "“{name}” is too long. Use {most} characters or fewer.", name=shown(name), most=most
        )
        raise refuse("players", message)
    return name


def known_player(session: Session, group: int, name: str, actor: Actor) -> Player:
    """The group's player of that name, made if the name is new. Case makes no difference.

    The name of an entry that was merged into another means that other; who plays again is no
    longer archived.
    """
    name_key = name.casefold()
    # Another phone may bring the same new name at once, or merge the player with another.
    hold_group(session, group)
    player = session.scalar(
        select(Player).where(Player.group_id == group, Player.name_key == name_key)
    )
    if player is not None and player.merged_into_id is not None:
        player = session.get(Player, player.merged_into_id)
    if player is None:
        player = Player(group_id=group, name=name, name_key=name_key, created_at=actor.at)
        session.add(player)
        session.flush()
    player.archived_at = None
    return player


def join_game(
    session: Session, game_id: int, typed: str, actor: Actor, *, after: int | None, score: int = 0
) -> None:
    """Give somebody a seat from the next round on, after another seat, on contract 1.

    Raises `Refused`. Somebody who left before this round was played takes the old seat again.
    """
    change = open_change(session, game_id, actor)
    if change.repeated:
        return
    _refuse_when_over(change)
    if after is not None:
        seat_in_game(change.table, after, "after")
    name = read_name(typed)
    if not -MOST_STARTING_SCORE <= score <= MOST_STARTING_SCORE:
        raise refuse("score", say("Enter a whole number as the starting score."))
    player = known_player(session, change.game.group_id, name, actor)
    seats = list(
        session.scalars(
            select(KeptSeat).where(KeptSeat.game_id == game_id).order_by(KeptSeat.position)
        )
    )
    seat = next((one for one in seats if one.player_id == player.id), None)
    if seat is not None:
        _take_again(change, seat, player.name)
    else:
        if len(seats) >= MOST_PLAYERS:
            raise refuse(
                "players", say("A game can have up to {count} players.", count=MOST_PLAYERS)
            )
        seat = KeptSeat(
            game_id=game_id,
            player_id=player.id,
            position=0,
            joined_in=change.open_number,
            starting_score=score,
        )
        session.add(seat)
        place = len(seats) if after is None else [one.id for one in seats].index(after) + 1
        seats.insert(place, seat)
    for position, one in enumerate(seats):
        one.position = position
    session.flush()
    change.note("joined", seat=seat.id, after={"player": player.name, "score": score})
    change.commit()


def leave_game(session: Session, game_id: int, seat_id: int, actor: Actor) -> None:
    """Let somebody go before the next round is played; the deal passes over the empty seat."""
    change = open_change(session, game_id, actor)
    if change.repeated:
        return
    _refuse_when_over(change)
    seat = session.get_one(KeptSeat, seat_in_game(change.table, seat_id, "players"))
    if seat.left_after is not None:
        change.commit_nothing()
        return
    still_there = session.scalar(
        select(func.count()).where(KeptSeat.game_id == game_id, KeptSeat.left_after.is_(None))
    )
    if (still_there or 0) <= LEAST_PLAYERS:
        raise refuse(
            "players", say("A game needs at least 2 players. Add one before someone leaves.")
        )
    seat.left_after = change.table.open_number - 1
    change.note("left", seat=seat_id, after={"player": change.table.names[seat_id]})
    change.commit()


def _take_again(change: Change, seat: KeptSeat, name: str) -> None:
    if seat.left_after is None:
        raise refuse("players", say("{name} is already playing.", name=name))
    played_since = change.table.open_number - 1 > seat.left_after
    if played_since and seat.left_after >= seat.joined_in:
        raise refuse(
            "players",
            say(
                "{name} missed a round, so they can’t rejoin this game under the "
                "same name. Add them with another name.",
                name=name,
            ),
        )
    seat.joined_in = min(seat.joined_in, change.open_number)
    if played_since:
        seat.joined_in = change.open_number
    seat.left_after = None


def _refuse_when_over(change: Change) -> None:
    if change.table.finished_at is not None:
        raise refuse("game", say("The game is over."))
