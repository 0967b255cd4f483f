"""Reads of a group's own rules: its rule sets, and the house rules that its games begin with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from app.rules.rule_sets import FaultyRules, from_dict
from app.rules.variant import Variant
from app.store.groups import StoredRuleSet, UsualRules
from app.store.queries.alphabet import level_by_name


@dataclass(frozen=True, slots=True)
class OwnRuleSet:
    """A group's own rule set. `variant` is None where its document cannot be read any more."""

    key: str
    name: str
    variant: Variant | None
    version: int
    changed_at: datetime
    removed: bool


def own_rule_sets(session: Session, group: int, *, removed: bool = False) -> Sequence[OwnRuleSet]:
    """The group's own rule sets by name: those in use, or those that were removed."""
    kept = StoredRuleSet.removed_at.is_not(None) if removed else StoredRuleSet.removed_at.is_(None)
    rows = session.execute(
        select(StoredRuleSet.__table__)
        .where(StoredRuleSet.group_id == group, kept)
        .order_by(StoredRuleSet.id)
    )
    return level_by_name([_own(row) for row in rows])


def own_rule_set(session: Session, group: int, key: str) -> OwnRuleSet | None:
    """The group's rule set of that key; None for a removed one and for another group's."""
    row = session.execute(
        select(StoredRuleSet.__table__).where(
            StoredRuleSet.group_id == group,
            StoredRuleSet.key == key,
            StoredRuleSet.removed_at.is_(None),
        )
    ).first()
    return None if row is None else _own(row)


def usual_rules_of(
    session: Session, group: int, variant_id: str
) -> Row[Mapping[str, Any], datetime] | None:
    """The house rules that a group set for its games of a rule set, and when; None if it never did.

    They are empty where it set the standard again.
    """
    return session.execute(
        select(UsualRules.rules, UsualRules.changed_at).where(
            UsualRules.group_id == group, UsualRules.variant_id == variant_id
        )
    ).first()


def _own(row: Row[*tuple[Any, ...]]) -> OwnRuleSet:
    variant: Variant | None
    try:
        variant = from_dict(row.document)
    except FaultyRules:
        variant = None
    return OwnRuleSet(
        row.key, row.name, variant, row.version, row.changed_at, row.removed_at is not None
    )
