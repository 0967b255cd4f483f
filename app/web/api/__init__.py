"""The JSON interface for other programs: the same actions as the pages, no rule written twice.

A program shows a token (`Authorization: Bearer …`) that a manager of the group made; cookies are
not looked at. What it may ask is described by the OpenAPI document that is made from this code.
"""

from flask import Blueprint, Flask, Response, jsonify, render_template

from app.extensions import csrf
from app.web.api import errors
from app.web.api.games import games
from app.web.api.operations import openapi
from app.web.api.rule_sets import rule_sets
from app.web.api.rulings import rulings
from app.web.api.statistics import statistics
from app.web.infrastructure.access import open_to_all

document = Blueprint("api_document", __name__, url_prefix=errors.PREFIX)
_TAGS = {
    rule_sets: "Rule sets and the judge",
    games: "Games, rounds and standings",
    rulings: "Rulings",
    statistics: "Players, records, evenings and seasons",
}


def register_api(app: Flask) -> None:
    """Put the interface together."""
    for blueprint in _TAGS:
        app.register_blueprint(blueprint)
        # A token is no cookie: nothing sends it for somebody else.
        csrf.exempt(blueprint)
    app.register_blueprint(document)
    errors.answer_in_json(app)


@document.get("/openapi.json")
@open_to_all
def openapi_document() -> Response:
    """The OpenAPI document."""
    tags = [{"name": one.name, "description": words} for one, words in _TAGS.items()]
    return jsonify({**openapi(), "tags": tags})


@document.get("/")
@open_to_all
def page() -> str:
    """The operations as a page: of each its address and what it does."""
    operations = [
        (method.upper(), path, described["summary"], described["tags"][0])
        for path, methods in openapi()["paths"].items()
        for method, described in methods.items()
        if method != "parameters"
    ]
    header = "Authorization: Bearer …"
    return render_template("api/document.html", header=header, operations=operations)
