"""A group's own rule sets: kept, changed, removed; and its usual house rules."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.actions.groups import lock_group, new_key
from app.actions.requests import Actor, once, once_answering
from app.actions.texts import validate_line
from app.rules.phrases import say
from app.rules.rule_sets import rule_sets_in_family, to_dict
from app.rules.variant import Variant
from app.scorebook.limits import MOST_OWN_RULE_SETS
from app.scorebook.refusals import Refused, StaleVersion, refusal
from app.store.groups import StoredRuleSet, UsualRules


@once_answering(str)
def keep_rule_set(session: Session, actor: Actor, group: int, variant: Variant) -> str:
    """Keep a rule set as the group's own; answers its key. A repeated request makes no second one.

    Raises `Refused` where the group has too many.
    """
    return _keep(session, actor, group, variant).id


def keep_called(
    session: Session, actor: Actor, group: int, variant: Variant, called: str
) -> Variant:
    """Rules by points alone as the group's own of that name, so that they have their own figures.

    Where it has one by points alone that is called so, in any case, they get its id and name, and
    it is put on the list again; else they are kept as one. Other rules, and all where people say no
    name, stay as they are. Raises `Refused`.
    """
    if not called or variant.id not in rule_sets_in_family("other"):
        return variant
    name = validate_line("called", called, StoredRuleSet.name)
    lock_group(session, group)
    every = session.scalars(
        select(StoredRuleSet)
        .where(StoredRuleSet.group_id == group)
        .order_by(StoredRuleSet.removed_at.is_not(None), StoredRuleSet.id)
    )
    for kept in every:
        if kept.name.casefold() == name.casefold() and not kept.document["contracts"]["value"]:
            kept.removed_at = None
            return replace(variant, id=kept.key, name=kept.name, summary=kept.document["summary"])
    return _keep(session, actor, group, replace(variant, name=name, summary=name), "called")


def _keep(
    session: Session, actor: Actor, group: int, variant: Variant, field: str = "name"
) -> Variant:
    """Keep a rule set as the group's own; `field` is where its name was typed. Raises `Refused`."""
    lock_group(session, group)
    count = session.scalar(select(func.count()).where(StoredRuleSet.group_id == group)) or 0
    if count >= MOST_OWN_RULE_SETS:
        message = say("A group can have up to {most} custom rule sets.", most=MOST_OWN_RULE_SETS)
        raise refusal(field, message)
    key = f"own-{new_key()}"
    own = replace(variant, id=key, family="core")
    session.add(
        StoredRuleSet(
            group_id=group,
            key=key,
            name=own.name,
            document=to_dict(own),
            created_at=actor.at,
            changed_at=actor.at,
        )
    )
    return own


@once
def change_rule_set(
    session: Session, actor: Actor, group: int, key: str, variant: Variant, *, seen: int
) -> None:
    """Change a rule set of the group. Games keep the copy that they began with.

    Raises `StaleVersion` if somebody changed it since version `seen`, `Refused` if it is not there.
    """
    kept = _kept(session, group, key)
    if kept.version != seen:
        raise StaleVersion(kept.version)
    kept.name = variant.name
    kept.document = to_dict(replace(variant, id=key))
    kept.version += 1
    kept.changed_at = actor.at


@once
def remove_rule_set(session: Session, actor: Actor, group: int, key: str) -> None:
    """Remove a rule set from the group's list; it can be restored, and no game changes.

    Raises `Refused` if it is not there.
    """
    kept = _kept(session, group, key)
    if kept.removed_at is not None:
        raise _not_there()
    kept.removed_at = actor.at


@once
def restore_rule_set(session: Session, actor: Actor, group: int, key: str) -> None:
    """Put a removed rule set on the group's list again. Raises `Refused` if it is not there."""
    _kept(session, group, key).removed_at = None


@once
def set_usual_rules(
    session: Session, actor: Actor, group: int, variant_id: str, house_rules: Mapping[str, Any]
) -> None:
    """Set the house rules with which the group's games of a rule set begin; none: standard.

    That they fit together is for the caller to have asked of `with_house_rules`.
    """
    lock_group(session, group)
    kept = session.scalar(
        select(UsualRules).where(UsualRules.group_id == group, UsualRules.variant_id == variant_id)
    )
    if kept is None:
        kept = UsualRules(group_id=group, variant_id=variant_id)
        session.add(kept)
    kept.rules, kept.changed_at = dict(house_rules), actor.at


def _kept(session: Session, group: int, key: str) -> StoredRuleSet:
    kept = session.scalar(
        select(StoredRuleSet)
        .where(StoredRuleSet.group_id == group, StoredRuleSet.key == key)
        .with_for_update()
    )
    if kept is None:
        raise _not_there()
    return kept


def _not_there() -> Refused:
    return refusal("name", say("These rules no longer exist."))
