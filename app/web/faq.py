"""The Q&A of each rule set, with examples that the judge answers, and a sheet to print."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, render_template, url_for

from app.actions.groups import Role
from app.extensions import db
from app.rules.cards import read_cards
from app.rules.faq import ASKED_MOST, entry_about, faq_entries
from app.rules.faq.examples import Example
from app.rules.faq.search import LONGEST_SEARCH, search_entries
from app.rules.faq.topics import GROUP_NAMES, FaqEntry
from app.rules.grounds import followed_games_words
from app.rules.house_rules import (
    HOUSE_RULES,
    SWITCHABLE,
    house_rules_played,
    printed_rules,
    value_in_words,
)
from app.rules.judge import Answer, answer
from app.rules.judge_questions import card_texts, read_question
from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant
from app.rules.verdicts import Code
from app.store.queries.games import load_game
from app.store.queries.rulings import ListedRuling
from app.web.checker.card_views import CardView
from app.web.checker.cited import rulings_on_answers
from app.web.checker.question import AskedQuestion, default_rule_set, house_rule_args
from app.web.checker.tour import TOUR_SKIPPED, contract_view
from app.web.checker.whose import game_being_played
from app.web.game_parts.words import house_rules_of_game
from app.web.infrastructure.access import (
    current_game,
    enter_group_of_game,
    find_game_id,
    needs,
    open_to_all,
)
from app.web.infrastructure.forms import asked_line, asked_number, asked_values
from app.web.infrastructure.headers import keep_cookie
from app.web.infrastructure.htmx import render_page_or_fragment, wants_fragment
from app.web.infrastructure.localization import translate
from app.web.infrastructure.rate_limits import judging
from app.web.rulesets.lookup import rule_set_finder, rule_set_sections


@dataclass(frozen=True, slots=True)
class ExampleView:
    """An example in cards, and what the judge says of it now."""

    caption: Phrase
    melds: tuple[tuple[CardView, ...], ...]
    state: str
    """`legal`, `illegal`, or `points`."""
    verdict_in_words: Phrase
    check_args: dict[str, Any]
    """The parts of the address that asks the judge the same."""


@dataclass(frozen=True, slots=True)
class FaqPage:
    """The Q&A of a rule set, whole or searched by words."""

    rules_question: AskedQuestion
    search_text: str
    asked_most: tuple[FaqEntry, ...]
    house_rules: Sequence[tuple[Phrase, Phrase, Phrase, str]]
    """Question, answer, what the printed rules say, and id of the `FaqEntry` or nothing.

    Empty in a search.
    """
    sections: Sequence[tuple[Phrase, Sequence[FaqEntry]]]
    """The questions of each group, or those found."""
    examples: Mapping[str, ExampleView]
    """By question."""
    rulings: Mapping[str, ListedRuling]
    """What the group decided last on a question, by question."""
    game_that_can_change: str = ""
    """The key of the running game whose house rules this device may change, if any."""
    longest_search: int = LONGEST_SEARCH

    def where_set(self, entry: FaqEntry) -> str:
        """The address where the house rule of an answer is set; empty where none is.

        No way leads from a game to the rules of another one.
        """
        field = entry.house_rule
        if field not in HOUSE_RULES:
            return ""
        if self.rules_question.game:
            return self._where_changed(field)
        variant = self.rules_question.variant
        return url_for("games.new", variant_id=variant.id, about=field, _anchor=f"ask-{field}")

    def changes(self, entry: FaqEntry) -> str:
        """The address where a running game changes the rule of an answer; empty where it can't."""
        of_topic = (one for one in entry.topic.fields if self.rules_question.variant.has_field(one))
        fields = (entry.house_rule, *of_topic)
        return next(filter(None, map(self._where_changed, fields)), "")

    def _where_changed(self, field: str) -> str:
        key = self.game_that_can_change
        if not key or field not in SWITCHABLE:
            return ""
        return url_for("rulings.house_rules", key=key, about=field, _anchor=f"ask-{field}")

    @property
    def followed(self) -> Phrase | None:
        """Why answers stand in the rules of other games, if some do."""
        grounds = (one.grounds for _heading, entries in self.sections for one in entries)
        return followed_games_words(self.rules_question.variant, grounds)


def faq_page(question: AskedQuestion, base: Variant, search_text: str) -> FaqPage:
    """The Q&A for the rules of a question; `base` are those that its house rules differ from."""
    every = faq_entries(question.variant, base)
    search = search_entries(every, search_text, translate)
    found = search.entries
    answers = judge_examples(question.variant, base)
    examples = {
        one.id: _example(question, one.example, answers[one.id]) for one in found if one.example
    }
    rulings = rulings_on_answers(question, found)
    if search_text.strip():
        heading = say("Nothing in the rules answers this. Nearest:")
        if search.is_answer:
            heading = say_plural("{count} answer", "{count} answers", len(found))
        sections = [(heading, found)] if found else ()
        return FaqPage(question, search_text, (), (), sections, examples, rulings)
    by_id = {one.id: one for one in every}
    return FaqPage(
        rules_question=question,
        search_text="",
        asked_most=tuple(by_id[name] for name in ASKED_MOST if name in by_id),
        house_rules=[
            (
                HOUSE_RULES[field].question,
                value_in_words(question.variant, field),
                value_in_words(base, field),
                entry.id if (entry := entry_about(field, every)) else "",
            )
            for field in house_rules_played(question.variant, base)
        ],
        sections=[
            (heading, entries)
            for group, heading in GROUP_NAMES.items()
            if (entries := [one for one in every if one.topic.group == group])
        ],
        examples=examples,
        rulings=rulings,
    )


