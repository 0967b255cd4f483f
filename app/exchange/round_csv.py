"""The rounds of a group as CSV, for a spreadsheet: one line for each player and round.

A past result has one for each player; recently deleted games are left out. A text that a
spreadsheet would take for a formula is written so that it stays a text. Headings, and what the app
itself says in cells, are in the language that is given (`table_words.py`).
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from app.exchange.days import day_of, is_day_alone
from app.exchange.documents import GameDocument, GroupDocument
from app.exchange.files import read_rule_sets
from app.exchange.games import game_from_document
from app.exchange.table_words import TABLE_WORDS
from app.rules.phrases import Phrase, Translate, in_english
from app.rules.variant import Variant
from app.scorebook.round_results import EntryResult, MissedRound, round_results
from app.scorebook.standings import game_status

BYTE_ORDER_MARK = "\ufeff"
"""Without it, spreadsheets take UTF-8 for an old encoding."""

COLUMNS = (
    "date", "game", "title", "rule set", "round", "player", "dealt", "contract",
    "contract in words", "met", "went out", "penalty", "bonus", "points", "score",
    "place in the end", "won", "buys", "correction", "note",
)  # fmt: skip

_FORMULA = r"""(?=[\s"']*[=+\-@＝＋－＠\t\r\n])"""
_BEGINS_A_FORMULA, _QUOTED_FORMULA = (
    re.compile(rf"(?:^|(?<=[;,\t\r\n])){quote}{_FORMULA}") for quote in ("", "'")
)
"""Also after a separator: a spreadsheet may cut the cells at another one than the file's."""


def write_round_csv(
    document: GroupDocument, separator: str = ",", translate: Translate = in_english
) -> Iterator[str]:
    """The table in pieces, game by game, with its heading."""
    rule_sets = read_rule_sets(document)
    yield BYTE_ORDER_MARK + heading_line(COLUMNS, separator, translate)
    for game in document.games:
        if game.deleted_at is None:
            about = {
                "date": day_of(game.started_at),
                "game": game.key,
                "title": game.title,
                "rule set": Phrase(rule_sets[game.rules].name),
            }
            rows = (
                _past_result_rows(game) if game.past_result else _rows(game, rule_sets[game.rules])
            )
            yield csv_lines((about | one for one in rows), COLUMNS, separator, translate)


def heading_line(columns: Sequence[str], separator: str, translate: Translate) -> str:
    """The first line of a table with these columns."""
    headings = {name: TABLE_WORDS[name] for name in columns}
    return csv_lines([headings], columns, separator, translate)


def csv_lines(
    rows: Iterable[Mapping[str, object]],
    columns: Sequence[str],
    separator: str,
    translate: Translate,
) -> str:
    """Rows as lines of a table with these columns.

    Between semicolons a number has a decimal comma and a moment is that of the server's clock, to
    the minute, or the day alone that it stands for, as the spreadsheets of the countries read them
    that write so.
    """
    target = io.StringIO()
    writer = csv.DictWriter(target, columns, delimiter=separator, lineterminator="\r\n")
    local = separator == ";"
    writer.writerows(
        {name: _cell(value, local, translate) for name, value in row.items()} for row in rows
    )
    return target.getvalue()


def _cell(value: object, local: bool, translate: Translate) -> object:
    """A value that no spreadsheet runs: what begins a formula gets a quote before it."""
    if isinstance(value, bool):
        value = TABLE_WORDS["yes" if value else "no"]
    if isinstance(value, Phrase):
        value = value.render(translate)
    if isinstance(value, datetime):
        if not local:
            return value.isoformat()
        return day_of(value) if is_day_alone(value) else f"{value.astimezone():%Y-%m-%d %H:%M}"
    if isinstance(value, float) and local:
        return str(round(value, 4)).replace(".", ",")
    return _BEGINS_A_FORMULA.sub("'", value) if isinstance(value, str) else value


def plain_text(cell: str) -> str:
    """The text of a cell as it was before `csv_lines` wrote it."""
    return _QUOTED_FORMULA.sub("", cell)


def _past_result_rows(game: GameDocument) -> Iterator[dict[str, object]]:
    for one in game.past_result:
        player = game.seats[one.seat - 1].player
        won = one.place == 1
        yield {"player": player, "score": one.score, "place in the end": one.place, "won": won}


def _rows(document: GameDocument, variant: Variant) -> Iterator[dict[str, object]]:
    game = game_from_document(document, variant)
    stands = game_status(game)
    holders = game.names_in(stands.last_held)
    for played in round_results(game):
        names = game.names_in(played.number)
        rows: list[EntryResult | MissedRound] = [*played.entries, *played.missed]
        for row in rows:
            held = names[row.seat] == holders[row.seat]  # or a stand-in held it at the end
            yield {
                "round": played.number,
                "player": names[row.seat],
                "dealt": row.seat == played.dealer,
                **(_entry_cells(row, variant) if isinstance(row, EntryResult) else _MISSED),
                "correction": row.correction or None,
                "points": row.points,
                "score": row.score_after,
                "place in the end": stands.standing(row.seat).place
                if held and stands.has_result
                else None,
                "won": row.seat in stands.winners if held and stands.winners else None,
                "note": game.decisions.note_on(played.number) or None,
            }


_MISSED = {"met": False, "went out": False, "penalty": TABLE_WORDS["missed"]}


def _entry_cells(row: EntryResult, variant: Variant) -> dict[str, object]:
    words = variant.contract(row.contract).words if row.contract else None
    return {
        "contract": row.contract,
        "contract in words": words,
        "met": row.laid_down,
        "went out": row.went_out,
        "penalty": TABLE_WORDS["not counted"] if row.not_counted else row.penalty,
        "bonus": sum(one.points for one in row.bonuses) if row.points is not None else None,
        "buys": row.buys or None,
    }
