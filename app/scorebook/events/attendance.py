"""Players who join a game on its way, leave it and come back.

A late joiner begins with a contract where each has their own, and a score where one is kept. Either
is a number, or one of the usual ones by its name (the values of the house rules `joiner_contract`
and `joiner_score`); that one is then the house rule for the next joiner.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, NotRequired, cast

from typing_extensions import TypedDict

from app.rules.field_types import ListOf
from app.rules.phrases import Phrase, ask_for_number, say, say_plural
from app.scorebook.dealing import dealer_of
from app.scorebook.events.dealing import DealerChanged, DealerFields, dealer_fields
from app.scorebook.events.entries import events_to_reach
from app.scorebook.events.event import (
    Event,
    LogFields,
    Subject,
    apply_all,
    name_now,
    no_way_back,
    played_since,
    refuse_if_changed,
    refuse_when_over,
    require_seat,
    stored_as,
    stored_fields,
)
from app.scorebook.events.games import RuleChanged
from app.scorebook.events.seats import (
    already_playing,
    events_to_hand_over,
    logged_seat,
    refuse_two_seats,
    with_seat,
)
from app.scorebook.game import Entry, Game, Round, Seat, SeatHolder
from app.scorebook.limits import MOST_ROUNDS, ContractNumber, LastRound, Name, RoundNumber, Score
from app.scorebook.refusals import refusal
from app.scorebook.standings import game_status

LEAST_PLAYERS = 2
"""So many at least stay in a game."""
MOST_STARTING_SCORE = 10_000

HandTreatment = Literal["", "counted", "not_counted"]
"""What becomes of the cards of a player who leaves in the middle of a round; blank between rounds.
"""


class Attendance(TypedDict):
    """In which rounds a seat is played, and with what its player began: fields of `Seat`."""

    joined_in: RoundNumber
    left_after: LastRound | None
    starting_score: Score
    starting_contract: ContractNumber
    missed: Annotated[tuple[tuple[RoundNumber, RoundNumber], ...], ListOf(MOST_ROUNDS)]


class AttendanceFields(TypedDict):
    """What the log says of how a seat was played before; logs may lack it."""

    seat: NotRequired[Attendance]


def _read(part: Mapping[str, Any]) -> Attendance | None:
    known = part.get("seat")
    if known is None:
        return None
    missed = tuple((first, last) for first, last in known["missed"])
    return cast("Attendance", {**known, "missed": missed})


@dataclass(frozen=True, slots=True)
class AttendanceChanged(Event):
    """A player takes a seat or leaves it: how the seat was played `before`, and is `after` it.

    `before` is None where there was no such seat; logs may lack both.
    """

    read_part = _read
    seat: int
    player_name: Name = field(metadata=stored_as("player"))
    before: Attendance | None = field(default=None, kw_only=True)
    after: Attendance | None = field(default=None, kw_only=True)

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject("attendance", 0, self.seat)})

    def apply(self, game: Game) -> Game:
        seat = game.seat(self.seat)
        return with_seat(game, replace(seat, **self.after) if self.after else seat)

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The seat is played as before. Raises `Refused` where that cannot be."""
        seat = logged_seat(game, self.seat)
        if self.after is not None:
            refuse_if_changed(attendance_of(seat), self.after)
        earlier = self.earlier_seat(seat)
        return _removal_events(game, seat) if earlier is None else _restoring(game, seat, earlier)

    def with_names_now(self, game: Game) -> Event:
        number = getattr(self, "round_number", 0) or 1
        return replace(self, player_name=name_now(game, self.seat, number, self.player_name))

    def earlier_seat(self, seat: Seat) -> Seat | None:
        """The seat as it was before; None where there was none."""
        return self.before and replace(seat, **self.before)

    def to_log(self) -> LogFields:
        """What the log holds; of the fields of a kind only what is not usual."""
        logged = Event.to_log(replace(self, before=None, after=None))
        stored = stored_fields(self.kind)
        unusual = {name: one for name, one in logged.after.items() if one != stored[name].default}
        before, after = ({"seat": one} if one else {} for one in (self.before, self.after))
        return logged._replace(before=before, after=unusual | after)

    @classmethod
    def payload(cls) -> tuple[Any, Any]:
        return AttendanceFields, cls.fields_type(seat=NotRequired[Attendance])


