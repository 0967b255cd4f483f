"""What the templates of the checker are given: fields for cards, and the verdict in cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from app.rules import (
    Card,
    Placement,
    UnreadableCard,
    Variant,
    Verdict,
    judge_layoff,
    judge_meld,
    judge_swap,
    read_cards,
)
from app.rules.advice import judge_contract_with_advice, judge_with_advice
from app.rules.card_supply import supply_reasons
from app.rules.cards import card_phrase, cards_phrase, rank_phrase
from app.rules.faq import explain
from app.rules.faq.topics import Grounds
from app.rules.house_rules import SWITCHABLE, house_rule
from app.rules.phrases import Phrase, say, say_plural
from app.rules.recorded_verdicts import RecordedVerdict
from app.rules.solver import LaidMeld, Solution, TableMeld, TooManyWays, solve, takes_every_card
from app.rules.verdicts import Code, Reason, make_reason
from app.web.checker.forms import RecordRulingForm
from app.web.checker.question import Question
from app.web.infrastructure.judge_throttle import Busy, judging
from app.web.rulesets.lookup import RuleSetSection

_SUIT_NAMES = {"S": say("spades"), "H": say("hearts"), "D": say("diamonds"), "C": say("clubs")}
_RANK_NAMES = {"A": say("ace"), "J": say("jack"), "Q": say("queen"), "K": say("king")}
_HEADLINES = {
    "legal": say("Legal"),
    "illegal": say("Not legal"),
    "pending": say("Not complete yet"),
}
_SIGNS = {"legal": "✓", "illegal": "✗", "pending": "…"}
MOST_CARDS = 40


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as it is drawn; `stands_for` says what a wild card is."""

    card: Card
    is_wild: bool = False
    stands_for: Card | None = None

    @property
    def face(self) -> Phrase:
        """The sign in the card's corner."""
        return say("★") if self.card.is_joker else rank_phrase(self.card.rank)

    @property
    def meant(self) -> Phrase | None:
        """What the wild card stands for, as it is written."""
        return None if self.stands_for is None else card_phrase(self.stands_for)

    @property
    def spoken(self) -> Phrase:
        """The card as it is read aloud."""
        name = _spoken(self.card)
        if self.stands_for is None:
            return name
        return say("{card} as {stands_for}", card=name, stands_for=_spoken(self.stands_for))


def _spoken(card: Card) -> Phrase:
    if card.is_joker:
        return say("joker")
    rank = _RANK_NAMES.get(card.rank) or Phrase(card.rank)
    suit = _SUIT_NAMES.get(card.suit)
    return say("{rank} of {suit}", rank=rank, suit=suit) if suit else rank


@dataclass(frozen=True, slots=True)
class MeldInput:
    """A place for the cards of one meld: its field, what belongs there, and the text so far."""

    field: str
    label: Phrase
    kind: str
    """`set`, `run`, or empty where either may be meant."""
    size: int
    text: str


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld as it lies on the table."""

    label: Phrase
    cards: tuple[CardView, ...]


@dataclass(frozen=True, slots=True)
class ReasonView:
    """Why something is not legal: the sentence, what it rests on, the question that explains it."""

    message: Phrase
    source: Phrase
    grounds: Grounds
    topic_id: str


@dataclass(frozen=True, slots=True)
class VerdictView:
    """The answer: legal or not, the melds as they count, why, and what would change it."""

    state: str
    """`legal`, `illegal`, or `pending` while melds of the contract are still missing."""
    headline: Phrase
    melds: tuple[MeldView, ...]
    reasons: tuple[ReasonView, ...]
    advice: Phrase | None = None
    other_reading_count: int = 0
    facts: tuple[Phrase, ...] = ()

    @property
    def in_words(self) -> Phrase:
        """The verdict and its first reason, in one sentence."""
        if not self.reasons:
            return self.headline
        return say("{verdict}. {reason}", verdict=self.headline, reason=self.reasons[0].message)

    @property
    def recorded_verdict(self) -> RecordedVerdict:
        """The verdict as it is recorded."""
        return RecordedVerdict(self.in_words, self.reasons[0].source if self.reasons else None)

    @property
    def house_rule_choices(self) -> tuple[tuple[str, Phrase], ...]:
        """House rules that the first reason's question names, each as a form sends it."""
        field = self.reasons[0].topic_id.replace("-", "_") if self.reasons else ""
        if field not in SWITCHABLE:
            return ()
        choices = house_rule(field).choices
        return tuple((f"{field}={choice.value}".lower(), choice.label) for choice in choices)

    @property
    def sign(self) -> str:
        """The verdict as a sign, for those who do not go by colour."""
        return _SIGNS[self.state]


