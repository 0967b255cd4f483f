"""Reads of what groups decided in their games (rulings)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, case, literal, select, tuple_
from sqlalchemy.orm import Session

from app.rules.house_rules import HOUSE_RULES
from app.rules.phrases import Phrase, concatenate
from app.scorebook.events.games import RuleChanged
from app.store.game_rows import seats_of
from app.store.games import NAME_OF_RULES, LogEntry, RecordedRuling, StoredGame, StoredRuleChange


@dataclass(frozen=True, slots=True)
class ListedRuling:
    """A recorded ruling of a game, with the name of who asked, or blank."""

    id: int
    game_id: int
    game_key: str
    game_name: str
    round_number: int
    at: datetime
    question: str
    verdict: str
    recorded_verdict: Mapping[str, Any] | None
    asked_by: str
    decision: str
    reason: str
    changed_rules: Mapping[str, Any] = field(default_factory=dict)
    """The house rules that it changed from its round on, with their values, by field.

    Not what was undone.
    """
    changed_again_in: int | None = None
    """The round from which on its game plays them otherwise; none where it does not."""

    @property
    def changed_sentences(self) -> Sequence[Phrase]:
        """What holds by each of the house rules that it changed."""
        return [HOUSE_RULES[name].sentence(value) for name, value in self.changed_rules.items()]

    @property
    def changes_in_words(self) -> Phrase | None:
        """What holds by the house rules that it changed; None where it changed none."""
        return concatenate(words) if (words := self.changed_sentences) else None

    @property
    def changes_rules(self) -> bool:
        """Did a house rule change with it, and does that still hold in its game?"""
        return bool(self.changed_rules) and self.changed_again_in is None

    @property
    def is_in_force(self) -> bool:
        """Did the group decide other than the rules, and not give that up in a later round?"""
        return bool(self.decision or self.changed_rules) and self.changed_again_in is None


def rulings_of(session: Session, game_id: int) -> Sequence[ListedRuling]:
    """The rulings of a game, the first one first."""
    found = _rulings(session, RecordedRuling.game_id == game_id)
    return found[::-1]


def group_rulings(
    session: Session, group: int, most: int, *, before: int | None = None
) -> Sequence[ListedRuling]:
    """The rulings of a group's games, the last one first; with `before`, those before it (an id).

    The last one is that of the latest moment, whenever it came into this database.
    """
    ruling = RecordedRuling
    moment = select(ruling.at).where(ruling.id == before).scalar_subquery()
    earlier = tuple_(ruling.at, ruling.id) < tuple_(moment, literal(before))
    return _rulings(session, _of_group(group), *([earlier] if before else []), most=most)


def group_ruling(session: Session, group: int, ruling_id: int) -> ListedRuling | None:
    """The ruling of a group's games with that id; None where none is listed."""
    found = _rulings(session, _of_group(group), RecordedRuling.id == ruling_id)
    return next(iter(found), None)


def _of_group(group: int) -> ColumnElement[bool]:
    return (StoredGame.group_id == group) & StoredGame.deleted_at.is_(None)


def _rulings(
    session: Session, *which: ColumnElement[bool], most: int | None = None
) -> Sequence[ListedRuling]:
    """These rulings but for removed ones, the last one first, `most` of them if that is said."""
    ruling = RecordedRuling
    rows = session.execute(
        select(
            ruling.id,
            ruling.game_id,
            StoredGame.key,
            case((StoredGame.title != "", StoredGame.title), else_=NAME_OF_RULES),
            ruling.round_number,
            ruling.at,
            ruling.question,
            ruling.verdict,
            ruling.recorded_verdict,
            ruling.asking_seat_id,
            ruling.decision,
            ruling.reason,
        )
        .join(StoredGame, StoredGame.id == ruling.game_id)
        .where(ruling.removed_at.is_(None), *which)
        .order_by(ruling.at.desc(), ruling.id.desc())
        .limit(most)
    ).all()
    asked = seats_of(session.connection(), {row.game_id for row in rows if row.asking_seat_id})
    seats = {seat.id: seat for those in asked.values() for seat in those}
    found = list[ListedRuling]()
    for *about, asking, decision, reason in rows:
        listed = ListedRuling(*[*about, "", decision, reason])
        if seat := seats.get(asking):
            listed = replace(listed, asked_by=seat.holder_in(listed.round_number).name)
        found.append(listed)
    return _with_rule_changes(session, found)


def _with_rule_changes(session: Session, rulings: Sequence[ListedRuling]) -> Sequence[ListedRuling]:
    """The rulings, each with what it changed of its game's house rules."""
    change = StoredRuleChange
    rows = session.execute(
        select(change.game_id, change.field, change.from_round, change.value)
        .where(change.game_id.in_({one.game_id for one in rulings}))
        .order_by(change.from_round)
    )
    values = defaultdict[tuple[int, str], dict[int, Any]](dict)
    for game_id, name, number, value in rows:
        values[game_id, name][number] = value
    if not values:
        return rulings
    logged = session.execute(
        select(LogEntry.game_id, LogEntry.at, LogEntry.before, LogEntry.after).where(
            LogEntry.kind == RuleChanged.kind,
            LogEntry.game_id.in_({game_id for game_id, _name in values}),
            LogEntry.at.in_({one.at for one in rulings}),
        )
    )
    events = {(game_id, at): (before, after) for game_id, at, before, after in logged}

    def with_changes(one: ListedRuling) -> ListedRuling:
        before, after = events.get((one.game_id, one.at), ({}, {}))
        again = dict[str, int | None]()
        for name, value in after.items():
            kept = values[one.game_id, name]
            if kept.get(one.round_number, before.get(name)) == before.get(name):
                continue  # undone, or changed back in the same round
            since = (number for number in kept if number >= one.round_number)
            again[name] = next((number for number in since if kept[number] != value), None)
        rounds = [number for number in again.values() if number is not None]
        last = max(rounds) if again and len(rounds) == len(again) else None
        changed = {name: after[name] for name in again}
        return replace(one, changed_rules=changed, changed_again_in=last)

    return [with_changes(one) for one in rulings]
