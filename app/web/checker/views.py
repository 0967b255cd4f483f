"""The addresses of the checker: the page, the verdict alone, the way in from a game, a ruling."""

from dataclasses import replace
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, make_response, redirect, render_template, url_for
from werkzeug.datastructures import MultiDict

from app.actions import rulings
from app.actions.groups import Role
from app.extensions import db
from app.rules.cards import OPEN_SIGNS, read_cards
from app.rules.deciding import answer_with_deciding_rules, rules_that_change
from app.rules.judge import UnreadableQuestion, answer, answer_any_meld
from app.rules.judge_questions import CARD_FIELDS, read_question
from app.rules.layoffs import read_table_meld
from app.rules.verdicts import RecordedVerdict
from app.scorebook.dealing import players_in
from app.store.engine import read_only
from app.store.games import RecordedRuling
from app.store.queries.games import LoadedGame, load_game, recent_variants
from app.web.checker.cited import ruling_on
from app.web.checker.question import (
    ANY_SIZE,
    AskedQuestion,
    default_rule_set,
    field_of_fault,
    house_rule_args,
)
from app.web.checker.tour import tour_cards, word_views
from app.web.checker.view_models import CheckPage
from app.web.checker.whose import LOOKED_THROUGH, contract_holders, game_being_played, own_holder
from app.web.game_parts.words import RULE
from app.web.infrastructure.access import (
    current_game,
    enter_group_of_game,
    find_game_id,
    in_game,
    needs,
    open_to_all,
)
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import (
    LineField,
    NumberField,
    PageForm,
    TextField,
    asked_line,
    asked_number,
    asked_values,
    whole_number,
)
from app.web.infrastructure.htmx import go_to, render_page_or_fragment, show_address, wants_fragment
from app.web.infrastructure.input_validation import args_in
from app.web.infrastructure.localization import translate
from app.web.infrastructure.rate_limits import Busy, judging
from app.web.rulesets.lookup import Finder, rule_set_finder, rule_set_sections


class RecordRulingForm(PageForm):
    """What the table made of a verdict; `question` was asked, as an address’s query."""

    question = TextField(4000)
    switch = TextField(80)
    """A house rule that the table plays from now on, as `field=value`."""
    asked_by = NumberField()
    decided = LineField(RecordedRuling.decision)
    reason = LineField(RecordedRuling.reason)

    def ruling(self, question: str, verdict: RecordedVerdict) -> rulings.NewRuling:
        """The ruling that the form asks to record."""
        field, _, value = self.switch.data.partition("=")
        return rulings.NewRuling(
            question=question,
            verdict=verdict,
            asking_seat=self.asked_by.data,
            decision=self.decided.data,
            reason=self.reason.data,
            rule_change=(field, value) if value else None,
        )


checker = Blueprint("checker", __name__)
checker.add_app_template_filter(word_views)
checker.add_app_template_filter(tour_cards)


@checker.get("/check")
@open_to_all
def check() -> Response:
    """A question and its verdict; `to` turns it to another kind of question, or to another meld.

    With `by=now` the same cards are asked about by the game's rules of now.
    Where nothing is asked yet, a game with contracts that is being played is meant.
    """
    if not asked_values() and (playing := game_being_played(with_contracts=True)):
        return _ask_in_game(playing)
    question = _question()
    to, _, place = asked_line("to").partition(":")
    if to in CARD_FIELDS:
        question = question.turned_to(to, whole_number(place))
        if to in ("layoff", "swap"):
            question = _with_cards_in_order(question)
        return make_response(redirect(_address_of(question), 303))
    page, recording = _judged_page(question), _ruling_form(question)
    if asked_line("by") == "now" and page.address_by_game_rules:
        return make_response(redirect(url_for("checker.check", **page.address_by_game_rules), 303))
    response = render_page_or_fragment("checker/check.html", page=page, recording=recording)
    return _respond(page, response)


@checker.get("/check/verdict")
@open_to_all
def verdict() -> Response:
    """The verdict, and what else of the page follows from it.

    The page's address becomes that of the question, ready to be shared.
    """
    question = _question()
    if not wants_fragment():
        return make_response(redirect(_address_of(question), 303))
    page, recording = _judged_page(question), _ruling_form(question)
    body = render_template("checker/_verdict.html", page=page, recording=recording, oob=True)
    return _respond(page, make_response(body))


