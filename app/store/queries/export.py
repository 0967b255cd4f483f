"""Reads what a group's document holds: games in batches, however many there are."""

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, aliased

from app.exchange import documents
from app.exchange.files import name_of_rules
from app.scorebook.decisions import read_decisions
from app.scorebook.events.event import renumber_seats
from app.scorebook.game import RuleChange
from app.scorebook.seasons import EveningSums
from app.store.base import AT_ONCE, batches
from app.store.engine import begin_snapshot
from app.store.game_rows import rounds_of
from app.store.games import (
    CAME_AS,
    LogEntry,
    RecordedRuling,
    StoredGame,
    StoredPastResult,
    StoredRuleChange,
    StoredSeat,
    StoredStandIn,
)
from app.store.groups import Group, Player, StoredRuleSet, StoredSeason, UsualRules
from app.store.queries.access import players_of

Document = TypeVar("Document")


def load_group_document(session: Session, group: int) -> documents.GroupDocument:
    """A group's document as of this moment; its games are read as they are taken.

    Begins a transaction of its own, which must last until the last game is taken.
    """
    begin_snapshot(session)
    about = session.execute(select(Group.name, Group.milestones).where(Group.id == group)).one()
    return documents.GroupDocument(
        about.name,
        _players(session, group),
        _rule_sets(session, group),
        exported_games(session, group),
        _own_rule_sets(session, group),
        _usual_rules(session, group),
        _seasons(session, group),
        about.milestones,
    )


def exported_games(session: Session, group: int) -> Iterator[documents.GameDocument]:
    """The games of a group as they are written down, in the order in which they came to be here.

    Games that ended at the same moment count in that order, here and where they are imported.
    """
    ids = session.scalars(
        select(StoredGame.id).where(StoredGame.group_id == group).order_by(StoredGame.id)
    ).all()
    for portion in batches(ids):
        yield from _games(session, portion)


def count_games(session: Session, group: int) -> int:
    """How many games a group has, deleted ones included."""
    return session.scalar(select(func.count()).where(StoredGame.group_id == group)) or 0


def _players(session: Session, group: int) -> list[documents.PlayerDocument]:
    into = aliased(Player)
    rows = session.execute(
        select(Player.name, Player.created_at, Player.archived_at, into.name, Player.mark)
        .outerjoin(into, into.id == Player.merged_into_id)
        .where(Player.group_id == group)
        .order_by(Player.name_key)
    )
    return [documents.PlayerDocument(*row) for row in rows]


def _rule_sets(session: Session, group: int) -> Mapping[str, Mapping[str, Any]]:
    """The different rule sets of a group's games, by their names in the document."""
    rules = select(StoredGame.rules).where(StoredGame.group_id == group)
    found = session.scalars(rules.execution_options(yield_per=AT_ONCE))
    return {name_of_rules(one): one for one in found}


def _own_rule_sets(session: Session, group: int) -> list[documents.OwnRuleSetDocument]:
    rows = session.execute(
        select(StoredRuleSet.__table__)
        .where(StoredRuleSet.group_id == group)
        .order_by(StoredRuleSet.id)
    )
    return [_document(documents.OwnRuleSetDocument, row, rules=row.document) for row in rows]


def _seasons(session: Session, group: int) -> list[documents.SeasonDocument]:
    names = dict(players_of(session, group, with_merged=True))
    rows = session.execute(
        select(StoredSeason.__table__)
        .where(StoredSeason.group_id == group)
        .order_by(StoredSeason.since, StoredSeason.key)
    ).all()
    changed = {key for row in rows for key in row.changed_games or ()}
    came_as = keys_of_games(session, group, changed, StoredGame.key, CAME_AS)
    found = []
    for row in rows:
        decided = tuple(
            _document(documents.DecidedSumsDocument, one, player=names[one.player])
            for one in (EveningSums(*sums) for sums in row.decided or ())
            if one.player in names
        )
        if_decided = None if row.decided is None else decided
        more = {
            "decided": if_decided,
            "changed_games": tuple(came_as.get(key, key) for key in row.changed_games or ()),
        }
        found.append(_document(documents.SeasonDocument, row, **more))
    return found


def keys_of_games(
    session: Session, group: int, keys: Iterable[str], known_as: Any, wanted: Any
) -> dict[str, str]:
    """The keys in the column `wanted` of the group's games with these keys in `known_as`.

    One is the column of the key in documents, the other that of the key here.
    """
    columns = known_as.label("known_as"), wanted.label("wanted")
    asked = select(*columns).where(StoredGame.group_id == group)
    found = (session.execute(asked.where(known_as.in_(some))) for some in batches(keys))
    return {row.known_as: row.wanted for rows in found for row in rows}


def _usual_rules(session: Session, group: int) -> list[documents.UsualRulesDocument]:
    """The house rules that games begin with; none for a rule set is the same as no entry."""
    rows = session.execute(
        select(UsualRules.variant_id, UsualRules.rules, UsualRules.changed_at)
        .where(UsualRules.group_id == group)
        .order_by(UsualRules.variant_id)
    )
    return [documents.UsualRulesDocument(*row) for row in rows if row.rules]


