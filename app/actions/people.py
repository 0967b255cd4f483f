"""Players: their names, and their coming and going during a game."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.faults import refusal
from app.actions.groups import lock_group
from app.actions.transaction import Change, open_change
from app.rules.phrases import say
from app.rules.text import abbreviate, collapse_blanks, is_fully_visible
from app.scorebook import seats
from app.scorebook.events.seats import HandTreatment
from app.scorebook.game import Seat, StandIn
from app.scorebook.limits import MOST_PLAYERS, MOST_SEATS
from app.store.base import max_length
from app.store.games import StoredSeat
from app.store.groups import Player


def read_name(typed: str) -> str:
    """The name that was typed, without stray blanks. Raises `Refused` for one that is none."""
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


def find_or_make_player(session: Session, group: int, name: str, actor: Actor) -> Player:
    """The group's player of that name, made if the name is new. Case makes no difference.

    The name of an entry that was merged into another means that other; who plays again is no
    longer archived.
    """
    name_key = name.casefold()
    # Another phone may bring the same new name at once, or merge the player with another.
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
        player = Player(group_id=group, name=name, name_key=name_key, created_at=actor.at)
        session.add(player)
        session.flush()
    player.archived_at = None
    return player


def join_game(
    session: Session,
    game_id: int,
    typed: str,
    actor: Actor,
    *,
    after: int | None,
    contract: int | str | None = None,
    score: int | str | None = None,
) -> None:
    """Give somebody a seat from the next round on, after another seat.

    A late joiner begins with a contract and a score as `scorebook.joiners` says. Whoever left takes
    the old seat again. Raises `Refused`.
    """
    change = open_change(session, game_id, actor)
    if change.is_repeat:
        return
    game, number = change.game, change.open_number
    seats.refuse_when_over(game)
    if after is not None:
        seats.require_seat(game, after, "after")
    player = _player_of(change, typed, actor)
    seat = seats.old_seat_of(game, player.player)
    if seat is not None:
        change.record(seats.events_to_return(game, seat, player, contract, score))
    else:
        seat = _new_seat(change, player, number)
        change.record(seats.events_to_join(game, seat, after, contract, score))
    change.commit()


def hand_over_seat(session: Session, game_id: int, seat_id: int, typed: str, actor: Actor) -> None:
    """Let somebody play a seat on from the next round. Raises `Refused`."""
    change = open_change(session, game_id, actor)
    if not change.is_repeat:
        change.record(
            seats.events_to_hand_over(change.game, seat_id, _player_of(change, typed, actor))
        )
    change.commit()


def leave_game(
    session: Session, game_id: int, seat_id: int, actor: Actor, *, cards: HandTreatment = ""
) -> None:
    """Let somebody go before the next round is played or, with cards in hand, in the middle of it.

    The deal passes over the empty seat. Raises `Refused`.
    """
    change = open_change(session, game_id, actor)
    if not change.is_repeat:
        change.record(seats.events_to_leave(change.game, seat_id, cards))
    change.commit()


def _player_of(change: Change, typed: str, actor: Actor) -> StandIn:
    """The group's player of that name, who plays from the open round on. Raises `Refused`."""
    name = read_name(typed)
    player = find_or_make_player(change.session, change.stored_game.group_id, name, actor)
    return StandIn(change.open_number, player.id, player.name)


def _new_seat(change: Change, player: StandIn, number: int) -> Seat:
    """A seat, stored for its id, from the open round on. Raises `Refused` in a full game."""
    position = len(change.game.seats)
    if position >= MOST_SEATS:
        raise refusal("players", say("A game can have up to {count} players.", count=MOST_SEATS))
    kept = StoredSeat(
        game_id=change.loaded.id, player_id=player.player, position=position, joined_in=number
    )
    change.session.add(kept)
    change.session.flush()
    return Seat(kept.id, joined_in=number, name=player.name, player=player.player)
