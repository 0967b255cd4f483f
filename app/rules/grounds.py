"""What a rule rests on: the text, an inference from it, a decision of ours, or a house rule.

Whoever names a rule cites it from here: the judge's reasons, the answers of the Q&A and the
warnings of a round.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain

from app.rules.house_rules import HOUSE_RULES, HouseRule
from app.rules.phrases import Phrase, join_phrases, say, translatable
from app.rules.rule_sets import HOUSE_RULE, shipped_rule_sets
from app.rules.variant import FieldSource, Variant

_PLACE_END = "; "
_OTHER_DOCUMENT = re.compile(r"\[(?P<document>[^]]+)\] (?P<place>.+)")

SOURCE_ADDRESSES = {
    "Cats at Cards, 2015": "https://catsatcards.com/Games/FrustrationCardGame.html",
    "The Rules of the Card Game Frustration, version 1.1, 2006": "http://www.herdofcats.ca/?q=node/362",
    "Wikipedia, Shanghai rum": "https://en.wikipedia.org/wiki/Shanghai_rum",
    "Wikipedia, Liverpool rummy": "https://en.wikipedia.org/wiki/Liverpool_rummy",
}
"""Where documents can be read whose name does not say it."""

NOTATION = "notation"
"""Stands in place of a rule where a text could not be read as a card."""
_NOTATION = FieldSource(
    decision=translatable("Enter a card as rank and suit, such as 10H or 10♥; a joker is JK.")
)
USUAL = FieldSource(decision=translatable("This is how contract rummy is usually played."))
"""What an answer rests on where a rule set's file says nothing about it."""
_SPEAKS_OF: Mapping[str, tuple[str, ...]] = {
    "only-wild-cards": ("wild_limit", "wild_limit_scope"),
    "say-which": ("run_suit",),
    "wild-cards-stay": ("wild_swap",),
    "around-the-corner": ("run_order", "twos"),
    "contract-size": ("wild_limit", "wild_limit_scope", "layoff_check"),
    "large-contracts": ("buying", "most_buys"),
    "extra-set-min": ("contracts",),
    "wild-swap": ("extra_melds", "extras_same_turn", "twos", "jokers"),
    "discard-draw": ("extra_melds", "layoff_on_others"),
    "down-and-out": ("contracts", "contract_size", "deal", "go_out_bonus"),
    "round-ends": ("deal", "must_discard_to_go_out"),
    "keep-score": ("win",),
    "game-ends": ("contracts", "deal"),
    "several-finish": ("contracts", "deal", "must_discard_to_go_out"),
    "completion-bonus": ("contracts", "last_contract", "go_out_bonus"),
    "exact-deal-bonus": ("deal",),
    "max-deals": ("last_contract",),
    "shuffle-and-cut": ("dealer_rotation",),
    "jokers": ("twos",),
    "texts-differ": ("extra_run_min", "twos", "run_order", "two_natural_in_own_slot"),
}
"""Of what else the files' own words on a question speak, beside the fields of its answer."""


class Basis(StrEnum):
    """What an answer rests on: a text, an inference from it, our decision, or a house rule."""

    TEXT = "text"
    INFERRED = "inferred"
    OURS = "ours"
    HOUSE = "house"

    @property
    def label(self) -> Phrase:
        return _LABELS[self]


_LABELS = {
    Basis.TEXT: say("In the rules"),
    Basis.INFERRED: say("Follows from the rules"),
    Basis.OURS: say("Not in the rules"),
    Basis.HOUSE: say("House rule"),
}


@dataclass(frozen=True, slots=True)
class Grounds:
    """What an answer rests on: where it stands and why, each only where there is something to say.

    `alternative` names the house rule that plays it the other way, for what is ours; `other_games`
    are the games of the same document that the places are about, where none of them is about this
    rule set itself.
    """

    basis: Basis
    place: Phrase | None = None
    why: Phrase | None = None
    alternative: HouseRule | None = None
    other_games: tuple[str, ...] = ()

    @property
    def citation(self) -> Phrase:
        """Where it stands and why, in one phrase; or that it is a house rule."""
        if self.place and self.why:
            return say("{place} ({decision})", place=self.place, decision=self.why)
        return self.place or self.why or Phrase(HOUSE_RULE.decision)


