"""A rule set on its way to another table: as a file (TOML or JSON), or as a code for a link.

A file holds all its rules, also where each comes from. A code holds what differs from the nearest
shipped rule set, mostly small enough for a QR code. Whatever comes in is bounded in size first and
then read by the same loader as our own files.
"""

import base64
import binascii
import json
import re
import tomllib
import zlib
from collections.abc import Mapping
from typing import Any

from app.rules.house_rules import changed_rules
from app.rules.phrases import say
from app.rules.rule_sets import FaultyRules, from_dict, shipped_rule_sets, to_dict, with_house_rules
from app.rules.text import is_storable, texts_in
from app.rules.variant import Variant

LONGEST_FILE = 64 * 1024
"""Bytes of a file that is brought in; a shipped rule set has 14,000 at most."""
LONGEST_CODE = 4000
_LONGEST_PLAIN_CODE = 32 * 1024
_HEADINGS = ("name", "summary")

_STRINGS_AND_COMMENTS = re.compile(
    r"""
      \"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}
    | \'\'\'(?:[^']|'(?!\'\'))*+'{3,5}
    | "(?!"")(?:[^"\\\n]|\\[^\n])*+"
    | '(?!\'\')[^'\n]*+'
    | \#[^\n]*+
    | (["'].*+)  # does not end: all that follows is gone over once
    """,
    re.VERBOSE | re.DOTALL,
)
_SIGNS = re.compile(r"[][{}=,\n.]")
_MOST_DOTS = 4
"""In one key; the files of rule sets need one at most."""
_DEEPEST = 8
"""Brackets within one another; the files of rule sets need three."""


def to_json(variant: Variant) -> str:
    """The rule set as a JSON file."""
    return json.dumps(to_dict(variant), ensure_ascii=False, indent=2) + "\n"


def to_toml(variant: Variant) -> str:
    """The rule set as a TOML file in the shape of our own."""
    plain = to_dict(variant)
    lines = {name: f"{name} = {_toml(value)}" for name, value in plain.items()}
    headings = [line for name, line in lines.items() if not isinstance(plain[name], dict)]
    facts = [line for name, line in lines.items() if isinstance(plain[name], dict)]
    return "\n".join([*headings, "", *facts]) + "\n"


def from_file(content: bytes) -> Variant:
    """The rule set in a TOML or JSON file that somebody brings. Raises `FaultyRules`."""
    if len(content) > LONGEST_FILE:
        raise FaultyRules("file", say("is larger than {most} kilobytes", most=LONGEST_FILE // 1024))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FaultyRules("file", say("isn’t a text in UTF-8")) from None
    read = _json if text.lstrip().startswith("{") else _parsed_toml
    return from_dict(_storable(read(text)))


def to_code(variant: Variant) -> str:
    """The rule set as letters for a link: the nearest shipped rule set and what differs from it."""
    alike = [
        one
        for one in shipped_rule_sets().values()
        if bool(one.contracts) == bool(variant.contracts)
    ]
    base = min(alike, key=lambda one: (len(changed_rules(one, variant)), one.name))
    plain = to_dict(variant)
    document = {
        "base": base.id,
        **{heading: plain[heading] for heading in _HEADINGS},
        "rules": {name: plain[name]["value"] for name in changed_rules(base, variant)},
    }
    written = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(zlib.compress(written, 9)).decode().rstrip("=")


def from_code(code: str) -> Variant:
    """The rule set that a link's code stands for. Raises `FaultyRules`."""
    document = _storable(_json(_unpacked(code)))
    name = document.get("base")
    if not isinstance(name, str):
        raise FaultyRules("base", say("a short text is needed"))
    base = shipped_rule_sets().get(name)
    if base is None:
        raise FaultyRules("base", say("is a rule set that isn’t known here"))
    rules = document.get("rules")
    if not isinstance(rules, Mapping):
        raise FaultyRules("rules", say("a table of fields is needed"))
    # What is left out is as the base has it, whatever would follow from what is changed.
    beside = {"decks": "third_deck_from", "contracts": "last_contract"}
    alike = {other: getattr(base, other) for field, other in beside.items() if field in rules}
    plain = to_dict(with_house_rules(base, {**alike, **rules}))
    return from_dict({**plain, **{heading: document.get(heading) for heading in _HEADINGS}})


def _unpacked(code: str) -> str:
    unreadable = FaultyRules("link", say("can’t be read; perhaps a part of it was cut off"))
    if len(code) > LONGEST_CODE:
        raise unreadable
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(packed, _LONGEST_PLAIN_CODE)
        if not unpacking.eof:
            raise unreadable
        return plain.decode("utf-8")
    except (binascii.Error, zlib.error, ValueError):
        raise unreadable from None


def _storable(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a text said: an escape may stand for what no database stores and no page can show."""
    if not all(map(is_storable, texts_in(document))):
        raise FaultyRules("file", say("has a character that can’t be stored"))
    return document


def _json(text: str) -> Mapping[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise FaultyRules("file", say("isn’t JSON")) from None
    if not isinstance(document, dict):
        raise FaultyRules("file", say("a table of fields is needed"))
    return document


class NestedTooDeeply(ValueError):
    """A key has too many parts, or brackets stand too deep in one another."""


def load_toml(text: str) -> dict[str, Any]:
    """What the text says, read in time and memory that its length bounds.

    Python's parser takes the square of a key's parts, and of how deep brackets stand in one
    another. So both are counted first, in one pass over the text without its strings and comments.
    The parser comes upon strings in the same order: where the two would disagree, it has given up
    before. Raises `ValueError` where the text is no TOML, or `NestedTooDeeply`.
    """
    plain = _STRINGS_AND_COMMENTS.sub(r"\1", text)
    if '"' in plain or "'" in plain:
        raise ValueError("a string does not end")
    dots = depth = 0
    for sign in _SIGNS.findall(plain):
        dots = dots + 1 if sign == "." else 0
        depth += (sign in "[{") - (sign in "]}")
        if dots > _MOST_DOTS or depth > _DEEPEST:
            raise NestedTooDeeply
    return tomllib.loads(text)


def _parsed_toml(text: str) -> Mapping[str, Any]:
    try:
        return load_toml(text)
    except NestedTooDeeply:
        raise FaultyRules("file", say("is nested too deeply")) from None
    except (ValueError, RecursionError):
        raise FaultyRules("file", say("is neither TOML nor JSON")) from None


def _toml(value: object) -> str:
    """A value as TOML writes it. Our texts have no control signs, so JSON's escapes do."""
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(name)} = {_toml(one)}" for name, one in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if name.replace("_", "").isalnum() and name.isascii() else json.dumps(name)
