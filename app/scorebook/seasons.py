"""The table of a season or an evening, from what came together in each player's evenings or games.

Ranked is whoever played enough games, and some that the measure can be taken of: by the measure
that the group chose, over the best of their evenings where only so many count. Who is level in wins
is ranked by the points for places, which no game takes away: who won the only game played is not
ahead of who won as many and played on. Who is level by another measure is ranked by wins, then,
where that is not the measure, by the average place. All games count for that; who is level still
shares the place.
"""

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import inf
from operator import attrgetter
from typing import Annotated, Literal, get_args

from pydantic import Field

from app.rules.field_types import ListOf, WholeNumber
from app.scorebook.limits import MOST_SEATS

Measure = Literal["wins", "points", "average_place", "contracts", "penalty"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
LEAST_IS_BEST: frozenset[Measure] = frozenset({"average_place", "penalty"})

PlacePoints = Annotated[tuple[Annotated[int, WholeNumber(0, 1000)], ...], ListOf(MOST_SEATS)]
"""What each place brings, the first first; places beyond bring nothing."""


USUAL_POINTS = (5, 3, 2, 1)


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """How a season is decided. `best_of` evenings count of each player, or all."""

    measure: Measure = "wins"
    place_points: PlacePoints = USUAL_POINTS
    best_of: Annotated[int, WholeNumber(1, 200)] | None = None
    least_games: Annotated[int, WholeNumber(1, 1000)] = 1

    @property
    def counted_points(self) -> tuple[int, ...]:
        """The points for places that count: the usual ones where they only decide who is level."""
        return self.place_points if self.measure == "points" else USUAL_POINTS


@dataclass(frozen=True, slots=True)
class EveningSums:
    """What a player's games came to that count together.

    They are those of one evening, known by a number; in the table of an evening one game, known by
    its id; or all (0) where nothing parts them. `points` are for places, `rounds` those with
    contracts, `scored_rounds` those of them in games that keep a score.
    """

    player: Annotated[int, Field(serialization_alias="id")]
    evening: int
    games: int = 0
    wins: int = 0
    points: int = 0
    placed: int = 0
    place_sum: int = 0
    rounds: Annotated[int, Field(serialization_alias="contract_rounds")] = 0
    times_met: int = 0
    scored_rounds: int = 0
    penalty: int = 0

    @property
    def average_place(self) -> float | None:
        """The mean place in the games played to their end."""
        return self.place_sum / self.placed if self.placed else None


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's line of the table; `place` is None for who is not ranked."""

    player: int
    place: int | None
    value: Fraction | None
    """By the measure; None where nothing was played that it could be taken of."""
    evenings: int
    counted: int
    """Evenings that counted."""
    sums: EveningSums
    """Of all games; its evening says nothing."""


def season_table(played: Iterable[EveningSums], rules: SeasonRules) -> tuple[SeasonRow, ...]:
    """The table, best first, of who is level those with better places in their games.

    Who is not ranked comes last, who has played most first.
    """
    by_player: dict[int, list[EveningSums]] = {}
    for one in played:
        by_player.setdefault(one.player, []).append(one)
    rows = [_row(evenings, rules) for evenings in by_player.values()]
    ranks = {one.player: _rank(one, rules.measure) for one in rows}
    ranked = sorted(
        (one for one in rows if one.place),
        key=lambda one: (ranks[one.player], one.sums.average_place or inf, one.player),
    )
    others = sorted(
        (one for one in rows if not one.place), key=lambda one: (-one.sums.games, one.player)
    )
    placed: list[SeasonRow] = []
    for number, row in enumerate(ranked, start=1):
        level = placed and ranks[placed[-1].player] == ranks[row.player]
        placed.append(replace(row, place=placed[-1].place if level else number))
    return (*placed, *others)


_MEASURED: Mapping[Measure, Callable[[EveningSums], tuple[int, int]]] = {
    "wins": lambda one: (one.wins, 1),
    "points": lambda one: (one.points, 1),
    "average_place": lambda one: (one.place_sum, one.placed),
    "contracts": lambda one: (one.times_met, one.rounds),
    "penalty": lambda one: (one.penalty, one.scored_rounds),
}
"""What is divided by what."""


def value_of(sums: EveningSums, measure: Measure) -> Fraction | None:
    """What some evenings of a player, together, come to by a measure."""
    part, whole = _MEASURED[measure](sums)
    return Fraction(part, whole) if whole else None


def values_so_far(evenings: Iterable[EveningSums], rules: SeasonRules) -> Iterator[float | None]:
    """What those of a player's evenings that count had come to after each of them."""
    counted: list[EveningSums] = []
    part = whole = 0
    for one in evenings:
        changes = [(one, 1)]
        if rules.best_of:
            insort(counted, one, key=_worth(rules.measure))
            changes += [(other, -1) for other in counted[rules.best_of :]]
            del counted[rules.best_of :]
        for sums, sign in changes:
            more, of = _MEASURED[rules.measure](sums)
            part, whole = part + sign * more, whole + sign * of
        yield part if rules.measure in ("wins", "points") else part / whole if whole else None


def counted_evenings(evenings: Sequence[EveningSums], rules: SeasonRules) -> list[EveningSums]:
    """The evenings of a player that count: all, or the best of them."""
    if rules.best_of is None or len(evenings) <= rules.best_of:
        return list(evenings)
    return sorted(evenings, key=_worth(rules.measure))[: rules.best_of]


def _worth(measure: Measure) -> Callable[[EveningSums], tuple[bool, Fraction, int]]:
    """By what evenings are sorted, the best first."""
    sign = 1 if measure in LEAST_IS_BEST else -1

    def worth(one: EveningSums) -> tuple[bool, Fraction, int]:
        value = value_of(one, measure)
        return value is None, (value or Fraction()) * sign, one.evening

    return worth


def total_of(evenings: Iterable[EveningSums]) -> EveningSums:
    """Several evenings of a player in one."""
    together = list(evenings)
    sums = map(sum, zip(*map(_COUNTS, together), strict=True))
    return EveningSums(together[0].player, together[0].evening, *sums)


_COUNTS = attrgetter(*(one.name for one in fields(EveningSums)[2:]))


def _row(evenings: Sequence[EveningSums], rules: SeasonRules) -> SeasonRow:
    sums, counted = total_of(evenings), counted_evenings(evenings, rules)
    value = value_of(total_of(counted), rules.measure)
    is_ranked = sums.games >= rules.least_games and value is not None
    place = 1 if is_ranked else None  # `season_table` says which
    return SeasonRow(sums.player, place, value, len(evenings), len(counted), sums)


def _rank(row: SeasonRow, measure: Measure) -> tuple[Fraction, ...]:
    """The lower, the better: by the measure, then as the module says of ties."""
    value, sums = row.value or Fraction(), row.sums
    worth, wins = value if measure in LEAST_IS_BEST else -value, Fraction(-sums.wins)
    if measure == "wins":
        return worth, Fraction(-sums.points)
    if measure == "average_place":
        return worth, wins
    return worth, wins, value_of(sums, "average_place") or Fraction(MOST_SEATS + 1)