def grounds_of(variant: Variant, rule: str) -> Grounds:
    """What a rule rests on, by its field or its question of the Q&A."""
    return grounds_of_source(variant, current_source(variant, rule), rule)


def with_file_answers(variant: Variant) -> Variant:
    """The rules with the answers of their own file; a game's copy of 1.0.0 has today's.

    An answer is left out if it also speaks of a field (`_SPEAKS_OF`) that a house rule changed.
    """
    today = shipped_rule_sets().get(variant.id, variant)
    changed = {field for field, field_source in variant.field_sources if field_source == HOUSE_RULE}
    kept = tuple(
        (question, own)
        for question, own in variant.faq or today.faq
        if changed.isdisjoint(_SPEAKS_OF.get(question, ()))
    )
    return variant if kept == variant.faq else replace(variant, faq=kept)


def current_source(variant: Variant, about: str) -> FieldSource:
    """Where a rule stands: in the app's file, if its value is the same there; else in this copy.

    So what a group plays as the text says is no house rule, though it was chosen. A question of the
    Q&A rests on the answer of the rule set's file, if it has one.
    """
    field_source = dict(variant.field_sources).get(about)
    if field_source is None:
        own = with_file_answers(variant).file_answer(about)
        usual = _NOTATION if about == NOTATION else USUAL
        return own if own.source or own.decision else usual
    today = shipped_rule_sets().get(variant.id, variant)
    same = getattr(today, about) == getattr(variant, about)
    return today.field_source(about) if same else field_source


def grounds_of_source(variant: Variant, field_source: FieldSource, about: str) -> Grounds:
    """What a rule rests on, by its source and decision."""
    why = Phrase(field_source.decision) if field_source.decision else None
    if field_source == HOUSE_RULE:
        return Grounds(Basis.HOUSE)
    if not field_source.source:
        alternative = HOUSE_RULES.get(about) if about in dict(variant.field_sources) else None
        return Grounds(Basis.OURS, None, why, alternative)
    return Grounds(
        Basis.INFERRED if why else Basis.TEXT,
        _name_places(variant, field_source.source),
        why,
        other_games=_games_followed(variant, field_source.source),
    )


def followed_games_words(variant: Variant, shown: Iterable[Grounds]) -> Phrase | None:
    """Why what is shown stands in the rules of other games; None where none of it does."""
    others = list(dict.fromkeys(chain.from_iterable(one.other_games for one in shown)))
    if not others:
        return None
    return say(
        "Where {rules} says nothing of its own, it is played as {others}.",
        rules=Phrase(variant.name),
        others=join_phrases(list(map(Phrase, others))),
    )


def _games_followed(variant: Variant, source: str) -> tuple[str, ...]:
    """The other games of the rule set's own text that a source is about, if about them alone."""
    names = {one.name for one in shipped_rule_sets().values() if one.source == variant.source}
    about = {place.partition(": ")[0] for document, place in cited_places(source) if not document}
    return () if variant.name in about else tuple(sorted(about & names))


def cited_places(source: str) -> list[tuple[str, str]]:
    """The places of a source, each after its document; "" is the rule set's own document.

    >>> cited_places("the deal; [Wikipedia] Dealing")
    [('', 'the deal'), ('Wikipedia', 'Dealing')]
    """
    places = []
    for place in filter(None, source.split(_PLACE_END)):
        other = _OTHER_DOCUMENT.fullmatch(place)
        places.append((other["document"], other["place"]) if other else ("", place))
    return places


def _name_places(variant: Variant, source: str) -> Phrase:
    """The places with their documents, each document named once for those that follow it."""
    named: Phrase | None = None
    before = None
    for document, place in cited_places(source):
        where = Phrase(place)
        if document != before:
            of = Phrase(document or variant.source)
            where = say("{document}: {place}", document=of, place=where)
        named = say("{first}; {second}", first=named, second=where) if named else where
        before = document
    return named or Phrase("")
