"""Bringing a document's games into a group: looked at first, then done whole or not at all.

A game is known by its key, so bringing a document in again adds nothing. A game that is here
already stays as it is here.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from app.actions.by import By
from app.actions.games import new_key
from app.actions.idempotency import claim, keep_result
from app.actions.results import note_results
from app.exchange.fields import Faulty
from app.exchange.judging import impossible
from app.exchange.reading import rule_sets_of
from app.exchange.records import GameRecord, GroupRecord, PlayerRecord, SeatRecord
from app.rules.wording import say
from app.store.games import KeptGame, KeptRound, KeptRow, KeptSeat, PaperResult
from app.store.groups import Group, Player
from app.store.log import LogEntry
from app.store.queries.export import with_seats
from app.store.queries.results import AT_ONCE
from app.store.rulings import RecordedRuling, RuleChange

MOST_FAULTS = 20
"""So many faults are told at most; the rest would be more of the same."""

Watch = Callable[[Iterable[GameRecord]], Iterable[GameRecord]]
"""Is given the games of a document and hands them on, such as a progress bar does."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A document whose games were all read and could all have been played."""

    document: GroupRecord
    games: tuple[GameRecord, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What bringing a document in would do."""

    name: str
    games: int
    new_games: int
    changed_games: int
    """Here already, in another version; they stay as they are here."""
    rounds: int
    new_players: tuple[str, ...]
    known_players: int


class NotImported(Exception):
    """The document has faults, so nothing of it was brought in."""

    def __init__(self, faults: Sequence[Faulty]) -> None:
        super().__init__(str(faults[0].message))
        self.faults = tuple(faults)


def checked(document: GroupRecord, watch: Watch = iter) -> Sound:
    """A document read to its end. Raises `NotImported` with what is wrong in it.

    Nothing is asked of the database, so that nobody waits while a large document is judged.
    """
    rules = rule_sets_of(document)
    faults: list[Faulty] = []
    games: list[GameRecord] = []
    try:
        for place, game in enumerate(watch(document.games)):
            wrong = itertools.islice(impossible(game, rules[game.rules]), MOST_FAULTS)
            faults += [one.within(f"games[{place}]") for one in wrong]
            games.append(game)
            if len(faults) >= MOST_FAULTS:
                break
    except Faulty as fault:
        faults.append(fault)
    if faults:
        raise NotImported(faults[:MOST_FAULTS])
    return Sound(document, tuple(games))


def plan_import(session: Session, group: int | None, sound: Sound) -> Plan:
    """What bringing a document into a group (None: one that is to be made) would do."""
    here, names = _versions_here(session, group), _players_here(session, group)
    new = [game for game in sound.games if game.key not in here]
    changed = [game for game in sound.games if here.get(game.key, game.version) != game.version]
    players = sound.document.players
    fresh = tuple(one.name for one in players if one.name.casefold() not in names)
    return Plan(
        name=sound.document.name,
        games=len(sound.games),
        new_games=len(new),
        changed_games=len(changed),
        rounds=sum(len(game.rounds) for game in new),
        new_players=fresh,
        known_players=len(players) - len(fresh),
    )


def import_group(
    session: Session, group: int, sound: Sound, watch: Watch = iter, by: By | None = None
) -> int:
    """Bring a document into a group; answers how many games were new.

    Raises `NotImported` where two players of a game are one person here. Nothing is kept before
    all is.
    """
    earlier = claim(session, by) if by else None
    if earlier is not None:
        return int(earlier)
    session.execute(select(Group.id).where(Group.id == group).with_for_update())
    players = _bring_players(session, group, sound.document.players)
    here = _versions_here(session, group)
    rules = sound.document.rule_sets
    made: list[int] = []
    fresh = (game for game in watch(sound.games) if game.key not in here)
    while portion := list(itertools.islice(fresh, AT_ONCE)):
        made += _bring_games(session, group, portion, players, rules)
        note_results(session, made[-len(portion) :])
    if by:
        keep_result(session, by, str(len(made)))
    session.commit()
    return len(made)


def _versions_here(session: Session, group: int | None) -> dict[str, int]:
    """The games that the group has, by their keys where they came from."""
    rows = session.execute(
        select(func.coalesce(KeptGame.imported_key, KeptGame.key), KeptGame.version).where(
            KeptGame.group_id == group
        )
    )
    return {key: version for key, version in rows}  # noqa: C416 (mypy knows these as a tuple)


def _players_here(session: Session, group: int | None) -> dict[str, Player]:
    players = session.scalars(select(Player).where(Player.group_id == group))
    return {one.name_key: one for one in players}


def _bring_players(session: Session, group: int, records: Sequence[PlayerRecord]) -> dict[str, int]:
    """The players of a document, made where the group has none of that name: id by name.

    Who is merged into another here is that other also for games that are brought in.
    """
    here = _players_here(session, group)
    made = []
    for one in records:
        if one.name.casefold() not in here:
            player = Player(
                group_id=group,
                name=one.name,
                name_key=one.name.casefold(),
                created_at=one.since,
                archived_at=one.archived_at,
            )
            here[player.name_key] = player
            session.add(player)
            made.append(one)
    session.flush()
    for one in made:
        if one.merged_into is not None:
            into = here[one.merged_into.casefold()]
            here[one.name.casefold()].merged_into_id = into.merged_into_id or into.id
    session.flush()
    return {one.name: here[one.name.casefold()].id for one in records}


def _bring_games(
    session: Session,
    group: int,
    games: Sequence[GameRecord],
    players: Mapping[str, int],
    rules: Mapping[str, Mapping[str, Any]],
) -> list[int]:
    """Keep a portion of games; answers their ids."""
    keys = [game.key for game in games]
    taken = set(session.scalars(select(KeptGame.key).where(KeptGame.key.in_(keys))))
    ids = _made(session, KeptGame, [_game_row(group, one, rules, taken) for one in games])
    holders = _holders(session, players.values())
    seat_rows = [
        _seat_row(game_id, position, seat, players, holders)
        for game_id, game in zip(ids, games, strict=True)
        for position, seat in enumerate(game.seats)
    ]
    _refuse_twins(games, seat_rows)
    seat_ids = iter(_made(session, KeptSeat, seat_rows))
    seats = [dict(enumerate(itertools.islice(seat_ids, len(g.seats)), start=1)) for g in games]
    whole = list(zip(ids, games, seats, strict=True))
    _bring_rounds(session, whole)
    _bring_beside(session, whole)
    return ids


def _holders(session: Session, players: Iterable[int]) -> dict[int, int]:
    """Players who were merged here, and into whom."""
    rows = session.execute(
        select(Player.id, Player.merged_into_id).where(
            Player.id.in_(list(players)), Player.merged_into_id.is_not(None)
        )
    )
    return {player: into for player, into in rows if into is not None}


def _refuse_twins(games: Sequence[GameRecord], seat_rows: Sequence[Mapping[str, Any]]) -> None:
    """Two names of a game may be one person here; then the game cannot be brought in."""
    seen: set[tuple[int, int]] = set()
    rows = iter(seat_rows)
    for game in games:
        for seat, row in zip(game.seats, rows, strict=False):
            if (row["game_id"], row["player_id"]) in seen:
                message = say(
                    "{name} was merged here with another player of this game.", name=seat.player
                )
                raise NotImported([Faulty(f"games ({game.key})", message)])
            seen.add((row["game_id"], row["player_id"]))


def _bring_rounds(
    session: Session, whole: Sequence[tuple[int, GameRecord, Mapping[int, int]]]
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
    ids = _made(session, KeptRound, [row for _one, _seats, row in rounds])
    rows = [
        {
            "round_id": round_id,
            "seat_id": seats[row.seat],
            "met": row.met,
            "went_out": row.went_out,
            "penalty": row.penalty,
            "typed": row.typed,
            "counted": list(row.counted) or None,
            "exact_deal": row.exact_deal,
            "not_counted": row.not_counted,
        }
        for round_id, (one, seats, _row) in zip(ids, rounds, strict=True)
        for row in one.rows
    ]
    _make(session, KeptRow, rows)


def _bring_beside(
    session: Session, whole: Sequence[tuple[int, GameRecord, Mapping[int, int]]]
) -> None:
    """What stands beside the rounds: rulings, switched rules, the log, a result on paper."""
    _make(
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
    _make(
        session,
        RuleChange,
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
    _make(
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
                "before": dict(with_seats(one.before, seats)),
                "after": dict(with_seats(one.after, seats)),
                "reason": one.reason,
            }
            for game_id, game, seats in whole
            for one in game.log
        ],
    )
    _make(
        session,
        PaperResult,
        [
            {"seat_id": seats[one.seat], "place": one.place, "score": one.score}
            for _game_id, game, seats in whole
            for one in game.paper
        ],
    )


def _game_row(
    group: int, game: GameRecord, rules: Mapping[str, Mapping[str, Any]], taken: set[str]
) -> dict[str, Any]:
    """A game keeps its key, unless another group on this server has it or it is too long."""
    keeps = game.key not in taken and len(game.key) <= 16
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
        "title": game.title,
        "note": game.note,
        "archived_at": game.archived_at,
        "deleted_at": game.deleted_at,
        "on_paper": bool(game.paper),
    }


def _seat_row(
    game_id: int,
    position: int,
    seat: SeatRecord,
    players: Mapping[str, int],
    holders: Mapping[int, int],
) -> dict[str, Any]:
    player = players[seat.player]
    played_as = players[seat.played_as] if seat.played_as else None
    if player in holders:
        player, played_as = holders[player], played_as or player
    return {
        "game_id": game_id,
        "player_id": player,
        "played_as_id": played_as,
        "position": position,
        "joined_in": seat.joined_in,
        "left_after": seat.left_after,
        "starting_score": seat.starting_score,
        "deals_first": seat.deals_first,
    }


def _made(session: Session, model: Any, rows: list[dict[str, Any]]) -> list[int]:
    """Keep these rows; answers their ids in their order."""
    if not rows:
        return []
    inserting = insert(model).returning(model.id, sort_by_parameter_order=True)
    return list(session.scalars(inserting, rows))


def _make(session: Session, model: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        session.execute(insert(model), rows)