@checker.get("/games/<key>/check")
@needs(Role.WATCH)
def from_game(key: str) -> Response:
    """The checker with a game's rules, decks and a player's contract filled in.

    Of rules without contracts the Q&A. The contract is that of the player who is named, else
    of the device's own, else the one that all try; else the page asks whose.
    """
    loaded = current_game()
    if not loaded.variant.contracts:
        return go_to(url_for("faq.show_for_game", key=key))
    return _ask_in_game(loaded, asked_number("seat"))


@checker.post("/games/<key>/rulings")
@needs(Role.SCORE)
def record_ruling(key: str) -> Response:
    """Record a verdict as a ruling of the game, and what the table made of it."""
    form = RecordRulingForm.from_body()
    asked = args_in(form.question.data, "question")
    asked["game"] = key
    with read_only():  # nobody waits while the question is judged
        question = AskedQuestion.from_args(asked, default_rule_set(), _finder(key))
        page = _judged_page(question)
        db.session.rollback()
    if page.busy:
        raise Busy
    if page.answer is None:
        abort(400)
    query, said = urlencode(question.judged_args, doseq=True), page.answer.recorded_verdict
    if not form.submit(lambda: in_game(rulings.record_ruling, form.ruling(query, said))):
        return render_page_or_fragment("checker/check.html", status=422, page=page, recording=form)
    address = question.address_args()
    if not page.address_by_game_rules:  # the game's rules, which may have changed with it
        address |= replace(page, game=current_game()).address_by_game_rules
    return go_to(url_for("checker.check", **address, recorded="yes", _anchor="verdict"))


def _ask_in_game(loaded: LoadedGame, seat: int | None = None) -> Response:
    """Leads to the checker in that game, for the contract of that seat or the device's own player.

    Else for the contract that all try, where all try the same; for the first where nobody has one.
    """
    holders = contract_holders(loaded)
    whose = next((one for one in holders if one.seat == seat), None) or own_holder(holders)
    tried = {one.contract.number for one in holders} or {1}
    question: dict[str, Any] = {
        "ask": "contract",
        "variant": loaded.variant.id,
        "players": len(players_in(loaded.game, loaded.status.next_round)),
        "game": loaded.key,
        **house_rule_args(loaded),
    }
    if whose:
        question |= {"seat": whose.seat, "contract": whose.contract.number}
    elif len(tried) == 1:
        question["contract"] = tried.pop()
    return make_response(redirect(url_for("checker.check", **question), 303))


def _respond(page: CheckPage, response: Response) -> Response:
    """The answer that shows the page; a fragment brings the address of its question.

    It is 503, with when to ask again, where the judge was busy.
    """
    show_address(response, _address_of(page.question))
    if page.busy:
        response.status_code = 503
        response.headers["Retry-After"] = str(Busy.seconds)
    return response


def _ruling_form(question: AskedQuestion) -> RecordRulingForm | None:
    """The form that records a ruling; None outside a game in which this device may do so."""
    return RecordRulingForm() if find_game_id(question.game, Role.SCORE) else None


def _judged_page(question: AskedQuestion) -> CheckPage:
    """The checker for a question with its verdict, and the rule sets and players to choose."""
    sections = (
        replace(one, rule_sets=[rules for rules in one.rule_sets if rules.contracts])
        for one in rule_set_sections(question.variant)
    )
    game, shown = _game(question.game), tuple(one for one in sections if one.rule_sets)
    holders = contract_holders(game) if game else ()
    about = asked_line("about") if game else ""
    recorded = asked_line("recorded") == "yes"
    page = CheckPage(question, shown, game, holders, about=about, recorded=recorded)
    page = _with_verdict(page)
    return replace(page, cited=ruling_on(question, page.answer)) if page.answer else page


