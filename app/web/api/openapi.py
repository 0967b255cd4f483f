"""The interface's own description: an OpenAPI 3.1 document made from the code, and its page."""

from typing import Any

from flask import Blueprint, Flask, Response, current_app, jsonify, render_template
from flask_smorest import Api

from app.extensions import csrf
from app.web.api import errors
from app.web.api.games import games
from app.web.api.rule_sets import rule_sets
from app.web.api.schemas import TroubleSchema
from app.web.infrastructure.access import open_to_all

document = Blueprint("api_document", __name__, url_prefix=errors.PREFIX)
_METHODS = ("get", "post", "put", "delete")


class _Quiet(Api):
    """The library's collector of views; faults of pages stay the pages' own."""

    ERROR_SCHEMA = TroubleSchema

    def _register_error_handlers(self) -> None:
        """Leave the app's own handlers alone: each blueprint of the interface has its own."""


def register_api(app: Flask) -> None:
    """Put the interface together."""
    app.config.update(
        API_TITLE="Meldkeeper",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
    )
    api = _Quiet(
        app,
        spec_kwargs={
            "security": [{"token": []}],
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        },
    )
    for blueprint in (rule_sets, games):
        api.register_blueprint(blueprint)
        # A token is no cookie: nothing sends it for somebody else.
        csrf.exempt(blueprint)
    app.extensions["meldkeeper_api"] = api
    app.register_blueprint(document)
    errors.answer_unknown_addresses(app)


@document.get("/openapi.json")
@open_to_all
def openapi_document() -> Response:
    """The OpenAPI document."""
    return jsonify(_spec())


@document.get("/")
@open_to_all
def page() -> str:
    """The same to read."""
    spec = _spec()
    operations = [
        (method.upper(), path, told["summary"], told["tags"][0])
        for path, methods in spec["paths"].items()
        for method, told in methods.items()
        if method in _METHODS
    ]
    header = "Authorization: Bearer …"
    return render_template("api/document.html", header=header, operations=operations)


def _spec() -> dict[str, Any]:
    api: Api = current_app.extensions["meldkeeper_api"]
    return dict(api.spec.to_dict())