@dataclass(frozen=True, slots=True)
class PlayerJoined(AttendanceChanged):
    """A player takes a seat, a new one or one that was left before a round was played on it.

    `updated_seat` is the seat as it is from now on and `position` where it stands in seating order;
    the log does not store them.
    """

    kind = "joined"
    score: Score | None = None
    contract: ContractNumber = 1
    updated_seat: Seat | None = field(default=None, metadata=stored_as(""))
    position: int = field(default=0, metadata=stored_as(""))

    def apply(self, game: Game) -> Game:
        seats = [one for one in game.seats if one.id != self.seat]
        seats.insert(self.position, self.updated_seat or Seat(self.seat, name=self.player_name))
        return replace(game, seats=tuple(seats))

    def words(self, _game: Game) -> Phrase:
        if self.score and self.contract > 1:
            return say(
                "{name} joined on contract {number} with a score of {score}",
                name=self.player_name,
                number=self.contract,
                score=self.score,
            )
        if self.contract > 1:
            return say(
                "{name} joined on contract {number}", name=self.player_name, number=self.contract
            )
        return say("{name} joined", name=self.player_name)


@dataclass(frozen=True, slots=True)
class PlayerLeft(AttendanceChanged):
    """A player left the game; the log stores the round only where it was under way."""

    kind = "left"
    round_number: int = 0
    hand_treatment: HandTreatment = field(default="", metadata=stored_as("cards"))

    def earlier_seat(self, seat: Seat) -> Seat | None:
        return replace(seat, **(self.before or {"left_after": None}))

    def words(self, game: Game) -> Phrase:
        name, has_cards = self.player_name, bool(game.variant.contracts)
        if not self.hand_treatment:
            return say("{name} left", name=name)
        if self.hand_treatment == "counted" and has_cards:
            return say("{name} left during the round, and the cards count", name=name)
        if self.hand_treatment == "counted":
            return say("{name} left during the round, and the points count", name=name)
        if has_cards:
            return say("{name} left during the round, and the cards don’t count", name=name)
        return say("{name} left during the round, and the points don’t count", name=name)


@dataclass(frozen=True, slots=True)
class PlayerReturned(AttendanceChanged):
    """A player who left plays again from a round on."""

    kind = "returned"
    round_number: int = field(kw_only=True)
    left_after: LastRound | None = None

    @property
    def rounds_missed(self) -> int:
        """How many rounds the player missed meanwhile."""
        return max(0, self.round_number - 1 - (self.left_after or 0))

    def earlier_seat(self, seat: Seat) -> Seat | None:
        if self.before is None:
            return seat.with_departure_after(self.left_after or 0)
        return replace(seat, **self.before)

    def words(self, _game: Game) -> Phrase:
        if self.rounds_missed:
            return say_plural(
                "{name} came back after missing {count} round",
                "{name} came back after missing {count} rounds",
                self.rounds_missed,
                name=self.player_name,
            )
        return say("{name} came back", name=self.player_name)


@dataclass(frozen=True, slots=True)
class JoinUndone(Event):
    """A player did not join after all: there is no such seat anymore."""

    kind = "unjoined"
    player_name: Name = field(metadata=stored_as("player"))
    removed_seat: int = field(default=0, metadata=stored_as(""))
    """The log does not store it: nothing else has the seat either."""

    def apply(self, game: Game) -> Game:
        return game.without_seat(self.removed_seat)

    def words(self, _game: Game) -> Phrase:
        return say("Undone: {name} joined", name=self.player_name)


def attendance_of(seat: Seat) -> Attendance:
    """How a seat is played."""
    return cast("Attendance", {name: getattr(seat, name) for name in Attendance.__annotations__})


def _left(
    game: Game, seat: Seat, gone: Seat, number: int = 0, cards: HandTreatment = ""
) -> PlayerLeft:
    """The event that a player leaves, before the open round or in the one of that number."""
    name, before, after = game.name_of(seat.id), attendance_of(seat), attendance_of(gone)
    return PlayerLeft(seat.id, name, number, cards, before=before, after=after)


def player_gone_event(game: Game, seat: Seat) -> PlayerLeft:
    """The event that who has left does not play the open round after all: it is dealt again."""
    number = game.open_number
    return _left(game, seat, seat.with_departure_after(number - 1), number, "not_counted")


def player_returned_event(game: Game, seat: Seat) -> PlayerReturned:
    """The event that a player comes back for the open round."""
    return _returned(game, seat, seat.with_return_in(game.open_number))


