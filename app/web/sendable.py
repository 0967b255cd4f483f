"""What nobody sends by mistake, refused at the door.

Numbers and letters that no database keeps, and JSON nested so deeply that nothing here reads it.
"""

from typing import Any

from flask import Flask, abort, request
from werkzeug.routing import IntegerConverter, Map

_LARGEST = 2**31 - 1  # of a PostgreSQL integer


class KeepableInteger(IntegerConverter):
    """A number in an address; one that no column could hold leads nowhere."""

    def __init__(self, map: Map, *arguments: Any, **named: Any) -> None:  # noqa: A002
        super().__init__(map, *arguments, **{"max": _LARGEST, **named})


def register(app: Flask) -> None:
    """Guard the addresses that are registered from now on, and what is sent to them."""
    app.url_map.converters["int"] = KeepableInteger

    @app.before_request
    def refuse_the_unkeepable() -> None:
        if "\x00" in request.path or b"%00" in request.query_string:
            abort(400)
        try:
            request.get_json(silent=True)
        except RecursionError:
            abort(400)
        if any("\x00" in text for field in request.form.items(multi=True) for text in field):
            abort(400)
