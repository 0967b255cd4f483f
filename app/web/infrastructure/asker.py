"""What a request knows: who asks, found out before each view by cookie or token, and how."""

import secrets
import time
from dataclasses import dataclass, field
from typing import TypeVar, cast

from babel.support import NullTranslations
from flask import Flask, g, request
from werkzeug.local import LocalProxy

from app.actions.groups import Role, role_of
from app.store.queries.access import Permission

T = TypeVar("T")

_READING = ("GET", "HEAD", "OPTIONS")


@dataclass
class Asker:
    """Who asks, how, and with what permission; device, group and game are ids.

    Behind `needs`, `device`, `group`, `role` and `permission` are known, and `game` where the
    address names one; after `let_in_by_token` all but `device`. Other views ask for what is known,
    if anything (`group_if_any` …); of what is not known the properties raise `RuntimeError`.
    """

    reads: bool = True
    """Does the request only read?"""
    started: float = field(default_factory=time.perf_counter)
    request_id: str = field(default_factory=lambda: secrets.token_hex(6))
    """Stands in the log, and in the answer unless that is the same for everybody."""
    idempotency_key: str | None = None
    language: str = ""
    locale: str = ""
    catalogue: NullTranslations | None = None
    """The language of the answer, with its region, and its catalogue, once each was asked for."""
    question_weight: int = 0
    """How much the judge is asked, as `judging` counts it."""
    secret: str = ""
    """In the browser's cookie; tells which device it is. With `gets_cookie` the answer sets it."""
    gets_cookie: bool = False
    sender: str | None = None
    """The hash of the secret of whoever is known: an idempotency key belongs to it."""
    device_if_any: int | None = None
    name: str = ""
    """What the device or token is called, or the player whose device it is."""
    device_mark: str = ""
    """A hash that differs by device and group: where it changes, a browser forgets its copies."""
    group_if_any: int | None = None
    game_if_any: int | None = None
    permission_if_any: Permission | None = None

    def let_in(self, permission: Permission) -> None:
        """Go on with this permission, in its group and game. Whether it is enough is not asked."""
        self.permission_if_any = permission
        self.name = permission.player_name or self.name
        self.group_if_any, self.game_if_any = permission.group, permission.game_id

    @property
    def device(self) -> int:
        return _known(self.device_if_any)

    @property
    def group(self) -> int:
        return _known(self.group_if_any)

    @property
    def game(self) -> int:
        return _known(self.game_if_any)

    @property
    def permission(self) -> Permission:
        return _known(self.permission_if_any)

    @property
    def role(self) -> Role:
        return _known(role_of(self.permission.role))

    @property
    def may_score(self) -> bool:
        return self.role >= Role.SCORE

    @property
    def may_manage(self) -> bool:
        return self.role >= Role.MANAGE


def _known(value: T | None) -> T:
    if value is None:
        raise RuntimeError("This is not known of the request.")
    return value


def register(app: Flask) -> None:
    """Begin each request knowing nothing but whether it reads; to be registered before `access`."""

    @app.before_request
    def begin() -> None:
        view = app.view_functions.get(request.endpoint or "")
        g.asker = Asker(request.method in _READING or hasattr(view, "changes_nothing"))


def _current() -> Asker:
    try:
        found: Asker = g.asker
    except AttributeError:  # outside of a request
        found = g.asker = Asker()
    return found


asker = cast("Asker", LocalProxy(_current))
"""Who asks now."""
