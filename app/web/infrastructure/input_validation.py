"""What all addresses, queries, forms and JSON bodies go through.

The content of an uploaded file is checked where it is read (`app.exchange`).

What a view reads of them is normalized by then (`normalize_text`); no view does that itself.
Refused here are characters that not every database stores, numbers in an address that are too large
for a column, and forms of more fields than any form of ours has. JSON that is broken, or nested too
deeply to be meant, is refused where a view reads it. An address that stands in a field is decoded
once more, by `args_in`.
"""

from collections.abc import Callable, Collection
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask, Request, current_app, request
from flask.globals import request_ctx
from flask.json.provider import DefaultJSONProvider
from werkzeug.datastructures import ImmutableMultiDict, MultiDict
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.routing import IntegerConverter, Map
from werkzeug.utils import cached_property

from app.rules.text import is_storable, normalize_text
from app.scorebook.limits import LARGEST_NUMBER
from app.web.infrastructure.access import may

_FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 1000
"""Reading a field costs more than its bytes, and anybody may send them."""


class Unreadable(BadRequest):
    """A value that cannot be stored, or has no name; `data` names its place for other programs."""

    def __init__(self, *place: str) -> None:
        super().__init__()
        faults: Any = ["Some characters of this text cannot be stored."]
        for name in reversed(place):
            faults = {name: faults}
        self.data = {"messages": faults}


class NormalizedJson(DefaultJSONProvider):
    """JSON whose texts are normalized."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """What the text says.

        Raises `ValueError` for what is no JSON or nested too deeply, `Unreadable` for what cannot
        be stored.
        """
        try:
            return _normalize(super().loads(s, **kwargs), "json")
        except RecursionError:
            raise ValueError("nested too deeply") from None


class NormalizedRequest(Request):
    """A request whose query, form and names of files are normalized."""

    @cached_property
    def args(self) -> MultiDict[str, str]:
        """The fields of the query string."""
        return _normalize_fields(super().args, "query")

    def _load_form_data(self) -> None:
        if "form" not in self.__dict__:
            if self.mimetype == _FORM and self.get_data().count(b"&") >= MOST_FIELDS:
                raise RequestEntityTooLarge
            super()._load_form_data()
            names: list[str | None] = [*self.form, *self.files]
            if None in names:  # no browser sends a part without a name
                raise Unreadable("form")
            self.__dict__["form"] = _normalize_fields(self.form, "form")
            for file in self.files.values():
                file.filename = _normalize(file.filename, "form")


def args_in(address: str, field: str) -> MultiDict[str, str]:
    """The fields of the query string that stands in a field. Raises `Unreadable`."""
    sent = MultiDict(parse_qsl(address, keep_blank_values=True))
    return MultiDict(_normalize_fields(sent, field))


def body_of_program() -> Any:
    """What another program sent, as JSON; an object without fields where it sent nothing.

    Raises `UnsupportedMediaType` for a body that is not called JSON.
    """
    if request.is_json:
        return request.get_json() if request.get_data() else {}
    if request.get_data() or request.form or request.files:
        error: Any = UnsupportedMediaType()
        fault = "Send the body as application/json."
        error.data = {"messages": {"headers": {"Content-Type": [fault]}}}
        raise error
    return {}


def query_of_program(names: Collection[str]) -> dict[str, str]:
    """The fields of the query that another program sent, of these names; others are passed over."""
    return {name: one for name, one in request.args.items() if name in names}


class StorableIntegerConverter(IntegerConverter):
    """A number in an address; one that no column could hold leads nowhere."""

    def __init__(self, map: Map, *arguments: Any, **named: Any) -> None:  # noqa: A002
        super().__init__(map, *arguments, **{"max": LARGEST_NUMBER, **named})


def register(app: Flask) -> None:
    """Guard the addresses that are registered from now on, and what is sent to them."""
    app.request_class, app.json = NormalizedRequest, NormalizedJson(app)
    app.url_map.converters["int"] = StorableIntegerConverter

    @app.before_request
    def read_address() -> None:
        if request_ctx.url_adapter is None and request.routing_exception:  # an unknown host's name
            raise request.routing_exception  # before any other fault, whose page would have links
        _normalize(request.path, "path")
        if request.view_args:
            request.view_args = _normalize(request.view_args, "path")
        _ = request.args


def register_bodies(app: Flask) -> None:
    """Read what is sent, once it is known who sends it and how much that may be.

    What not every database stores is refused before anything is done.
    """

    @app.before_request
    def read_body() -> None:
        _ = request.get_json(silent=True), request.form


def _normalize_fields(sent: MultiDict[str, str], place: str) -> ImmutableMultiDict[str, str]:
    return ImmutableMultiDict(
        (_normalize(name, place), _normalize(text, place, name))
        for name, text in sent.items(multi=True)
    )


def _normalize(value: Any, *place: str) -> Any:
    """The value with all its texts normalized; `place` is where it stands. Raises `Unreadable`."""
    if isinstance(value, str):
        if not is_storable(value):
            raise Unreadable(*place)
        return normalize_text(value)
    if isinstance(value, dict):
        return {
            _normalize(name, *place): _normalize(one, *place, name) for name, one in value.items()
        }
    if isinstance(value, list):
        return [_normalize(one, *place, str(number)) for number, one in enumerate(value)]
    return value


def register_limits(app: Flask) -> None:
    """Let a view that `takes_files` take large bodies, but only from who may use it.

    The limit is set before anybody reads the body, so a stranger's large file is neither read nor
    parsed.
    """

    @app.before_request
    def allow_size() -> None:
        view = current_app.view_functions.get(request.endpoint or "")
        most = getattr(view, "largest_request", None)
        if most is not None and may(view.role):  # type: ignore[union-attr]
            request.max_content_length = most


def takes_files(most: int) -> Callable[[Any], Any]:
    """Let a view take requests of so many bytes."""

    def mark(view: Any) -> Any:
        view.largest_request = most
        return view

    return mark
