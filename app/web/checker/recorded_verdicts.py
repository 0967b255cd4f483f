"""Recorded verdicts as they are shown: as they were said, in the page's language."""

from collections.abc import Mapping
from typing import Any

from app.rules.statements import Statement, read_statement, statement_in_english
from app.rules.wording import UnreadablePhrase
from app.web.infrastructure.localization import words


def recorded_statement(said: Mapping[str, Any] | None, text: str) -> Statement:
    """A recorded verdict; where it was not kept in parts, or cannot be said so, its English text.

    A document may have brought parts in that fit the English sentence and no translation of it.
    """
    if said is None:
        return statement_in_english(text)
    try:
        statement = read_statement(said)
        words(statement.verdict)
        words(statement.source or "")
    except (UnreadablePhrase, LookupError, ValueError):
        return statement_in_english(text)
    return statement
