"""What a ruling and its worked example are."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.rules.wording import Phrase, side_by_side


@dataclass(frozen=True, slots=True)
class Example:
    """A question for the judge (its file's fields without the variant), and what the ruling says.

    `expect` is the ruling's own answer, by the keys of the judge's; the judge must say the same.
    """

    question: Mapping[str, object]
    caption: Phrase
    expect: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question with its standing answer: where it stands, and the house rule that changes it.

    `silent`: the text says nothing, so the answer is ours; `field`: the house rule, or empty.
    """

    id: str
    question: Phrase
    answer: Phrase
    explanation: Phrase
    source: Phrase
    silent: bool
    field: str = ""
    example: Example | None = None

    @property
    def text(self) -> Phrase:
        """All its words, to be searched."""
        parts = [self.question, self.answer, self.explanation, self.source]
        if self.example:
            parts.append(self.example.caption)
        return side_by_side(parts)