@dataclass(frozen=True, slots=True)
class RulingFormView:
    """What the form needs that records a verdict in a game: its key, and who may have asked."""

    game_key: str
    names: dict[int, str]
    form: RecordRulingForm


@dataclass(frozen=True, slots=True)
class CheckPage:
    """The checker with its question and, once cards are there, the verdict."""

    question: Question
    rule_sets: tuple[RuleSetSection, ...]
    meld_inputs: tuple[MeldInput, ...]
    verdict: VerdictView | None
    faults: tuple[Phrase, ...]
    busy: bool = False
    """Another hand is being searched: this one is to be asked about again."""


class Unanswerable(Exception):
    """What the judge cannot be asked, and why not."""

    def __init__(self, *reasons: Phrase) -> None:
        self.reasons = reasons


def check_page(question: Question, rule_sets: tuple[RuleSetSection, ...]) -> CheckPage:
    """The checker for a question, with the rule sets that may be chosen."""
    verdict, busy = None, False
    faults: tuple[Phrase, ...] = ()
    try:
        verdict = _answer_question(question)
    except Unanswerable as fault:
        faults = fault.reasons
    except Busy:
        busy = True
    inputs = tuple(_meld_inputs(question))
    return CheckPage(question, rule_sets, inputs, verdict, faults, busy)


def _meld_inputs(question: Question) -> list[MeldInput]:
    if question.question_kind == "contract":
        return [
            MeldInput("m", part.words, part.kind, part.size, text)
            for part, text in zip(question.asked_contract.parts, question.meld_texts, strict=True)
        ]
    first = question.meld_texts[0]
    match question.question_kind:
        case "meld":
            kind = question.meld_kind
            return [MeldInput("m", _kind_words(kind), kind, 0, first)]
        case "hand":
            return [MeldInput("m", say("Your hand, with the card you drew"), "", 0, first)]
        case "layoff":
            on_table = MeldInput("m", say("On the table, in order"), question.meld_kind, 0, first)
            return [
                on_table,
                MeldInput("add", say("You add"), question.meld_kind, 0, question.added_cards),
            ]
        case "swap":
            on_table = MeldInput("m", say("On the table, in order"), question.meld_kind, 0, first)
            return [on_table, MeldInput("add", say("Your card"), "", 1, question.added_cards)]


def _kind_words(kind: str) -> Phrase:
    return say("A set") if kind == "set" else say("A run")


def _answer_question(question: Question) -> VerdictView | None:
    """The verdict; None before any card is entered. Raises `Unanswerable` or `Busy`."""
    if question.fault:
        raise Unanswerable(question.fault)
    if question.is_blank:
        return None
    try:
        melds = [read_cards(text) for text in question.melds if text.strip()]
        added = read_cards(question.added_cards)
        table = [TableMeld(kind, read_cards(text)) for kind, text in question.table if text.strip()]
    except UnreadableCard as fault:
        raise Unanswerable(
            say("“{text}” isn’t a card. Cards look like 5H, 10♠, AS, JK.", text=fault.text)
        ) from None
    if sum(map(len, melds)) + len(added) > MOST_CARDS:
        raise Unanswerable(say("You can check up to {most} cards at once.", most=MOST_CARDS))
    with judging(question.question_kind):
        if question.question_kind == "hand":
            return _solve(question, melds, table)
        return _judge(question, melds, added)


def _judge(
    question: Question, melds: Sequence[tuple[Card, ...]], added: tuple[Card, ...]
) -> VerdictView:
    variant, decks, kind = question.variant, question.decks, question.meld_kind
    if not melds:
        raise Unanswerable(say("The meld on the table is empty."))
    match question.question_kind:
        case "contract":
            verdict = judge_contract_with_advice(variant, question.contract, melds, decks=decks)
            labels = [say("Meld {number}", number=place) for place in range(1, len(melds) + 1)]
        case "meld":
            judge = partial(judge_meld, variant, kind, contract=question.contract, decks=decks)
            verdict = judge_with_advice(variant, melds[0], judge)
            labels = [_kind_words(kind)]
        case "layoff":
            if not added:
                raise Unanswerable(say("Enter the cards you add."))
            judge = partial(judge_layoff, variant, kind, melds[0], decks=decks)
            verdict = judge_with_advice(variant, added, judge)
            labels = [say("The meld with your cards")]
        case _:
            if len(added) != 1:
                raise Unanswerable(say("Enter the card you offer."))
            place, owner = question.wild_card_position, question.meld_owner
            verdict = judge_swap(variant, kind, melds[0], place, added[0], owner, decks=decks)
            labels = [say("The meld after the swap")]
    missing = question.question_kind == "contract" and len(melds) < len(
        question.asked_contract.parts
    )
    return _verdict_view(variant, verdict, labels, missing=missing)


