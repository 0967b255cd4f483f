"""The rounds of a group as CSV, for a spreadsheet: one line for each player and round.

A text that a spreadsheet would take for a formula is written so that it stays a text.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from app.exchange.documents import GameDocument, GroupDocument
from app.exchange.plausibility import game_from_document
from app.exchange.reader import rule_sets_of
from app.rules.variant import Variant
from app.scorebook import RoundRecord, board, history

BYTE_ORDER_MARK = "\ufeff"
"""Without it, spreadsheets take UTF-8 for an old encoding."""

COLUMNS = (
    "date",
    "game",
    "title",
    "rule set",
    "round",
    "player",
    "dealt",
    "contract",
    "contract in words",
    "met",
    "went out",
    "penalty",
    "bonus",
    "points",
    "score",
    "place in the end",
    "won",
    "buys",
    "correction",
)

_LIKE_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def write_round_csv(group: GroupDocument, separator: str = ",") -> Iterator[str]:
    """The table in pieces, game by game, with its heading."""
    rules = rule_sets_of(group)
    yield BYTE_ORDER_MARK + _lines([COLUMNS], separator)
    for game in group.games:
        if game.deleted_at is None:
            yield _lines(_game_lines(game, rules[game.rules]), separator)


def escape_formula(text: str) -> str:
    """A text that no spreadsheet runs: what begins like a formula gets a quote before it."""
    return f"'{text}" if text.startswith(_LIKE_A_FORMULA) else text


def _lines(rows: Any, separator: str) -> str:
    target = io.StringIO()
    csv.writer(target, delimiter=separator, lineterminator="\r\n").writerows(rows)
    return target.getvalue()


def _game_lines(game: GameDocument, variant: Variant) -> Iterator[tuple[object, ...]]:
    about = (
        game.started_at.date().isoformat(),
        escape_formula(game.key),
        escape_formula(game.title),
        escape_formula(variant.name),
    )
    names = {number: escape_formula(one.player) for number, one in enumerate(game.seats, start=1)}
    if game.paper:
        for one in game.paper:
            won = "yes" if one.place == 1 else "no"
            blank = ("",) * 7
            yield (
                *about,
                "",
                names[one.seat],
                *blank,
                "",
                _blank_if_none(one.score),
                one.place,
                won,
                "",
                "",
            )
        return
    record = game_from_document(game, variant)
    stands = board(record)
    places = {one.seat: one.place for one in stands.standings if stands.has_result}
    for played in history(record):
        yield from _round_lines(about, played, names, places, variant, stands.winners)


def _round_lines(
    about: tuple[str, ...],
    played: RoundRecord,
    names: Mapping[int, str],
    places: Mapping[int, int | None],
    variant: Variant,
    winners: tuple[int, ...],
) -> Iterator[tuple[object, ...]]:
    for row in played.rows:
        yield (
            *about,
            played.number,
            names[row.seat],
            _yes_or_no(row.seat == played.dealer),
            _blank_if_none(row.contract),
            str(variant.contract(row.contract).words) if row.contract else "",
            _yes_or_no(row.met),
            _yes_or_no(row.went_out),
            "not counted" if row.not_counted else _blank_if_none(row.penalty),
            sum(one.points for one in row.bonuses) if variant.scores else "",
            _blank_if_none(row.points),
            _blank_if_none(row.score),
            _blank_if_none(places.get(row.seat)),
            _yes_or_no(row.seat in winners) if winners else "",
            row.buys or "",
            row.correction or "",
        )


def _yes_or_no(said: bool) -> str:
    return "yes" if said else "no"


def _blank_if_none(number: int | None) -> int | str:
    return "" if number is None else number
