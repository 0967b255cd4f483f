"""What the texts of the Q&A depend on and name: a rule set's fields, and what follows from them.

A condition of `topics.toml` is true or false, a table of facts and their values (or lists of
values), all of which must hold, or a list of such tables, of which one must. A text has facts in
braces; or it is a table of `one`, `many` and the fact that is their `count`; or a list of tables,
of which the first holds whose condition (`where`) does, by its `text`.
"""

from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any

from app.rules.cards import RANKS, rank_phrase
from app.rules.contracts import Contract, Kind
from app.rules.phrases import Phrase, concatenate, join_phrases, say, say_plural
from app.rules.variant import Variant

Condition = bool | Mapping[str, Any] | list[Mapping[str, Any]]
Text = str | Mapping[str, Any] | list[Mapping[str, Any]]


def fact(variant: Variant, name: str) -> Any:
    """A fact about a rule set: one of `FACTS`, or else what it has itself by that name."""
    return FACTS[name](variant) if name in FACTS else getattr(variant, name)


def holds(variant: Variant, condition: Condition) -> bool:
    """Is a condition of `topics.toml` true for a rule set?"""
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, list):
        return any(holds(variant, one) for one in condition)
    return all(
        fact(variant, name) in (wanted if isinstance(wanted, list) else [wanted])
        for name, wanted in condition.items()
    )


def worded(variant: Variant, text: Text) -> Phrase | None:
    """What a text of `topics.toml` says under some rules; None where no condition holds."""
    form = chosen(variant, text)
    if isinstance(form, Mapping):
        count = abs(fact(variant, form["count"]))
        return Phrase(form["one"], (("count", count),), plural=form["many"], count=count)
    if form is None:
        return None
    names = [name for _text, name, _spec, _conversion in Formatter().parse(form) if name]
    return Phrase(form, tuple((name, fact(variant, name)) for name in dict.fromkeys(names)))


def chosen(variant: Variant, text: Text) -> Any:
    """The first text of a list whose condition holds, if any does; what is no list itself."""
    if not isinstance(text, list):
        return text
    return next((one["text"] for one in text if holds(variant, one.get("where", True))), None)


def _largest_contract(variant: Variant) -> Contract:
    """The contract that takes the most cards of those that are played; the first of several."""
    return max(variant.contracts_played, key=lambda one: one.size)


def _contract_with_a_pair(variant: Variant) -> int:
    with_pair = (
        one.number for one in variant.contracts_played if any(p.size == 2 for p in one.parts)
    )
    return next(with_pair, 0)


def _has_wilds(variant: Variant) -> bool:
    return variant.twos_are_wild or variant.has_jokers


def _has_two(kind: Kind) -> Callable[[Variant], bool]:
    """Does any contract ask for two melds of that kind?"""
    return lambda variant: any(
        sum(part.kind == kind for part in contract.parts) > 1
        for contract in variant.contracts_played
    )


def _has_illegal_steps(variant: Variant) -> bool:
    """Can a meld be legal with all added cards and not with the first of them?"""
    limited = variant.wild_limit != "none" and variant.wild_limit_scope == "always"
    return _has_wilds(variant) and (limited or not variant.wilds_adjacent)


def _can_finish_with_cards(variant: Variant) -> bool:
    """Can a player lay the last contract and still hold cards when the score is made?"""
    last = variant.contract(variant.last_contract)
    individual = variant.progress == "individual" and variant.win != "first_out_on_last"
    return individual and variant.keeps_score and last.size <= variant.deal


def _wilds(variant: Variant) -> list[str]:
    """The jokers of the usual decks, and one 2 of each suit where 2s are wild."""
    twos = ["2S", "2C", "2D", "2H"] if variant.twos_are_wild else []
    return ["JK"] * variant.joker_count(variant.decks) + twos


