"""The rows of games that are imported, many games at once.

Who may import them, and whether they can be imported at all, stands in `importing.py`.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from app.actions.games import KEY_LETTERS, new_key
from app.exchange.documents import GameDocument, SeatDocument, StandInDocument
from app.scorebook.course import plain_course, read_course
from app.store.games import (
    StoredEntry,
    StoredGame,
    StoredPastResult,
    StoredRound,
    StoredSeat,
    StoredStandIn,
)
from app.store.log import LogEntry
from app.store.queries.export import renumber_seats
from app.store.rulings import RecordedRuling, StoredRuleChange

OUR_KEY = re.compile(f"[{KEY_LETTERS}]{{12}}|p[0-9a-f]{{15}}")
"""A game's key as this app makes them (the second kind for results on paper). Any other may be a
word that stands in an address, so a game that comes with one gets a new key here."""


class ImportedPlayer(NamedTuple):
    """A player of a document as kept here: the entry of that name, and the one that has its games.

    They differ where the entry was merged into another.
    """

    player_id: int
    merged_player_id: int


def insert_games(
    session: Session,
    group: int,
    games: Sequence[GameDocument],
    players: Mapping[str, ImportedPlayer],
    rules: Mapping[str, Mapping[str, Any]],
) -> list[int]:
    """Insert a portion of games; answers their ids. `players` are those of the document by name."""
    keys = [game.key for game in games]
    taken = set(session.scalars(select(StoredGame.key).where(StoredGame.key.in_(keys))))
    ids = _inserted(session, StoredGame, [_game_row(group, one, rules, taken) for one in games])
    seat_rows = [
        _seat_row(game_id, position, seat, players)
        for game_id, game in zip(ids, games, strict=True)
        for position, seat in enumerate(game.seats)
    ]
    seat_ids = iter(_inserted(session, StoredSeat, seat_rows))
    seats = [dict(enumerate(itertools.islice(seat_ids, len(g.seats)), start=1)) for g in games]
    whole = list(zip(ids, games, seats, strict=True))
    _insert_stand_ins(session, whole, players)
    _insert_rounds(session, whole)
    _insert_beside(session, whole)
    _set_courses(session, whole)
    return ids


def _insert_rounds(
    session: Session, whole: Sequence[tuple[int, GameDocument, Mapping[int, int]]]
) -> None:
    rounds = [
        (
            one,
            seats,
            {
                "game_id": game_id,
                "number": one.number,
                "closed_at": one.closed_at,
                "first_down_id": seats.get(one.first_down or 0),
                "nobody_out": one.nobody_out,
            },
        )
        for game_id, game, seats in whole
        for one in game.rounds
    ]
    ids = _inserted(session, StoredRound, [row for _one, _seats, row in rounds])
    rows = [
        {
            "round_id": round_id,
            "seat_id": seats[row.seat],
            "met": row.met,
            "went_out": row.went_out,
            "penalty": row.penalty,
            "typed": row.text,
            "counted": list(row.counted) or None,
            "exact_deal": row.exact_deal,
            "not_counted": row.not_counted,
            "buys": row.buys,
        }
        for round_id, (one, seats, _row) in zip(ids, rounds, strict=True)
        for row in one.rows
    ]
    insert_rows(session, StoredEntry, rows)


def _insert_beside(
    session: Session, whole: Sequence[tuple[int, GameDocument, Mapping[int, int]]]
) -> None:
    """What stands beside the rounds: rulings, switched rules, the log, a result on paper."""
    insert_rows(
        session,
        RecordedRuling,
        [
            {
                "game_id": game_id,
                "round_number": one.round_number,
                "at": one.at,
                "question": one.question,
                "verdict": one.verdict,
                "said": one.said,
                "asked_by_id": seats.get(one.asked_by or 0),
                "decided": one.decided,
                "reason": one.reason,
            }
            for game_id, game, seats in whole
            for one in game.rulings
        ],
    )
    insert_rows(
        session,
        StoredRuleChange,
        [
            {
                "game_id": game_id,
                "from_round": one.from_round,
                "field": one.field,
                "value": one.value,
            }
            for game_id, game, _seats in whole
            for one in game.rule_changes
        ],
    )
    insert_rows(
        session,
        LogEntry,
        [
            {
                "game_id": game_id,
                "version": one.version,
                "at": one.at,
                "device_name": one.by,
                "kind": one.kind,
                "round_number": one.round_number,
                "seat_id": seats.get(one.seat or 0),
                "before": dict(renumber_seats(one.before, seats)),
                "after": dict(renumber_seats(one.after, seats)),
                "reason": one.reason,
            }
            for game_id, game, seats in whole
            for one in game.log
        ],
    )
    insert_rows(
        session,
        StoredPastResult,
        [
            {"seat_id": seats[one.seat], "place": one.place, "score": one.score}
            for _game_id, game, seats in whole
            for one in game.paper
        ],
    )


def _set_courses(
    session: Session, whole: Sequence[tuple[int, GameDocument, Mapping[int, int]]]
) -> None:
    """What the table decided about dealing, which names seats."""
    for game_id, game, seats in whole:
        if game.course:
            course = plain_course(read_course(game.course).with_seat_ids(seats))
            session.execute(
                update(StoredGame).where(StoredGame.id == game_id).values(course=course)
            )


def _game_row(
    group: int, game: GameDocument, rules: Mapping[str, Mapping[str, Any]], taken: set[str]
) -> dict[str, Any]:
    """A game keeps its key, unless another group on this server has it or it is none of ours."""
    keeps = game.key not in taken and OUR_KEY.fullmatch(game.key) is not None
    return {
        "key": game.key if keeps else new_key(),
        "imported_key": None if keeps else game.key,
        "group_id": group,
        "variant_id": rules[game.rules]["id"],
        "rules": rules[game.rules],
        "version": game.version,
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "reopened": game.reopened,
        "stopped": game.stopped,
        "title": game.title,
        "note": game.note,
        "archived_at": game.archived_at,
        "deleted_at": game.deleted_at,
        "on_paper": bool(game.paper),
    }


def _seat_row(
    game_id: int, position: int, seat: SeatDocument, players: Mapping[str, ImportedPlayer]
) -> dict[str, Any]:
    return {
        "game_id": game_id,
        **_player_columns(seat, players),
        "position": position,
        "joined_in": seat.joined_in,
        "left_after": seat.left_after,
        "starting_score": seat.starting_score,
        "deals_first": seat.deals_first,
        "starting_contract": seat.starting_contract,
        "missed": [[one.first, one.last] for one in seat.missed] or None,
    }


def _insert_stand_ins(
    session: Session,
    whole: Sequence[tuple[int, GameDocument, Mapping[int, int]]],
    players: Mapping[str, ImportedPlayer],
) -> None:
    insert_rows(
        session,
        StoredStandIn,
        [
            {
                "seat_id": seats[number],
                "from_round": one.from_round,
                **_player_columns(one, players),
            }
            for _game_id, game, seats in whole
            for number, seat in enumerate(game.seats, start=1)
            for one in seat.stand_ins
        ],
    )


def _player_columns(
    document: SeatDocument | StandInDocument, players: Mapping[str, ImportedPlayer]
) -> dict[str, int | None]:
    """Whose it is here, and as which entry that was played."""
    player = players[document.player]
    played_as = players[document.played_as].player_id if document.played_as else None
    if player.merged_player_id != player.player_id:
        played_as = played_as or player.player_id
    return {"player_id": player.merged_player_id, "played_as_id": played_as}


def _inserted(session: Session, model: Any, rows: list[dict[str, Any]]) -> list[int]:
    """Insert these rows; answers their ids in their order."""
    if not rows:
        return []
    inserting = insert(model).returning(model.id, sort_by_parameter_order=True)
    return list(session.scalars(inserting, rows))


def insert_rows(session: Session, model: Any, rows: list[dict[str, Any]]) -> None:
    """Insert these rows, of which there may be none."""
    if rows:
        session.execute(insert(model), rows)
