"""A round that is entered whole, ends, opens again, is edited, noted, or void and dealt again."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from app.rules.phrases import Phrase, say
from app.scorebook.dealing import dealer_of, players_in
from app.scorebook.decisions import RoundNote, VoidDeal
from app.scorebook.events.attendance import player_gone_event
from app.scorebook.events.dealing import number_to_decide_about
from app.scorebook.events.entries import events_to_reach, require_entry, with_points_read
from app.scorebook.events.event import (
    Event,
    after_edit,
    name_in,
    refuse_if_changed,
    refuse_if_not_begun,
    refuse_if_played_since,
    stored_as,
)
from app.scorebook.faults import contract_faults, find_round_faults, nobody_out_faults, seat_faults
from app.scorebook.game import Entry, Game, Round
from app.scorebook.limits import Decision
from app.scorebook.refusals import Refused, ask_unless_accepted
from app.scorebook.round_results import is_over
from app.scorebook.warnings import find_warnings


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """The open round ended."""

    kind = "closed"
    about = "end"
    round_number: int

    def apply(self, game: Game) -> Game:
        return game.with_round_ended(self.round_number)

    def words(self, _game: Game) -> Phrase:
        return say("Round {number} ended", number=self.round_number)


@dataclass(frozen=True, slots=True)
class RoundReopened(Event):
    """The last round is open again."""

    kind = "opened_again"
    about = "end"
    round_number: int

    def apply(self, game: Game) -> Game:
        return game.with_last_round_reopened()

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The round ends again, with what it let stand. Raises `Refused` where it cannot."""
        refuse_if_changed((game.open_number, is_over(game)), (self.round_number, False))
        reopened = game.round(self.round_number)
        check_round(game, reopened, [one.acceptance for one in find_warnings(game, reopened)])
        return (RoundEnded(self.round_number),)

    def words(self, _game: Game) -> Phrase:
        return say("Round {number} reopened", number=self.round_number)


@dataclass(frozen=True, slots=True)
class RoundEdited(Event):
    """An ended round was changed; what changed in it stands right before this event."""

    kind = "mended"
    round_number: int
    reason: Decision = ""

    def apply(self, game: Game) -> Game:
        return after_edit(game)

    def words(self, _game: Game) -> Phrase:
        return say("Round {number} edited", number=self.round_number)


def validated_round(game: Game, entered: Round) -> Round:
    """A round that was entered as a whole, its points read. Raises `Refused` with its faults.

    It need not be complete; `check_round` says whether it can end.
    """
    read = [with_points_read(game, entry) for entry in entered.entries]
    unreadable = (fault for _entry, fault in read if fault)
    wrong = [
        *seat_faults(game, entered),
        *unreadable,
        *contract_faults(game.variant, entered),
        *nobody_out_faults(entered),
    ]
    if wrong:
        raise Refused(wrong)
    if entered.first_down is not None:
        require_entry(game, entered.number, entered.first_down, field="first_down")
    return replace(entered, entries=tuple(entry for entry, _fault in read))


def check_round(game: Game, played: Round, accepted: Collection[str] = ()) -> None:
    """Raise `Refused` for the contradictions of a round that is to end, or to be edited.

    Raises `ConfirmationNeeded` for warnings whose `acceptance` is not among the `accepted`.
    """
    wrong = find_round_faults(game, played)
    if wrong:
        raise Refused(wrong)
    ask_unless_accepted(find_warnings(game, played), accepted)


def events_to_end_round(game: Game, entered: Round, accepted: Collection[str]) -> tuple[Event, ...]:
    """The open round ends as it was entered. Raises as `check_round`."""
    entered = validated_round(game, entered)
    check_round(game, entered, accepted)
    return (*events_to_reach(game, entered), RoundEnded(entered.number))


def events_to_edit_round(
    game: Game, entered: Round, accepted: Collection[str], reason: str
) -> tuple[Event, ...]:
    """An ended round is changed to what was entered; everything after it follows.

    Without a change nothing happens. A game that is over is edited like any other. Raises as
    `check_round`.
    """
    entered = validated_round(game, entered)
    check_round(game, entered, accepted)
    changes = events_to_reach(game, entered)
    return (*changes, RoundEdited(entered.number, reason)) if changes else ()