@lru_cache(maxsize=64)
def judge_examples(variant: Variant, base: Variant) -> Mapping[str, Answer]:
    """What the judge says of the examples of a rule set, by question.

    Every look at its Q&A shows them again, and judging them takes longer than the page: 25 to
    50 ms, as much as a hand.
    """
    found = faq_entries(variant, base)
    examples = {one.id: one.example.question for one in found if one.example}
    with judging(*(str(asked["ask"]) for asked in examples.values())):
        return {name: answer(read_question(variant, asked)) for name, asked in examples.items()}


def _example(question: AskedQuestion, example: Example, given: Answer) -> ExampleView:
    asked = example.question
    texts = card_texts(asked)
    state, verdict = _verdict(example, given)
    return ExampleView(
        caption=example.caption,
        melds=tuple(
            tuple(CardView(card, question.variant.is_wild(card)) for card in read_cards(text))
            for text in texts
        ),
        state=state,
        verdict_in_words=verdict,
        check_args=question.with_example(asked).address_args(),
    )


def _verdict(example: Example, given: Answer) -> tuple[str, Phrase]:
    """What the judge says of an example: in a word of the style sheet's, and in words."""
    if given.points is not None:
        return given.state, given.headline
    if given.turn is not None and "out" in example.expect:
        out = given.turn.can_go_out
        words = say("✓ You can go out") if out else say("✗ You can’t go out")
        return "legal" if out else "illegal", words
    if given.verdict.legal:
        return "legal", say("✓ Legal")
    if given.verdict.reason_code is Code.IMPOSSIBLE_CARDS:
        return "illegal", say("✗ Impossible: the decks don’t have these cards")
    return "illegal", say("✗ Not legal")


_IN_A_GAME = ("table", "turn", "laying", "runs", "wild", "adding", "out", "score")
"""The groups of the Q&A as they come up in a game."""


faq = Blueprint("faq", __name__)


@faq.get("/rules")
@open_to_all
def index() -> str:
    """The rule sets whose Q&A can be read; before them the rules of the game that is played."""
    playing = game_being_played(with_contracts=False)
    return render_template(
        "faq/index.html",
        playing=playing,
        house_rules=len(house_rules_of_game(playing.game)) if playing else 0,
        sections=rule_set_sections(),
    )


@faq.get("/rules/<variant_id>")
@open_to_all
def show(variant_id: str) -> Response:
    """The Q&A of a rule set, or the questions that fit the words searched for."""
    question, printed = _question(variant_id)
    page = faq_page(question, printed, asked_line("words", most=LONGEST_SEARCH))
    game_id = find_game_id(question.game, Role.SCORE)
    if game_id and not load_game(db.session(), game_id).finished_at:
        page = replace(page, game_that_can_change=question.game)
    return render_page_or_fragment("faq/faq.html", page=page)


@faq.get("/rules/<variant_id>/sheet")
@open_to_all
def sheet(variant_id: str) -> str:
    """A rule sheet to print: contracts, card values, and the rest in the order of a game."""
    question, printed = _question(variant_id)
    lines = [one for one in faq_entries(question.variant, printed) if one.topic.on_sheet]
    lines.sort(key=lambda one: _IN_A_GAME.index(one.topic.group))
    return render_template("faq/sheet.html", question=question, lines=lines)


@faq.get("/rules/<variant_id>/tour")
@open_to_all
def tour(variant_id: str) -> str:
    """How a rule set is played, in three cards, for who has never played it.

    Before them stands the contract that is asked for by its number.
    """
    question, _printed = _question(variant_id)
    if not question.variant.contracts:
        abort(404)
    number = asked_number("contract")
    known = any(one.number == number for one in question.variant.contracts)
    contract = contract_view(question.variant, number) if number and known else None
    return render_template("faq/tour.html", question=question, contract=contract)


@faq.post("/rules/<variant_id>/tour")
@open_to_all
def skip_tour(variant_id: str) -> Response:
    """Offer this device no tour any more."""
    if wants_fragment():
        response = make_response(render_template("faq/_tour_skipped.html"))
    else:
        response = make_response(redirect(url_for("games.new", variant_id=variant_id), 303))
    keep_cookie(response, TOUR_SKIPPED, "yes")
    return response


@faq.get("/games/<key>/rules")
@needs(Role.WATCH)
def show_for_game(key: str) -> Response:
    """The Q&A for a game, with its house rules; with a contract, what is to be known of it."""
    loaded = current_game()
    about = {"variant_id": loaded.variant.id, "game": key, **house_rule_args(loaded)}
    if loaded.variant.contracts and (contract := asked_number("contract")):
        return make_response(redirect(url_for("faq.tour", contract=contract, **about), 303))
    return make_response(redirect(url_for("faq.show", **about), 303))


def _question(variant_id: str) -> tuple[AskedQuestion, Variant]:
    """What is asked for, and the rules as printed; of a group's own rule set as it is found."""
    game = asked_line("game")
    enter_group_of_game(game)
    find = rule_set_finder(game)
    found = find(variant_id) or abort(404)
    asked = asked_values()
    asked["variant"] = variant_id
    question = AskedQuestion.from_args(asked, default_rule_set(), find)
    return question, printed_rules(found, found)
