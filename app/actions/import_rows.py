"""The rows of games that are imported, many games at once, and of seasons.

Whether they can be imported is found out by `importing.py`; who may import is asked before.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, fields
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from app.actions.groups import new_key
from app.actions.seasons import note_games_beside
from app.exchange.days import noon
from app.exchange.documents import (
    EventDocument,
    GameDocument,
    GroupDocument,
    SeasonDocument,
    SeatDocument,
    StandInDocument,
)
from app.exchange.keys import OUR_KEY
from app.scorebook.decisions import TableDecisions, plain_decisions
from app.scorebook.events.event import renumber_seats
from app.scorebook.seasons import EveningSums, SeasonRules, season_table
from app.store import games as tables
from app.store.base import batches, insert_rows
from app.store.games import LogEntry, RecordedRuling, StoredRuleChange
from app.store.groups import StoredSeason
from app.store.queries.evenings import games_not_to_count
from app.store.queries.export import keys_of_games
from app.store.queries.seasons import first_of

_STORED_ELSEWHERE = ("seats", "rounds", "rulings", "rule_changes", "course", "log", "past_result")
"""Parts that are stored apart: in tables of their own or, naming seats, after the seats."""

Row = dict[str, Any]
"""The values of a row by the names of its columns."""


class ImportedPlayer(NamedTuple):
    """A player of a document as kept here: the one of that name, and the one that has the games.

    They differ where the first was merged into the other.
    """

    named_id: int
    player_id: int


NewGames = Sequence[tuple[int, GameDocument, Mapping[int, int]]]
"""Games with their ids here, and the ids of their seats by the seats' numbers."""


def insert_games(
    session: Session,
    group: int,
    games: Sequence[GameDocument],
    players: Mapping[str, ImportedPlayer],
    rule_sets: Mapping[str, Mapping[str, Any]],
) -> list[int]:
    """Insert a portion of games; answers their ids. `players` are those of the document by name."""
    keys = [game.key for game in games]
    taken = set(
        session.scalars(select(tables.StoredGame.key).where(tables.StoredGame.key.in_(keys)))
    )
    ids = _inserted(
        session, tables.StoredGame, [_game_row(group, one, rule_sets, taken) for one in games]
    )
    seat_rows = [
        _seat_row(game_id, position, seat, players)
        for game_id, game in zip(ids, games, strict=True)
        for position, seat in enumerate(game.seats)
    ]
    seat_ids = iter(_inserted(session, tables.StoredSeat, seat_rows))
    seats = [dict(enumerate(itertools.islice(seat_ids, len(g.seats)), start=1)) for g in games]
    whole = list(zip(ids, games, seats, strict=True))
    stand_ins = [
        {"seat_id": seats[number], "from_round": one.from_round, **_player_columns(one, players)}
        for _game_id, game, seats in whole
        for number, seat in enumerate(game.seats, start=1)
        for one in seat.stand_ins
    ]
    insert_rows(session, tables.StoredStandIn, stand_ins)
    _insert_rounds(session, whole)
    _insert_beside(session, whole)
    return ids


def stay_out_of_seasons(session: Session, group: int, games: Mapping[int, datetime]) -> None:
    """Past results count for no season where their evening does not.

    That is where it has other results and all of them are left out. `games`: ids, each with when it
    was played. Ask for all games of a CSV together: they are not among the others of their evening.
    """
    for portion in batches(games_not_to_count(session, group, games) if games else ()):
        out = update(tables.StoredGame).where(tables.StoredGame.id.in_(portion))
        session.execute(out.values(left_out=True))


def new_seasons(
    session: Session, group: int | None, document: GroupDocument
) -> list[SeasonDocument]:
    """The seasons of a document that the group does not have."""
    here = set(session.scalars(select(StoredSeason.key).where(StoredSeason.group_id == group)))
    return [one for one in document.seasons if one.key not in here]


def import_seasons(
    session: Session,
    group: int,
    document: GroupDocument,
    players: Mapping[str, ImportedPlayer],
) -> None:
    """Insert the seasons that the group does not have; one that is undecided comes undecided.

    The games are here by then: the seasons name some, and games that the document
    lacks may count in them.
    """
    coming = new_seasons(session, group, document)
    changed = {key for one in coming for key in one.changed_games}
    keys = keys_of_games(session, group, changed, tables.CAME_AS, tables.StoredGame.key)
    for one in coming:
        sums = [
            EveningSums(players[of.player].named_id, **row_values(of, "player"))
            for of in one.decided or ()
        ]
        rules = SeasonRules(one.measure, one.place_points, one.best_of, one.least_games)
        is_decided = one.decided is not None
        row = StoredSeason(group_id=group, **row_values(one, "decided", "changed_games"))
        row.changed_games = tuple(keys.get(key, key) for key in one.changed_games)
        row.decided = [list(astuple(of)) for of in sums] if is_decided else None
        row.champions = first_of(season_table(sums, rules)) if is_decided else ()
        session.add(row)
    session.flush()
    if not coming:
        return
    known = {one.key for one in document.games}
    here = select(tables.StoredGame.id, tables.CAME_AS).where(tables.StoredGame.group_id == group)
    beside = [id_ for id_, came_as in session.execute(here) if came_as not in known]
    note_games_beside(session, group, {one.key for one in coming}, beside)


