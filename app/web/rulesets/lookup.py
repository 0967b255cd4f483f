"""Where every page finds a rule set by its id: a shipped one, or one of the asking group's own.

A group's own rule sets are private to it. Inside a game its frozen copy is meant, whatever has
become of the rule set since.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flask import abort

from app.actions.groups import Role
from app.extensions import db
from app.rules.house_rules import HOUSE_RULES, changed_rules, rules_in_words
from app.rules.phrases import Phrase, join_phrases, say
from app.rules.rule_sets import family_rule_sets, rule_sets_in_family, shipped_rule_sets
from app.rules.variant import Variant
from app.store.queries.games import load_game
from app.store.queries.rulesets import own_rule_set, own_rule_sets
from app.web.infrastructure.access import find_game_id, scored_group
from app.web.infrastructure.asker import asker

Finder = Callable[[str], Variant | None]

_MOST_DIFFERENCES = 3
_RECOGNIZED_BY = ("deal", "win", "run_suit", "keep_score", "knock")
"""The rules by which people know first which edition is theirs."""


@dataclass(frozen=True, slots=True)
class RuleSetSection:
    """Some rule sets under one heading; the nine stand without one unless others were played."""

    heading: Phrase | None
    rule_sets: Sequence[Variant]


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A rule set in the list of games, and the other editions of its game that stand with it."""

    variant: Variant
    editions: Sequence[Variant] = ()

    @property
    def other_editions(self) -> Phrase | None:
        """How the other editions differ first: in how many can play, and in the cards dealt."""
        if not self.editions:
            return None
        own, differences = self.variant, []
        fewest = min(one.players_min for one in self.editions)
        most = max(one.players_max for one in self.editions)
        if fewest < own.players_min or own.players_max < most:
            differences.append(say("{fewest}–{most} players", fewest=fewest, most=most))
        deals = {one.deal for one in self.editions} - {own.deal}
        if deals:
            differences.append(say("{cards} cards", cards=min(deals)))
        if not differences:
            return say("other versions")
        return say("other versions: {told}", told=join_phrases(differences))

    def differences_of(self, edition: Variant) -> Sequence[Phrase]:
        """In what one edition differs from the others, what most people know it by first."""
        others = [one for one in (self.variant, *self.editions) if one.id != edition.id]
        fields = dict.fromkeys(
            field
            for other in others
            for field in changed_rules(other, edition)
            if field in HOUSE_RULES
        )

        def place(field: str) -> tuple[bool, int, int]:
            alike = sum(getattr(one, field) == getattr(edition, field) for one in others)
            return field not in _RECOGNIZED_BY, alike, (*_RECOGNIZED_BY, field).index(field)

        return rules_in_words(edition, sorted(fields, key=place)[:_MOST_DIFFERENCES])


def find_rule_set(variant_id: str) -> Variant | None:
    """The rule set of that id, shipped or of this device's group; None where there is none."""
    found = shipped_rule_sets().get(variant_id)
    if found is not None or asker.group_if_any is None:
        return found
    own = own_rule_set(db.session(), asker.group, variant_id)
    return own.variant if own else None


def rule_set_or_404(variant_id: str) -> Variant:
    """The rule set of that id; 404 where there is none."""
    return find_rule_set(variant_id) or abort(404)


def own_points_rule_sets() -> Sequence[Variant]:
    """The rule sets by points alone of the group in which this device would play, by name."""
    group = scored_group()
    own = own_rule_sets(db.session(), group) if group is not None else ()
    return [one.variant for one in own if one.variant and not one.variant.contracts]


def editions_for(variant: Variant, players: int) -> Sequence[Variant]:
    """The other editions of a rule set's game that are for so many players."""
    game = variant.edition_of or variant.id
    return [
        one
        for one in shipped_rule_sets().values()
        if game in (one.id, one.edition_of) and one.id != variant.id
        if one.players_min <= players <= one.players_max
    ]


def rule_set_finder(game_key: str) -> Finder:
    """What finds rule sets for a question asked in a game; without a game, `find_rule_set`."""
    game = find_game_id(game_key, Role.WATCH)
    if game is None:
        return find_rule_set
    frozen = load_game(db.session(), game).variant
    return lambda variant_id: frozen if variant_id == frozen.id else find_rule_set(variant_id)


def rule_set_sections(extra: Variant | None = None) -> tuple[RuleSetSection, ...]:
    """All rule sets that can be chosen: the group's own, the nine, relatives, other games.

    The `extra` one, if it is among none of them, such as a game's whose rule set was removed
    since, comes first.
    """
    own = own_rule_sets(db.session(), asker.group_if_any) if asker.group_if_any is not None else ()
    found: tuple[RuleSetSection, ...] = (
        RuleSetSection(say("Custom rules"), tuple(one.variant for one in own if one.variant)),
        RuleSetSection(None, tuple(family_rule_sets().values())),
        RuleSetSection(say("More contract rummy"), tuple(rule_sets_in_family("relative").values())),
        RuleSetSection(say("Any other game"), tuple(rule_sets_in_family("other").values())),
    )
    known = {one.id for section in found for one in section.rule_sets}
    if extra is not None and extra.id not in known:
        found = (RuleSetSection(say("This game’s rules"), (extra,)), *found)
    return tuple(section for section in found if section.rule_sets)


def rule_sets_to_choose() -> dict[str, Variant]:
    """The rule sets of `rule_set_sections` by their ids, in that order."""
    return {one.id: one for section in rule_set_sections() for one in section.rule_sets}


def games_to_choose(
    sections: Sequence[RuleSetSection], played: Sequence[str]
) -> tuple[tuple[Phrase | None, Sequence[GameChoice]], ...]:
    """The headings with their games, those `played`, given by their ids, before all others.

    Editions of one game stand together, where the first of them stands; each that was played
    stands for itself.
    """
    ordered = _with_played_first(sections, played)
    known = {one.id: one for section in ordered for one in section.rule_sets}
    by_game: dict[str, list[Variant]] = {}
    for one in known.values():
        by_game.setdefault(one.edition_of or one.id, []).append(one)
    choices = {one: GameChoice(rule_set) for one, rule_set in known.items() if one in played}
    for first, *rest in by_game.values():
        others = [one for one in rest if one.id not in played]
        choices[first.id] = GameChoice(first, others)
    found = (
        (section.heading, [choices[one.id] for one in section.rule_sets if one.id in choices])
        for section in ordered
    )
    return tuple((heading, games) for heading, games in found if games)


def _with_played_first(
    sections: Sequence[RuleSetSection], played: Sequence[str]
) -> tuple[RuleSetSection, ...]:
    """The sections with those rule sets, given by their ids, in one of their own before them."""
    known = {one.id: one for section in sections for one in section.rule_sets}
    first = tuple(known[one] for one in played if one in known)
    if not first:
        return tuple(sections)
    rest = (
        RuleSetSection(
            section.heading or say("More rule sets"),
            tuple(one for one in section.rule_sets if one not in first),
        )
        for section in sections
    )
    found = (RuleSetSection(say("Played last"), first), *rest)
    return tuple(section for section in found if section.rule_sets)
