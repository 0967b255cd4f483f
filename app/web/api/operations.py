"""An operation of the interface: who may call it, what is sent and answered; all are described."""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, make_dataclass
from functools import cache, partial, wraps
from http import HTTPStatus
from inspect import signature
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request
from pydantic import TypeAdapter
from werkzeug.exceptions import UnprocessableEntity

from app.actions.groups import Role, is_enough, secret_hash
from app.actions.memberships import note_token_seen
from app.actions.requests import KEPT_FOR, LONGEST_KEY
from app.exchange.schema import FieldFault, JsonSchema, Misread, schema_of
from app.extensions import db
from app.store.queries.access import Permission, token_of
from app.store.queries.games import game_id_in_group
from app.web.api.schemas import TroubleAnswer
from app.web.infrastructure.access import note_now_and_then
from app.web.infrastructure.asker import asker
from app.web.infrastructure.idempotency import HEADER
from app.web.infrastructure.input_validation import body_of_program, query_of_program


def let_in_by_token(role: Role, key: str | None) -> None:
    """Let in who shows a token of that role or more; 401 without one, 403 with a weaker one.

    A game in the address must be of the token's own group; else 404, as for one that is not there.
    """
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    sender = secret_hash(secret)
    token = token_of(db.session(), sender) if kind == "Bearer" else None
    if token is None:
        abort(401)
    if not is_enough(token.role, role):
        abort(403)
    note_now_and_then(token.seen_at, partial(note_token_seen, token.id))
    game = None
    if key is not None:
        game = game_id_in_group(db.session(), token.group, key) or abort(404)
    asker.sender, asker.name = sender, token.name
    asker.let_in(Permission(token.group, token.role, None, None, None, game))


_KEY_IN_WORDS = f"""\
Names this request, so that it is carried out once however often it is sent: a UUID or anything \
else that no other request of yours has, 1 to {LONGEST_KEY} printable ASCII characters. A key \
belongs to your token and to one request (method, address, body). The same request again changes \
nothing and is answered with the same status and with what stands there now; 404 where what it \
made, changed or names was deleted since. The same key for another request is refused with 422 \
(`code` is `key_reused`), and 400 says that it is no key. A repeat that overtakes the first waits \
for its outcome. What was answered 4xx was not done and is not remembered: mend it, or send it \
again, with the same key. After 5xx, or no answer, send it again with the same key: it is done \
once. Keys are remembered for at least {KEPT_FOR.days} days after the request was carried out."""
_KEY = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[ -~]+$"},
    "description": _KEY_IN_WORDS,
}
_COMPONENTS = "#/components/schemas/{model}"

View = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What the description says of one."""

    method: str
    path: str
    tag: str
    description: str
    body: Any
    query: Any
    answer: Any
    status: int
    faults: Sequence[int]
    keyed: bool


_OPERATIONS: list[Operation] = []


def operation(
    blueprint: Blueprint,
    method: str,
    path: str,
    role: Role,
    *,
    answer: Any = None,
    status: int = 200,
    faults: Sequence[int] = (),
) -> Callable[[View], View]:
    """Make a view an operation; its `body` or `query`, if it takes one, is read by its annotation.

    Parameters given by name alone are the fields of a body, which then needs no class of its own.
    What it answers is told as the declared answer, or as it is where none is. What changes
    something takes a key. Only faults that do not follow from what is declared have to be named.
    """

    def register(view: View) -> View:
        keyed = method != "GET" and not hasattr(view, "changes_nothing")
        body, query = (view.__annotations__.get(one) for one in ("body", "query"))
        by_name = _named_fields(view)
        body = body or by_name
        sent = body or query
        of_request = {
            400: keyed,
            404: "<" in path or (sent and not _RULE_SETS.isdisjoint(sent.__annotations__)),
            415: body,
            422: keyed or sent,
        }
        spec = Operation(
            method=method,
            path=f"{blueprint.url_prefix}{path}",
            tag=blueprint.name,
            description=view.__doc__ or "",
            body=body,
            query=query,
            answer=answer,
            status=status,
            faults=sorted({*faults, *(fault for fault, may_be in of_request.items() if may_be)}),
            keyed=keyed,
        )
        _OPERATIONS.append(spec)

        @wraps(view)
        def respond(**named: Any) -> Response:
            let_in_by_token(role, named.get("key"))
            if body:
                read = _read(body, "json", body_of_program())
                named |= asdict(read) if by_name else {"body": read}
            if query:
                asked = query_of_program({one.name for one in fields(query)})
                named["query"] = _read(query, "query", asked)
            return _response(spec, view(**named))

        respond.role = role  # type: ignore[attr-defined]  # read by the test that lists all routes
        respond.takes_token = True  # type: ignore[attr-defined]  # no cookie is looked at
        blueprint.add_url_rule(path, view_func=respond, methods=[method])
        return view

    return register


def _named_fields(view: View) -> Any:
    named = [one for one in signature(view).parameters.values() if one.kind is one.KEYWORD_ONLY]
    parts = [(one.name, one.annotation) for one in named]
    usual = {one.name: one.default for one in named if one.default is not one.empty}
    name = f"{view.__name__.title().replace('_', '')}Body"
    return make_dataclass(name, parts, namespace=usual, frozen=True) if named else None


_RULE_SETS = {"rule_set", "rule_sets", "variant"}
"""Fields that name rule sets, which may not be there."""


def _read(declared: Any, place: str, sent: Any) -> Any:
    try:
        return schema_of(declared).read(sent)
    except Misread as misread:
        error: Any = UnprocessableEntity()
        error.data = {"messages": {place: _by_field(misread.faults)}}
        raise error from None


def _by_field(faults: Sequence[FieldFault]) -> dict[str, Any]:
    """The sentences by field; those of what is within an object or list stand within its own."""
    found: dict[str, Any] = {}
    for place, message in faults:
        inner = found
        *outer, last = map(str, place or ("_schema",))
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[last] = [message]
    return found


def _response(spec: Operation, answer: Any) -> Response:
    if isinstance(answer, Response):
        return answer
    if spec.answer is None:
        return Response(status=spec.status) if answer is None else jsonify(answer)
    adapter = _adapter(spec.answer)
    promised = adapter.validate_python(answer, from_attributes=True)
    plain = adapter.dump_json(promised, by_alias=True)
    return Response(plain, spec.status, mimetype="application/json")


@cache
def _adapter(declared: Any) -> TypeAdapter[Any]:
    return TypeAdapter(declared)


@cache
def openapi() -> dict[str, Any]:
    """The description of all operations, by OpenAPI 3.1."""
    sent = {one for spec in _OPERATIONS for one in (spec.body, spec.query) if one}
    answered = {spec.answer for spec in _OPERATIONS if spec.answer} | {TroubleAnswer}
    inputs: Any = [(one, "validation", schema_of(one).adapter) for one in sent]
    inputs += [(one, "serialization", _adapter(one)) for one in answered]
    known, more = TypeAdapter.json_schemas(
        inputs, schema_generator=JsonSchema, ref_template=_COMPONENTS
    )
    found = {one: plain for (one, _mode), plain in known.items()}
    paths: dict[str, Any] = {}
    for spec in _OPERATIONS:
        of_path = paths.setdefault(_PART.sub(r"{\2}", spec.path), _path_parameters(spec.path))
        of_path[spec.method.lower()] = _described(spec, found, more["$defs"])
    return {
        "openapi": "3.1.0",
        "info": {"title": "Meldkeeper", "version": "v1"},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": more["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(
    spec: Operation, found: dict[Any, Any], components: dict[str, Any]
) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = []
    if spec.query:
        name = found[spec.query]["$ref"].rsplit("/", 1)[1]
        parameters += [
            {"name": one, "in": "query", "required": False, "schema": plain}
            for one, plain in components[name]["properties"].items()
        ]
    parameters += [_KEY] if spec.keyed else []
    trouble = found[TroubleAnswer]
    plain: dict[str, Any] = {
        "summary": " ".join(spec.description.split("\n\n")[0].split()),
        "tags": [spec.tag],
        "parameters": parameters,
        "responses": {
            str(spec.status): _content(found.get(spec.answer), HTTPStatus(spec.status).phrase),
            **{str(one): _content(trouble, HTTPStatus(one).phrase) for one in spec.faults},
            "default": _content(trouble, "What else was not done"),
        },
    }
    if spec.body:
        plain["requestBody"] = {"required": True, **_content(found[spec.body], "What is sent")}
    return plain


_PART = re.compile(r"<(?:(\w+):)?(\w+)>")
_KINDS = {"int": "integer", "": "string"}


def _path_parameters(path: str) -> dict[str, Any]:
    found = [
        {"name": name, "in": "path", "required": True, "schema": {"type": _KINDS[kind]}}
        for kind, name in _PART.findall(path)
    ]
    return {"parameters": found} if found else {}


def _content(schema: Any, description: str) -> dict[str, Any]:
    content = {"content": {"application/json": {"schema": schema}}} if schema else {}
    return {"description": description, **content}
