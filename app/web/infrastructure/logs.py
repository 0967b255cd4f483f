"""What is logged: one line of JSON for each request and each fault, without any secret.

A request is logged by its address's pattern (`/join/<secret>`), never by the address itself, and
without what was sent or cookies. Of the client's address its network is left, which does to tell
attacks apart and to stop them. The request's id stands in a view's answer as `X-Request-ID`, unless
that is the same for everybody (`public`). Live checks, which devices send most, are logged at debug
where they do not fail, and machine pages (`health.py`) are not. Messages have long random words
struck out. `write_json_lines` is called by the server for production alone; elsewhere nothing is
set up, and only faults and warnings are printed, as Flask and Python print them.
"""

import json
import logging
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from flask import Flask, Response, has_request_context, request

from app.web.infrastructure.asker import asker


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """An answer that was given: to which method, at an address of which pattern, and how.

    The pattern is empty where there is no such address; `size` is in bytes, of a page before it is
    compressed, of a style sheet or script as it is sent; None where unknown.
    """

    method: str
    address_pattern: str
    status: int
    seconds: float
    size: int | None


METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
OTHER_METHOD = "other"
"""Stands for all other methods: a stranger may invent as many as they like."""

Observer = Callable[[AnsweredRequest], None]
_OBSERVERS = "meldkeeper_observers"


def register(app: Flask) -> None:
    """Log each request of the app, and its faults without the address.

    Observers are told of each answer of Flask, and in front of the app of those for which `notify`
    is called.
    """
    app.logger.addFilter(_add_pattern)
    app.extensions[_OBSERVERS] = [_log_request]

    @app.after_request
    def notify_of_view(response: Response) -> Response:
        seconds = time.perf_counter() - asker.started
        size, status = response.content_length, response.status_code
        method = request.method if request.method in METHODS else OTHER_METHOD
        notify(app, AnsweredRequest(method, address_pattern(), status, seconds, size))
        if not response.cache_control.public:  # those are kept, the same for everybody
            response.headers["X-Request-ID"] = asker.request_id
        return response


def observe(app: Flask, observer: Observer) -> None:
    """Have the observer told of each answer, as `register` says."""
    app.extensions[_OBSERVERS].append(observer)


def notify(app: Flask, answered: AnsweredRequest) -> None:
    """Tell all observers of an answer."""
    for observer in app.extensions[_OBSERVERS]:
        observer(answered)


def address_pattern() -> str:
    """The pattern of the address that is asked for; empty where there is none such."""
    return request.url_rule.rule if request.url_rule else ""


_requests = logging.getLogger("meldkeeper.requests")
_POLL = "/games/<key>/live"
_PREFIX = {4: 24, 6: 48}
"""How many bits of an address are logged, by the version of IP."""
_SECRET_LIKE = re.compile(r"[A-Za-z0-9_-]{16,}")


def _log_request(answered: AnsweredRequest) -> None:
    is_poll = answered.address_pattern == _POLL and answered.status < 400
    level = logging.DEBUG if is_poll else logging.INFO
    if _requests.isEnabledFor(level):
        fields = {
            "method": answered.method,
            "address": answered.address_pattern,
            "status": answered.status,
            "ms": round(answered.seconds * 1000, 1),
            "bytes": answered.size,
            **_who_asked(),
        }
        _requests.log(level, "request", extra={"fields": fields})


def _who_asked() -> dict[str, str]:
    """The id of the request at hand and the client's network; nothing in front of the app."""
    if not has_request_context():
        return {}
    return {"request": asker.request_id, "client": network_of(request.remote_addr or "")}


def network_of(address: str) -> str:
    """The network of a client: 24 bits of IPv4, 48 of IPv6; "" for what is no address."""
    try:
        whole = ip_address(address)
    except ValueError:
        return ""
    if isinstance(whole, IPv6Address) and whole.ipv4_mapped is not None:
        whole = whole.ipv4_mapped
    return str(ip_network((whole, _PREFIX[whole.version]), strict=False))


def write_json_lines(level: str) -> None:
    """Write everything that is logged in this process as lines of JSON to standard output, once.

    What Flask and libraries set up for themselves would say it again in plain text, and so would
    Python of a fault that nobody catches.
    """
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in root.manager.loggerDict:
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    logging.captureWarnings(True)
    sys.excepthook = lambda _kind, fault, _where: root.critical("Fault", exc_info=fault)
    threading.excepthook = lambda fault: root.error("Fault in a thread", exc_info=fault.exc_value)
    sys.unraisablehook = lambda fault: root.error("Fault in the end", exc_info=fault.exc_value)


class JsonLines(logging.Formatter):
    """One JSON object a line: when, how grave, who says it, what, and further fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": _SECRET_LIKE.sub("…", record.getMessage()),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            fault = record.exc_info[1]
            line["fault"] = f"{type(fault).__name__}: {_SECRET_LIKE.sub('…', str(fault))}"
            line["where"] = "".join(traceback.format_tb(fault.__traceback__))
        return json.dumps(line, ensure_ascii=False)


def _add_pattern(record: logging.LogRecord) -> bool:
    """Put the address's pattern in the place of the address, where Flask logs a fault."""
    if record.exc_info and has_request_context():
        record.msg, record.args = f"Fault in {request.method} {address_pattern()}", ()
        record.fields = _who_asked()
    return True