def _restoring(game: Game, seat: Seat, earlier: Seat) -> tuple[Event, ...]:
    """The event by which a seat is played as it was earlier. Raises `Refused`."""
    refuse_if_changed(seat == earlier, False)
    if any(seat.plays_in(one.number) != earlier.plays_in(one.number) for one in game.rounds):
        raise played_since()
    _refuse_too_few(with_seat(game, earlier), "undo")
    if earlier.left_after is None:
        return (_returned(game, seat, earlier),)
    return (_left(game, seat, earlier),)


def _returned(game: Game, seat: Seat, back: Seat) -> PlayerReturned:
    number = game.open_number
    return PlayerReturned(
        seat.id,
        seat.holder_in(number).name,
        number - 1 if seat.left_after is None else seat.left_after,
        round_number=number,
        before=attendance_of(seat),
        after=attendance_of(back),
    )


def _removal_events(game: Game, seat: Seat) -> tuple[Event, ...]:
    """A seat is no longer there, nor what is entered for it. Raises `Refused`."""
    if any(seat.plays_in(one.number) for one in game.rounds):
        message = say("Rounds have been played since. Have the player leave the game instead.")
        raise refusal("undo", message)
    if seat.id == game.first_dealer:  # an old or imported log may say so
        raise no_way_back()
    refuse_if_changed((seat.stand_ins, game.decisions.mentions(seat.id)), ((), False))
    _refuse_too_few(game.without_seat(seat.id), "undo")
    events = [
        event
        for draft in game.drafts
        for event in events_to_reach(game, _with_only(draft, Entry(seat.id), may_be_first=False))
    ]
    return (*events, JoinUndone(game.name_of(seat.id), seat.id))


def _with_only(played: Round, entry: Entry, *, may_be_first: bool) -> Round:
    """The round with that entry alone, and with who was first unless the seat can’t have been."""
    first_down = played.first_down if may_be_first or played.first_down != entry.seat else None
    return replace(played, entries=(entry,), first_down=first_down)


def _refuse_too_few(game: Game, field: str) -> None:
    if sum(one.left_after is None for one in game.seats) < LEAST_PLAYERS:
        message = say("A game needs at least 2 players. Add one before someone leaves.")
        raise refusal(field, message)


def old_seat_of(game: Game, player: int) -> Seat | None:
    """The seat to which a player comes back: the one that they hold, else one that they took."""
    held = [one for one in game.seats if one.holder_in(game.open_number).player == player]
    taken = [one for one in game.seats if one.player == player]
    return next(iter([*held, *taken]), None)


def events_to_join(
    game: Game, seat: Seat, after: int | None, contract: int | str | None, score: int | str | None
) -> tuple[Event, ...]:
    """A seat from the open round on, a new one after another in seating order or last.

    None leaves the contract or score to the house rule. Raises `Refused`.
    """
    return _coming_in(game, _joining_events(game, seat, after, contract, score))


