"""Reads of tokens: who a program is, which tokens a group has, which games one reaches."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.store.games import StoredGame
from app.store.queries.access import is_valid
from app.store.tokens import Token


@dataclass(frozen=True, slots=True)
class TokenDetails:
    """A token: its group, what the program is called, and its role."""

    id: int
    group: int
    name: str
    role: str
    created_at: datetime


_COLUMNS = (Token.id, Token.group_id, Token.name, Token.role, Token.created_at)


def token_of(session: Session, secret_hash: str) -> TokenDetails | None:
    """The token with that secret; None for one that is none, or was revoked."""
    row = session.execute(
        select(*_COLUMNS).where(Token.secret_hash == secret_hash, is_valid(Token))
    ).first()
    return None if row is None else TokenDetails(*row)


def tokens_of(session: Session, group: int) -> Sequence[TokenDetails]:
    """The tokens of a group, oldest first."""
    rows = session.execute(
        select(*_COLUMNS).where(Token.group_id == group, is_valid(Token)).order_by(Token.id)
    )
    return [TokenDetails(*row) for row in rows]


def game_in_group(session: Session, group: int, key: str) -> int | None:
    """The id of the group's game with that key; None where there is none, or none with rounds."""
    return session.scalar(
        select(StoredGame.id).where(
            StoredGame.group_id == group,
            StoredGame.key == key,
            StoredGame.deleted_at.is_(None),
            StoredGame.results_only.is_(False),
        )
    )
