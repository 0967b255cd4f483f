"""The standings of a game, as it is played and as it ended."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.rules.phrases import Phrase, join_phrases, say
from app.scorebook.marks import Mark
from app.scorebook.places import place_in_words
from app.store.queries.games import LoadedGame
from app.web.game_parts.words import all_names_of
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


def figures(
    score: int | None, completed: int, contracts: int, *, by_score: bool
) -> tuple[Figure, ...]:
    """Score and contracts, as far as they are known, what the place goes by first."""
    points = () if score is None else (Figure(score),)
    reached = (Figure(completed, contracts),) if contracts else ()
    return points + reached if by_score else reached + points


@dataclass(frozen=True, slots=True)
class StandingView:
    """One player's line in the standings, or in the final table."""

    name: str
    mark: Mark
    place: int | None
    won: bool
    score: int | None
    player_id: int
    player_names: str
    """All who played on the seat."""
    seat: int = 0
    contracts_completed: int = 0
    contract_count: int = 0
    """0 where contracts are not known."""
    present: bool = True
    by_score: bool = True
    """Is it the score that the place goes by first?"""
    place_in_words: Phrase | None = None
    """The place, and why it is that."""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What was reached, what the place goes by first."""
        return figures(
            self.score, self.contracts_completed, self.contract_count, by_score=self.by_score
        )


def standing_views(loaded: LoadedGame) -> tuple[StandingView, ...]:
    """The standings, best first; of a game that is over by the names of those who ended it."""
    game, status, last = loaded.game, loaded.status, loaded.status.last_held
    held = last if status.over else game.open_number
    names, marks = game.names_in(held), game.marks_in(held)
    return tuple(
        StandingView(
            name=names[one.seat],
            mark=marks[one.seat],
            place=one.place,
            won=one.seat in status.winners,
            score=one.score,
            player_id=game.seat(one.seat).holder_in(last).player,
            player_names=all_names_of(game.seat(one.seat), last),
            seat=one.seat,
            contracts_completed=one.contracts_completed,
            contract_count=loaded.variant.last_contract,
            present=one.present,
            by_score=loaded.variant.places_by_score,
            place_in_words=place_in_words(game, status, one.seat, names),
        )
        for one in status.by_place
    )


def winners_in_words(names: Sequence[str]) -> Phrase | None:
    """Who won; None where nobody did yet."""
    if not names:
        return None
    if len(names) == 1:
        return say("{name} wins!", name=names[0])
    return say(
        "{names} tie for the win!", names=join_phrases([say("{name}", name=one) for one in names])
    )


def standing_in_words(loaded: LoadedGame) -> Iterator[Phrase]:
    """Who won and why, or who leads and who deals next: what a round that ended came to."""
    status, standings = loaded.status, standing_views(loaded)
    if status.over:
        if winners := winners_in_words([one.name for one in standings if one.won]):
            yield winners
        if status.reason:
            yield status.reason
        return
    leaders = [say("{name}", name=one.name) for one in standings if one.place == 1]
    if leaders:
        yield say("Ahead now: {names}.", names=join_phrases(leaders))
    dealer = loaded.game.names.get(status.dealer or 0)
    if dealer is None:
        return
    yield say("{dealer} deals round {number}.", dealer=dealer, number=loaded.game.open_number)
