"""The table of a season as pages and screens show it, with the words of how it is decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import abort
from sqlalchemy.orm import Session

from app.extensions import db
from app.rules.phrases import Phrase, say, say_plural
from app.scorebook.marks import FIRST_MARK, Mark
from app.scorebook.seasons import EveningSums, Measure, SeasonRow, SeasonRules, season_table
from app.store.queries.players import marks_of, player_names
from app.store.queries.seasons import Season, season_of, season_sums
from app.web.infrastructure import localization
from app.web.infrastructure.asker import asker

MEASURE_WORDS: dict[Measure, Phrase] = {
    "wins": say("Most wins"),
    "points": say("Most points for places"),
    "average_place": say("Best average place"),
    "contracts": say("Greatest share of contracts laid down"),
    "penalty": say("Fewest points a round"),
}
_TIES: dict[str, Phrase] = {
    "wins": say("Ties: the better average place. If still level, they share the place."),
    "average_place": say("Ties: more wins. If still level, they share the place."),
}
_TIES_OF_OTHERS = say(
    "Ties: more wins, then the better average place. If still level, they share the place."
)


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A player's line of a season's table."""

    name: str
    mark: Mark
    row: SeasonRow
    value: str


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season with its table, best first."""

    season: Season
    lines: Sequence[SeasonLine]
    sums: Sequence[EveningSums]
    """What the evenings of each came to."""


def season_or_404(key: str) -> Season:
    """The season of the group with that key."""
    return season_of(db.session(), asker.group, key, datetime.now(UTC)) or abort(404)


def season_table_view(session: Session, group: int, season: Season) -> SeasonTable:
    """The table of a season with names."""
    names = dict(player_names(session, group))
    sums, measure = season_sums(session, group, season), season.rules.measure
    rows = season_table(sums, season.rules)
    marks = marks_of(session, [row.player for row in rows])
    lines = [
        SeasonLine(
            names.get(row.player, "?"),
            marks.get(row.player, FIRST_MARK),
            row,
            measured_in_words(row, measure),
        )
        for row in rows
    ]
    return SeasonTable(season, lines, sums)


def measured_in_words(row: SeasonRow, measure: Measure) -> str:
    """What a player came to by the measure."""
    if row.value is None:
        return "–"
    if measure == "contracts":
        return localization.render_phrase(say("{rate}%", rate=round(100 * row.value)))
    if measure in ("wins", "points"):
        return localization.format_number(int(row.value))
    return localization.format_decimal(float(row.value))


def rules_in_words(rules: SeasonRules) -> list[Phrase]:
    """How a season is decided."""
    sentences = [MEASURE_WORDS[rules.measure]]
    if rules.measure == "points":
        points = " – ".join(map(str, rules.place_points))
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
