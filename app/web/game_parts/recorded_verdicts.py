"""Recorded verdicts as they are shown: as they were said, in the page's language."""

from collections.abc import Mapping
from typing import Any

from app.rules.phrases import MalformedPhrase
from app.rules.recorded_verdicts import (
    RecordedVerdict,
    read_recorded_verdict,
    recorded_verdict_from_english,
)
from app.web.infrastructure.localization import render_phrase


def shown_verdict(parts: Mapping[str, Any] | None, text: str) -> RecordedVerdict:
    """A recorded verdict; where it was not kept in parts, or cannot be said so, its English text.

    An imported document may hold parts that fit the English sentence and no translation of it.
    """
    if parts is None:
        return recorded_verdict_from_english(text)
    try:
        verdict = read_recorded_verdict(parts)
        render_phrase(verdict.message)
        render_phrase(verdict.source or "")
    except (MalformedPhrase, LookupError, ValueError):
        return recorded_verdict_from_english(text)
    return verdict