@dataclass(frozen=True, slots=True)
class DealVoided(Event):
    """A deal was void, so that the open round is dealt again, or that was undone (`is_undone`).

    What was entered for it is dropped by events that stand before this one.
    """

    kind = "void"
    about = "round"
    round_number: int
    dealer: int | None = field(default=None, metadata=stored_as("seat"))
    passed_on: bool = False
    reason: Decision = ""
    is_undone: bool = field(default=False, metadata=stored_as("undone"))

    def apply(self, game: Game) -> Game:
        voids = game.decisions.voids
        if self.is_undone:
            last = max(place for place, one in enumerate(voids) if one.number == self.round_number)
            voids = (*voids[:last], *voids[last + 1 :])
        else:
            voids = tuple(sorted((*voids, self._void), key=lambda one: one.number))
        return replace(game, decisions=replace(game.decisions, voids=voids))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The deal counts after all, or not again. Raises `Refused` where that cannot be."""
        refuse_if_played_since(game, self.round_number)
        decisions = game.decisions
        if not self.is_undone:
            refuse_if_changed(decisions.voids_in(self.round_number)[-1:], (self._void,))
            since = {(one.number, one.deal) for one in decisions.dealers}
            since |= {(one.number, one.deal) for one in decisions.seat_changes}
            refuse_if_changed(
                (self.round_number, decisions.current_deal(self.round_number)) in since, False
            )
        return (replace(self, is_undone=not self.is_undone),)

    @property
    def _void(self) -> VoidDeal:
        return VoidDeal(self.round_number, self.dealer or None, self.passed_on, self.reason)

    def words(self, game: Game) -> Phrase:
        if self.is_undone:
            return say("Undone: round {number} dealt again", number=self.round_number)
        if self.passed_on and self.dealer:
            return say("Round {number} dealt again, the deal passes on", number=self.round_number)
        if not self.dealer or game.changed_hands_in(self.dealer, self.round_number):
            return say("Round {number} dealt again", number=self.round_number)
        dealer = name_in(game, self.dealer, self.round_number)
        return say("Round {number} dealt again by {name}", number=self.round_number, name=dealer)


def events_to_void(game: Game, *, passed_on: bool, reason: str) -> tuple[Event, ...]:
    """The deal of the open round is void: what was entered is dropped, and it is dealt again.

    The same player deals, or the next one where the deal is passed on or that player left. Who has
    left is not dealt in again. Raises `Refused`.
    """
    number = number_to_decide_about(game)
    blank = Round(number, tuple(Entry(seat.id) for seat in players_in(game, number)))
    gone = (player_gone_event(game, seat) for seat in game.seats if seat.left_after == number)
    return (
        *events_to_reach(game, blank),
        *gone,
        DealVoided(number, dealer_of(game, number), passed_on, reason),
    )


@dataclass(frozen=True, slots=True)
class RoundNoted(Event):
    """A round has another note than the `earlier` one; blank for none."""

    kind = "noted"
    round_number: int
    note: Decision = ""
    earlier: Decision = ""

    def apply(self, game: Game) -> Game:
        kept = [one for one in game.decisions.notes if one.number != self.round_number]
        if self.note:
            kept.append(RoundNote(self.round_number, self.note))
        return replace(game, decisions=replace(game.decisions, notes=tuple(sorted(kept))))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The earlier note. Raises `Refused` where it was changed again since."""
        refuse_if_changed(game.decisions.note_on(self.round_number), self.note)
        return (RoundNoted(self.round_number, self.earlier, self.note),)

    def words(self, _game: Game) -> Phrase:
        if not self.note:
            return say("Note on round {number} removed", number=self.round_number)
        return say("Note on round {number}: {note}", number=self.round_number, note=self.note)


def events_to_note(game: Game, number: int, note: str) -> tuple[Event, ...]:
    """A round that has begun has that note from now on; none if blank. Raises `Refused`."""
    refuse_if_not_begun(game, number)
    earlier = game.decisions.note_on(number)
    return () if note == earlier else (RoundNoted(number, note, earlier),)
