"""Why an answer is what it is, in sentences: how wild cards are read, what cards cost."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from app.rules.cards import Card, card_phrase, cards_in_words, cards_phrase, rank_phrase
from app.rules.phrases import Phrase, concatenate, join_phrases, say
from app.rules.variant import Variant
from app.rules.verdicts import Fact, MeldReading, Placement, Verdict


def wild_limit_words(variant: Variant) -> Phrase:
    """How many cards of a meld can be wild, where the rules limit it."""
    if variant.wild_limit == "fewer_than_naturals":
        return say("Fewer than half the cards can be wild.")
    return say("At most half the cards can be wild.")


def with_facts(variant: Variant, verdict: Verdict, main: Fact, *, limited: bool = True) -> Verdict:
    """The verdict; a legal one with why: the main fact, and what the cards themselves show.

    What people argue about comes before it: an ace of a run, then what wild cards stand for there.
    `limited` tells whether the limit of wild cards applies.
    """
    if not verdict.legal:
        return verdict
    melds = verdict.readings[0]
    aces = dict.fromkeys(filter(None, map(_ace_words, melds)))
    facts = [Fact(variant, one, "run_order") for one in aces]
    # In a set that is plain.
    wilds = [one for one in chain(*filter(_is_run, melds)) if one.is_wild]
    if wilds and len(verdict.readings) == 1:
        facts.append(replace(main, message=_stand_for_words(wilds)))
    facts.append(main)
    if limited and variant.wild_limit != "none" and any(one.is_wild for one in chain(*melds)):
        facts.append(Fact(variant, _limit_kept_words(variant, melds), "wild_limit"))
    return replace(verdict, facts=tuple(facts))


def _limit_kept_words(variant: Variant, melds: Sequence[MeldReading]) -> Phrase:
    """The limit of wild cards, and of one meld how many it has."""
    limit = wild_limit_words(variant)
    if len(melds) > 1:
        return limit
    wild = sum(one.is_wild for one in melds[0])
    return say(
        "Wild cards: {wild} of {cards}. {limit}", wild=wild, cards=len(melds[0]), limit=limit
    )


def points_facts(variant: Variant, cards: Sequence[Card]) -> tuple[Fact, ...]:
    """What cards that cost the same come to, the dearest first; no fact of no cards."""
    sums = []
    for each, ranks in reversed(variant.penalties.classes):
        alike = sorted(
            (one for one in cards if one.rank in ranks), key=lambda one: ranks.index(one.rank)
        )
        # "2 and 2 jokers" could be read as four.
        for is_joker in (True, False):
            some = [Card(one.rank) for one in alike if one.is_joker is is_joker]
            if some:
                sums.append(_points_words(some, each))
    return (Fact(variant, concatenate(sums, " · "), "penalties"),) if sums else ()


def _points_words(cards: Sequence[Card], each: int) -> Phrase:
    count = len(cards)
    # "2 7" could be read as two sevens.
    words = cards_in_words(cards) if cards[0].is_joker else cards_phrase(cards, ", ")
    if count == 1:
        return say("{cards}: {points}", cards=words, points=each)
    return say(
        "{cards}: {count} × {each} = {points}",
        cards=words,
        count=count,
        each=each,
        points=count * each,
    )


def _stand_for_words(wilds: Sequence[Placement]) -> Phrase:
    if len(wilds) == 1:
        return stands_for_words(wilds[0].card, wilds[0].stands_for)
    meant = join_phrases([card_phrase(one.stands_for) for one in wilds])
    return say("The wild cards stand for {meant}.", meant=meant)


def stands_for_words(wild: Card, meant: Card) -> Phrase:
    """What a wild card stands for, as a sentence."""
    if wild.is_joker:
        return say("The joker stands for {meant}.", meant=card_phrase(meant))
    return say("The {wild} stands for {meant}.", wild=card_phrase(wild), meant=card_phrase(meant))


def _is_run(meld: MeldReading) -> bool:
    return len({one.stands_for.rank for one in meld}) > 1


def _ace_words(meld: MeldReading) -> Phrase | None:
    """Where the ace of a run lies; None without one."""
    ranks = [one.stands_for.rank for one in meld]
    if not _is_run(meld) or "A" not in ranks:
        return None
    if ranks[-1] == "A":
        return say("The ace goes after the king.")
    return say("The ace can be low here, before the {next}.", next=rank_phrase(ranks[1]))
