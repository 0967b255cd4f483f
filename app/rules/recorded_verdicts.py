"""A verdict as it was said, kept apart from the judge: what was recorded is never judged again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.rules.phrases import MalformedPhrase, Phrase, from_dict, say, to_dict

MOST_LETTERS = 400


@dataclass(frozen=True, slots=True)
class RecordedVerdict:
    """What the judge said of a question, and where the rule stands that it rests on."""

    message: Phrase
    source: Phrase | None = None

    @property
    def english_text(self) -> str:
        """The verdict in English, as older documents and databases keep it alone."""
        return str(self.message)[:MOST_LETTERS]

    def to_dict(self) -> dict[str, Any]:
        """The recorded verdict as plain values, to be kept."""
        source = {} if self.source is None else {"source": to_dict(self.source)}
        return {"verdict": to_dict(self.message), **source}


def read_recorded_verdict(plain: object) -> RecordedVerdict:
    """The recorded verdict that was kept as plain values. Raises `MalformedPhrase`."""
    if not isinstance(plain, Mapping) or not plain.keys() <= {"verdict", "source"}:
        raise MalformedPhrase("a statement has a verdict and a source")
    source = plain.get("source")
    return RecordedVerdict(
        from_dict(plain.get("verdict")), None if source is None else from_dict(source)
    )


def recorded_verdict_from_english(text: str) -> RecordedVerdict:
    """The recorded verdict of which only the English text was kept, as version 1.0.0 did.

    Its headline can be said in any language; the reason stays as it was said.
    """
    headline, colon, reason = text.partition(": ")
    if not colon:
        return RecordedVerdict(Phrase(text))
    return RecordedVerdict(
        say("{verdict}. {reason}", verdict=Phrase(headline), reason=Phrase(reason))
    )
