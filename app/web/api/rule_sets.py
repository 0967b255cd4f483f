"""Rule sets and the judge over the interface."""

from typing import Any

from flask import abort

from app.actions import rulesets as act
from app.actions.faults import Refused
from app.actions.groups import Role
from app.extensions import db
from app.rules.judge_questions import answer_under
from app.rules.rule_sets import from_dict, shipped_rule_sets, to_dict, with_house_rules
from app.rules.variant import Variant
from app.store.queries.rulesets import own_rule_set, own_rule_sets
from app.web.api import errors, schemas
from app.web.api.authorization import needs_token, token_actor
from app.web.infrastructure.access import changes_nothing
from app.web.infrastructure.asker import asker
from app.web.infrastructure.input_validation import NormalizedBlueprint
from app.web.infrastructure.judge_throttle import judging
from app.web.rulesets.lookup import rule_set_or_404

rule_sets = NormalizedBlueprint(
    "api_rule_sets", __name__, url_prefix=errors.PREFIX, description="Rule sets and the judge"
)
errors.register(rule_sets)

Plain = dict[str, Any]


@rule_sets.get("/rule-sets")
@needs_token(Role.WATCH)
@rule_sets.response(200, schemas.RuleSetLineSchema(many=True))
def all_rule_sets() -> list[Plain]:
    """All rule sets: the group's custom ones, the Frustration family and more contract rummy."""
    own = [one.variant for one in own_rule_sets(db.session(), asker.group) if one.variant]
    return [_line(one) for one in (*own, *shipped_rule_sets().values())]


@rule_sets.post("/rule-sets")
@needs_token(Role.SCORE)
@errors.documents_idempotency_key(rule_sets)
@rule_sets.arguments(schemas.NewRuleSetSchema)
@rule_sets.response(201, schemas.RuleSetSchema)
@errors.fails_with(rule_sets, 422)
def keep_rule_set(sent: dict[str, Any]) -> Plain:
    """Save a custom rule set; it gets an id of its own."""
    key = act.keep_rule_set(db.session(), token_actor(), asker.group, from_dict(sent["document"]))
    return _own(key)


@rule_sets.get("/rule-sets/<rule_set>")
@needs_token(Role.WATCH)
@rule_sets.response(200, schemas.RuleSetSchema)
@errors.fails_with(rule_sets, 404)
def one_rule_set(rule_set: str) -> Plain:
    """One rule set with its document."""
    known = shipped_rule_sets().get(rule_set)
    return _whole(known, 0) if known else _own(rule_set)


@rule_sets.put("/rule-sets/<rule_set>")
@needs_token(Role.SCORE)
@errors.documents_idempotency_key(rule_sets)
@rule_sets.arguments(schemas.ChangedRuleSetSchema)
@rule_sets.response(200, schemas.RuleSetSchema)
@errors.fails_with(rule_sets, 404, 409, 422)
def change_rule_set(sent: dict[str, Any], rule_set: str) -> Plain:
    """Change a custom rule set; games in progress keep their rules."""
    _own(rule_set)
    variant = from_dict(sent["document"])
    act.change_rule_set(
        db.session(), token_actor(), asker.group, rule_set, variant, seen=sent["seen"]
    )
    return _own(rule_set)


@rule_sets.delete("/rule-sets/<rule_set>")
@needs_token(Role.MANAGE)
@errors.documents_idempotency_key(rule_sets)
@rule_sets.response(204)
@errors.fails_with(rule_sets, 404)
def remove_rule_set(rule_set: str) -> None:
    """Remove a custom rule set."""
    try:
        act.remove_rule_set(db.session(), token_actor(), asker.group, rule_set)
    except Refused:
        abort(404)


@rule_sets.post("/judge")
@needs_token(Role.WATCH)
@rule_sets.arguments(schemas.QuestionSchema)
@rule_sets.response(200)
@errors.fails_with(rule_sets, 404, 422, 429, 503)
@changes_nothing
def judge(sent: dict[str, Any]) -> Plain:
    """The judge's verdict on a question, as in its file interface."""
    rules = rule_set_or_404(sent["variant"])
    played = with_house_rules(rules, sent.get("house_rules", {}))
    with judging(sent["ask"]):
        return answer_under(played, sent)


def _own(key: str) -> Plain:
    own = own_rule_set(db.session(), asker.group, key)
    if own is None or own.variant is None:
        abort(404)
    return _whole(own.variant, own.version)


def _line(variant: Variant) -> Plain:
    names = {"id": variant.id, "name": variant.name, "summary": variant.summary}
    return {**names, "kind": variant.family if variant.id in shipped_rule_sets() else "own"}


def _whole(variant: Variant, version: int) -> Plain:
    return {**_line(variant), "version": version, "document": to_dict(variant)}
