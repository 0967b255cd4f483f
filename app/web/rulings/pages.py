"""What the templates of the rulings are given: each ruling with its example, judged just now."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.rules import read_cards
from app.rules.questions import Answer, answer_under
from app.rules.rulings import Example, Ruling, rulings, rulings_about
from app.rules.variant import Variant
from app.rules.wording import Phrase, say, say_many
from app.web.checker.pages import CardView
from app.web.checker.question import Question
from app.web.judging import judging
from app.web.language import translate


@dataclass(frozen=True, slots=True)
class ExampleView:
    """An example in cards, and what the judge says of it now."""

    caption: Phrase
    melds: tuple[tuple[CardView, ...], ...]
    look: str
    """`legal`, `illegal`, or `points`."""
    said: Phrase
    check: dict[str, object]
    """The parts of the address that asks the judge the same; empty where the checker does not."""


@dataclass(frozen=True, slots=True)
class RulingView:
    """A ruling as it is shown."""

    ruling: Ruling
    house_rule: bool
    """This table changed it."""
    example: ExampleView | None


@dataclass(frozen=True, slots=True)
class RulingsPage:
    """The rulings of a rule set, searched by words."""

    variant: Variant
    question: Question
    words: str
    rulings: tuple[RulingView, ...]
    of: int


def rulings_page(question: Question, words: str) -> RulingsPage:
    """The rulings for the rules of a question, or those of them that hold all the words."""
    found = rulings(question.variant)
    return RulingsPage(
        variant=question.variant,
        question=question,
        words=words,
        rulings=tuple(_view(question, one) for one in rulings_about(found, words, translate)),
        of=len(found),
    )


def _view(question: Question, ruling: Ruling) -> RulingView:
    example = None
    if ruling.example is not None:
        answer = _answers(question.variant)[ruling.id]
        example = _example(question, ruling.example, answer)
    return RulingView(ruling, ruling.field in question.house_rules, example)


@lru_cache(maxsize=64)
def _answers(variant: Variant) -> Mapping[str, Answer]:
    """What the judge says of the examples of a rule set, by ruling.

    Every look at its rulings shows them again, and judging them takes longer than the page: 25 to
    50 ms, as much as a hand.
    """
    examples = {one.id: one.example.question for one in rulings(variant) if one.example}
    with judging(*(str(asked["ask"]) for asked in examples.values())):
        return {name: answer_under(variant, asked) for name, asked in examples.items()}


def _example(question: Question, example: Example, answer: Answer) -> ExampleView:
    asked = example.question
    texts = _texts(asked)
    return ExampleView(
        caption=example.caption,
        melds=tuple(
            tuple(CardView(card, question.variant.is_wild(card)) for card in read_cards(text))
            for text in texts
        ),
        look=_look(example, answer),
        said=_said(example, answer),
        check=_address(question, asked, texts),
    )


def _look(example: Example, answer: Mapping[str, Any]) -> str:
    if "points" in example.expect:
        return "points"
    return "legal" if answer["out" if "out" in example.expect else "legal"] else "illegal"


def _said(example: Example, answer: Mapping[str, Any]) -> Phrase:
    """What the judge says of an example, in words."""
    if "points" in example.expect:
        return say_many("{count} point", "{count} points", answer["points"])
    if "out" in example.expect:
        return say("✓ You go out") if answer["out"] else say("✗ You cannot go out")
    return say("✓ Legal") if answer["legal"] else say("✗ Not legal")


def _texts(asked: Mapping[str, object]) -> list[str]:
    melds = asked.get("melds")
    if isinstance(melds, list):
        return melds
    fields = ("hand", "meld", "cards", "add", "card")
    return [str(asked[name]) for name in fields if name in asked]


def _address(
    question: Question, asked: Mapping[str, object], texts: list[str]
) -> dict[str, object]:
    """The checker's address for an example; part of a contract becomes an extra meld there."""
    if asked["ask"] == "score":
        return {}
    parts: dict[str, object] = {"variant": question.variant.id, "ask": asked["ask"]}
    parts |= {"game": question.game} if question.game else {}
    parts |= {f"rule-{name}": text for name, text in question.house_rules.items()}
    parts |= {
        name: asked[name] for name in ("contract", "kind", "position", "owner") if name in asked
    }
    if asked["ask"] in ("layoff", "swap"):
        return {**parts, "m": texts[0], "add": texts[1]}
    table = asked.get("table")
    if isinstance(table, list):
        parts |= {"table-kind": [meld["kind"] for meld in table]}
        parts |= {"table": [meld["meld"] for meld in table]}
    return {**parts, "m": texts}


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A rule sheet on one page: contracts, cards, melds, play, scoring."""

    variant: Variant
    question: Question
    lines: tuple[tuple[Phrase, Phrase], ...]


_ON_SHEET = (
    "decks",
    "jokers",
    "deal",
    "twos",
    "run-suit",
    "run-order",
    "wild-limit",
    "wild-limit-scope",
    "wilds-adjacent",
    "contract-size",
    "extra-melds",
    "extra-run-min",
    "layoff-on-others",
    "wild-swap",
    "must-discard-to-go-out",
    "discard-draw",
    "stock-exhausted",
    "dealer-rotation",
    "go-out-bonus",
    "completion-bonus",
    "exact-deal-bonus",
    "win",
)


def sheet_page(question: Question) -> SheetPage:
    """The sheet of a rule set, with a table's house rules in it."""
    by_id = {one.id: one for one in rulings(question.variant)}
    lines = tuple((by_id[name].question, by_id[name].answer) for name in _ON_SHEET)
    players = say(
        "{least} to {most}",
        least=question.variant.players_min,
        most=question.variant.players_max,
    )
    return SheetPage(question.variant, question, ((say("How many play?"), players), *lines))
