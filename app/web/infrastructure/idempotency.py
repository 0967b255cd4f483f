"""The idempotency key of a request: one convention for forms, devices' taps and other programs.

The key is sent as the header `Idempotency-Key`, or as the field `request_key` of a form.
What it means stands in `app/actions/requests.py`.
"""

import json
from hashlib import sha256

from flask import Flask, request
from werkzeug.exceptions import BadRequest

from app.actions.requests import LONGEST_KEY, KeyedRequest
from app.web.infrastructure.asker import asker

HEADER = "Idempotency-Key"
FIELD = "request_key"
_NOT_COMPARED = (FIELD, "csrf_token", "late", "shows", "order", "warned")
"""Fields left out when two requests are compared: the key, the form's token, what the page shows as
it sends them (`shows`, `order`, `warned`), and how `late` it was, which pages of 1.0 sent."""


def register(app: Flask) -> None:
    """Note the key of each request that means to change something.

    Registered after all that is checked before the body is read, since this reads the form.
    """

    @app.before_request
    def note_key() -> None:
        asker.idempotency_key = None if asker.reads else sent_key()


def sent_key() -> str | None:
    """The key of the request, None where it bears none. Raises `BadRequest` for a malformed one."""
    key = request.headers.get(HEADER, request.form.get(FIELD))
    if key is None:
        return None
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        message = f"A key has 1 to {LONGEST_KEY} printable ASCII characters."
        fault = BadRequest(message)
        fault.data = {"messages": {"headers": {HEADER: [message]}}}  # type: ignore[attr-defined]
        raise fault
    return key


def keyed_request(sender: str | None, group: int | None) -> KeyedRequest | None:
    """The request by its key; None without one, or where nobody known sends it."""
    if asker.idempotency_key is None or sender is None:
        return None
    return KeyedRequest(sender, asker.idempotency_key, _content(), group)


def _content() -> str:
    """What is the same in two requests that ask for the same: method, address and values sent.

    Files, and the fields of `_NOT_COMPARED`, are left out.
    """
    fields = {name: values for name, values in request.form.lists() if name not in _NOT_COMPARED}
    body = request.get_json(silent=True) if request.is_json else None
    asked = [request.method, request.path, request.query_string.decode("latin-1"), fields, body]
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
