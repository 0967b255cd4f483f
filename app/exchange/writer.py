"""A group as one JSON document: a line for each game, what is usual left out."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from app.exchange.documents import (
    FORMAT,
    VERSION,
    GameDocument,
    GroupDocument,
    OwnRuleSetDocument,
    PlayerDocument,
    UsualRulesDocument,
    schema_of,
)

_PARTS: Mapping[str, Any] = {
    "players": PlayerDocument,
    "own_rule_sets": OwnRuleSetDocument,
    "usual_rules": UsualRulesDocument,
    "games": GameDocument,
}


def serialize(group: GroupDocument) -> Iterator[str]:
    """The document in pieces, so that ten thousand games need not stand in memory."""
    yield f'{{\n"format": {_json(FORMAT)},\n"version": {VERSION},\n'
    yield f'"group": {_json({"name": group.name})},\n'
    yield f'"rule_sets": {_json(dict(sorted(group.rule_sets.items())))}'
    for part, document in _PARTS.items():
        if part in ("players", "games") or getattr(group, part):
            yield f',\n"{part}": ['
            before, write = "\n", schema_of(document).write
            for one in getattr(group, part):
                yield before + write(one)
                before = ",\n"
            yield "\n]"
    yield "\n}\n"


def rule_set_key(rules: Mapping[str, Any]) -> str:
    """A name for a rule set within a document: equal rules have equal names."""
    text = json.dumps(rules, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _json(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