def _card_values(variant: Variant) -> Phrase:
    """What each card costs, those that cost their number on a line together."""
    points = variant.penalties.of
    pips = [rank for rank in RANKS if rank.isdecimal() and points(rank) == int(rank)]
    lines = []
    if len(pips) > 2:
        lines = [say("{ranks}: their number", ranks=_ranks_in_words(pips))]
    for cost, ranks in variant.card_values:
        others = [rank for rank in ranks if rank not in pips or len(pips) <= 2]
        if others:
            lines.append(_card_value(cost, others))
    return concatenate(lines, "\n")


def _card_value(points: int, ranks: Sequence[str]) -> Phrase:
    named = _ranks_in_words(ranks)
    return say_plural(
        "{ranks}: {count} point each", "{ranks}: {count} points each", points, ranks=named
    )


def _ranks_in_words(ranks: Sequence[str]) -> Phrase:
    """Ranks in their order: "3 to 9", "2 and joker"."""
    named = [rank_phrase(rank) for rank in ranks]
    if len(ranks) > 2 and "".join(ranks) in "".join(RANKS):
        return say("{first} to {last}", first=named[0], last=named[-1])
    return join_phrases(named)


def _contract_list(variant: Variant) -> Phrase:
    """The contracts by number, up to the last one that is played, each on a line of its own."""
    lines = [
        say("{number}: {words}", number=one.number, words=one.words)
        for one in variant.contracts_played
    ]
    return concatenate(lines, "\n")


FACTS: Mapping[str, Callable[[Variant], Any]] = {
    "adds_a_deck": lambda variant: 0 < variant.third_deck_from <= variant.players_max,
    "can_finish_with_cards": _can_finish_with_cards,
    "card_values": _card_values,
    "contract_list": _contract_list,
    "fewer_players": lambda variant: variant.third_deck_from - 1,
    "has_completion_bonus": lambda variant: variant.completion_bonus < 0,
    "has_exact_deal_bonus": lambda variant: variant.exact_deal_bonus < 0,
    "has_go_out_bonus": lambda variant: variant.go_out_bonus < 0,
    "has_illegal_steps": _has_illegal_steps,
    "has_low_ace": lambda variant: variant.run_ranks[0] == "A",
    "has_low_two": lambda variant: variant.run_ranks[:2] == ("A", "2"),
    "has_pairs": lambda variant: _contract_with_a_pair(variant) > 0,
    "has_round_limit": lambda variant: variant.max_deals > 0,
    "has_points_step": lambda variant: variant.points_step > 1,
    "has_score_limit": lambda variant: variant.score_limit > 0,
    "has_several_contracts": lambda variant: len(variant.contracts_played) > 1,
    "has_several_decks": lambda variant: variant.decks > 1,
    "has_two_runs": _has_two("run"),
    "has_two_sets": _has_two("set"),
    "has_wilds": _has_wilds,
    "held": lambda variant: variant.deal + 1,
    "joker_count": lambda variant: variant.joker_count(variant.decks),
    "large_contract": lambda variant: variant.laid_from(_largest_contract(variant)),
    "largest_contract": lambda variant: _largest_contract(variant).number,
    "largest_size": lambda variant: _largest_contract(variant).size,
    "lowest_card": lambda variant: variant.run_ranks[0],
    "more_decks": lambda variant: variant.decks + 1,
    "more_jokers": lambda variant: variant.joker_count(variant.decks + 1),
    "needs_every_card": lambda variant: _largest_contract(variant).size > variant.deal,
    "pair_contract": _contract_with_a_pair,
    "swap_owner": lambda variant: "other" if variant.wild_swap == "others" else "self",
    "swappable": lambda variant: [
        one for one in _wilds(variant) if one == "JK" or variant.swap_wild_twos
    ],
    "third_deck_has_jokers": lambda variant: (
        fact(variant, "adds_a_deck") and variant.has_jokers and variant.jokers_per_extra_deck > 0
    ),
    "wild": lambda variant: say("2") if variant.twos_are_wild else say("joker"),
    "wild_trio": lambda variant: "2S 2H 2D" if variant.twos_are_wild else "JK JK JK",
    "wilds": _wilds,
}
"""What follows from the fields of a rule set, by the name that `topics.toml` has for it."""