def _coming_in(game: Game, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """With these events somebody plays from the open round on, and who deals it still does.

    Who sat down before the dealer would have had the deal. Raises `Refused`.
    """
    after, number = apply_all(game, events), game.open_number
    refuse_two_seats(after)
    deals = dealer_of(game, number)
    if deals is None or dealer_of(after, number) == deals:
        return events
    stays = DealerFields(deals=deals, once=False)
    return (*events, DealerChanged(number, dealer_fields(after, number), stays))


def _joining_events(
    game: Game, seat: Seat, after: int | None, contract: int | str | None, score: int | str | None
) -> tuple[Event, ...]:
    seat, rules = _with_joiner_start(
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


def usual_contracts(game: Game) -> Mapping[str, int]:
    """The contracts that a late joiner usually begins on, by the value of the house rule."""
    tried = (one.contract for one in game_status(game).standings if one.present)
    return {"first": 1, "lowest": min((one for one in tried if one), default=1)}


def usual_scores(game: Game) -> Mapping[str, int]:
    """The scores that one usually begins with, likewise; half a point of the average goes up."""
    scores = [one.score or 0 for one in game_status(game).standings if one.present] or [0]
    average = (2 * sum(scores) + len(scores)) // (2 * len(scores))
    return {"zero": 0, "average": average, "highest": max(scores)}


def _with_joiner_start(
    game: Game, seat: Seat, contract: int | str | None, score: int | str | None
) -> tuple[Seat, tuple[Event, ...]]:
    """A late joiner's seat with what it begins with, and the house rules that this makes.

    None leaves it to the house rule. Raises `Refused` for what cannot be chosen, and where a score
    that decides who wins is left open, unless all the usual ones are the same.
    """
    events: tuple[Event, ...] = ()
    if game.variant.progress == "individual":
        usual, bounds = usual_contracts(game), (1, game.variant.last_contract)
        number, events = _chosen(game, "joiner_contract", contract, usual, bounds)
        seat = replace(seat, starting_contract=number)
    if game.keeps_score:
        bounds = (-MOST_STARTING_SCORE, MOST_STARTING_SCORE)
        number, more = _chosen(game, "joiner_score", score, usual_scores(game), bounds)
        seat, events = replace(seat, starting_score=number), (*events, *more)
    return seat, events


def _chosen(
    game: Game,
    rule: str,
    asked: int | str | None,
    usual: Mapping[str, int],
    bounds: tuple[int, int],
) -> tuple[int, tuple[Event, ...]]:
    """The number that was asked for, and the house rule where that changes."""
    field, now = rule.removeprefix("joiner_"), getattr(game.rules_now, rule)
    chosen = now if asked is None else asked
    if chosen == "ask":
        if not game.variant.score_is_optional and len(set(usual.values())) > 1:
            raise refusal(field, say("Choose a starting score: the score decides who wins."))
        return 0, ()
    if isinstance(chosen, str) and chosen in usual:
        change = RuleChanged(game.open_number, {rule: now}, {rule: chosen})
        return usual[chosen], (change,) if chosen != now else ()
    least, most = bounds
    if isinstance(chosen, str) or not least <= chosen <= most:
        raise refusal(field, ask_for_number(least, most))
    return chosen, ()


def events_to_return(
    game: Game, seat: Seat, player: SeatHolder, contract: int | str | None, score: int | str | None
) -> tuple[Event, ...]:
    """A player takes the old seat again, perhaps as a late joiner. Raises `Refused`."""
    holder = seat.holder_in(game.open_number)
    if seat.left_after is None and holder.player == player.player:
        raise already_playing(player.name)
    if seat.left_after is None:
        message = say(
            "{holder} is playing for {name}. Let {name} take over from {holder}.",
            holder=holder.name,
            name=player.name,
        )
        raise refusal("players", message)
    returned = player_returned_event(game, seat)
    events: tuple[Event, ...] = (returned,)
    if _begins(game, seat, chosen=(contract, score) != (None, None)):
        fresh = replace(seat, left_after=None, missed=())
        events = _joining_events(game, fresh, None, contract, score)
    if holder.player != player.player:
        events += events_to_hand_over(apply_all(game, events), seat.id, player)
    if not returned.rounds_missed and game.decisions.current_deal(game.open_number) == 1:
        refuse_two_seats(apply_all(game, events))
        return events  # as if they had never left
    return _coming_in(game, events)


def _begins(game: Game, seat: Seat, *, chosen: bool) -> bool:
    """Does who takes the seat again begin like a late joiner, having played no round?

    Who left before the open round, for which they had joined, begins as it was unless they choose.
    """
    number = game.open_number
    if seat.has_played_before(number):
        return False
    untouched = not seat.plays_in(number) and game.round(number).entry_of(seat.id) == Entry(seat.id)
    return seat.joined_in < number or (chosen and untouched)


def events_to_leave(game: Game, seat_id: int, cards: HandTreatment = "") -> tuple[Event, ...]:
    """A player leaves, before the open round or in it; nothing where that was so before.

    Who was entered as going out no longer is, nor as first to lay down unless their cards count.
    Raises `Refused`.
    """
    refuse_when_over(game)
    seat, number = game.seat(require_seat(game, seat_id, "players")), game.open_number
    if seat.left_after is not None:
        return ()
    entered = game.round(number)
    entry = replace(entered.entry_of(seat.id), went_out=False)
    changes = events_to_reach(game, _with_only(entered, entry, may_be_first=cards == "counted"))
    dealer = _dealer_leaves(game, seat, cards)
    cards = cards if seat.plays_in(number) else ""
    gone = seat.with_departure_after(len(game.rounds) + (cards == "counted"))
    _refuse_too_few(with_seat(game, gone), "players")
    return (*changes, *dealer, _left(game, seat, gone, number if cards else 0, cards))


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
