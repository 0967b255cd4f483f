"""A group as one JSON document: a line for each game, what is usual left out."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from app.exchange.documents import FORMAT, VERSION, GroupDocument, GroupSchema


def serialize(group: GroupDocument) -> Iterator[str]:
    """The document in pieces, so that ten thousand games need not stand in memory."""
    yield f'{{\n"format": {_json(FORMAT)},\n"version": {VERSION},\n'
    yield f'"group": {_json({"name": group.name})},\n'
    yield f'"rule_sets": {_json(dict(sorted(group.rule_sets.items())))}'
    schema = GroupSchema()
    own = [part for part in ("own_rule_sets", "usual_rules") if getattr(group, part)]
    for part in ("players", *own, "games"):
        write = schema.fields[part].inner.schema.dump  # type: ignore[attr-defined]
        yield f',\n"{part}": ['
        before = "\n"
        for one in getattr(group, part):
            yield before + _json(write(one))
            before = ",\n"
        yield "\n]"
    yield "\n}\n"


def rule_set_key(rules: Mapping[str, Any]) -> str:
    """A name for a rule set within a document: equal rules have equal names."""
    text = json.dumps(rules, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _json(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
