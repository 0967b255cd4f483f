"""What the judge says: a verdict with its reasons, its legal readings and a piece of advice.

Why something is legal is said as well, in facts with the rules that they rest on.

`Code` lists the faults roughly from the most basic to the finest, and a verdict gives its reasons
in that order, so that the first is the one that a player would name first. What one fault keeps the
judge from seeing is no reason yet: once it is mended, any other may come to light.

How the faults are found stands in the modules that judge; here is only their shape. A
`RecordedVerdict` is kept and shown as it was said.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from app.rules.cards import Card
from app.rules.grounds import Grounds, grounds_of
from app.rules.phrases import MalformedPhrase, Phrase, from_dict, say, to_dict
from app.rules.variant import Variant


class Code(StrEnum):
    """The faults a verdict can name, the most basic first."""

    UNKNOWN_CARD = "unknown_card"
    IMPOSSIBLE_CARDS = "impossible_cards"
    SWAP_NOT_ALLOWED = "swap_not_allowed"
    EXTRA_MELD_NOT_ALLOWED = "extra_meld_not_allowed"
    WRONG_MELDS = "wrong_melds"
    TOO_FEW_CARDS = "too_few_cards"
    WRONG_SIZE = "wrong_size"
    NO_NATURAL_CARD = "no_natural_card"
    MIXED_RANKS = "mixed_ranks"
    MIXED_SUITS = "mixed_suits"
    ACE_NOT_LOW = "ace_not_low"
    WRAPS_AROUND = "wraps_around"
    NOT_CONSECUTIVE = "not_consecutive"
    CANNOT_JOIN = "cannot_join"
    TOO_MANY_WILDS = "too_many_wilds"
    ADJACENT_WILDS = "adjacent_wilds"
    WRONG_CARD_FOR_SWAP = "wrong_card_for_swap"
    CANNOT_LAY_CONTRACT = "cannot_lay_contract"


_ORDER = {code: place for place, code in enumerate(Code)}


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence with its source. Why something is not legal is a `Reason`.

    It says why something is legal, what is legal already, what a sum is made of, which house rule
    decides, or what would be said without that.

    `message` is the sentence for the table. `rule` names what it rests on: a field of the rule set,
    a question of the Q&A, or that it is a matter of `NOTATION` alone.
    """

    variant: Variant = field(repr=False, compare=False)
    message: Phrase
    rule: str

    @property
    def grounds(self) -> Grounds:
        """What the rule rests on, and where it stands."""
        return grounds_of(self.variant, self.rule)


@dataclass(frozen=True, slots=True)
class Reason(Fact):
    """One fault, the sentence for it, the rule that is broken, and its code."""

    code: Code

    @property
    def subtlety(self) -> int:
        """How fine the fault is: 0 for the most basic."""
        return _ORDER[self.code]


@dataclass(frozen=True, slots=True)
class Placement:
    """One card of a meld and the card it stands for; a natural card stands for itself.

    What a wild card stands for has no suit in sets, and in runs of any suits.
    """

    card: Card
    stands_for: Card
    is_wild: bool


MeldReading = tuple[Placement, ...]
"""How the cards of one meld are read, in the order in which they lie on the table."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether something is legal; if not, why not; if so, how it can be read.

    `readings` holds the legal readings, of a contract 500 at most, of a hand or of points none;
    each is a tuple with one `MeldReading` per meld asked about. Wild cards of one meld are
    interchangeable: readings differ in the places that wild cards hold, never only in which of them
    holds which. `advice` is one change that would make it legal, where one was found. `facts` say
    why it is legal, or of an unfinished contract what stands already. A contract, a new meld
    or the meld of a lay-off `is_unfinished` while it lacks cards and nothing is wrong that more
    could not heal (limits of a meld on the table left aside); a lay-off also until cards to add are
    entered, if its meld has only cards that can be there. Nothing else ever is.
    """

    legal: bool
    reasons: tuple[Reason, ...] = ()
    readings: tuple[tuple[MeldReading, ...], ...] = ()
    advice: Phrase | None = None
    is_unfinished: bool = False
    facts: tuple[Fact, ...] = ()

    @property
    def reason_code(self) -> Code | None:
        """The code of the first reason; none where it is legal."""
        return self.reasons[0].code if self.reasons else None


def illegal_verdict(*reasons: Reason, is_unfinished: bool = False) -> Verdict:
    """The verdict that something is not legal; the most basic reason first, equals in order."""
    in_order = sorted(reasons, key=lambda reason: reason.subtlety)
    return Verdict(legal=False, reasons=tuple(in_order), is_unfinished=is_unfinished)


LONGEST_VERDICT = 400


@dataclass(frozen=True, slots=True)
class RecordedVerdict:
    """What the judge said of a question, and where the rule stands that it rests on."""

    message: Phrase
    source: Phrase | None = None

    @property
    def english_text(self) -> str:
        """The verdict in English, as older documents and databases keep it alone."""
        return str(self.message)[:LONGEST_VERDICT]

    def to_dict(self) -> dict[str, Any]:
        """The recorded verdict as plain values, to be kept."""
        source = {} if self.source is None else {"source": to_dict(self.source)}
        return {"verdict": to_dict(self.message), **source}


def read_recorded_verdict(plain: object) -> RecordedVerdict:
    """The recorded verdict that was kept as plain values. Raises `MalformedPhrase`."""
    if not isinstance(plain, Mapping) or not plain.keys() <= {"verdict", "source"}:
        raise MalformedPhrase("a recorded verdict has a verdict and a source")
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
