"""Texts that people type, refused beside their field where they cannot be kept or shown."""

from typing import Any

from sqlalchemy.orm import InstrumentedAttribute

from app.rules.phrases import say
from app.rules.text import collapse_blanks, is_fully_visible, too_long
from app.scorebook.refusals import refusal
from app.store.base import max_length

Column = InstrumentedAttribute[Any]


def validate_text(field: str, text: str, column: Column) -> str:
    """The text, which the column holds whole. Raises `Refused`."""
    if len(text) > max_length(column):
        raise refusal(field, too_long(max_length(column)))
    return text


def validate_line(field: str, typed: str, column: Column) -> str:
    """What was typed as one line, which can be shown and which the column holds whole.

    Raises `Refused`.
    """
    line = collapse_blanks(typed)
    if not is_fully_visible(line):
        raise refusal(field, say("That name has characters that can’t be shown."))
    return validate_text(field, line, column)
