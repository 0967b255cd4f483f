"""A game being played: its rule set, its seats, its rounds and what is entered in them.

Scores, dealers, places and the end follow from this; of a finished game the facts for statistics
are stored, too. What may happen to a game is in `events/`; whether a round may be recorded is
judged in `faults.py`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, Literal

from typing_extensions import TypedDict

from app.rules.field_types import AnyJson, ListOf, Text
from app.rules.phrases import say
from app.rules.rule_sets import FaultyRules, with_house_rules
from app.rules.variant import Variant
from app.scorebook.decisions import TableDecisions
from app.scorebook.limits import (
    MOST_SEATS,
    Buys,
    CountedCards,
    Name,
    Place,
    Points,
    RoundNumber,
    SeatId,
    Typed,
)
from app.scorebook.marks import FIRST_MARK, Mark

Stop = Literal["result", "no_result"]
"""How a game that the table stopped counts: by its standings, or not at all."""

EveningMark = Literal["begins", "joins"]
"""Where people said so: a game begins an evening, or belongs to the one before."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who plays a seat from a round on; a stand-in is one in place of who did so before."""

    from_round: int
    player: int
    name: str
    mark: Mark = FIRST_MARK


@dataclass(frozen=True)
class Seat:
    """A player's place in a game.

    A late joiner plays from round `joined_in` on, with `starting_score`, and on `starting_contract`
    unless all try the same one. Who left plays no round after `left_after`; `missed` are the first
    and last of the rounds that a player missed between leaving and coming back. `player` is the id
    of the person who took the seat; of `stand_ins`, in the order in which they were named, the last
    one whose round has come plays it on.
    """

    id: int
    joined_in: int = 1
    left_after: int | None = None
    starting_score: int = 0
    name: str = ""
    player: int = 0
    starting_contract: int = 1
    missed: tuple[tuple[int, int], ...] = ()
    stand_ins: tuple[SeatHolder, ...] = ()
    mark: Mark = FIRST_MARK

    def plays_in(self, number: int) -> bool:
        return self.joined_in <= number and not self.has_left_by(number) and not self.misses(number)

    def misses(self, number: int) -> bool:
        """Is that round one that the player missed and came back after?"""
        return number in self._missed_numbers

    @cached_property
    def _missed_numbers(self) -> frozenset[int]:
        return frozenset(one for first, last in self.missed for one in range(first, last + 1))

    def has_played_before(self, number: int) -> bool:
        """Did this seat play in an earlier round than that?"""
        return any(self.plays_in(one) for one in range(self.joined_in, number))

    def holder_in(self, number: int) -> SeatHolder:
        """Who holds the seat in the round of that number, whether or not it is played in it."""
        come = (one for one in reversed(self.stand_ins) if one.from_round <= number)
        return next(come, self.stints[0])

    @cached_property
    def stints(self) -> tuple[SeatHolder, ...]:
        """Who took the seat, and all stand-ins after them."""
        return (SeatHolder(1, self.player, self.name, self.mark), *self.stand_ins)

    def holders_before(self, number: int) -> tuple[SeatHolder, ...]:
        """Who played the seat before that round, each once, as they came."""
        rounds = (one for one in range(self.joined_in, number) if self.plays_in(one))
        return tuple({one.name: one for one in map(self.holder_in, rounds)}.values())

    def with_return_in(self, number: int) -> "Seat":
        """The seat after its player came back for that round; if never played, it joins in it."""
        away = [one for one in range(self.joined_in, number) if not self.plays_in(one)]
        back = replace(self, left_after=None)
        if (away or self.joined_in > number) and not self.has_played_before(number):
            return replace(back, joined_in=number, missed=())
        runs = groupby(enumerate(away), key=lambda one: one[1] - one[0])
        ranges = [[number for _place, number in run] for _key, run in runs]
        return replace(back, missed=tuple((run[0], run[-1]) for run in ranges))

    def with_departure_after(self, number: int) -> "Seat":
        """The seat after its player left, to play no round after the one of that number."""
        missed = tuple((first, min(last, number)) for first, last in self.missed if first <= number)
        return replace(self, left_after=number, missed=missed)

    def has_left_by(self, number: int) -> bool:
        """Has the player left, to play neither that round nor a later one?"""
        return self.left_after is not None and self.left_after < number


