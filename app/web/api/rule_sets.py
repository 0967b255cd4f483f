"""Rule sets and the judge over the interface."""

from flask import abort

from app.actions import rulesets as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.judge_questions import Plain, answer_under
from app.rules.rule_sets import from_dict, shipped_rule_sets, to_dict
from app.rules.variant import Variant
from app.scorebook.refusals import Refused
from app.store.queries.rulesets import own_rule_set, own_rule_sets
from app.web.api import schemas
from app.web.api.errors import json_blueprint
from app.web.api.operations import operation
from app.web.infrastructure.access import changes_nothing, in_group
from app.web.infrastructure.asker import asker
from app.web.infrastructure.rate_limits import judging
from app.web.rulesets.lookup import rule_set_or_404

rule_sets = json_blueprint("rule_sets")


@operation(rule_sets, "GET", "/rule-sets", Role.WATCH, answer=list[schemas.RuleSetLineAnswer])
def all_rule_sets() -> list[Plain]:
    """All rule sets: the custom ones, then those that the app ships, each by name."""
    own = [one.variant for one in own_rule_sets(db.session(), asker.group) if one.variant]
    return [_line(one) for one in (*own, *shipped_rule_sets().values())]


@operation(
    rule_sets, "POST", "/rule-sets", Role.SCORE, answer=schemas.WholeRuleSetAnswer, status=201
)
def keep_rule_set(*, document: schemas.JsonObject) -> Plain:
    """Save a custom rule set; it gets an id of its own."""
    return _own(in_group(act.keep_rule_set, from_dict(document)))


@operation(rule_sets, "GET", "/rule-sets/<rule_set>", Role.WATCH, answer=schemas.WholeRuleSetAnswer)
def one_rule_set(rule_set: str) -> Plain:
    """One rule set with its document."""
    known = shipped_rule_sets().get(rule_set)
    return _whole(known, 0) if known else _own(rule_set)


@operation(
    rule_sets,
    "PUT",
    "/rule-sets/<rule_set>",
    Role.SCORE,
    answer=schemas.WholeRuleSetAnswer,
    faults=[409],
)
def change_rule_set(rule_set: str, *, document: schemas.JsonObject, seen: schemas.Number) -> Plain:
    """Change version `seen` of a custom rule set; games in progress keep their rules."""
    _own(rule_set)
    in_group(act.change_rule_set, rule_set, from_dict(document), seen=seen)
    return _own(rule_set)


@operation(rule_sets, "DELETE", "/rule-sets/<rule_set>", Role.MANAGE, status=204)
def remove_rule_set(rule_set: str) -> None:
    """Remove a custom rule set."""
    try:
        in_group(act.remove_rule_set, rule_set)
    except Refused:
        abort(404)


@operation(rule_sets, "POST", "/judge", Role.WATCH, faults=[429, 503])
@changes_nothing
def judge(body: schemas.QuestionBody) -> Plain:
    """The judge's verdict on a question, as in its file interface; of custom rule sets, too."""
    rules = rule_set_or_404(body.variant)
    with judging(body.ask):
        return answer_under(rules, body.model_dump())


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
