"""Why something was not done, as other programs are told: every fault is JSON with a status."""

from typing import Any

from flask import Blueprint, Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from app.actions.requests import KeyReused
from app.extensions import db
from app.rules.judge import UnreadableQuestion
from app.rules.rule_sets import FaultyRules
from app.scorebook.refusals import ConfirmationNeeded, Refused, StaleVersion
from app.web.infrastructure.idempotency import HEADER
from app.web.infrastructure.rate_limits import Busy

PREFIX = "/api/v1"


def json_blueprint(name: str) -> Blueprint:
    """A blueprint for views of the interface: every fault of theirs is answered in JSON."""
    blueprint = Blueprint(f"api_{name}", __name__, url_prefix=PREFIX)

    @blueprint.errorhandler(HTTPException)
    def failed(error: HTTPException) -> Response:
        data = getattr(error, "data", None) or {}
        return _trouble(error.code or 500, error.name, errors=_texts(data.get("messages", {})))

    @blueprint.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        faults = [_fault(one.code, one.field, one.message, one.seat) for one in error.faults]
        return _trouble(422, "That cannot be recorded.", faults=faults)

    @blueprint.errorhandler(ConfirmationNeeded)
    def warned(error: ConfirmationNeeded) -> Response:
        found = [
            {"mark": one.acceptance, "message": str(one.message)}
            | ({"source": str(one.rule_source)} if one.rule_source else {})
            for one in error.warnings
        ]
        return _trouble(422, "That looks wrong; accept each doubt or correct it.", doubts=found)

    @blueprint.errorhandler(StaleVersion)
    def stale(error: StaleVersion) -> Response:
        return _trouble(409, "It is not as you took it to be.", version=error.current_version)

    @blueprint.errorhandler(KeyReused)
    def key_reused(_error: KeyReused) -> Response:
        message = "This key belongs to another request that was carried out."
        faults = [_fault("key_reused", HEADER, message)]
        return _trouble(422, "That is not the request that this key was sent with.", faults=faults)

    @blueprint.errorhandler(FaultyRules)
    def faulty(error: FaultyRules) -> Response:
        faults = [_fault("rules", error.field, error.phrase)]
        return _trouble(422, "These rules cannot be used.", faults=faults)

    @blueprint.errorhandler(Busy)
    def busy(error: Busy) -> Response:
        response = _trouble(503, "Another hand is being checked. Ask again.")
        response.headers["Retry-After"] = str(error.seconds)
        return response

    @blueprint.errorhandler(UnreadableQuestion)
    def unreadable(error: UnreadableQuestion) -> Response:
        faults = [_fault("question", error.field, error.phrase)]
        return _trouble(422, "That is no question for the judge.", faults=faults)

    return blueprint


def answer_in_json(app: Flask) -> None:
    """Answer in JSON also what fails outside of the views, as for an address that is not there."""

    @app.after_request
    def tell(response: Response) -> Response:
        inside = request.path.startswith(f"{PREFIX}/")
        if inside and response.status_code >= 400 and not response.is_json:
            plain = _trouble(response.status_code, response.status.partition(" ")[2])
            response.set_data(plain.get_data())
            response.mimetype = "application/json"
        return response


def _fault(code: str, field: str, message: object, seat: int | None = None) -> dict[str, Any]:
    return {"code": code, "seat": seat, "field": field, "message": str(message)}


def _trouble(status: int, message: str, **more: Any) -> Response:
    """The answer; nothing of what was begun is kept."""
    db.session.rollback()
    fault = {"status": status, "message": message}
    response = jsonify(fault | {name: value for name, value in more.items() if value})
    response.status_code = status
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _texts(messages: Any) -> Any:
    """Messages about what was sent, which may be phrases, in English."""
    if isinstance(messages, dict):
        return {name: _texts(one) for name, one in messages.items()}
    return [str(one) for one in messages]
