"""The gate of the pages: which device asks, in which group, with which role.

Every view of a page says who may use it: `@open_to_all`, or `@needs(Role.…)`, by which a view whose
address names a game as `<key>` is let through only for a device of the game's own group (a deleted
one is named otherwise, and the action that restores it looks at the group). A stranger gets 404, as
for a game that does not exist, a weaker role 403. A test fails for a view that says nothing.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from flask import Flask, Response, abort, current_app, g, request, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from werkzeug.exceptions import Forbidden, NotFound

from app.actions.groups import (
    AdmittedDevice,
    JoiningBrowser,
    Role,
    is_enough,
    let_in_first_device,
    new_secret,
    note_seen,
    secret_hash,
)
from app.actions.requests import Actor, KeyReused, earlier_request_result
from app.actions.rounds import apply_decision
from app.extensions import db
from app.rules.phrases import say
from app.scorebook.events.event import Event
from app.scorebook.game import Game
from app.scorebook.refusals import StaleVersion
from app.store.engine import (
    asking_engine,
    meaning_to_write,
    read_only,
    read_without_transaction,
)
from app.store.queries.access import (
    KnownDevice,
    Permission,
    group_name,
    groups_of,
    known_device,
    was_removed,
)
from app.store.queries.games import LoadedGame, load_game
from app.web.infrastructure.actors import DEVICE_KINDS
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import PageForm
from app.web.infrastructure.headers import keep_cookie
from app.web.infrastructure.htmx import go_to
from app.web.infrastructure.idempotency import keyed_request
from app.web.infrastructure.rate_limits import limits_new_groups_of_all, limits_new_groups_of_one

P = ParamSpec("P")
T = TypeVar("T")
View = Callable[P, ResponseReturnValue]
V = TypeVar("V", bound=Callable[..., object])

_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
_FOUR_HUNDRED_DAYS = 400 * 24 * 3600  # the longest that browsers keep a cookie
ASKING_ENGINE = "meldkeeper_asking_engine"
"""Key in the app's `extensions` of the engine that asks without a transaction (`asking_engine`)."""
FOUND_DEVICE = "meldkeeper.found_device"
"""In the environment of a request that asked in front of the app: a `FoundDevice`."""
SEEN_LATELY = timedelta(minutes=10)
"""A device that was noted as seen within this time is not noted again."""


class FoundDevice(NamedTuple):
    """What `known_device` answered when it was asked of this sender and game."""

    asked: tuple[str, str]
    answer: tuple[KnownDevice, Permission | None] | None


_FOR_EVERYBODY = ("assets.show", "offline.worker", "offline.manifest")
"""What is the same for every device; asking for it looks nothing up."""


def register(app: Flask) -> None:
    """Find out which device asks, before each view for which it matters.

    What changes something keeps its turn to write until it is answered (`meaning_to_write`).
    """
    with app.app_context():
        app.extensions[ASKING_ENGINE] = asking_engine(db.engine)

    @app.before_request
    def find_device() -> None:
        g.closing = ExitStack()
        g.closing.enter_context(meaning_to_write(not asker.reads, keep_turn=True))
        view = app.view_functions.get(request.endpoint or "")
        if request.endpoint in _FOR_EVERYBODY or hasattr(view, "takes_token"):
            return
        if not session.permanent:
            session.permanent = True
        _read_secret()

    @app.after_request
    def set_device_cookie(response: Response) -> Response:
        if asker.gets_cookie:
            keep_cookie(response, cookie_name(), asker.secret, _FOUR_HUNDRED_DAYS)
        return response

    @app.context_processor
    def who_asks() -> dict[str, object]:
        return {"asker": asker, "watched_group": watched_group}

    @app.teardown_request
    def close(_error: BaseException | None) -> None:
        if "closing" in g:
            g.closing.close()


def engines_of(app: Flask) -> set[Engine]:
    """Both that ask the database: for transactions, and for single questions."""
    with app.app_context():
        return {db.engine, app.extensions[ASKING_ENGINE]}


def _read_secret() -> None:
    """Find out by the secret in the browser's cookie which device asks.

    A fresh browser gets its secret before its first change: if the answer to that is lost, the
    repeat comes from the same device.
    """
    asker.secret = request.cookies.get(cookie_name(), "")
    if not _SECRET.fullmatch(asker.secret):
        asker.secret, asker.gets_cookie = new_secret(), True
        return
    if asker.reads:
        read_without_transaction(db.session())
    found = _known_device(_game_in_address())
    if found:
        device, asker.permission_if_any = found
        asker.device_if_any, asker.name, asker.group_if_any = device.id, device.name, device.group
        asker.sender = secret_hash(asker.secret)
        asker.device_mark = _device_mark(device.id, device.group)


