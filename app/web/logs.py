"""What is logged: one line of JSON for each request and each fault, without any secret.

A request is logged by its address's pattern (`/join/<secret>`), never by the address itself, and
without what was sent, cookies, or who asked. Lines of libraries have long random words struck out.
`write_json_lines` is called by the server for production alone; elsewhere nothing is set up, and
only faults are printed, as Flask prints them.
"""

import json
import logging
import re
import sys
import time
import traceback
from datetime import UTC, datetime
from typing import Any

from flask import Flask, Response, g, has_request_context, request

_requests = logging.getLogger("meldkeeper.requests")
_SECRET_LIKE = re.compile(r"[A-Za-z0-9_-]{16,}")


def register(app: Flask) -> None:
    """Log each request of the app, and its faults without the address."""
    app.logger.addFilter(_name_the_pattern)

    @app.before_request
    def start_clock() -> None:
        g.started = time.perf_counter()

    @app.after_request
    def log_request(response: Response) -> Response:
        if _requests.isEnabledFor(logging.INFO):
            _requests.info("request", extra={"fields": _about(response)})
        return response


def pattern() -> str:
    """The pattern of the address that is asked for; empty where there is none such."""
    return request.url_rule.rule if request.url_rule else ""


def seconds_so_far() -> float:
    """How long the request has taken."""
    started: float = g.get("started", time.perf_counter())
    return time.perf_counter() - started


def write_json_lines(level: str) -> None:
    """Write everything that is logged in this process as lines of JSON to standard output."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())


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


def _about(response: Response) -> dict[str, Any]:
    return {
        "method": request.method,
        "address": pattern(),
        "status": response.status_code,
        "ms": round(seconds_so_far() * 1000, 1),
        "bytes": response.content_length,
    }


def _name_the_pattern(record: logging.LogRecord) -> bool:
    """Put the address's pattern in the place of the address, where Flask logs a fault."""
    if record.exc_info and has_request_context():
        record.msg, record.args = f"Fault in {request.method} {pattern()}", ()
    return True