def _games(session: Session, ids: Sequence[int]) -> Iterator[documents.GameDocument]:
    seats = _grouped(session, _seats(ids))
    numbers = {
        game: {row.id: number for number, row in enumerate(rows, start=1)}
        for game, rows in seats.items()
    }
    stand_ins = _grouped(session, _stand_ins(ids), "seat_id")
    rounds = _rounds(session, ids, numbers)
    rulings = _grouped(session, _of_games(RecordedRuling, ids, RecordedRuling.id))
    changes = _grouped(session, _of_games(StoredRuleChange, ids, StoredRuleChange.id))
    log = _grouped(session, _of_games(LogEntry, ids, LogEntry.version))
    past_results = _grouped(session, _past_results(ids))
    columns = StoredGame.__table__, CAME_AS.label("came_as")
    games = session.execute(select(*columns).where(StoredGame.id.in_(ids)))
    kept = {row.id: row for row in games}
    for game in ids:
        number_of = numbers[game]
        yield _document(
            documents.GameDocument,
            kept[game],
            key=kept[game].came_as,
            rules=name_of_rules(kept[game].rules),
            seats=tuple(_seat(row, stand_ins[row.id]) for row in seats[game]),
            rounds=tuple(rounds[game]),
            rulings=tuple(
                _document(
                    documents.RulingDocument,
                    row,
                    said=row.recorded_verdict,
                    asked_by=number_of.get(row.asking_seat_id),
                    decided=row.decision,
                )
                for row in rulings[game]
            ),
            rule_changes=tuple(_document(RuleChange, row) for row in changes[game]),
            course=read_decisions(kept[game].course).with_seat_ids(number_of),
            log=tuple(_log(row, number_of) for row in log[game]),
            past_result=tuple(
                _document(documents.PastResultDocument, row, seat=number_of[row.seat_id])
                for row in past_results[game]
            ),
        )


def _document(document: type[Document], row: Any, **more: Any) -> Document:
    """A part of a document: each field is the column of its name, unless it is among `more`."""
    names = (one.name for one in dataclasses.fields(document) if one.name not in more)  # type: ignore[arg-type]
    return document(**{name: getattr(row, name) for name in names}, **more)


def _of_games(model: Any, ids: Sequence[int], order: Any) -> Select[*tuple[Any, ...]]:
    return select(model.__table__).where(model.game_id.in_(ids)).order_by(order)


def _held(seats: Any) -> Select[*tuple[Any, ...]]:
    """Seats or stand-ins with the names of who holds them, and who did before they were merged."""
    played_as = aliased(Player)
    return (
        select(seats.__table__, Player.name.label("player"), played_as.name.label("played_as"))
        .join(Player, Player.id == seats.player_id)
        .outerjoin(played_as, played_as.id == seats.player_before_merge_id)
    )


def _seats(ids: Sequence[int]) -> Select[*tuple[Any, ...]]:
    return _held(StoredSeat).where(StoredSeat.game_id.in_(ids)).order_by(StoredSeat.position)


def _stand_ins(ids: Sequence[int]) -> Select[*tuple[Any, ...]]:
    found = _held(StoredStandIn).join(StoredSeat, StoredSeat.id == StoredStandIn.seat_id)
    return found.where(StoredSeat.game_id.in_(ids)).order_by(StoredStandIn.id)


def _past_results(ids: Sequence[int]) -> Select[*tuple[Any, ...]]:
    return (
        select(StoredSeat.game_id, StoredPastResult.__table__)
        .join(StoredSeat, StoredSeat.id == StoredPastResult.seat_id)
        .where(StoredSeat.game_id.in_(ids))
        .order_by(StoredSeat.position)
    )


def _grouped(
    session: Session, found: Select[*tuple[Any, ...]], by: str = "game_id"
) -> defaultdict[int, list[Any]]:
    rows = defaultdict[int, list[Any]](list)
    for row in session.execute(found):
        rows[getattr(row, by)].append(row)
    return rows


def _rounds(
    session: Session, ids: Sequence[int], numbers: Mapping[int, Mapping[int, int]]
) -> defaultdict[int, list[documents.RoundDocument]]:
    """The rounds of these games. A row for a seat of another game is no part of any."""
    found: defaultdict[int, list[documents.RoundDocument]] = defaultdict(list)
    for game, rounds in rounds_of(session.connection(), ids).items():
        number_of = numbers[game]
        for end, played in rounds:
            rows = [
                dataclasses.replace(one, seat=number_of[one.seat])
                for one in played.entries
                if one.seat in number_of
            ]
            rows.sort(key=attrgetter("seat"))
            first_down = played.first_down and number_of.get(played.first_down)
            kept = {"closed_at": end, "first_down": first_down, "rows": tuple(rows)}
            found[game].append(_document(documents.RoundDocument, played, **kept))
    return found


def _seat(row: Any, stand_ins: Sequence[Any]) -> documents.SeatDocument:
    return _document(
        documents.SeatDocument,
        row,
        missed=tuple(documents.MissedDocument(*one) for one in row.missed),
        stand_ins=tuple(_document(documents.StandInDocument, one) for one in stand_ins),
    )


def _log(row: Any, number_of: Mapping[int, int]) -> documents.EventDocument:
    return _document(
        documents.EventDocument,
        row,
        by=row.actor_name,
        seat=number_of.get(row.seat_id),
        before=renumber_seats(row.before, number_of),
        after=renumber_seats(row.after, number_of),
    )
