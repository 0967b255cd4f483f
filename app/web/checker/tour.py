"""The words of the game with their pictures, and the tour: who is offered it, and its cards."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import request

from app.extensions import db
from app.rules.cards import Card
from app.rules.faq.vocabulary import GameWord, WordId, contract_word, game_words
from app.rules.house_rules import value_in_words
from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant
from app.store.queries.history import has_finished_game
from app.web.checker.card_views import CardView
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
class WordView:
    """A word of the game, its sentence and its picture."""

    word: Phrase
    sentence: Phrase
    melds: tuple[tuple[CardView, ...], ...]


def word_views(variant: Variant) -> Mapping[WordId, WordView]:
    """The words of a rule set; none for one without cards."""
    return {name: _word_view(variant, one) for name, one in game_words(variant).items()}


def contract_view(variant: Variant, number: int) -> WordView:
    """A contract of a rule set, in a sentence and a picture."""
    return _word_view(variant, contract_word(variant, number))


def _word_view(variant: Variant, one: GameWord) -> WordView:
    melds = (tuple(_card_view(variant, card) for card in meld.split()) for meld in one.melds)
    return WordView(one.word, one.sentence, tuple(melds))


def _card_view(variant: Variant, text: str) -> CardView:
    shown, _, meant = text.partition("=")
    card = Card.read(shown)
    return CardView(card, variant.is_wild(card), Card.read(meant) if meant else None)


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
