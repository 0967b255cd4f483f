"""What people type, as it is kept: the same letters written the same way, and none unseen."""

import unicodedata

_LINE_BREAKS_AND_TABS = "\n\r\t"
_LONGEST_SHOWN = 20


class UnstorableText(ValueError):
    """A text with a character that is none: a NUL, or half of a pair of surrogates."""


def plain_text(text: str) -> str:
    r"""The text with its letters composed (NFC) and without control characters.

    Line breaks and tabs stay. Raises `UnstorableText`.

    >>> plain_text("Zoe\u0308\x07")
    'Zoë'
    """
    if text.isascii() and text.isprintable():
        return text
    if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in text):
        raise UnstorableText(text)
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        letter
        for letter in composed
        if letter in _LINE_BREAKS_AND_TABS or unicodedata.category(letter) != "Cc"
    )


def one_line(text: str) -> str:
    """The text without blanks at its ends, each of those within it a single one."""
    return " ".join(text.split())


def shown(text: str) -> str:
    """The beginning of a text, to say in a message which one is meant."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