def _game_in_address() -> str | None:
    """The key of the game that the address names."""
    return (request.view_args or {}).get("key")


def _known_device(game_key: str | None) -> tuple[KnownDevice, Permission | None] | None:
    sender = secret_hash(asker.secret)
    found: FoundDevice | None = request.environ.get(FOUND_DEVICE)
    if found and found.asked == (sender, game_key):
        return found.answer
    if asker.reads:
        return known_device(db.session.connection(), sender, game_key)
    # On a connection of its own, so that no write lock is held while it is looked up.
    with read_only(), current_app.extensions[ASKING_ENGINE].connect() as connection:
        return known_device(connection, sender, game_key)


def _device_mark(device: int, group: int | None) -> str:
    secret = str(current_app.config["SECRET_KEY"])
    return secret_hash(f"{secret}:{device}:{group}")[:12]


def open_to_all(view: View[P]) -> View[P]:
    """Let everybody use a view."""
    view.role = None  # type: ignore[attr-defined]  # read by the test that lists all routes
    return view


def changes_nothing(view: V) -> V:
    """Mark a view that only answers, though a form is sent to it: it keeps nobody from writing."""
    view.changes_nothing = True  # type: ignore[attr-defined]
    return view


def needs(role: Role) -> Callable[[View[P]], View[P]]:
    """Let a view be used by who has that role, or more, in the group of what is asked for.

    That is the group of the game that the address names or, where it names none, the group that the
    device looks at.
    """

    def gate(view: View[P]) -> View[P]:
        @wraps(view)
        def through(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
            permission = _permission(kwargs.get("key"))
            if permission is None:
                return _answer_outsider()
            if not is_enough(permission.role, role):
                raise CannotManage if is_enough(permission.role, Role.SCORE) else Forbidden
            asker.let_in(permission)
            _note_seen(permission)
            return view(*args, **kwargs)

        through.role = role  # type: ignore[attr-defined]
        return through

    return gate


class CannotManage(Forbidden):
    """A device that can score asked for what takes one that can manage."""


class NoNewGroups(Forbidden):
    """A device in no group asked for a new one where only the server admin makes any."""


class DeviceRemoved(NotFound):
    """Who asks was removed from the group of the game, or from some group where none is named."""


def _answer_outsider() -> ResponseReturnValue:
    """404; a repeat of what the device did, which may have taken the game away, leads to Home."""
    device, key = asker.device_if_any, _game_in_address()
    if device is not None and was_removed(db.session(), device, key):
        raise DeviceRemoved
    # By now the device may look at another group than the game's.
    groups = (
        [one.group for one in groups_of(db.session(), device)] if device else [asker.group_if_any]
    )
    for group in groups:
        actor = replace(current_actor(), request=keyed_request(asker.sender, group))
        with suppress(KeyReused):
            if earlier_request_result(db.session(), actor) is not None:
                return go_to(url_for("home.index"))
    return abort(404)


def _note_seen(permission: Permission) -> None:
    """Note now and then when the device was seen; not where the database is busy for too long.

    Its cookie is given again then, so that it never ends for who comes back in time.
    """

    def note(session: Session, now: datetime) -> None:
        note_seen(session, asker.device, permission.group, now)

    if note_now_and_then(permission.seen_at, note):
        asker.gets_cookie = True


def note_now_and_then(seen_at: datetime | None, note: Callable[[Session, datetime], None]) -> bool:
    """Note that somebody is there who was noted last at `seen_at`; False within `SEEN_LATELY`.

    Else the open transaction ends. It waits its turn to write; where that does not come in time,
    nothing is noted.
    """
    now = datetime.now(UTC)
    if seen_at is not None and now - seen_at < SEEN_LATELY:
        return False
    db.session.rollback()
    with suppress(OperationalError), meaning_to_write():
        note(db.session(), now)
    return True


def may(role: Role) -> bool:
    """May the device do what takes that role, in the group that it looks at?"""
    permission = _permission(None)
    return permission is not None and is_enough(permission.role, role)


def find_game_id(key: str, role: Role) -> int | None:
    """The id of that game, for a device of its group that may do what takes that role."""
    permission = _permission(key) if key else None
    if permission is None or not is_enough(permission.role, role):
        return None
    return permission.game_id


def enter_group_of_game(key: str) -> None:
    """Go on as in the group of that game, if the device is in it, whichever it looks at."""
    permission = _permission(key) if key else None
    if permission is not None:
        asker.let_in(permission)


def _permission(game_key: object) -> Permission | None:
    """What the device may do in that game's group or, without a game, in the one it looks at."""
    if asker.device_if_any is None:
        return None
    if game_key == _game_in_address():
        return asker.permission_if_any
    found = _known_device(game_key if isinstance(game_key, str) else None)
    return None if found is None else found[1]


def current_actor() -> Actor:
    """Who asks, when, and their request with the key that a repeat would bear."""
    request_of = keyed_request(asker.sender, asker.group_if_any)
    return Actor(asker.device_if_any, datetime.now(UTC), request_of, asker.name)


def in_game(
    action: Callable[Concatenate[Session, Actor, int, P], T], /, *args: P.args, **named: P.kwargs
) -> T:
    """Do something in the game that the view was let in to, as whoever asks."""
    return action(db.session(), current_actor(), asker.game, *args, **named)


def submit_decision(
    form: PageForm, number: int, decision: Callable[[Game], Iterable[Event]]
) -> int | None:
    """Do what a form asks for of the open round; else the status of the page that shows why not."""
    try:
        return None if form.submit(lambda: in_game(apply_decision, number, decision)) else 422
    except StaleVersion:
        db.session.rollback()
        form.fault = say("Round {number} isn’t open.", number=number)
        return 409


def in_group(
    action: Callable[Concatenate[Session, Actor, int, P], T], /, *args: P.args, **named: P.kwargs
) -> T:
    """Do something in the group that the view was let in to, as whoever asks."""
    return action(db.session(), current_actor(), asker.group, *args, **named)


def current_game() -> LoadedGame:
    """The game that the view was let in to, as it stands now."""
    return load_game(db.session(), asker.game)


def asking_browser() -> JoiningBrowser:
    """The browser that asks to be let in, called what it says it is until its owner names it."""
    kind = next((kind for kind in DEVICE_KINDS if kind in request.user_agent.string), "")
    return JoiningBrowser(kind, asker.secret)


def cookie_name() -> str:
    """The device cookie's name; by https it is bound to this very host."""
    return "__Host-meldkeeper" if current_app.config["HTTPS"] else "meldkeeper"


LEFT_GROUP = "left_group"
"""The field by which a form tells that its page said `watched_group`: the id of that group."""


def may_begin() -> bool:
    """May the device begin games in its group or, where it is in none, in one made for it?"""
    if _permission(None) is None:
        return bool(current_app.config["NEW_GROUPS"])
    return may(Role.SCORE)


def watched_group() -> str | None:
    """The name of the device's group if it can only watch there; else, or without a group, None.

    What it begins is in a new group, and a page that offers that says so first.
    """
    permission = _permission(None)
    if permission is None or is_enough(permission.role, Role.SCORE):
        return None
    return group_name(db.session(), permission.group)


def scored_group() -> int | None:
    """The group in which a game of this device would be; None where that is yet to be made."""
    return asker.group_if_any if may(Role.SCORE) else None


def own_or_new_group() -> tuple[int, Actor]:
    """The group in which this device may score, else a new one; and who asks.

    Refused with 403 where the device can only watch in one and its page did not say that it would
    leave that (`LEFT_GROUP`), or where no groups are made; with 429 where too many are.
    """
    permission = _permission(None)
    if permission is not None and is_enough(permission.role, Role.SCORE):
        asker.let_in(permission)
        return permission.group, current_actor()
    was_told = permission is None or request.form.get(LEFT_GROUP) == str(permission.group)
    if not was_told or not current_app.config["NEW_GROUPS"]:
        raise Forbidden if permission else NoNewGroups
    actor = current_actor()
    joined = _new_group(actor)
    actor = replace(
        actor,
        device=joined.device,
        request=keyed_request(secret_hash(joined.secret), joined.group),
        name=actor.name or asking_browser().name,
    )
    return joined.group, actor


@limits_new_groups_of_all
@limits_new_groups_of_one  # asked first: who is refused by it takes nothing away from the others
def _new_group(actor: Actor) -> AdmittedDevice:
    return let_in_first_device(db.session(), asking_browser(), actor.at)
