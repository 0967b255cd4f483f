"""The house rules that a new game begins with: the usual ones, else those of the last game.

What the last game changed on its way counts more than the usual ones, if it began after those were
set.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.extensions import db
from app.rules.house_rules import fault_words
from app.rules.phrases import Phrase, say
from app.rules.rule_sets import FaultyRules, rule_sets_in_family
from app.rules.variant import Variant
from app.scorebook.refusals import refusal
from app.scorebook.warnings import player_count_warning
from app.store.queries.games import last_game, points_kept_last
from app.store.queries.rulesets import usual_rules_of
from app.web.game_parts.lengths import length_in_words
from app.web.game_parts.seating import Seating
from app.web.games.forms import NewGameForm
from app.web.infrastructure.access import scored_group
from app.web.infrastructure.htmx import announce
from app.web.rulesets.house_rules import (
    STANDARD,
    house_rules_again,
    rules_from_form,
    to_form_values,
    variant_from_form,
)
from app.web.rulesets.lookup import own_points_rule_sets, rule_set_or_404

STANDARD_RULES, LAST_RULES = "standard-rules", "last-rules"
"""The buttons that choose all house rules at once."""


@dataclass(frozen=True, slots=True)
class OfferedRules:
    """The house rules that the asking group has for a rule set."""

    variant: Variant
    usual: Mapping[str, Any] | None = None
    """Those that it said every new game begins with, with what its last game changed since."""
    last: Mapping[str, Any] | None = None
    """Those of its last game, as it stands or ended, where it said nothing and there are any."""

    def starting(self) -> dict[str, str]:
        """What the form of a new game begins with, as it sends it."""
        house_rules = dict(self.usual or self.last or {})
        group, variant = scored_group(), self.variant
        kept = points_kept_last(db.session(), group) if group is not None else None
        if kept is not None and variant.score_is_optional and "win" not in house_rules:
            house_rules["keep_score"] = "yes" if kept else "no" if variant.keeps_score else ""
        return to_form_values(house_rules)

    def are_as_last_time(self, form: NewGameForm) -> bool | None:
        """Does a form send those of the last game (`last`)? None where these are not offered."""
        if self.last is None:
            return None
        try:
            sent = rules_from_form(self.variant, form.rule.data)
        except FaultyRules:
            return False
        return _without_asked_apart(self.variant, sent) == self.last

    def choose(self, form: NewGameForm) -> None:
        """Let a form send the rules of the button that was pressed, if it is one of those here."""
        if form.arrange.data in (STANDARD_RULES, LAST_RULES):
            is_last = form.arrange.data == LAST_RULES
            values = to_form_values(self.last or {}) if is_last else {}
            for name in _without_asked_apart(self.variant, form.rule.data):
                form.rule[name].data = values.get(name, "")
            announce(say("House rules as last time.") if is_last else STANDARD)


def offered_rules(variant: Variant) -> OfferedRules:
    """What the group that the game would be in has for a rule set."""
    group = scored_group()
    if group is None:
        return OfferedRules(variant)
    usual = usual_rules_of(db.session(), group, variant.id)
    played = last_game(db.session(), group, variant.id)
    again = house_rules_again(variant, played.game.lasting_rules) if played else {}
    last = _without_asked_apart(variant, again)
    if usual is None:
        return OfferedRules(variant, None, last or None)
    house_rules, set_at = usual
    if played and played.started_at >= set_at:
        changed = {one.field for one in played.game.lasting_rule_changes}
        kept = {name: value for name, value in house_rules.items() if name not in changed}
        house_rules = kept | {name: value for name, value in last.items() if name in changed}
    return OfferedRules(variant, house_rules)


def chosen_rule_set(variant_id: str, form: NewGameForm) -> Variant:
    """The rule set; instead of *Points only* the group's own that is called as was typed.

    House rules that were left as *Points only* begins with are then those that the own begins with.
    """
    variant, called = rule_set_or_404(variant_id), form.called.data.casefold()
    for own in (
        own_points_rule_sets() if called and variant.id in rule_sets_in_family("other") else ()
    ):
        if own.name.casefold() == called:
            before, begins = (offered_rules(one).starting() for one in (variant, own))
            for rule in form.rule:
                if rule.data == before.get(rule.short_name, ""):
                    rule.data = begins.get(rule.short_name, "")
            return own
    return variant


def with_sent_rules(variant: Variant, form: NewGameForm) -> Variant:
    """The rule set with the house rules that the form sent. Raises `Refused`."""
    try:
        return variant_from_form(variant, form.rule.data)
    except FaultyRules as fault:
        raise refusal("rules", fault_words(fault)) from None


def playing_time(played: Variant | None, seating: Seating) -> Phrase | None:
    """How long the game takes; None where nobody knows, or the house rules cannot be."""
    return length_in_words(played, len(seating.names)) if played else None


def too_many_players(played: Variant | None, seating: Seating) -> Phrase | None:
    """That more are seated than the rules are for; too few may be seated as yet."""
    count = len(seating.names)
    if played is None or count <= played.players_max:
        return None
    warning = player_count_warning(played, count)
    return warning.message if warning else None


def _without_asked_apart(variant: Variant, house_rules: Mapping[str, Any]) -> dict[str, Any]:
    """House rules without that of keeping points, where setup asks for it and remembers it."""
    asked_apart = {"keep_score"} if variant.score_is_optional else ()
    return {name: value for name, value in house_rules.items() if name not in asked_apart}