def _verdict_view(
    variant: Variant, verdict: Verdict, labels: Sequence[Phrase], *, missing: bool
) -> VerdictView:
    reading = verdict.readings[0] if verdict.readings else ()
    state = "pending" if missing else "legal" if verdict.legal else "illegal"
    return VerdictView(
        state=state,
        headline=_HEADLINES[state],
        melds=tuple(
            MeldView(label, tuple(map(_placed, meld)))
            for label, meld in zip(labels, reading, strict=False)
        ),
        reasons=_reasons(variant, verdict.reasons),
        advice=verdict.advice,
        other_reading_count=max(0, len(verdict.readings) - 1),
    )


def _reasons(variant: Variant, reasons: Sequence[Reason]) -> tuple[ReasonView, ...]:
    return tuple(ReasonView(one.message, one.source, *explain(variant, one)) for one in reasons)


def _placed(placement: Placement) -> CardView:
    card, meant = placement.card, placement.stands_for
    return CardView(card, placement.is_wild, meant if placement.is_wild else None)


def _solve(
    question: Question, melds: Sequence[tuple[Card, ...]], table: Sequence[TableMeld]
) -> VerdictView:
    variant = question.variant
    hand = melds[0] if melds else ()
    on_table = [card for meld in table for card in meld.cards]
    impossible = supply_reasons(variant, question.decks, (*hand, *on_table))
    if impossible:
        raise Unanswerable(*(reason.message for reason in impossible))
    try:
        solution = solve(variant, question.contract, hand, table)
        lacks_discard = not solution.can_lay_down and takes_every_card(
            variant, question.contract, hand
        )
    except TooManyWays:
        raise Unanswerable(
            say("There are too many ways to lay down this contract. Check it meld by meld.")
        ) from None
    contract = question.asked_contract
    words = say("Contract {number}: {words}", number=contract.number, words=contract.words)
    about = "all-at-once"
    if lacks_discard:
        words = say("You have every meld, but you need one more card to discard")
        about = "must_discard_to_go_out"
    barred = make_reason(variant, Code.CANNOT_LAY_CONTRACT, words, about)
    return VerdictView(
        state="legal" if solution.can_lay_down else "illegal",
        headline=say("You can lay it down") if solution.can_lay_down else say("Not from this hand"),
        melds=tuple(map(_laid, solution.laydown)),
        reasons=() if solution.can_lay_down else _reasons(variant, (barred,)),
        facts=tuple(turn_facts(variant, solution)),
    )


def turn_facts(variant: Variant, solution: Solution) -> list[Phrase]:
    """What else there is to say of the best turn with a hand."""
    facts = []
    if not solution.is_proven_best:
        facts.append(say("This is the best found. There may be a better turn."))
    if solution.can_go_out:
        facts.append(say("You can go out this turn."))
    if solution.discard is not None:
        facts.append(say("Discard {card}.", card=card_phrase(solution.discard)))
    if solution.remaining:
        cards = cards_phrase(solution.remaining)
        if variant.keep_score == "no":
            facts.append(say("You keep {cards}.", cards=cards))
        else:
            facts.append(
                say_plural(
                    "You keep {cards}: {count} point.",
                    "You keep {cards}: {count} points.",
                    solution.remaining_cost,
                    cards=cards,
                )
            )
    return facts


def _laid(meld: LaidMeld) -> MeldView:
    cards = tuple(
        CardView(card, is_wild := card.rank != meant.rank, meant if is_wild else None)
        for card, meant in zip(meld.cards, meld.stands_for, strict=True)
    )
    if meld.onto is not None:
        return MeldView(say("Laid off onto meld {number}", number=meld.onto + 1), cards)
    if meld.part is None:
        return MeldView(say("Extra set") if meld.kind == "set" else say("Extra run"), cards)
    return MeldView(meld.part.words, cards)
