"""Taking a wild card from the table for the very card that it stands for."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from app.rules.card_supply import supply_reasons
from app.rules.cards import Card, card_phrase
from app.rules.contracts import Kind
from app.rules.layoffs import read_table_meld
from app.rules.legal_facts import stands_for_words
from app.rules.melds import table_meld_reasons, verdict_on
from app.rules.phrases import Phrase, say
from app.rules.runs import RunStretch
from app.rules.shapes import MeldLayout, place_cards, run_layout, set_layout
from app.rules.variant import Variant
from app.rules.verdicts import Code, Fact, Reason, Verdict, illegal_verdict

Owner = Literal["self", "other"]
SWAP_CONDITIONS = say(
    "Your contract must be down, and you must play the freed card in the same turn."
)
"""What every legal swap takes besides; the cards on the table don't show it."""


def judge_swap(
    variant: Variant,
    kind: Kind,
    meld: Sequence[Card],
    position: int,
    card: Card,
    owner: Owner,
    *,
    decks: int | None = None,
) -> Verdict:
    """May the wild card at that position (from 1) be exchanged for that card?

    `owner` says whose meld it is; where `wild_swap` is `others`, who laid the wild card. The
    reading is of the meld with the card in its place. Raises `IndexError` for a position outside
    the meld.
    """
    if not 1 <= position <= len(meld):
        raise IndexError(position)
    if impossible := supply_reasons(variant, decks or variant.decks, [*meld, card]):
        return illegal_verdict(*impossible)
    for field, message in _swap_prohibitions(variant, kind, meld[position - 1], owner):
        return illegal_verdict(Reason(variant, message, field, Code.SWAP_NOT_ALLOWED))
    on_table, faults = read_table_meld(variant, kind, meld)
    if not on_table:
        return illegal_verdict(*faults)
    meant = [place_cards(variant, lying)[position - 1].stands_for for lying in on_table]
    swapped = [
        _with_card(variant, lying, position, card)
        for lying, one in zip(on_table, meant, strict=True)
        if not variant.is_wild(card) and card.rank == one.rank and one.suit in ("", card.suit)
    ]
    if not swapped:
        message = say(
            "The wild card stands for {meant}, not for {card}.",
            meant=card_phrase(meant[0]),
            card=card_phrase(card),
        )
        return illegal_verdict(Reason(variant, message, "wild_swap", Code.WRONG_CARD_FOR_SWAP))
    verdict = verdict_on(variant, swapped, partial(table_meld_reasons, variant))
    fact = Fact(variant, stands_for_words(meld[position - 1], card), "wild_swap")
    return replace(verdict, facts=(fact,)) if verdict.legal else verdict


def _swap_prohibitions(
    variant: Variant, kind: Kind, wild: Card, owner: Owner
) -> Iterator[tuple[str, Phrase]]:
    """Why no card can be swapped for this one, each after the field that says so."""
    if not variant.is_wild(wild):
        yield "wild_swap", say("{card} isn’t a wild card.", card=card_phrase(wild))
    if variant.wild_swap == "none":
        yield "wild_swap", say("A wild card on the table stays there.")
    if variant.wild_swap == "others" and owner == "self":
        yield "wild_swap", say("You can only take a wild card that another player laid.")
    if variant.wild_swap == "own" and owner == "other":
        yield "wild_swap", say("You can only take a wild card from your own meld.")
    if wild.rank == "2" and not variant.swap_wild_twos:
        yield "swap_wild_twos", say("You can only take jokers; a wild 2 stays.")
    if kind == "set" and variant.swap_in_sets == "no":
        yield "swap_in_sets", say("A wild card in a set stays there.")


def _with_card(variant: Variant, lying: MeldLayout, position: int, card: Card) -> MeldLayout:
    """The meld with the card in the place of the wild one."""
    cards = (*lying.cards[: position - 1], card, *lying.cards[position:])
    if lying.kind == "set":
        return set_layout(variant, cards)
    return run_layout(variant, RunStretch(lying.start, cards))
