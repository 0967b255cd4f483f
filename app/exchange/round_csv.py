"""The rounds of a group as CSV, for a spreadsheet: one line for each player and round.

A text that a spreadsheet would take for a formula is written so that it stays a text.
"""

import csv
import io
from collections.abc import Iterator
from typing import Any

from app.exchange.documents import GameDocument, GroupDocument
from app.exchange.plausibility import game_from_document
from app.exchange.reader import rule_sets_of
from app.rules.variant import Variant
from app.scorebook.history import EntryResult, MissedRound, round_results
from app.scorebook.standings import game_status

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
    if game.paper:
        for one in game.paper:
            blank = ("",) * 7
            yield (
                *about,
                "",
                escape_formula(game.seats[one.seat - 1].player),
                *blank,
                "",
                _blank_if_none(one.score),
                one.place,
                _yes_or_no(one.place == 1),
                "",
                "",
            )
        return
    record = game_from_document(game, variant)
    stands = game_status(record)
    holders = record.names_in(stands.next_round - 1)
    for played in round_results(record):
        names = record.names_in(played.number)
        rows: list[EntryResult | MissedRound] = [*played.rows, *played.missed]
        for row in rows:
            held = names[row.seat] == holders[row.seat]  # or a stand-in held it at the end
            place = stands.standing(row.seat).place if held and stands.has_result else None
            yield (
                *about,
                played.number,
                escape_formula(names[row.seat]),
                _yes_or_no(row.seat == played.dealer),
                *(_cells(row, variant) if isinstance(row, EntryResult) else _MISSED),
                _blank_if_none(row.points),
                _blank_if_none(row.score),
                _blank_if_none(place),
                _yes_or_no(held and row.seat in stands.winners) if stands.winners else "",
                *(
                    (row.buys or "", row.correction or "")
                    if isinstance(row, EntryResult)
                    else ("", "")
                ),
            )


_MISSED = ("", "", "no", "no", "missed", "")


def _cells(row: EntryResult, variant: Variant) -> tuple[object, ...]:
    """What a row says from the contract to the bonus."""
    return (
        _blank_if_none(row.contract),
        str(variant.contract(row.contract).words) if row.contract else "",
        _yes_or_no(row.met),
        _yes_or_no(row.went_out),
        "not counted" if row.not_counted else _blank_if_none(row.penalty),
        sum(one.points for one in row.bonuses) if variant.scores else "",
    )


def _yes_or_no(said: bool) -> str:
    return "yes" if said else "no"


def _blank_if_none(number: int | None) -> int | str:
    return "" if number is None else number
