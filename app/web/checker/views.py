"""The addresses of the checker: the page, and the verdict alone as cards are entered."""

from typing import Any

from flask import Blueprint, Response, g, make_response, redirect, render_template, request, url_for

from app.actions.groups import Role
from app.extensions import db
from app.rules.loading import variants
from app.scorebook import board
from app.store.queries.games import last_variant, table_of
from app.web.access import needs, open_to_all
from app.web.checker.pages import check_page
from app.web.checker.question import Question, rules_in_address
from app.web.forms import whole_number
from app.web.htmx import answer, wants_fragment

checker = Blueprint("checker", __name__)


@checker.get("/check")
@open_to_all
def check() -> Response:
    """A question and its verdict."""
    page = check_page(_question())
    return answer("checker/check.html", "checker/_check.html", page=page)


@checker.get("/check/verdict")
@open_to_all
def verdict() -> Response:
    """The verdict alone; the page's address becomes that of the question, ready to be shared."""
    question = _question()
    address = url_for("checker.check", **question.address())
    if not wants_fragment():
        return make_response(redirect(address, 303))
    response = make_response(
        render_template("checker/_verdict.html", page=check_page(question), oob=True)
    )
    response.headers["HX-Replace-Url"] = address
    return response


@checker.get("/games/<key>/check")
@needs(Role.WATCH)
def from_game(key: str) -> Response:
    """The checker with a game's rules, decks and a player's contract filled in."""
    table = table_of(db.session(), g.game)
    stands = board(table.game)
    seat = whole_number(request.args.get("seat"))
    contracts = {one.seat: one.contract for one in stands.standings if one.contract}
    question: dict[str, Any] = {
        "ask": "contract",
        "variant": table.variant.id,
        "players": stands.deal.players,
        "contract": contracts.get(seat or 0) or next(iter(contracts.values()), 1),
        **{f"rule-{name}": text for name, text in rules_in_address(table.variant).items()},
    }
    return make_response(redirect(url_for("checker.check", **question), 303))


def _question() -> Question:
    last = last_variant(db.session(), g.group) if g.group else None
    default = last if last is not None and last in variants() else next(iter(variants()))
    return Question.sent(request.args, default)
