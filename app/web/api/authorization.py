"""Who a program is and what it may do: the token's group and role, in place of a device's."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import abort, request

from app.actions.actor import Actor
from app.actions.groups import Role, role_of, secret_hash
from app.extensions import db
from app.store.queries.access import GroupAccess, token_of
from app.store.queries.games import game_in_group
from app.web.infrastructure.asker import asker
from app.web.infrastructure.idempotency import keyed_request

P = ParamSpec("P")
T = TypeVar("T")


def needs_token(role: Role) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a view be used with a token of that role; 401 without one, 403 with a weaker one.

    A game in the address must be of the token's own group; else 404, as for one that is not there.
    """

    def gate(view: Callable[P, T]) -> Callable[P, T]:
        @wraps(view)
        def through(*args: P.args, **kwargs: P.kwargs) -> T:
            kind, _, secret = request.headers.get("Authorization", "").partition(" ")
            sender = secret_hash(secret)
            token = token_of(db.session(), sender) if kind == "Bearer" else None
            if token is None:
                abort(401)
            if (role_of(token.role) or 0) < role:
                abort(403)
            game = None
            if "key" in kwargs:
                game = game_in_group(db.session(), token.group, str(kwargs["key"])) or abort(404)
            asker.device_if_any, asker.sender, asker.name = None, sender, token.name
            asker.let_in(GroupAccess(token.group, token.role, None, None, None, game))
            return view(*args, **kwargs)

        through.role = role  # type: ignore[attr-defined]  # read by the test that lists all routes
        return through

    return gate


def token_actor() -> Actor:
    """The program that asks, when, and its request with the key that a repeat would bear."""
    return Actor(None, datetime.now(UTC), keyed_request(asker.sender, asker.group), asker.name)
