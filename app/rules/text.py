"""What people type, as it is kept: the same letters written the same way."""

import re
import unicodedata
from collections.abc import Iterator

from app.rules.phrases import Phrase, say

_LINE_BREAKS_AND_TABS = "\n\r\t"
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Fillers, joiners and blanks that Unicode counts among letters, marks and signs."""
_NO_CHARACTERS = frozenset("\ufffe\uffff")
"""Never to be characters: XML, and with it the picture of a result, allows them nowhere."""
_MOST_MARKS = 30
"""On one letter, as in the stream-safe format of Unicode (UAX 15). Putting marks in order takes the
square of their number: a hundred thousand of them would hold up a process for ten seconds."""


def is_storable(text: str) -> bool:
    """Does it consist of characters? A NUL, or half of a pair of surrogates, is none."""
    return (text.isascii() and text.isprintable()) or not any(
        letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in text
    )


def texts_in(value: object) -> Iterator[str]:
    """All texts in what JSON or TOML says, names of fields among them."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case dict(fields):
                waiting += [*fields, *fields.values()]
            case list(several):
                waiting += several


def is_fully_visible(text: str) -> bool:
    r"""Does each character show? The selectors by which emoji are chosen pass, too.

    >>> is_fully_visible("Zoë"), is_fully_visible("Zoë\u200b"), is_fully_visible("\u3164")
    (True, False, False)
    """
    return text.isprintable() and _UNSEEN.isdisjoint(text)


def loose_key(name: str) -> str:
    """The letters and digits of a name alone, by which those are alike that differ in little.

    >>> loose_key("Édouard") == loose_key("edouard"), loose_key("Jean-Luc") == loose_key("jean luc")
    (True, True)
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(one for one in letters if one.isalnum())


def file_slug(name: str) -> str:
    """A name as part of a file's name, which any program reads; empty where nothing is left of it.

    >>> file_slug("Été 2026: les Hervé"), file_slug("冬")
    ('ete-2026-les-herve', '')
    """
    letters = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")


def normalize_text(text: str) -> str:
    r"""The text as it is kept: its letters composed (NFC), without control characters.

    Line breaks and tabs stay; U+FFFE and U+FFFF go, too. Of the marks on a letter stay as many as
    any writing needs.

    >>> normalize_text("Zoe\u0308\x07")
    'Zoë'
    """
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", "".join(_readable_characters(text)))


def _readable_characters(text: str) -> Iterator[str]:
    marks = 0
    for letter in text:
        if letter not in _LINE_BREAKS_AND_TABS and unicodedata.category(letter) == "Cc":
            continue
        if letter in _NO_CHARACTERS:
            continue
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= _MOST_MARKS:
            yield letter


def collapse_blanks(text: str) -> str:
    """The text without blanks at its ends, each run of blanks or line breaks in it one blank."""
    return " ".join(text.split())


LONGEST_SHOWN = 40
"""Letters of a text that somebody sent in what is said of it."""


def abbreviate(text: str, most: int = 20) -> str:
    """The text, cut to so many characters if it is longer; the last of them is then `…`."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def too_long(most: int) -> Phrase:
    """What to say of a text that is longer than that."""
    return say("Use {most} characters or fewer.", most=most)
