"""Small readable worlds: games told in players' names, as a table would tell them."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from app.rules.field_types import Misfit
from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.scorebook.events.attendance import events_to_return
from app.scorebook.events.dealing import events_to_change_seats, events_to_choose_dealer
from app.scorebook.events.event import Event, apply_all
from app.scorebook.events.rounds import events_to_void
from app.scorebook.events.seats import events_to_hand_over
from app.scorebook.faults import find_round_faults
from app.scorebook.game import Entry, Game, Round, Seat, SeatHolder
from app.scorebook.points import read_sum
from app.scorebook.progress import first_down_candidates
from app.scorebook.refusals import Notice
from app.scorebook.round_results import (
    EntryResult,
    RoundResult,
    penalty_payers,
    round_attempts,
    round_results,
)
from app.scorebook.standings import GameStatus, Standing, game_status
from app.scorebook.warnings import find_warnings

_A_WHOLE_HAND = 55
"""So much eleven cards count at least, by most rule sets that keep points."""


def who_laid_down(out: str, met: str, left: Mapping[str, object]) -> str:
    """The names of who laid down: as told, and who has fewer points left than a whole hand."""
    few = (name for name, points in left.items() if _is_part_of_a_hand(str(points)))
    return " ".join(dict.fromkeys([*met.split(), *(one for one in few if one != out)]))


def _is_part_of_a_hand(points: str) -> bool:
    with suppress(Misfit):
        total = read_sum(points)
        return total is not None and 0 <= total < _A_WHOLE_HAND
    return False


def with_ended_round(game: Game, played: Round) -> Game:
    """The game with that round ended: with one more, or with the one of its number edited."""
    changed = game.with_round(played)
    return (
        changed if game.is_round_ended(played.number) else changed.with_round_ended(played.number)
    )


@dataclass(frozen=True)
class TableGame:
    """A game told in names. Each step answers with a new game; seat ids are 10, 20, 30 …"""

    game: Game
    seat_by_name: Mapping[str, int] = field(default_factory=dict)

    # What happens

    def entered(
        self,
        out: str = "",
        met: str = "",
        penalties: Mapping[str, int] | None = None,
        exact_deal: str = "",
        first_down: str = "",
        number: int | None = None,
    ) -> Round:
        """A round as the table enters it, not yet in the game; names separated by blanks.

        Who goes out has met the contract. Who plays gets a row, and so does anyone named.
        """
        number = number or len(self.game.rounds) + 1
        penalties = penalties or {}
        named = [*out.split(), *met.split(), *penalties, *exact_deal.split()]
        playing = [name for name, seat in self._seats() if seat.plays_in(number)]
        rows = tuple(
            Entry(
                self.seat_by_name[name],
                met=name in (*met.split(), *out.split()),
                went_out=name in out.split(),
                penalty=penalties.get(name),
                exact_deal=name in exact_deal.split(),
            )
            for name in dict.fromkeys([*playing, *named])
        )
        return Round(number, rows, self.seat_by_name[first_down] if first_down else None)

    def round(
        self,
        out: str = "",
        met: str = "",
        penalties: Mapping[str, int] | None = None,
        exact_deal: str = "",
        first_down: str = "",
        number: int | None = None,
    ) -> "TableGame":
        """The game with one more round, or with that round edited if a number is given."""
        entered = self.entered(out, met, penalties, exact_deal, first_down, number)
        return replace(self, game=with_ended_round(self.game, entered))

    def rounds(self, count: int, out: str = "", met: str = "") -> "TableGame":
        """The game with so many like rounds more."""
        table = self
        for _ in range(count):
            table = table.round(out, met)
        return table

    def joins(self, name: str, score: int = 0, after: str = "") -> "TableGame":
        """The game with a player who joins for the next round, seated last or after another."""
        number = 10 * (len(self.game.seats) + 1)
        seat = Seat(
            number,
            joined_in=len(self.game.rounds) + 1,
            starting_score=score,
            name=name,
            player=number,
        )
        seats = list(self.game.seats)
        ids = [one.id for one in seats]
        seats.insert(ids.index(self.seat_by_name[after]) + 1 if after else len(seats), seat)
        return TableGame(
            replace(self.game, seats=tuple(seats)), {**self.seat_by_name, name: seat.id}
        )

    def leaves(self, name: str) -> "TableGame":
        """The game with a player who leaves after the rounds so far."""
        seats = tuple(
            seat.with_departure_after(len(self.game.rounds)) if one == name else seat
            for one, seat in self._seats()
        )
        return replace(self, game=replace(self.game, seats=seats))

    def void(self, *, passed_on: bool = False) -> "TableGame":
        """The game whose open round was dealt in vain."""
        return self.after(events_to_void(self.game, passed_on=passed_on, reason="misdeal"))

    def deals(self, name: str, *, once: bool = False) -> "TableGame":
        """The game whose open round another player deals."""
        return self.after(events_to_choose_dealer(self.game, self.seat_by_name[name], once=once))

    def sits(self, names: str) -> "TableGame":
        """The game whose players sit in another order from the open round on."""
        seats = [self.seat_by_name[name] for name in names.split()]
        return self.after(events_to_change_seats(self.game, seats))

    def comes_back(self, name: str) -> "TableGame":
        """The game with a player who left and takes the old seat again."""
        seat = self.game.seat(self.seat_by_name[name])
        player = SeatHolder(self.game.open_number, seat.player, name)
        return self.after(events_to_return(self.game, seat, player, None, None))

    def hands_over(self, name: str, player: str) -> "TableGame":
        """The game with another player on that seat from the next round on."""
        taken = SeatHolder(self.game.open_number, sum(map(ord, player)), player)
        return self.after(events_to_hand_over(self.game, self.seat_by_name[name], taken))

    def after(self, events: Iterable[Event]) -> "TableGame":
        """The game after these events."""
        return replace(self, game=apply_all(self.game, events))

    # What is seen

    @property
    def status(self) -> GameStatus:
        return game_status(self.game)

    @property
    def results(self) -> tuple[RoundResult, ...]:
        return round_results(self.game)

    def standing_of(self, name: str) -> Standing:
        return self.status.standing(self.seat_by_name[name])

    def contract_of(self, name: str) -> int | None:
        return self.standing_of(name).contract

    def completed_by(self, name: str) -> int:
        return self.standing_of(name).contracts_completed

    def score_of(self, name: str) -> int | None:
        return self.standing_of(name).score

    def place_of(self, name: str) -> int | None:
        return self.standing_of(name).place

    def last_row_of(self, name: str) -> EntryResult:
        return next(r for r in self.results[-1].entries if r.seat == self.seat_by_name[name])

    @property
    def dealer(self) -> str | None:
        return self.name_of(self.status.dealer)

    @property
    def first_player(self) -> str | None:
        return self.name_of(self.status.first_player)

    @property
    def dealers_so_far(self) -> str:
        """The dealers of the rounds played, separated by blanks."""
        return " ".join(str(self.name_of(played.dealer)) for played in self.results)

    @property
    def over(self) -> bool:
        return self.status.over

    @property
    def winners(self) -> str:
        """The winners' names, separated by blanks."""
        return " ".join(str(self.name_of(seat)) for seat in self.status.winners)

    @property
    def reason(self) -> str:
        return str(self.status.reason)

    # What is said of a round that is being entered

    @property
    def names(self) -> dict[int, str]:
        return {seat: name for name, seat in self.seat_by_name.items()}

    def faults(self, entered: Round) -> tuple[Notice, ...]:
        return find_round_faults(self.game, entered)

    def fault_codes(self, entered: Round) -> list[str]:
        return [fault.code for fault in self.faults(entered)]

    def find_warnings(self, entered: Round) -> tuple[Notice, ...]:
        return find_warnings(self.game, entered)

    def asks_first_down(self, entered: Round) -> str:
        """The names among which the table must say who was first, separated by blanks."""
        tried = round_attempts(self.game, entered)
        asked = first_down_candidates(self.game.variant, tried)
        return " ".join(self.names[seat] for seat in asked)

    def needs_penalty(self, entered: Round) -> str:
        """The names of those whose penalty must be entered, separated by blanks."""
        payers = penalty_payers(self.game.variant, entered, round_attempts(self.game, entered))
        return " ".join(name for name, seat in self._seats() if seat.id in payers)

    def name_of(self, seat: int | None) -> str | None:
        return None if seat is None else self.names[seat]

    def _seats(self) -> list[tuple[str, Seat]]:
        return [(self.names[seat.id], seat) for seat in self.game.seats]


def a_game(variant_id: str, names: str, first_dealer: str = "", **house_rules: object) -> TableGame:
    """A game of a rule set, its players' names in seating order; the first deals first."""
    seat_by_name = {name: 10 * place for place, name in enumerate(names.split(), start=1)}
    rules = with_house_rules(rule_set_by_id(variant_id), house_rules)
    seats = tuple(Seat(seat, name=name, player=seat) for name, seat in seat_by_name.items())
    dealer = seat_by_name[first_dealer or names.split(maxsplit=1)[0]]
    return TableGame(Game(rules, seats, dealer), seat_by_name)
