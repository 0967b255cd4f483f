"""Players who join a game on its way, leave, come back or play on for another: which events."""

from dataclasses import replace

from app.rules.phrases import say
from app.scorebook.dealing import dealer_of
from app.scorebook.events.course import DealerChanged, DealerFields, dealer_fields
from app.scorebook.events.event import Event, apply
from app.scorebook.events.rounds import EntryChanged, FirstDownChanged
from app.scorebook.events.seats import (
    HandTreatment,
    PlayerJoined,
    SeatHandedOver,
    attendance_of,
    player_left_event,
    player_returned_event,
    refuse_two_seats,
)
from app.scorebook.game import Entry, Game, Seat, StandIn
from app.scorebook.history import is_over
from app.scorebook.joiners import with_joiner_start
from app.scorebook.refusals import Refused, refusal


def require_seat(game: Game, seat: int, field: str) -> int:
    """The seat, which is one of the game's. Raises `Refused`."""
    if seat not in game.names:
        raise refusal(field, say("That seat isn’t in this game."))
    return seat


def refuse_when_over(game: Game) -> None:
    """Raise `Refused` for a game in which no more rounds are played."""
    if is_over(game):
        raise refusal("game", say("The game is over."))


def old_seat_of(game: Game, player: int) -> Seat | None:
    """The seat to which a player comes back: the one held last, else the one taken first."""
    held = [one for one in game.seats if one.holder_in(game.open_number).player == player]
    taken = [one for one in game.seats if one.player == player]
    return next(iter([*held, *taken]), None)


def events_to_join(
    game: Game, seat: Seat, after: int | None, contract: int | str | None, score: int | str | None
) -> tuple[Event, ...]:
    """A seat from the open round on, a new one after another in dealing order or last.

    It begins with a contract and a score as `joiners` says. Raises `Refused`.
    """
    events = _joining_events(game, seat, after, contract, score)
    refuse_two_seats(apply(game, events))
    return events


def _joining_events(
    game: Game, seat: Seat, after: int | None, contract: int | str | None, score: int | str | None
) -> tuple[Event, ...]:
    seat, rules = with_joiner_start(
        game, replace(seat, joined_in=game.open_number), contract, score
    )
    ids = [one.id for one in game.seats]
    position = len(ids)
    if seat.id in ids:
        position = ids.index(seat.id)
    elif after is not None:
        position = ids.index(after) + 1
    before = next((attendance_of(one) for one in game.seats if one.id == seat.id), None)
    joined = PlayerJoined(
        seat.id,
        seat.holder_in(seat.joined_in).name,
        seat.starting_score,
        seat.starting_contract,
        seat,
        position,
        before=before,
        after=attendance_of(seat),
    )
    return (*rules, joined)


def events_to_return(
    game: Game, seat: Seat, player: StandIn, contract: int | str | None, score: int | str | None
) -> tuple[Event, ...]:
    """A player takes the old seat again; who never played in it begins like a late joiner.

    Raises `Refused`.
    """
    holder = seat.holder_in(game.open_number)
    if seat.left_after is None and holder.player == player.player:
        raise _already_playing(player)
    if seat.left_after is None:
        message = say(
            "{holder} is playing for {name}. Let {name} take over from {holder}.",
            holder=holder.name,
            name=player.name,
        )
        raise refusal("players", message)
    events: tuple[Event, ...] = (player_returned_event(game, seat),)
    if _begins(game, seat, chosen=(contract, score) != (None, None)):
        fresh = replace(seat, left_after=None, missed=())
        events = _joining_events(game, fresh, None, contract, score)
    if holder.player != player.player:
        events += events_to_hand_over(apply(game, events), seat.id, player)
    refuse_two_seats(apply(game, events))
    return events


def _begins(game: Game, seat: Seat, *, chosen: bool) -> bool:
    """Does who takes the seat again begin like a late joiner, having played no round?

    Who left before the open round, for which they had joined, begins as it was unless they choose.
    """
    number = game.open_number
    if seat.has_played_before(number):
        return False
    untouched = not seat.plays_in(number) and game.round(number).entry_of(seat.id) == Entry(seat.id)
    return seat.joined_in < number or (chosen and untouched)


def events_to_hand_over(game: Game, seat_id: int, player: StandIn) -> tuple[Event, ...]:
    """Another player plays a seat on from the open round. Raises `Refused`."""
    refuse_when_over(game)
    seat = game.seat(require_seat(game, seat_id, "players"))
    holder = seat.holder_in(game.open_number)
    name = holder.name
    if holder.player == player.player:
        raise _already_playing(player)
    if seat.left_after is not None:
        raise refusal("players", say("{name} left the game. Let them come back first.", name=name))
    place = replace(seat, stand_ins=(*seat.stand_ins, player))
    handed = SeatHandedOver(game.open_number, seat.id, player.name, name, place)
    refuse_two_seats(handed.apply(game))
    return (handed,)


def _already_playing(player: StandIn) -> Refused:
    return refusal("players", say("{name} is already playing.", name=player.name))


def events_to_leave(game: Game, seat_id: int, cards: HandTreatment = "") -> tuple[Event, ...]:
    """A player leaves, before the open round or in it; nothing where that was so before.

    Who was entered as going out, or as first to lay down, no longer is. Raises `Refused`.
    """
    refuse_when_over(game)
    seat, number = game.seat(require_seat(game, seat_id, "players")), game.open_number
    if seat.left_after is not None:
        return ()
    entered, events = game.round(number), list[Event]()
    if entered.entry_of(seat.id).went_out:
        events.append(EntryChanged(number, seat.id, {"went_out": True}, {"went_out": False}))
    if entered.first_down == seat.id and cards != "counted":
        events.append(FirstDownChanged(number, seat.id, None))
    events += _dealer_leaves(game, seat, cards)
    return (*events, player_left_event(game, seat.id, cards if seat.plays_in(number) else ""))


def _dealer_leaves(game: Game, seat: Seat, cards: HandTreatment) -> tuple[Event, ...]:
    """Who dealt the open round has dealt it, though they leave; before it, another deals."""
    number = game.open_number
    chosen = dealer_fields(game, number)
    if cards == "not_counted" and dealer_of(game, number) == seat.id:
        after = DealerFields(deals=seat.id, once=chosen["once"])
    elif not cards and chosen["deals"] == seat.id:
        after = DealerFields(deals=None, once=False)
    else:
        return ()
    return () if after == chosen else (DealerChanged(number, chosen, after),)
