r"""Reading a TOML file that anybody may send, in time and memory that its length bounds.

Python's parser takes the square of a key's parts, and of how deep brackets stand in one another.
So both are counted first, in one pass over the text without its strings and comments. The parser
comes upon strings in the same order: where the two would disagree, it has given up before.
"""

import re
import tomllib
from typing import Any

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


class NestedTooDeeply(ValueError):
    """A key has too many parts, or brackets stand too deep in one another."""


def load_toml(text: str) -> dict[str, Any]:
    """What the text says. Raises `ValueError` where it is no TOML, or `NestedTooDeeply`."""
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
