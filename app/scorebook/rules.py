"""House rules that a table switches on during a game: what events that makes."""

from app.rules.house_rules import SWITCHABLE, read_house_rule
from app.rules.phrases import say
from app.rules.rule_sets import FaultyRules, with_house_rules
from app.scorebook.events.event import Event
from app.scorebook.events.games import rule_changed_events
from app.scorebook.game import Game
from app.scorebook.refusals import refusal


def events_to_switch_rule(game: Game, field: str, text: str) -> tuple[Event, ...]:
    """A house rule, with its value as a form sends it, holds from the open round on.

    Raises `Refused`.
    """
    if field not in SWITCHABLE:
        raise refusal("switch", say("That rule can’t change during a game."))
    number = game.open_number
    rules = game.rules_in(number)
    try:
        value = read_house_rule(field, text)
        with_house_rules(rules, {field: value})
    except FaultyRules as fault:
        raise refusal("switch", fault.phrase) from None
    return rule_changed_events(game, number, {field: getattr(rules, field)}, {field: value})
