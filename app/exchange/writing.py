"""Records as one JSON document: a line for each game, what is usual left out."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from app.exchange.records import (
    FORMAT,
    VERSION,
    GameRecord,
    GroupRecord,
    LogRecord,
    OwnRuleSetRecord,
    PaperRecord,
    PlayerRecord,
    RoundRecord,
    RowRecord,
    RuleChangeRecord,
    RulingRecord,
    SeatRecord,
    UsualRulesRecord,
)


def written(group: GroupRecord) -> Iterator[str]:
    """The document in pieces, so that ten thousand games need not stand in memory."""
    yield f'{{\n"format": {_json(FORMAT)},\n"version": {VERSION},\n'
    yield f'"group": {_json({"name": group.name})},\n'
    yield f'"players": [{_lines(map(_player, group.players))}],\n'
    yield f'"rule_sets": {_json(dict(sorted(group.rule_sets.items())))},\n'
    if group.own_rule_sets:
        yield f'"own_rule_sets": [{_lines(map(_own_rule_set, group.own_rule_sets))}],\n'
    if group.usual_rules:
        yield f'"usual_rules": [{_lines(map(_usual_rules, group.usual_rules))}],\n'
    yield '"games": ['
    before = "\n"
    for game in group.games:
        yield before + _json(_game(game))
        before = ",\n"
    yield "\n]\n}\n"


def name_of_rules(rules: Mapping[str, Any]) -> str:
    """A name for a rule set within a document: equal rules have equal names."""
    text = json.dumps(rules, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def typed_by_default(penalty: int | None) -> str:
    """What was typed where a document does not say it: the points themselves."""
    return "" if penalty is None else str(penalty)


def _game(game: GameRecord) -> dict[str, Any]:
    return {
        "key": game.key,
        "rules": game.rules,
        "version": game.version,
        "started_at": _moment(game.started_at),
        **_some(
            finished_at=_moment(game.finished_at),
            reopened=game.reopened,
            title=game.title,
            note=game.note,
            archived_at=_moment(game.archived_at),
            deleted_at=_moment(game.deleted_at),
        ),
        "seats": [_seat(one) for one in game.seats],
        **_some(
            rounds=[_round(one) for one in game.rounds],
            rulings=[_ruling(one) for one in game.rulings],
            rule_changes=[_rule_change(one) for one in game.rule_changes],
            log=[_log(one) for one in game.log],
            paper=[_paper(one) for one in game.paper],
        ),
    }


def _player(one: PlayerRecord) -> dict[str, Any]:
    archived = _moment(one.archived_at)
    return {
        "name": one.name,
        "since": _moment(one.since),
        **_some(archived_at=archived, merged_into=one.merged_into),
    }


def _own_rule_set(one: OwnRuleSetRecord) -> dict[str, Any]:
    return {
        "key": one.key,
        "version": one.version,
        "created_at": _moment(one.created_at),
        "changed_at": _moment(one.changed_at),
        **_some(removed_at=_moment(one.removed_at)),
        "rules": one.rules,
    }


def _usual_rules(one: UsualRulesRecord) -> dict[str, Any]:
    return {"rule_set": one.rule_set, "changed_at": _moment(one.changed_at), "rules": one.rules}


def _seat(one: SeatRecord) -> dict[str, Any]:
    plain = {
        "player": one.player,
        **_some(
            deals_first=one.deals_first,
            joined_in=one.joined_in if one.joined_in != 1 else None,
            starting_score=one.starting_score,
            played_as=one.played_as,
        ),
    }
    if one.left_after is not None:  # 0: the player left before round 1
        plain["left_after"] = one.left_after
    return plain


def _round(one: RoundRecord) -> dict[str, Any]:
    return {
        "number": one.number,
        **_some(
            closed_at=_moment(one.closed_at), first_down=one.first_down, nobody_out=one.nobody_out
        ),
        "rows": [_row(row) for row in one.rows],
    }


def _row(one: RowRecord) -> dict[str, Any]:
    plain: dict[str, Any] = {"seat": one.seat}
    if one.met:
        plain["met"] = True
    if one.went_out:
        plain["went_out"] = True
    if one.penalty is not None:
        plain["penalty"] = one.penalty
    if one.typed != typed_by_default(one.penalty):
        plain["typed"] = one.typed
    if one.counted:
        plain["counted"] = one.counted
    if one.exact_deal:
        plain["exact_deal"] = True
    if one.not_counted:
        plain["not_counted"] = True
    return plain


def _ruling(one: RulingRecord) -> dict[str, Any]:
    return {
        "round": one.round_number,
        "at": _moment(one.at),
        "question": one.question,
        "verdict": one.verdict,
        **_some(said=one.said, asked_by=one.asked_by, decided=one.decided, reason=one.reason),
    }


def _rule_change(one: RuleChangeRecord) -> dict[str, Any]:
    return {"from_round": one.from_round, "field": one.field, "value": one.value}


def _log(one: LogRecord) -> dict[str, Any]:
    return {
        "version": one.version,
        "at": _moment(one.at),
        "kind": one.kind,
        **_some(
            by=one.by,
            round=one.round_number,
            seat=one.seat,
            before=one.before,
            after=one.after,
            reason=one.reason,
        ),
    }


def _paper(one: PaperRecord) -> dict[str, Any]:
    plain: dict[str, Any] = {"seat": one.seat, "place": one.place}
    if one.score is not None:
        plain["score"] = one.score
    return plain


def _some(**fields: Any) -> dict[str, Any]:
    """Those fields that say something: not empty, not False, not 0."""
    return {name: value for name, value in fields.items() if value}


def _moment(moment: datetime | None) -> str:
    if moment is None:
        return ""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _lines(plain: Iterator[dict[str, Any]]) -> str:
    return ",\n".join(["", *map(_json, plain)])[1:] + "\n"


def _json(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
