"""What people type, as it is kept: the same letters written the same way, and none unseen."""

import unicodedata

_LINE_BREAKS_AND_TABS = "\n\r\t"


def can_be_stored(text: str) -> bool:
    """Does it consist of characters? A NUL, or half of a pair of surrogates, is none."""
    return (text.isascii() and text.isprintable()) or not any(
        letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in text
    )


def plain_text(text: str) -> str:
    r"""The text as it is kept: its letters composed (NFC), without control characters.

    Line breaks and tabs stay.

    >>> plain_text("Zoe\u0308\x07")
    'Zoë'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        letter
        for letter in unicodedata.normalize("NFC", text)
        if letter in _LINE_BREAKS_AND_TABS or unicodedata.category(letter) != "Cc"
    )


def one_line(text: str) -> str:
    """The text without blanks at its ends, each of those within it a single one."""
    return " ".join(text.split())


def shown(text: str, most: int = 20) -> str:
    """The text, or as much of its beginning as tells which one is meant."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
