"""The table of a season as pages and screens show it, with the words of how it is decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise

from flask import abort

from app.extensions import db
from app.rules.phrases import Phrase, say, say_plural
from app.scorebook.marks import FIRST_MARK, Mark
from app.scorebook.seasons import (
    USUAL_POINTS,
    EveningSums,
    Measure,
    SeasonRow,
    SeasonRules,
    counted_evenings,
    season_table,
    value_of,
)
from app.scorebook.statistics import percent
from app.store.queries.evenings import evening_starts
from app.store.queries.players import marks_of, player_names
from app.store.queries.seasons import Season, champions_of, season_of, season_sums
from app.web.infrastructure import localization
from app.web.infrastructure.asker import asker

MEASURE_WORDS: dict[Measure, Phrase] = {
    "wins": say("Most wins"),
    "points": say("Most points for places"),
    "average_place": say("Best average place"),
    "contracts": say("Greatest share of contracts laid down"),
    "penalty": say("Fewest points a round"),
}


def in_a_row(points: Sequence[int]) -> str:
    """Points for places as they are written, the first place's first."""
    return " – ".join(map(str, points))


_TIES: dict[str, Phrase] = {
    "wins": say(
        "Ties: more points for places ({points}). If still level, they share the place.",
        points=in_a_row(USUAL_POINTS),
    ),
    "average_place": say("Ties: more wins. If still level, they share the place."),
}
_TIES_OF_OTHERS = say(
    "Ties: more wins, then the better average place. If still level, they share the place."
)


@dataclass(frozen=True, slots=True)
class SeasonEvening:
    """What an evening brought a player, and whether it counts among the best."""

    number: int
    """In the order of the season's evenings, from 1."""
    began: datetime | None
    """None where the season was decided, and games may have changed since."""
    value: str
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A player's line of the table of a season or an evening."""

    name: str
    mark: Mark
    row: SeasonRow
    value: str = ""
    evenings: Sequence[SeasonEvening] = ()
    """Where only the best count."""


def are_parted_by_points(lines: Sequence[SeasonLine]) -> bool:
    """Do these lines, best first, have neighbors with the same value and different places?"""
    return any(
        one.row.value == behind.row.value and one.row.place != behind.row.place
        for one, behind in pairwise(line for line in lines if line.row.place)
    )


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season with its table, best first."""

    season: Season
    points: Phrase
    """What its points for places are, for the measures that have any (`place_points_in_words`)."""
    lines: Sequence[SeasonLine]
    sums: Sequence[EveningSums]
    """What the evenings of each came to."""

    @property
    def points_part(self) -> bool:
        """Did the points for places tell anybody from who had won as many games?"""
        return self.season.rules.measure == "wins" and are_parted_by_points(self.lines)


def season_or_404(key: str) -> Season:
    """The season of the group with that key."""
    return season_of(db.session(), asker.group, key, datetime.now(UTC)) or abort(404)


def leaders_of(seasons: Sequence[Season]) -> dict[str, list[str]]:
    """The names of who leads each of these seasons of the asking group, or won it, by its key."""
    session = db.session()
    names = dict(player_names(session, asker.group))
    first = champions_of(session, asker.group, seasons)
    return {key: [names.get(one, "?") for one in of] for key, of in first.items()}


def season_table_view(season: Season) -> SeasonTable:
    """The table of a season with names."""
    session, measure = db.session(), season.rules.measure
    names = dict(player_names(session, asker.group))
    sums = season_sums(session, asker.group, season)
    rows, evenings = season_table(sums, season.rules), _evenings(season, sums)
    marks = marks_of(session, [row.player for row in rows])
    lines = [
        SeasonLine(
            names.get(row.player, "?"),
            marks.get(row.player, FIRST_MARK),
            row,
            _in_words(row.value, measure),
            evenings.get(row.player, ()),
        )
        for row in rows
    ]
    return SeasonTable(season, place_points_in_words(season.rules), lines, sums)


def _evenings(season: Season, sums: Sequence[EveningSums]) -> dict[int, list[SeasonEvening]]:
    """The evenings of each player in order, where only the best count."""
    rules, found = season.rules, dict[int, list[SeasonEvening]]()
    if rules.best_of is None:
        return found
    is_kept, selection = season.is_decided, season.selection
    began = {} if is_kept else evening_starts(db.session(), asker.group, selection)
    numbers = {one: number for number, one in enumerate(sorted({one.evening for one in sums}), 1)}
    for player in {one.player for one in sums}:
        mine = [one for one in sums if one.player == player]
        counted = {one.evening for one in counted_evenings(mine, rules)}
        found[player] = [
            SeasonEvening(
                numbers[one.evening],
                began.get(one.evening),
                _in_words(value_of(one, rules.measure), rules.measure),
                one.evening in counted,
            )
            for one in sorted(mine, key=lambda one: one.evening)
        ]
    return found


def _in_words(value: Fraction | None, measure: Measure) -> str:
    """What was come to by the measure."""
    if value is None:
        return "–"
    if measure == "contracts":
        return localization.render_phrase(say("{rate}%", rate=percent(value)))
    if measure in ("wins", "points"):
        return localization.format_number(int(value))
    return localization.format_decimal(float(value))


def place_points_in_words(rules: SeasonRules) -> Phrase:
    """What the points for places are and decide, by the measures `points` and `wins` alone."""
    brought = say(
        "Each game brings points for the place, from the first down: {points}.",
        points=in_a_row(rules.counted_points),
    )
    if rules.measure == "points":
        return brought
    return say("{points} They decide among those with as many wins.", points=brought)


def season_rules_in_words(rules: SeasonRules) -> list[Phrase]:
    """How a season is decided."""
    sentences = [MEASURE_WORDS[rules.measure]]
    if rules.measure == "points":
        points = in_a_row(rules.place_points)
        sentences.append(say("Points from the first place down: {points}", points=points))
    if rules.best_of:
        count = rules.best_of
        sentences.append(
            say_plural("The best evening counts", "The best {count} evenings count", count)
        )
    if rules.least_games > 1:
        count = rules.least_games
        sentences.append(
            say_plural("Ranked after {count} game", "Ranked after {count} games", count)
        )
    return [*sentences, _TIES.get(rules.measure, _TIES_OF_OTHERS)]
