"""The addresses of rulings and rule sheets, for a rule set or for a game with its house rules."""

from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    g,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.datastructures import MultiDict

from app.actions.groups import Role
from app.extensions import db
from app.store.queries.games import table_of
from app.store.queries.rulings import changed_rules_of, rules_in_round
from app.web.access import needs, open_to_all
from app.web.checker.question import Question, any_rule_set, rules_in_address
from app.web.htmx import answer
from app.web.rulesets.finding import finder_for, sections
from app.web.rulings.pages import rulings_page, sheet_page

rulings = Blueprint("rulings", __name__)


@rulings.get("/rules")
@open_to_all
def index() -> str:
    """The rule sets whose rulings can be read."""
    return render_template("rulings/index.html", sections=sections())


@rulings.get("/rules/<variant_id>")
@open_to_all
def show(variant_id: str) -> Response:
    """The rulings of a rule set, or those that hold the words searched for."""
    page = rulings_page(_question(variant_id), request.args.get("words", ""))
    return answer("rulings/rulings.html", "rulings/_rulings.html", page=page)


@rulings.get("/rules/<variant_id>/sheet")
@open_to_all
def sheet(variant_id: str) -> str:
    """A rule sheet to print."""
    return render_template("rulings/sheet.html", page=sheet_page(_question(variant_id)))


@rulings.get("/games/<key>/rules")
@needs(Role.WATCH)
def of_game(key: str) -> Response:
    """The rulings for a game, with its house rules."""
    session = db.session()
    table = table_of(session, g.game)
    changes = changed_rules_of(session, g.game)
    played = rules_in_round(table.variant, changes, table.open_number)
    rules: dict[str, Any] = {
        f"rule-{name}": text for name, text in rules_in_address(table.variant, played).items()
    }
    return make_response(
        redirect(url_for("rulings.show", variant_id=played.id, game=key, **rules), 303)
    )


def _question(variant_id: str) -> Question:
    find = finder_for(request.args.get("game", ""))
    if find(variant_id) is None:
        abort(404)
    asked = MultiDict({**request.args.to_dict(), "variant": variant_id})
    return Question.sent(asked, any_rule_set(), find)