@dataclass(frozen=True, slots=True)
class Entry:
    """What is entered for a seat in a round.

    `typed` is the penalty as it was typed, even where it cannot be read, or what counted cards come
    to; `counted` the cards left of each class of cards, where they were counted; `penalty` the
    points that either comes to: None, which is not 0, for a blank and for what cannot be read.
    `not_counted` says that nobody knows the points any more, so that the blank may stand.
    `exact_deal` marks a dealer who lifted exactly the cards for the deal; `buys` counts the
    discards bought out of turn, where the rules limit or price them.
    """

    seat: SeatId
    met: bool = False
    went_out: bool = False
    penalty: Points | None = None
    typed: Typed = ""
    counted: CountedCards = ()
    exact_deal: bool = False
    not_counted: bool = False
    buys: Buys = 0

    @property
    def laid_down(self) -> bool:
        """Did the player lay down the contract? Whoever went out did, even if only that is said."""
        return self.met or self.went_out


@dataclass(frozen=True, slots=True)
class Round:
    """A round, numbered from 1 and dealt again where a deal was void.

    A seat without an entry has a blank one. The order of entries is free.

    `first_down` is the seat that was first to lay down the last contract, asked where several did.
    `nobody_out` says that somebody entered that no one went out.
    """

    number: int
    entries: tuple[Entry, ...] = ()
    first_down: int | None = None
    nobody_out: bool = False

    def entry_of(self, seat: int) -> Entry:
        """The entry of a seat; a blank one where nothing was entered."""
        for entry in self.entries:
            if entry.seat == seat:
                return entry
        return Entry(seat)

    def with_entry(self, entry: Entry) -> "Round":
        """The round with that entry in place of the seat's, or as its last."""
        entries = tuple(entry if one.seat == entry.seat else one for one in self.entries)
        known = any(one.seat == entry.seat for one in entries)
        return replace(self, entries=entries if known else (*entries, entry))


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A house rule that holds from one round on.

    What late joiners begin with (`joiner_…`) may be chosen for one who came, and holds in this game
    alone; where it was changed as a house rule, `lasts_as` is what later games begin with. All
    other rules last as their `value`.
    """

    from_round: RoundNumber
    field: Annotated[str, Text(40)]
    value: AnyJson
    lasts_as: Annotated[str, Text(20)] | None = None


class PastLine(TypedDict):
    """What a player came to in a past result."""

    player: Name
    place: Place
    score: Points | None


NO_DAY = say("This must be a day such as 2026-11-20.")


class PastResult(TypedDict):
    """What a game that was entered without rounds came to, as it was typed, and on which day."""

    day: Annotated[str, Text(10, form=r"\d{4}-\d\d-\d\d", unfit=NO_DAY)]
    players: Annotated[tuple[PastLine, ...], ListOf(MOST_SEATS, 2)]


@dataclass(frozen=True)
class Game:
    """One playing of a rule set, with seats in seating order, clockwise, and ended rounds from 1.

    The variant has the house rules of the start in it; `rule_changes` are those made since.
    `first_dealer` is the id of one of the seats. `drafts` are rounds that something was entered for
    and that have not ended, in order; `stopped` says that it is over although no round ended it.
    `decisions` are what the table decided beside the cards; `past_result` is all that is known of a
    game with results only. One that is `left_out` counts for no season.
    """

    variant: Variant
    seats: tuple[Seat, ...]
    first_dealer: int
    rounds: tuple[Round, ...] = ()
    drafts: tuple[Round, ...] = ()
    rule_changes: tuple[RuleChange, ...] = ()
    decisions: TableDecisions = field(default_factory=TableDecisions)
    stopped: Stop | None = None
    past_result: PastResult | None = None
    left_out: bool = False
    known_results: tuple[Any, ...] | None = field(
        default=None, init=False, repr=False, compare=False
    )
    """What `round_results` answers, where that is known already."""

    def remember_results(self, results: tuple[Any, ...] | None) -> None:
        """Keep what `round_results` worked out, or what is known to come to the same."""
        object.__setattr__(self, "known_results", results)

    @property
    def open_number(self) -> int:
        """The number of the round after those that ended."""
        return len(self.rounds) + 1

    def marks_in(self, number: int) -> Mapping[int, Mark]:
        """The marks of who holds each seat in the round of that number."""
        return {seat.id: seat.holder_in(number).mark for seat in self.seats}

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names of who holds each seat now; a seat's id where no name is known."""
        return self.names_in(self.open_number)

    def names_in(self, number: int) -> Mapping[int, str]:
        """The names of who holds each seat in that round; a seat's id where no name is known."""
        return {seat.id: seat.holder_in(number).name or str(seat.id) for seat in self.seats}

    @cached_property
    def seated(self) -> Mapping[int, SeatHolder]:
        """Who sits at the table, or did at its end, and so plays again, by seat in seating order.

        Who left does not, though they may have played the last round.
        """
        number = self.open_number
        there = [seat for seat in self.seats if seat.left_after is None]
        return {seat.id: seat.holder_in(number) for seat in one_seat_each(there, number)}

    def changed_hands_in(self, seat: int | None, number: int) -> bool:
        """Was the seat taken over in that round? Then who held it at one of its deals is open."""
        held = (one for of in self.seats if of.id == seat for one in of.stand_ins)
        return any(one.from_round == number for one in held)

    def name_of(self, seat: int) -> str:
        """The name of a seat's player; for a seat that is not in the game, its number."""
        return self.names.get(seat, str(seat))

    def seat(self, seat_id: int) -> Seat:
        """The seat of that id. Raises `StopIteration` where there is none."""
        return next(seat for seat in self.seats if seat.id == seat_id)

    def left_midway(self, seat_id: int, number: int) -> bool:
        """Is that the open round, and the last that the player of the seat played?

        They left in the middle of it, or after it had ended if it was reopened since.
        """
        return self.seat(seat_id).left_after == number == self.open_number

    def without_seat(self, seat_id: int) -> "Game":
        """The game as if that seat, which was never played, had not been taken."""
        seats = tuple(one for one in self.seats if one.id != seat_id)
        drafts = (
            replace(one, entries=tuple(row for row in one.entries if row.seat != seat_id))
            for one in self.drafts
        )
        decisions = self.decisions.without_seat(seat_id)
        return replace(self, seats=seats, drafts=tuple(drafts), decisions=decisions)

    def order_at(self, number: int, deal: int) -> tuple[Seat, ...]:
        """The seats in their order at that deal of a round; those taken later are last."""
        order = self.decisions.order_at(number, deal)
        return self.seats if order is None else in_order(self.seats, order)

    def is_round_ended(self, number: int) -> bool:
        return 1 <= number <= len(self.rounds)

    def round(self, number: int) -> Round:
        """The round of that number, ended or not; a blank one where nothing was entered."""
        if self.is_round_ended(number):
            return self.rounds[number - 1]
        return self._drafts_by_number.get(number) or Round(number)

    @cached_property
    def _drafts_by_number(self) -> Mapping[int, Round]:
        return {one.number: one for one in self.drafts}

    def with_round(self, changed: Round) -> "Game":
        """The game with that round in place of the one of its number.

        What follows an ended round is derived anew: where it ends the game now, the rounds after it
        are kept but count no longer (`rounds_after_end`). A draft changes nothing of what the ended
        rounds came to, so that stays known.
        """
        if self.is_round_ended(changed.number):
            earlier, later = self.rounds[: changed.number - 1], self.rounds[changed.number :]
            return replace(self, rounds=(*earlier, changed, *later))
        drafts = [one for one in self.drafts if one.number != changed.number]
        game = replace(self, drafts=_by_number([*drafts, changed]))
        game.remember_results(self.known_results)
        return game

    def with_round_ended(self, number: int) -> "Game":
        ended = self.round(number)
        drafts = tuple(one for one in self.drafts if one.number != number)
        return replace(self, rounds=(*self.rounds, ended), drafts=drafts)

    def with_last_round_reopened(self) -> "Game":
        """The game, not stopped, with its last round open; a draft of the next one is kept."""
        drafts = _by_number([*self.drafts, self.rounds[-1]])
        return replace(self, rounds=self.rounds[:-1], drafts=drafts, stopped=None)

    def rules_in(self, number: int) -> Variant:
        """The rules in force in a round: the game's own, with what was changed by then.

        A change that does not fit those before it is passed over, as where an earlier round was
        reopened later and another rule changed in it.
        """
        later = bisect_right(self._rules_by_round, number, key=lambda one: one[0])
        return self._rules_by_round[later - 1][1] if later else self.variant

    @property
    def rules_now(self) -> Variant:
        """The rules in force in the open round; once the game is over, in one that would follow."""
        return self.rules_in(self.open_number)

    @property
    def lasting_rules(self) -> Variant:
        """Those of `by_lasting_rules` now: without what was chosen for late joiners."""
        return self.by_lasting_rules.rules_now

    @property
    def by_lasting_rules(self) -> "Game":
        """The game without what was chosen for its late joiners, which holds in this game alone."""
        return replace(self, rule_changes=self.lasting_rule_changes)

    @property
    def lasting_rule_changes(self) -> tuple[RuleChange, ...]:
        """The house rules that changed, but for what was chosen for who came late."""
        return tuple(
            one if one.lasts_as is None else replace(one, value=one.lasts_as)
            for one in self.rule_changes
            if one.lasts_as is not None or not one.field.startswith("joiner_")
        )

    @property
    def keeps_score(self) -> bool:
        """Is a score kept in the open round, and so of the game as it stands?"""
        return self.rules_now.keeps_score

    @cached_property
    def _rules_by_round(self) -> tuple[tuple[int, Variant], ...]:
        """Each round from which other rules hold, and those rules, in the order of the rounds."""
        rules, found = self.variant, dict[int, Variant]()
        for change in sorted(self.rule_changes, key=lambda one: one.from_round):
            with suppress(FaultyRules):
                rules = with_house_rules(rules, {change.field: change.value})
                found[change.from_round] = rules
        return tuple(found.items())


def with_all_entries(game: Game, played: Round) -> Round:
    """The round with an entry for each seat that plays in it and no other, as they sit now.

    What is said of a round does not depend on the order in which it was entered, nor on what was
    entered for who does not play in it.
    """
    playing = (seat for seat in game.seats if seat.plays_in(played.number))
    return replace(played, entries=tuple(played.entry_of(seat.id) for seat in playing))


def one_seat_each(seats: Sequence[Seat], number: int) -> tuple[Seat, ...]:
    """These seats, but of several that one player holds in that round only the one they play."""
    playing = sorted(seats, key=lambda one: one.plays_in(number))
    last = {seat.holder_in(number).player: seat for seat in playing}
    return tuple(seat for seat in seats if last[seat.holder_in(number).player] is seat)


def in_order(seats: tuple[Seat, ...], order: Sequence[int]) -> tuple[Seat, ...]:
    """The seats with these ids in this order, then all others as they stand."""
    places = {seat: place for place, seat in enumerate(order)}
    return tuple(sorted(seats, key=lambda one: places.get(one.id, len(places))))


def _by_number(rounds: Iterable[Round]) -> tuple[Round, ...]:
    return tuple(sorted(rounds, key=lambda one: one.number))
