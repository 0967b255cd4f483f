"""Who makes a change, and that a request which is sent again is carried out once.

The convention is that of the IETF draft on the Idempotency-Key header. A key belongs to its sender
and to one request. The same request again changes nothing: what it made is remembered by name, and
the answer is made anew from what is kept, so that it is never out of date and no page or secret is
stored. The same key for another request is refused. Only what was carried out is remembered: a
request that was refused may be changed and keep its key. That a tap was refused, or has points that
cannot be read, may be remembered, too, until the same key brings a changed tap. Until then a repeat
that was held up on the way is not carried out, whatever was done in between.

The key is claimed in the transaction of the change, which `once` and `once_answering` open and
commit around an action; a change to a game does the same (`transaction.py`). A repeat that arrives
while the first is carried out waits there for its outcome.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import String, Table, bindparam, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from app.store.groups import IdempotencyKey


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request that bears an idempotency key.

    `sender` is the hash of the device's or token's secret: a key belongs to whoever sends it.
    `content` is the same in two requests that ask for the same.
    """

    sender: str
    key: str
    content: str
    group: int | None

    @property
    def fingerprint(self) -> str:
        """What two requests share if they ask for the same, in the same group."""
        return hashlib.sha256(f"{self.group} {self.content}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Actor:
    """Who makes a change: the device if one is known, when, and the keyed request.

    `request` is None where no key was sent, or nobody known sent it: then nothing is a repeat.
    """

    device: int | None
    at: datetime
    request: KeyedRequest | None = None
    name: str = ""
    """Whose device it is now, else what the device or token is called, if anything; a log keeps it
    as it was."""


P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
Action = Callable[Concatenate[Session, Actor, P], T]
"""What somebody does, in a transaction that is committed when it was done. What `once` and
`once_answering` make one of does not commit by itself."""

KEPT_FOR = timedelta(days=14)
"""A device that lost the network on a club's evening repeats its taps when it is opened at the
next, a week later or two; programs give up within hours."""

REFUSED = "refused"
"""The result of a tap that was refused, in conflict, or of another round than the open one: under
this key it is not carried out, until another tap has taken the key over (`_REUSE_REFUSED`)."""
UNREADABLE = "unreadable"
"""The result of a tap that was carried out, in whose row are points that cannot be read."""

_table = cast("Table", IdempotencyKey.__table__)
LONGEST_KEY = cast("String", _table.c.key.type).length or 0
# Made once: each tap claims a key.
_CLAIM = {
    name: database.insert(IdempotencyKey)
    .on_conflict_do_nothing()
    .execution_options(preserve_rowcount=True)
    for name, database in (("sqlite", sqlite), ("postgresql", postgresql))
}
_THIS_KEY = (_table.c.sender == bindparam("of")) & (_table.c.key == bindparam("named"))
_REUSE_REFUSED = (
    update(_table)
    .where(_THIS_KEY, _table.c.result.in_((REFUSED, UNREADABLE)))
    .where(_table.c.fingerprint != bindparam("print"))
    .values(fingerprint=bindparam("print"), result="")
)
"""Gives the key of a tap that was refused, or is unreadable, to what comes in its place."""
_EARLIER = select(_table.c.fingerprint, _table.c.result).where(_THIS_KEY)


class KeyReused(Exception):
    """The sender used the key for another request before; nothing was done."""


def once(action: Action[P, T]) -> Action[P, T | None]:
    """Carry an action out and commit it; a repeated request does nothing and answers None.

    The action raises `KeyReused`, too.
    """
    return _once(action, lambda _earlier: None)


def once_answering(read: Callable[[str], T]) -> Callable[[Action[P, T]], Action[P, T]]:
    """As `once`; a repeat answers what the first time did, which `read` makes of its text."""
    return lambda action: _once(action, read, remembers=True)


def _once(
    action: Action[P, T], answer_repeat: Callable[[str], R], *, remembers: bool = False
) -> Action[P, T | R]:
    @wraps(action)
    def carried_out(session: Session, actor: Actor, /, *args: P.args, **kwargs: P.kwargs) -> T | R:
        earlier = claim_key(session, actor)
        if earlier is not None:
            return answer_repeat(earlier)
        made = action(session, actor, *args, **kwargs)
        if remembers:
            keep_request_result(session, actor, str(made))
        session.commit()
        return made

    return carried_out


def claim_key(session: Session, actor: Actor) -> str | None:
    """Note that the request is carried out, in the transaction that is to carry it out.

    Answers None where there is something to do; for a repeat the result of the first time, and
    ends the transaction. Raises `KeyReused`.
    """
    if actor.request is None:
        return None
    connection = session.connection()
    kept = {
        "sender": actor.request.sender,
        "key": actor.request.key,
        "fingerprint": actor.request.fingerprint,
        "result": "",
        "at": actor.at,
    }
    if connection.execute(_CLAIM[connection.dialect.name], kept).rowcount == 1:
        return None
    changed_tap = {**_named(actor.request), "print": kept["fingerprint"]}
    if connection.execute(_REUSE_REFUSED, changed_tap).rowcount == 1:
        return None
    earlier = earlier_request_result(session, actor)
    session.commit()  # syncs the disk: the first time may have committed and not have synced yet
    return earlier


def earlier_request_result(session: Session, actor: Actor) -> str | None:
    """The result that is remembered of the request; None where none is. Raises `KeyReused`."""
    if actor.request is None:
        return None
    kept = session.connection().execute(_EARLIER, _named(actor.request)).first()
    if kept is None:
        return None
    if kept.fingerprint != actor.request.fingerprint:
        raise KeyReused
    return str(kept.result)


def keep_request_result(session: Session, actor: Actor, result: str) -> None:
    """Remember what the request came to, for a repeat of it."""
    if actor.request is not None:
        named = _named(actor.request)
        session.connection().execute(update(_table).where(_THIS_KEY).values(result=result), named)


def forget_keys(session: Session, now: datetime) -> None:
    """Delete the keys that were claimed longer ago than `KEPT_FOR`."""
    session.execute(delete(IdempotencyKey).where(IdempotencyKey.at < now - KEPT_FOR))


def _named(request: KeyedRequest) -> dict[str, str]:
    return {"of": request.sender, "named": request.key}
