"""Tables of figures as CSV, for a spreadsheet: of the games that the address chooses."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from flask import Blueprint, Response

from app.actions.groups import Role
from app.exchange.round_csv import BYTE_ORDER_MARK, csv_lines
from app.extensions import db
from app.scorebook.statistics import sums_by_contract
from app.store.queries.contracts import ContractTries, contract_tries
from app.store.queries.evenings import evenings_of
from app.store.queries.players import (
    player_ids,
    player_names,
    players_with_sums,
    rivals_of,
)
from app.store.queries.seasons import table_of
from app.web.data import SEPARATORS, CsvExportQuery
from app.web.game_parts.season_tables import season_or_404
from app.web.game_parts.selection import ChosenGames, chosen_games
from app.web.history.view_models import group_record_views
from app.web.infrastructure.access import needs
from app.web.infrastructure.asker import asker

tables = Blueprint("tables", __name__, url_prefix="/tables")

Row = dict[str, Any]
_MOST_EVENINGS = 1000


@tables.get("/<table>.csv")
@needs(Role.WATCH)
def download(table: str) -> Response:
    """A table of figures: players, contracts, rivals, evenings, records, or a season’s."""
    separator = SEPARATORS[CsvExportQuery.from_query().separator.data]
    chosen = chosen_games(db.session(), asker.group)
    rows = list(_TABLES[table](chosen)) if table in _TABLES else list(_season(table))
    columns = list(rows[0]) if rows else ["player"]
    heading = dict(zip(columns, columns, strict=True))
    text = BYTE_ORDER_MARK + csv_lines([heading, *rows], columns, separator)
    response = Response(text, mimetype="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f"attachment; filename=meldkeeper-{table}.csv"
    return response


def _players(chosen: ChosenGames) -> Iterator[Row]:
    for one in players_with_sums(db.session(), asker.group, chosen.selection):
        yield {"player": one.name, **asdict(one.sums), "average_place": one.sums.average_place}


def _contracts(chosen: ChosenGames) -> Iterator[Row]:
    names, variants = dict(chosen.players), dict(chosen.variants)
    tries = contract_tries(db.session(), player_ids(asker.group), chosen.selection)

    def whose(one: ContractTries) -> tuple[str, str]:
        return variants.get(one.variant, one.variant), names.get(one.player, "?")

    for (variant, name), of in groupby(sorted(tries, key=whose), key=whose):
        for number, sums in sums_by_contract(one.stats for one in of).items():
            counts = {"contract": number, "rounds": sums.rounds, "completed": sums.completed}
            yield {"player": name, "rule set": variant, **counts}


def _rivals(chosen: ChosenGames) -> Iterator[Row]:
    session = db.session()
    for player, name in chosen.players:
        for one in rivals_of(session, player, chosen.selection, least_shared=1):
            counts = {"ahead": one.above, "level": one.level, "behind": one.below}
            yield {"player": name, "rival": one.name, "games": one.shared, **counts}


def _evenings(chosen: ChosenGames) -> Iterator[Row]:
    session = db.session()
    found = evenings_of(session, asker.group, _MOST_EVENINGS, selection=chosen.selection)
    for one in reversed(found):
        moments = {"began": one.began.isoformat(), "ended": one.ended.isoformat()}
        yield {**moments, "games": one.results}


def _records(chosen: ChosenGames) -> Iterator[Row]:
    for one in group_record_views(db.session(), asker.group, chosen):
        yield {
            "record": str(one.title),
            "value": one.record.value,
            "unit": one.sought.unit,
            "rule set": one.rule_set,
            "game": one.game_name,
            "ended": one.record.finished_at.isoformat(),
            "winners": ", ".join(one.record.winners),
        }


def _season(key: str) -> Sequence[Row]:
    session, season = db.session(), season_or_404(key)
    names = dict(player_names(session, asker.group))
    return [
        {
            "place": row.place,
            "player": names.get(row.player, "?"),
            "value": None if row.value is None else float(row.value),
            "evenings": row.evenings,
            "evenings counted": row.counted,
            "games": row.sums.games,
            "wins": row.sums.wins,
            "average place": row.sums.average_place,
        }
        for row in table_of(session, asker.group, season)
    ]


_TABLES = {
    "players": _players,
    "contracts": _contracts,
    "rivals": _rivals,
    "evenings": _evenings,
    "records": _records,
}