def _with_verdict(page: CheckPage) -> CheckPage:
    """The page with what the judge answers, what is wrong with the question, or that it is busy."""
    question = page.question
    try:
        asked = read_question(question.variant, question.plain_question)
        if question.faults or question.is_blank or page.asks_whose:
            return replace(page, faults=question.faults)
        with judging(asked.ask):
            judge = answer_any_meld if question.is_any_meld else answer
            given = answer_with_deciding_rules(judge, asked)
            can_change = page.can_change_rules and find_game_id(question.game, Role.SCORE)
            searches = can_change and asked.ask != "hand"
            changing = rules_that_change(judge, given) if searches else {}
            return replace(page, answer=given, changing_rules=changing)
    except UnreadableQuestion as fault:
        if question.is_blank and fault.field in chain(*CARD_FIELDS.values()):
            return replace(page, faults=question.faults)  # what was not entered yet is no fault
        faults = {**question.faults, field_of_fault(fault.field): fault.phrase}
        return replace(page, faults=faults)
    except Busy:
        return replace(page, busy=True)


def _with_cards_in_order(question: AskedQuestion) -> AskedQuestion:
    """The question about a meld on the table, its cards in order, if they can lie in one.

    Cards that lie in order already stay as they are; others come as the judge lays a new meld.
    """
    meld = question.turned_to("meld")
    any_meld = replace(meld, texts={**meld.texts, "size": ANY_SIZE})
    laid = _with_verdict(CheckPage(any_meld, ())).answer
    if laid is None or not laid.verdict.legal:
        return question
    lie_in_order, _reasons = read_table_meld(
        question.variant, laid.question.kind, read_cards(" ".join(question.melds))
    )
    if lie_in_order:
        return question
    (in_places,) = laid.verdict.readings[0]
    texts = {name: text for name, text in question.texts.items() if name != "position"}
    entered = sorted(" ".join(question.melds).split(), key=lambda word: word[-1:] in OPEN_SIGNS)
    in_order = []
    for one in in_places:
        in_order.append(next(word for word in entered if read_cards(word) == (one.card,)))
        entered.remove(in_order[-1])
    return replace(question, texts=texts, melds=(" ".join(in_order),))


def _address_of(question: AskedQuestion) -> str:
    return url_for("checker.check", **question.address_args())


def _game(key: str) -> LoadedGame | None:
    """The game in which it is asked, if this device may see it."""
    game_id = find_game_id(key, Role.WATCH)
    return load_game(db.session(), game_id) if game_id else None


def _question() -> AskedQuestion:
    enter_group_of_game(asked_line("game"))
    group = asker.group_if_any
    played = recent_variants(db.session(), group, LOOKED_THROUGH) if group else ()
    find = _finder(asked_line("game"))
    default = next(filter(None, map(find, played)), default_rule_set())
    asked = _without_foreign_house_rules(_with_whose(asked_values()))
    return AskedQuestion.from_args(asked, default, find, translate)


def _without_foreign_house_rules(asked: MultiDict[str, str]) -> MultiDict[str, str]:
    """What is asked; in a game less the house rules that belong to another rule set.

    Pages of a game say of which rule set their house rules are (`rules-of`). Where the game's own
    is chosen again, its house rules come back. Outside a game they go along to the next rule set.
    """
    chosen = asked.get("variant")
    if asked.pop("rules-of", chosen) == chosen:
        return asked
    for name in [name for name in asked if name.startswith(RULE)]:
        del asked[name]
    game = _game(asked.get("game", ""))
    if game and game.variant.id == chosen:
        asked.update(house_rule_args(game))
    return asked


def _with_whose(asked: MultiDict[str, str]) -> MultiDict[str, str]:
    """What is asked, of the contract of the player who was just chosen, if one was."""
    chosen = asked.get("whose")
    if chosen is not None and chosen != asked.get("seat", ""):
        asked["seat"] = chosen
        game = _game(asked.get("game", ""))
        for one in contract_holders(game) if game else ():
            if str(one.seat) == chosen:
                asked["contract"] = str(one.contract.number)
    return asked


def _finder(game: str) -> Finder:
    """What finds the rule sets about whose cards something can be asked."""
    find = rule_set_finder(game)
    return lambda name: found if (found := find(name)) and found.contracts else None
