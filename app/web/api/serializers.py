"""Games and rule sets as plain values for other programs."""

from typing import Any

from app.rules.loading import to_plain
from app.rules.variant import Variant
from app.scorebook import history
from app.store.queries.games import Table

Plain = dict[str, Any]


def plain_line(variant: Variant, *, own: bool) -> Plain:
    """A rule set in a list."""
    return {
        "id": variant.id,
        "name": variant.name,
        "summary": variant.summary,
        "kind": "own" if own else variant.family,
    }


def plain_rule_set(variant: Variant, *, own: bool, version: int) -> Plain:
    """A rule set with its document."""
    line = plain_line(variant, own=own)
    return {**line, "version": version, "document": to_plain(variant)}


def plain_standings(table: Table) -> Plain:
    """How a game stands."""
    stands = table.board
    return {
        "version": table.version,
        "next_round": stands.next_round,
        "dealer": stands.dealer,
        "over": stands.over,
        "winners": list(stands.winners),
        "reason": str(stands.reason) if stands.reason else None,
        "standings": [
            {
                "seat": one.seat,
                "player": table.names[one.seat],
                "place": one.place,
                "contract": one.contract,
                "completed": one.completed,
                "score": one.score,
                "present": one.present,
            }
            for one in stands.standings
        ],
        "not_counted": [{"round": number, "seat": seat} for number, seat in stands.not_counted],
    }


def plain_game(table: Table) -> Plain:
    """A game as it stands, with its rules."""
    return {
        "key": table.key,
        "started_at": table.started_at,
        "rules": to_plain(table.variant),
        **plain_standings(table),
    }


def plain_rounds(table: Table) -> list[Plain]:
    """The closed rounds that count."""
    return [
        {
            "number": one.number,
            "dealer": one.dealer,
            "rows": [
                {
                    "seat": row.seat,
                    "contract": row.contract,
                    "met": row.met,
                    "went_out": row.went_out,
                    "penalty": row.penalty,
                    "points": row.points,
                    "score": row.score,
                    "completed": row.completed,
                    "not_counted": row.not_counted,
                }
                for row in one.rows
            ],
        }
        for one in history(table.game)
    ]
