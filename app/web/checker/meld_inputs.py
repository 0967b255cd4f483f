"""The places for cards on the checker's page: what belongs in each, and what stands there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from app.rules.contracts import Kind
from app.rules.melds import least_on_table
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant
from app.web.checker.question import AskedQuestion, contract_of

EITHER = "either"
"""The kind of a meld of which the first cards show whether it is a set or a run."""


@dataclass(frozen=True, slots=True)
class MeldInput:
    """A place for the cards of one meld: its field, what belongs there, and the text so far."""

    field: str
    label: Phrase
    kind: str
    """`set` (also for cards that are only counted), `run`, or empty where it does not matter.

    `EITHER` where the cards will tell.
    """
    size: int
    text: str
    least: int = 1
    """So many cards are needed there, where no size is asked for."""

    @property
    def lacks_cards(self) -> bool:
        return len(self.text.split()) < (self.size or self.least)


def meld_inputs(question: AskedQuestion, kind: str) -> Iterator[MeldInput]:
    """The places for cards of that question; `kind` is empty where it is not known."""
    first = " ".join(question.melds)
    match question.ask:
        case "hand":
            size = size_of_hand(question.variant)
            yield MeldInput("m", say("Your hand, with the card you drew"), "", size, first)
        case "score":
            yield MeldInput("m", say("The cards left in a hand"), "set", 0, first)
        case "meld" if question.is_any_meld:
            yield MeldInput("m", say("Set or run"), kind or EITHER, 0, first)
        case "meld":
            part = question.part
            label = part.words if part else kind_words(kind)
            yield MeldInput("m", label, kind, part.size if part else 0, first)
        case "layoff" | "swap":
            label = say("On the table, in order") if kind == "run" else say("On the table")
            least = 1
            if question.ask == "layoff" and kind in get_args(Kind):
                least = least_on_table(question.variant, "run" if kind == "run" else "set")
            yield MeldInput("m", label, kind or EITHER, 0, first, least)
        case _:
            yield from _contract_inputs(question)
    if question.ask == "layoff":
        yield MeldInput("add", say("You add"), kind or EITHER, 0, question.added)
    if question.ask == "swap":
        yield MeldInput("add", say("Your card"), "", 1, question.added)


def _contract_inputs(question: AskedQuestion) -> Iterator[MeldInput]:
    """One for each part of the contract, and one for each meld more; always one at least."""
    contract = contract_of(question.variant, question.text("contract"))
    parts = contract.parts if contract else ()
    for place in range(max(1, len(parts), len(question.melds))):
        text = question.melds[place] if place < len(question.melds) else ""
        if place < len(parts):
            part, words = parts[place], parts[place].words
            if len(parts) > 1:  # by this name a verdict speaks of it
                words = say("Meld {number} ({part})", number=place + 1, part=words)
            yield MeldInput("m", words, part.kind, part.size, text)
        else:
            yield MeldInput("m", say("Meld {number}", number=place + 1), "", 0, text)


def size_of_hand(variant: Variant) -> int:
    """How many cards a player who bought none holds after the draw, before anything is laid."""
    return variant.deal + 1


def kind_words(kind: str) -> Phrase:
    return say("A run") if kind == "run" else say("A set")
