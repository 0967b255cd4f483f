"""The judge: a question, what answers it, and its answer.

The file interface, the JSON interface, the checker's page and the examples of the Q&A all ask here
and show what is answered here. The question of a recorded ruling is asked here again only to find
rulings on questions like it, and the answer of the Q&A at which it stands.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from app.rules.advice import judge_contract_with_advice, judge_swap_with_advice, judge_with_advice
from app.rules.card_supply import supply_reasons
from app.rules.cards import Card, UnreadableCard, read_cards
from app.rules.coach import Coaching, coach
from app.rules.completion import can_become_meld
from app.rules.contracts import Kind
from app.rules.grounds import NOTATION
from app.rules.layoffs import (
    extra_meld_words,
    judge_layoff,
    lacks_cards_on_table,
    lay_off_words,
    read_table_meld,
)
from app.rules.legal_facts import points_facts
from app.rules.melds import judge_meld, new_meld_sizes
from app.rules.phrases import Phrase, concatenate, say, say_plural
from app.rules.solver import Solution, TableMeld, TooManyWays, can_lay, solve
from app.rules.swaps import SWAP_CONDITIONS, Owner, judge_swap
from app.rules.variant import Variant
from app.rules.verdicts import Code, Fact, Reason, RecordedVerdict, Verdict, illegal_verdict

Ask = Literal["contract", "meld", "hand", "layoff", "swap", "score"]
State = Literal["legal", "illegal", "pending", "points"]


class UnreadableQuestion(ValueError):
    """A question that has no answer: the `field`, and what is wrong with it, as a `phrase`."""

    def __init__(self, field: str, phrase: Phrase) -> None:
        self.field, self.phrase = field, phrase
        super().__init__(f"{field}: {phrase}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question under the rules that are played.

    Cards stay texts: one that cannot be read gets a verdict. `melds` are those of a contract; else
    one text: the meld on the table of a lay-off or a swap, or all cards that are asked about.
    `added` are the cards added, or the card offered for the wild card at that `position`, from 1.
    With `size` a meld is a part of a contract.
    """

    ask: Ask
    variant: Variant
    decks: int
    players: int = field(default=0, compare=False)
    """How many play, where that was said, from which the decks follow."""
    contract: int | None = None
    kind: Kind = "set"
    size: int | None = None
    melds: tuple[str, ...] = ()
    added: str = ""
    position: int = 1
    owner: Owner = "self"
    table: tuple[tuple[Kind, str], ...] = ()

    @property
    def number(self) -> int:
        """The contract's number. Raises `ValueError` for a question that names none."""
        if self.contract is None:
            raise ValueError(self.ask)
        return self.contract


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A verdict, with all else that the judge says of a question, whoever asks.

    `notes` are true beside the verdict; `points` are what cards cost; `turn` is the best turn found
    with a hand, and `coaching` what else a friend would say of it. Where the contract takes the
    whole hand though a discard is due, the turn has its melds, but the cost of a turn without them.
    """

    question: Question
    verdict: Verdict
    notes: tuple[Phrase, ...] = ()
    points: int | None = None
    turn: Solution | None = None
    coaching: Coaching | None = None
    is_neither_set_nor_run: bool = False
    """It is legal neither as a set nor as a run; it may be unfinished."""
    decided_by: tuple[Fact, ...] = ()
    """The house rules of a shipped rule set without which the judge would say something else."""
    otherwise: Fact | None = None
    """What would be said without the house rules that decide it, or that explain it first."""

    @property
    def state(self) -> State:
        """`points` where cards are counted; `pending` where the verdict `is_unfinished`."""
        if self.points is not None:
            return "points"
        if self.verdict.legal:
            return "legal"
        return "pending" if self.verdict.is_unfinished else "illegal"

    @property
    def follows_contract(self) -> bool:
        """Is it legal only for a player whose contract is down?"""
        is_extra = self.question.ask == "meld" and self.question.size is None
        return self.verdict.legal and (is_extra or self.question.ask in ("layoff", "swap"))

    @property
    def headline(self) -> Phrase:
        """The verdict in a few words."""
        if self.points is not None:
            return say_plural("{count} point", "{count} points", self.points)
        if self.turn is not None:
            return (
                say("You can lay it down") if self.turn.can_lay_down else say("Not from this hand")
            )
        if self.is_neither_set_nor_run and self.state == "illegal":
            return say("Not legal as a set or run")
        return _HEADLINES[self.state]

    @property
    def explanation(self) -> Sequence[Fact]:
        """Why it is legal or not, for people: what is wrong comes before what is only missing.

        House rules that decide it come first, or after the sentence that rests on one of them.
        """
        verdict = self.verdict
        reasons: Sequence[Reason] = verdict.reasons
        if not verdict.is_unfinished:
            reasons = sorted(reasons, key=_is_lacking)
        sentences: Sequence[Fact] = verdict.facts if verdict.legal else reasons
        decided = {one.rule for one in self.decided_by}
        house_rules = (*self.decided_by, *filter(None, [self.otherwise]))
        if decided.isdisjoint(one.rule for one in sentences[:1]) and decided:
            return (*house_rules, *sentences)
        return (*sentences[:1], *house_rules, *sentences[1:])

    @property
    def recorded_verdict(self) -> RecordedVerdict:
        """The verdict and what explains it first, if anything does, as they are recorded."""
        if not self.explanation:
            return RecordedVerdict(self.headline)
        first, facts = self.explanation[0], self.verdict.facts
        alike = [one.message for one in facts if one.rule == first.rule] if first in facts else []
        reason = concatenate(alike) if len(alike) > 1 else first.message
        if self.verdict.legal:  # for who looks it up later, on what it stands
            reason = concatenate([reason, *self.notes])
        message = say("{verdict}. {reason}", verdict=self.headline, reason=reason)
        return RecordedVerdict(message, first.grounds.citation)


def _is_lacking(reason: Reason) -> bool:
    """Does it name cards or, beside other reasons, melds that are missing?"""
    return reason.code is Code.TOO_FEW_CARDS or reason.rule == "all-at-once"


_HEADLINES = {
    "legal": say("Legal"),
    "illegal": say("Not legal"),
    "pending": say("Not complete yet"),
}


def answer(question: Question) -> Answer:
    """What the judge says. Raises `UnreadableQuestion` for what nothing can be said of."""
    texts: Sequence[str] = question.melds
    if question.ask == "contract":
        texts = question.variant.contract(question.number).with_open_places(texts)
    try:
        melds = [read_cards(text) for text in texts]
        added = read_cards(question.added)
        table = [TableMeld(kind, read_cards(text)) for kind, text in question.table]
    except UnreadableCard as fault:
        message = say("“{text}” isn’t a card.", text=fault.text)
        reason = Reason(question.variant, message, NOTATION, Code.UNKNOWN_CARD)
        return Answer(question=question, verdict=illegal_verdict(reason))
    variant, decks = question.variant, question.decks
    every = [card for meld in (*melds, added, *(one.cards for one in table)) for card in meld]
    if impossible := supply_reasons(variant, decks, every):
        return Answer(question=question, verdict=illegal_verdict(*impossible))
    if question.ask == "contract":
        verdict = judge_contract_with_advice(variant, question.number, melds, decks=decks)
        return Answer(question=question, verdict=verdict)
    (cards,) = melds
    if question.ask == "score":
        verdict = Verdict(legal=True, facts=points_facts(variant, cards))
        return Answer(question=question, verdict=verdict, points=variant.penalties.total(cards))
    if question.ask == "hand":
        return _answer_hand(question, cards, table)
    given = Answer(question=question, verdict=_judge_cards(question, cards, added))
    besides = {
        "layoff": lay_off_words(variant),
        "swap": SWAP_CONDITIONS,
        "meld": extra_meld_words(variant),
    }
    return replace(given, notes=(besides[question.ask],)) if given.follows_contract else given


def answer_any_meld(question: Question) -> Answer:
    """Are the cards of a `meld` question a set or a run that can be laid at all?

    Any kind and size that they can be laid as counts. Where there is none, the reasons are those of
    the kind asked about, or of the other where no contract or extra meld is of that kind. Where
    they are legal but not, or not always, as an extra meld, a note says so.
    """
    variant = question.variant
    kinds: tuple[Kind, ...] = ("set", "run") if question.kind == "set" else ("run", "set")
    try:
        cards = read_cards(question.melds[0])
    except UnreadableCard:
        return answer(question)
    judge = partial(judge_meld, variant, cards=cards, decks=question.decks)
    ways = [
        replace(question, kind=kind, size=size)
        for kind in kinds
        for size in new_meld_sizes(variant, kind, len(cards))
    ]
    legal = (one for one in ways if judge(one.kind, size=one.size).legal)
    found = answer(next(legal, ways[0]))
    match variant.extra_melds:
        case _ if not found.verdict.legal:
            return replace(found, is_neither_set_nor_run=True)
        case "none":
            note = say("Only as part of a contract: you can’t lay extra melds here.")
        case "contract_parts":
            note = say("As an extra meld it must match a meld of your contract.")
        case _ if any(judge(kind).legal for kind in kinds):
            return found
        case _:
            note = say("Only as part of a contract, not as an extra meld.")
    return replace(found, notes=(note,))


def _judge_cards(question: Question, meld: Sequence[Card], added: Sequence[Card]) -> Verdict:
    """The verdict on a meld, a lay-off or a swap."""
    variant, kind, decks = question.variant, question.kind, question.decks
    if question.ask == "swap":
        (card,), owner = added, question.owner
        judge_place = partial(judge_swap, variant, kind, meld, card=card, owner=owner, decks=decks)
        return judge_swap_with_advice(question.position, len(meld), card, judge_place)
    judge: Callable[[Sequence[Card]], Verdict]
    if question.ask == "layoff":
        judge = partial(judge_layoff, variant, kind, meld, decks=decks)
        verdict = judge_with_advice(variant, added, judge, onto=meld)
        if verdict.reason_code is Code.TOO_FEW_CARDS and not verdict.is_unfinished:
            lacks_cards = lacks_cards_on_table(variant, kind, meld, added)
            return replace(verdict, is_unfinished=lacks_cards)
        return verdict
    size, contract = question.size, question.contract
    judge = partial(judge_meld, variant, kind, size=size, contract=contract, decks=decks)
    verdict = judge_with_advice(variant, meld, judge, (kind,))
    if verdict.legal:
        return verdict
    lacks_cards = can_become_meld(variant, kind, meld, size=size, contract=contract)
    return replace(verdict, is_unfinished=lacks_cards)


def _answer_hand(question: Question, hand: Sequence[Card], table: Sequence[TableMeld]) -> Answer:
    for place, meld in enumerate(table, 1):
        readings, reasons = read_table_meld(question.variant, meld.kind, meld.cards)
        if not readings:
            fault = say("Meld {place}: {fault}", place=place, fault=reasons[0].message)
            raise UnreadableQuestion("table", fault)
    try:
        return _search_hand(question, hand, table)
    except TooManyWays:
        fault = say("There are too many ways to lay down this contract. Check it meld by meld.")
        raise UnreadableQuestion("contract", fault) from None


def _search_hand(question: Question, hand: Sequence[Card], table: Sequence[TableMeld]) -> Answer:
    variant, number = question.variant, question.number
    turn = solve(variant, number, hand, table)
    notes = []
    all_laid, size = replace(variant, must_discard_to_go_out=False), variant.contract(number).size
    if not turn.can_lay_down and len(hand) == size and can_lay(all_laid, number, hand):
        # The melds are there, which is what is asked; the turn alone could not end with them.
        laid = solve(all_laid, number, hand)
        turn = replace(laid, can_go_out=False, remaining_cost=turn.remaining_cost)
        notes = [say("You have every meld, but you need one more card to discard.")]
    verdict = Verdict(legal=turn.can_lay_down)
    if not turn.can_lay_down:
        message = say(
            "You can’t lay down contract {number}, {words}, from this hand.",
            number=number,
            words=variant.contract(number).words,
        )
        reason = Reason(variant, message, "contracts", Code.CANNOT_LAY_CONTRACT)
        verdict = illegal_verdict(reason)
    coaching = coach(variant, number, hand, table, turn, question.decks)
    return Answer(
        question=question, verdict=verdict, notes=tuple(notes), turn=turn, coaching=coaching
    )
