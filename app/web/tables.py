"""Tables of figures as CSV, for a spreadsheet; most of the games that the address chooses."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from flask import Blueprint, Response

from app.actions.groups import Role
from app.exchange.days import day_of
from app.exchange.round_csv import BYTE_ORDER_MARK, csv_lines, heading_line
from app.exchange.table_words import TABLE_WORDS
from app.extensions import db
from app.rules.phrases import Phrase
from app.rules.text import file_slug
from app.scorebook.statistics import sums_by
from app.store.queries.access import chosen_group_name
from app.store.queries.alphabet import alphabetic
from app.store.queries.evenings import evenings_of
from app.store.queries.group_records import game_tallies
from app.store.queries.history import results_by_player
from app.store.queries.milestones import milestones_of_player
from app.store.queries.players import (
    PlayerContractStats,
    all_rivals,
    player_contract_stats,
    players_with_sums,
    streaks_of,
)
from app.web.evenings import EveningView, evening_views, whole_evening
from app.web.game_parts.milestones import milestone_in_words
from app.web.game_parts.season_tables import (
    SeasonLine,
    leaders_of,
    season_or_404,
    season_table_view,
)
from app.web.game_parts.selection import GameFilter, asked_filter
from app.web.history.view_models import group_record_views
from app.web.infrastructure.access import needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.downloads import as_download, asked_separator
from app.web.infrastructure.localization import own_translator

tables = Blueprint("tables", __name__, url_prefix="/tables")

Row = dict[str, Any]
_MOST_EVENINGS = 1000
_MOST_WITH_MOMENTS = 100


@tables.get("/<table>.csv")
@needs(Role.WATCH)
def download(table: str) -> Response:
    """A table of figures: one of `TABLES`, or a season’s."""
    game_filter = asked_filter()
    rows = list(TABLES[table](game_filter)) if table in TABLES else list(_season(table))
    columns = list(rows[0]) if rows else ["player"]
    separator, translate = asked_separator(), own_translator()
    heading = BYTE_ORDER_MARK + heading_line(columns, separator, translate)
    text = heading + csv_lines(rows, columns, separator, translate)
    response = Response(text, mimetype="text/csv; charset=utf-8")
    name = f"meldkeeper-{table}" if table in TABLES else _name_of_season(table)
    return as_download(response, f"{name}.csv")


def _name_of_season(key: str) -> str:
    """Its group and its name, as a file is called; its key where nothing is left of the name."""
    group = chosen_group_name(db.session(), asker.group) or ""
    return f"{file_slug(group) or 'meldkeeper'}-{file_slug(season_or_404(key).name) or key}"


def _players(game_filter: GameFilter) -> Iterator[Row]:
    for one in players_with_sums(db.session(), asker.group, game_filter.selection):
        yield {"player": one.name, **asdict(one.sums), "average_place": one.sums.average_place}


def _contracts(game_filter: GameFilter) -> Iterator[Row]:
    names, variants = dict(game_filter.players), dict(game_filter.variants)
    stats = player_contract_stats(db.session(), asker.group, game_filter.selection)

    def whose(one: PlayerContractStats) -> tuple[str, str]:
        return variants.get(one.variant, one.variant), names.get(one.player, "?")

    def by_name(one: PlayerContractStats) -> tuple[tuple[str, str], ...]:
        return tuple(map(alphabetic, whose(one)))

    for (variant, name), of in groupby(sorted(stats, key=by_name), key=whose):
        for number, sums in sums_by((one.stats.number, one.stats.sums) for one in of).items():
            counts = {"contract": number, "rounds": sums.rounds, "completed": sums.completed}
            yield {"player": name, "rule set": Phrase(variant), **counts}


def _rivals(game_filter: GameFilter) -> Iterator[Row]:
    names = dict(game_filter.players)
    order = {player: place for place, player in enumerate(names)}
    found = all_rivals(db.session(), asker.group, game_filter.selection)
    for player, rival, shared, ahead, level in sorted(
        (one for one in found if one[0] in names),
        key=lambda one: (order[one[0]], -one[2], alphabetic(names.get(one[1], "?"))),
    ):
        counts = {"ahead": ahead, "level": level, "behind": shared - ahead - level}
        yield {"player": names[player], "rival": names.get(rival, "?"), "games": shared, **counts}


def _streaks(game_filter: GameFilter) -> Iterator[Row]:
    for player, name in game_filter.players:
        found = streaks_of(db.session(), player, game_filter.selection)
        since = found.since or ""
        yield {"player": name, "now": found.wins_now, "since": since, "most": found.most_wins}


def _milestones(game_filter: GameFilter) -> Iterator[Row]:
    """Of the players named alone: to look through everyone’s games grows with the square."""
    names = dict(game_filter.players)
    for player in game_filter.selection.players:
        name = names[player]
        for one in reversed(milestones_of_player(db.session(), player, name)):
            said = {"player": name, "milestone": milestone_in_words(one)}
            yield {**said, "game": one.game_key, "ended": one.at}


def _games(game_filter: GameFilter) -> Iterator[Row]:
    for one in results_by_player(db.session(), asker.group, game_filter.selection):
        yield {
            "date": day_of(one.finished_at),
            "rule set": Phrase(game_filter.names[one.variant_id]),
            "game": one.key,
            "player": one.name,
            "place": one.place,
            "score": one.score,
        }


def _evenings_chosen(game_filter: GameFilter, most: int) -> Sequence[EveningView]:
    """The last evenings, the first of them first."""
    session = db.session()
    found = evenings_of(session, asker.group, most, selection=game_filter.selection)
    return evening_views(session, found[::-1])


def _evenings(game_filter: GameFilter) -> Iterator[Row]:
    for one in _evenings_chosen(game_filter, _MOST_EVENINGS):
        of = one.evening
        moments = {"began": of.began, "ended": of.ended}
        yield {**moments, "games": of.results, "winners": ", ".join(one.first)}


def _attendance(game_filter: GameFilter) -> Iterator[Row]:
    for one in _evenings_chosen(game_filter, _MOST_EVENINGS):
        for person in one.people:
            yield {"began": one.evening.began, **_line(person)}


def _moments(game_filter: GameFilter) -> Iterator[Row]:
    for view in _evenings_chosen(game_filter, _MOST_WITH_MOMENTS):
        for one in whole_evening(db.session(), view).moments:
            yield {
                "began": view.evening.began,
                "moment": one.title,
                "value": one.value,
                "unit": TABLE_WORDS[one.unit],
                "words": one.text,
                "game": one.game_key,
            }


def _seasons(game_filter: GameFilter) -> Iterator[Row]:
    leaders = leaders_of(game_filter.every_season)
    for one in game_filter.every_season:
        yield {
            "season": one.name,
            "since": one.since,
            "until": one.until or "",
            "leaders": ", ".join(leaders[one.key]),
        }


def _records(game_filter: GameFilter) -> Iterator[Row]:
    session, selection = db.session(), game_filter.selection
    tallies = game_tallies(session, asker.group, selection)
    for one in group_record_views(session, asker.group, selection, game_filter.names, tallies):
        yield {
            "record": one.title,
            "value": one.record.value,
            "unit": TABLE_WORDS[one.sought.unit],
            "rule set": Phrase(one.rule_set),
            "game": one.record.game_title or Phrase(one.rule_set),
            "ended": one.record.finished_at,
            "winners": ", ".join(one.record.winners),
        }


def _season(key: str) -> Sequence[Row]:
    table = season_table_view(season_or_404(key))
    return [
        {
            **_line(one),
            "value": None if one.row.value is None else float(one.row.value),
            "evenings": one.row.evenings,
            "evenings counted": one.row.counted,
        }
        for one in table.lines
    ]


def _line(of: SeasonLine) -> Row:
    sums = of.row.sums
    counts = {"games": sums.games, "wins": sums.wins, "average place": sums.average_place}
    return {"place": of.row.place, "player": of.name, **counts}


TABLES = {
    "players": _players,
    "streaks": _streaks,
    "contracts": _contracts,
    "rivals": _rivals,
    "milestones": _milestones,
    "games": _games,
    "evenings": _evenings,
    "attendance": _attendance,
    "moments": _moments,
    "seasons": _seasons,
    "records": _records,
}