def _insert_rounds(session: Session, whole: NewGames) -> None:
    rounds = [(game_id, one, seats) for game_id, game, seats in whole for one in game.rounds]
    round_rows = [
        {
            "game_id": game_id,
            **row_values(one, "rows"),
            "first_down": seats.get(one.first_down or 0),
        }
        for game_id, one, seats in rounds
    ]
    ids = _inserted(session, tables.StoredRound, round_rows)
    entries = [
        {
            "round_id": round_id,
            "seat_id": seats[entry.seat],
            **row_values(entry, "seat"),
        }
        for round_id, (_game_id, one, seats) in zip(ids, rounds, strict=True)
        for entry in one.rows
    ]
    insert_rows(session, tables.StoredEntry, entries)


def _insert_beside(session: Session, whole: NewGames) -> None:
    """What stands beside the rounds: rulings, rule changes, the log, a past result.

    And what the table decided beside the cards (`course`), which names seats.
    """
    rulings, changes, events = list[Row](), list[Row](), list[Row]()
    past_results = list[Row]()
    for game_id, game, seats in whole:
        of_game = {"game_id": game_id}
        for ruling in game.rulings:
            recorded = {
                "recorded_verdict": ruling.said,
                "asking_seat_id": seats.get(ruling.asked_by or 0),
                "decision": ruling.decided,
            }
            rulings.append(
                {**of_game, **row_values(ruling, "said", "asked_by", "decided"), **recorded}
            )
        changes += [{**of_game, **row_values(one)} for one in game.rule_changes]
        for event, change in _with_changes(game.log):
            named = {
                "change": change,
                "actor_name": event.by,
                "seat_id": seats.get(event.seat or 0),
                "before": dict(renumber_seats(event.before, seats)),
                "after": dict(renumber_seats(event.after, seats)),
            }
            events.append({**of_game, **row_values(event, "by", "seat"), **named})
        past_results += [
            {"seat_id": seats[one.seat], **row_values(one, "seat")} for one in game.past_result
        ]
        if game.course != TableDecisions():
            course = plain_decisions(game.course.with_seat_ids(seats))
            this_game = update(tables.StoredGame).where(tables.StoredGame.id == game_id)
            session.execute(this_game.values(course=course))
    insert_rows(session, RecordedRuling, rulings)
    insert_rows(session, StoredRuleChange, changes)
    insert_rows(session, LogEntry, events)
    insert_rows(session, tables.StoredPastResult, past_results)


def _with_changes(log: Sequence[EventDocument]) -> Iterator[tuple[EventDocument, int]]:
    """The events of a log, each with the version of the first event of its change.

    A change is what was done by one name at one moment.
    """
    for _moment, events in itertools.groupby(log, key=lambda one: (one.at, one.by)):
        first = next(events)
        for event in (first, *events):
            yield event, first.version


def row_values(document: Any, *but: str) -> Row:
    """The fields of a part of a document, whose columns have their names, but for some."""
    names = (one.name for one in fields(document) if one.name not in but)
    return {name: getattr(document, name) for name in names}


def _game_row(
    group: int, game: GameDocument, rule_sets: Mapping[str, Mapping[str, Any]], taken: set[str]
) -> dict[str, Any]:
    """A game keeps its key, unless another on this server has it or it has not the form of ours.

    A key of another form may be a word that stands in an address.
    """
    keeps = game.key not in taken and OUR_KEY.fullmatch(game.key) is not None
    return {
        "key": game.key if keeps else new_key(),
        "imported_key": None if keeps else game.key,
        "group_id": group,
        "variant_id": rule_sets[game.rules]["id"],
        "rules": rule_sets[game.rules],
        **row_values(game, "key", "rules", *_STORED_ELSEWHERE),
        **(
            dict.fromkeys(("started_at", "finished_at"), end_as_kept(game))
            if game.past_result
            else {}
        ),
        "results_only": bool(game.past_result),
    }


def end_as_kept(game: GameDocument) -> datetime | None:
    """When a game ended. A past result has only a day: the noon of the day it started on."""
    return noon(game.started_at.date()) if game.past_result else game.finished_at


def _seat_row(
    game_id: int, position: int, seat: SeatDocument, players: Mapping[str, ImportedPlayer]
) -> dict[str, Any]:
    return {
        "game_id": game_id,
        **_player_columns(seat, players),
        "position": position,
        **row_values(seat, "player", "played_as", "missed", "stand_ins"),
        "missed": tuple((one.first, one.last) for one in seat.missed),
    }


def _player_columns(
    document: SeatDocument | StandInDocument, players: Mapping[str, ImportedPlayer]
) -> dict[str, int | None]:
    """Whose it is here, and who played it before they were merged."""
    player = players[document.player]
    played_as = players[document.played_as].named_id if document.played_as else None
    if player.player_id != player.named_id:
        played_as = played_as or player.named_id
    return {"player_id": player.player_id, "player_before_merge_id": played_as}


def _inserted(session: Session, model: Any, rows: list[dict[str, Any]]) -> list[int]:
    """Insert these rows; answers their ids in their order."""
    if not rows:
        return []
    inserting = insert(model).returning(model.id, sort_by_parameter_order=True)
    return list(session.scalars(inserting, rows))
