"""The tour: three cards that show how a rule set is played, and who is offered them."""

from dataclasses import dataclass

from flask import request

from app.extensions import db
from app.rules.faq.vocabulary import WordId
from app.rules.house_rules import value_in_words
from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant
from app.store.queries.history import has_finished_game
from app.web.checker.vocabulary import WordView, word_views
from app.web.infrastructure.asker import asker

TOUR_SKIPPED = "tour_skipped"
"""The cookie of a device that wants no tour of a game."""


def offers_tour() -> bool:
    """Is the tour offered: has the group never finished a game, and was it not skipped?"""
    if TOUR_SKIPPED in request.cookies:
        return False
    group = asker.group_if_any
    return group is None or not has_finished_game(db.session(), group)


@dataclass(frozen=True, slots=True)
class TourCard:
    """A card of the tour: what is done, and the words that are met with it."""

    heading: Phrase
    sentences: tuple[Phrase, ...]
    vocabulary: tuple[WordView, ...]


def tour_cards(variant: Variant) -> tuple[TourCard, ...]:
    """How a rule set is played, in three cards; none for one without cards."""
    views = word_views(variant)

    def known(*names: WordId) -> tuple[WordView, ...]:
        return tuple(views[name] for name in names if name in views)

    if not views:
        return ()
    deal = say_plural(
        "You get {count} card. In each turn, draw one and discard one.",
        "You get {count} cards. In each turn, draw one and discard one.",
        variant.deal,
    )
    return (
        TourCard(say("Collect"), (deal,), known("set", "run")),
        TourCard(say("Lay down"), (), known("contract", "wild")),
        TourCard(say("Go out"), tuple(_ending(variant)), known("lay_off")),
    )


def _ending(variant: Variant) -> list[Phrase]:
    """What follows when a round ends, and who wins."""
    common = variant.progress == "common"
    sentences = [
        say("Get rid of your last card to go out: the round ends."),
        say("Then everyone tries the next contract.")
        if common
        else say("If your contract was down, you try the next one; if not, the same again."),
    ]
    if variant.keeps_score or not variant.score_is_optional:
        sentences.append(say("Cards left in a hand are points, and points are bad."))
    return [*sentences, say("Who wins: {who}.", who=value_in_words(variant, "win"))]
