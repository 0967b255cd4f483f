"""The addresses of the Q&A and of rule sheets, for a rule set or a game with its house rules."""

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    url_for,
)

from app.actions.groups import Role
from app.extensions import db
from app.rules.rule_sets import shipped_rule_sets
from app.rules.variant import Variant
from app.store.queries.games import load_game
from app.web.checker.question import AskedQuestion, default_rule_set, house_rule_args
from app.web.faq.view_models import faq_page, sheet_lines
from app.web.infrastructure.access import needs, open_to_all
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import asked_line, asked_values
from app.web.infrastructure.htmx import render_page_or_fragment
from app.web.rulesets.lookup import rule_set_finder, rule_set_sections

faq = Blueprint("faq", __name__)


@faq.get("/rules")
@open_to_all
def index() -> str:
    """The rule sets whose Q&A can be read."""
    return render_template("faq/index.html", sections=rule_set_sections())


@faq.get("/rules/<variant_id>")
@open_to_all
def show(variant_id: str) -> Response:
    """The Q&A of a rule set, or the questions that fit the words searched for."""
    question, printed = _question(variant_id)
    page = faq_page(question, printed, asked_line("words"))
    return render_page_or_fragment("faq/faq.html", "faq/_faq.html", page=page)


@faq.get("/rules/<variant_id>/sheet")
@open_to_all
def sheet(variant_id: str) -> str:
    """A rule sheet to print."""
    question, printed = _question(variant_id)
    lines = sheet_lines(question.variant, printed)
    return render_template("faq/sheet.html", question=question, lines=lines)


@faq.get("/games/<key>/rules")
@needs(Role.WATCH)
def show_for_game(key: str) -> Response:
    """The Q&A for a game, with its house rules."""
    loaded = load_game(db.session(), asker.game)
    rules = house_rule_args(loaded)
    address = url_for("faq.show", variant_id=loaded.variant.id, game=key, **rules)
    return make_response(redirect(address, 303))


def _question(variant_id: str) -> tuple[AskedQuestion, Variant]:
    """What is asked for, and the rules as they are printed: without the house rules."""
    find = rule_set_finder(asked_line("game"))
    found = find(variant_id) or abort(404)
    asked = asked_values()
    asked["variant"] = variant_id
    question = AskedQuestion.from_args(asked, default_rule_set(), find)
    return question, shipped_rule_sets().get(variant_id, found)
