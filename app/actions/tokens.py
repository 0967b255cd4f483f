"""Tokens for other programs: a manager makes them, each with a role, and revokes them."""

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.groups import Role, new_secret, secret_hash
from app.actions.idempotency import once
from app.actions.memberships import check_manages
from app.actions.texts import validate_line
from app.rules.phrases import say
from app.scorebook.refusals import refusal
from app.store.tokens import Token

MOST_TOKENS = 20


@once
def make_token(session: Session, actor: Actor, group: int, name: str, role: Role) -> str:
    """Make a token; answers its secret, which is shown once and kept nowhere: None for a repeat.

    Raises `Refused`.
    """
    check_manages(session, actor, group)
    name = validate_line("name", name, Token.name)
    if not name:
        raise refusal("name", say("Describe what the token is for."))
    count = session.scalar(select(func.count()).where(Token.group_id == group)) or 0
    if count >= MOST_TOKENS:
        raise refusal(
            "name", say("You can have up to {most} tokens. Revoke one first.", most=MOST_TOKENS)
        )
    secret = new_secret()
    session.add(
        Token(
            group_id=group,
            name=name,
            role=role.slug,
            secret_hash=secret_hash(secret),
            created_at=actor.at,
            device_id=actor.device,
        )
    )
    return secret


@once
def revoke_token(session: Session, actor: Actor, group: int, token: int) -> None:
    """Revoke a token of the group; what it was used for stays."""
    session.execute(delete(Token).where(Token.group_id == group, Token.id == token))
