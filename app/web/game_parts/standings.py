"""How a game stands, or ended, and what its last round changed, as people are told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from app.rules.phrases import Phrase, concatenate, join_names, say
from app.scorebook.effects import overtaken_seats
from app.scorebook.events.entries import of_player
from app.scorebook.marks import Mark
from app.scorebook.round_results import round_results
from app.scorebook.standings import place_in_words
from app.store.queries.games import LoadedGame
from app.web.game_parts.words import absence_in_words, all_names_of, names_within, seat_notes
from app.web.infrastructure import localization


class Figure(NamedTuple):
    """What a player reached: a score, or so many of the contracts."""

    value: int
    of: int = 0
    """0 for a score."""

    @property
    def in_short(self) -> str:
        """As it is shown."""
        number = localization.format_number(self.value)
        return f"{number}/{self.of}" if self.of else number


def score_and_contracts(
    score: int | None, completed: int, contracts: int, *, places_by_score: bool
) -> tuple[Figure, ...]:
    """Score and contracts, as far as they are known; the one that decides the place comes first."""
    points = () if score is None else (Figure(score),)
    reached = (Figure(completed, contracts),) if contracts else ()
    return points + reached if places_by_score else reached + points


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStanding:
    """Who plays a seat, and how they stand."""

    seat: int = 0
    name: str
    mark: Mark
    place: int | None
    score: int | None
    contracts_completed: int = 0
    contract_count: int = 0
    """0 where the rules have no contracts, or nobody knows how many were completed."""
    places_by_score: bool = True
    """Does the score alone decide the place? Else contracts do first. True of past results."""
    place_in_words: Phrase | None = None
    """The place, who shares it, and what sets it apart; None where nothing is to be said of it."""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Score and contracts, as far as they are known; what decides the place comes first."""
        return score_and_contracts(
            self.score,
            self.contracts_completed,
            self.contract_count,
            places_by_score=self.places_by_score,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingView(SeatStanding):
    """One player's line in the standings."""

    won: bool
    player_id: int
    """Who holds the seat, as `name` says, or did at the end."""
    player_names: str
    """All who played the seat, in the order of time; who holds it stands last."""
    seat_notes: tuple[Phrase, ...] = ()
    """Who took the seat over from whom, is back, or came too late to play."""
    absence: Phrase | None = None
    """Why who is not there any more has no place; None of all others."""


def standing_views(loaded: LoadedGame) -> tuple[StandingView, ...]:
    """The standings, best first; the names are of who held the seats last (`last_held`).

    Without a round nothing is decided yet, so nobody has a place.
    """
    game, status, last = loaded.game, loaded.status, loaded.status.last_held
    names, marks = game.names_in(last), game.marks_in(last)
    return tuple(
        StandingView(
            name=names[one.seat],
            mark=marks[one.seat],
            place=one.place if game.rounds else None,
            won=one.seat in status.winners,
            score=one.score,
            player_id=game.seat(one.seat).holder_in(last).player,
            player_names=all_names_of(game.seat(one.seat), last),
            seat=one.seat,
            contracts_completed=one.contracts_completed,
            contract_count=loaded.variant.last_contract,
            places_by_score=loaded.variant.places_by_score,
            place_in_words=place_in_words(game, status, one.seat, names) if game.rounds else None,
            seat_notes=tuple(seat_notes(game, game.seat(one.seat), last)),
            absence=None if one.present else absence_in_words(game, game.seat(one.seat)),
        )
        for one in status.by_place
    )


def winners_in_words(names: Sequence[str]) -> Phrase | None:
    """Who won; None where nobody did."""
    if not names:
        return None
    if len(names) == 1:
        return say("{name} wins!", name=names[0])
    return say("{names} tie for the win!", names=join_names(names))


def round_in_words(loaded: LoadedGame, room: float = inf) -> Iterator[Phrase]:
    """What the last round that counts came to: who went out, and the points where they are kept.

    Names are in short where together they have more characters than there is `room` for.
    """
    game = loaded.game
    if not game.rounds:
        return
    played = round_results(game)[-1]
    full = game.names_in(played.number)
    names = dict(zip(full, names_within(room, full.values(), full.values()), strict=True))
    out = next((names[row.seat] for row in played.entries if row.went_out), None)
    if out:
        yield say("Round {number}: {name} goes out.", number=played.number, name=out)
    elif game.variant.contracts:
        yield say("Round {number}: no one goes out.", number=played.number)
    else:
        yield say("Round {number} ended", number=played.number)
    each = [
        of_player(_unbroken(names[row.seat]), say("points unknown"))
        if row.not_counted and not row.points
        else Phrase(f"{_unbroken(names[row.seat])}\u00a0{localization.format_signed(row.points)}")
        for row in played.entries
        if row.points is not None
    ]
    if each:
        yield concatenate([each[0], *(part for one in each[1:] for part in (Phrase("·"), one))])


def _unbroken(name: str) -> str:
    """A name that goes to the next line as a whole."""
    return name.replace(" ", "\u00a0").replace("-", "-\u2060")


def overtaking_in_words(loaded: LoadedGame) -> Iterator[Phrase]:
    """Who overtook whom by the round that ended last."""
    for seat, others in overtaken_seats(loaded.game):
        names = join_names(loaded.game.names[one] for one in others)
        yield say("{name} overtakes {names}.", name=loaded.game.names[seat], names=names)


def next_deal_in_words(loaded: LoadedGame) -> Iterator[Phrase]:
    """Who deals the round that comes, and who starts it, if anybody deals."""
    names, status = loaded.game.names, loaded.status
    if status.dealer is not None and status.first_player is not None and not status.over:
        dealer, starter = names[status.dealer], names[status.first_player]
        yield say("{dealer} deals, {starter} starts.", dealer=dealer, starter=starter)


def standing_in_words(loaded: LoadedGame) -> Iterator[Phrase]:
    """Who won and why, or who leads and who deals next, now that a round ended."""
    status, standings = loaded.status, standing_views(loaded)
    if status.over:
        if winners := winners_in_words([one.name for one in standings if one.won]):
            yield winners
        if status.reason:
            yield status.reason
        return
    leaders = [one.name for one in standings if one.place == 1]
    if leaders:
        yield say("Ahead now: {names}.", names=join_names(leaders))
    yield from next_deal_in_words(loaded)
