"""A worked example for each question of the Q&A that can be shown in cards.

Most stand in `topics.toml`. For the others a function `…_example` builds that of a question for the
rule set as it stands. Where there is nothing to show, `NoExample` is raised.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.rules.card_supply import supply_reasons
from app.rules.cards import JOKER, SUITS, read_cards
from app.rules.contracts import Contract, Kind, Part
from app.rules.faq.facts import chosen, fact, holds, worded
from app.rules.faq.vocabulary import SET_RANKS, set_of
from app.rules.judge_questions import card_texts
from app.rules.melds import part_sizes
from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant

_OF_THE_ANSWER = {"caption", "where", "legal"}
"""The keys of an example that are no fields of its question."""
_OF_CARDS = ("wilds", "swappable", "wild_trio", "swap_owner")
"""The facts that its cards name."""
_LEAST_SET = 3
_MOST_SETS = 5
"""In a contract: those of the first `SET_RANKS` hold no run, with a queen and a 3 beside them."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question for the judge (its file's fields without the variant), and what the answer says.

    `expect` is the Q&A's own answer, by the keys of the judge's; the judge must say the same.
    """

    question: Mapping[str, Any]
    caption: Phrase
    expect: Mapping[str, object]


class NoExample(Exception):
    """There is nothing to show of a question in a rule set."""


def example_from_table(variant: Variant, plain: Mapping[str, Any]) -> Example:
    """An example of `topics.toml`; its cards may name wild cards. Raises `NoExample`."""
    caption = worded(variant, plain["caption"])
    if caption is None or not holds(variant, plain.get("where", True)):
        raise NoExample
    fields = [name for name in plain if name not in _OF_THE_ANSWER]
    question = {name: _filled(variant, plain[name]) for name in fields}
    if question["ask"] == "meld" and "contract" not in question:
        question["size"] = len(question["cards"].split())
    return Example(question, caption, {"legal": holds(variant, plain["legal"])})


def _filled(variant: Variant, value: Any) -> Any:
    value = chosen(variant, value)
    if not isinstance(value, str):
        return value
    try:
        return value.format(**{name: fact(variant, name) for name in _OF_CARDS})
    except IndexError:
        raise NoExample from None


def _meld(kind: str, cards: str, caption: Phrase, legal: bool) -> Example:
    """An example of one meld, as the part of a contract that asks for just so many cards."""
    question = {"ask": "meld", "kind": kind, "cards": cards, "size": len(cards.split())}
    return Example(question, caption, {"legal": legal})


def _require(shows: object) -> None:
    """Raise `NoExample` unless that holds, without which there is nothing to show."""
    if not shows:
        raise NoExample


def _first(contracts: Iterable[Contract]) -> Contract:
    for contract in contracts:
        return contract
    raise NoExample


def run_both_aces_example(variant: Variant) -> Example:
    _require(variant.run_ranks[0] == "A")
    run = " ".join(f"{rank}H" for rank in variant.run_ranks)
    return _meld("run", run, say("A run from ace to ace"), variant.run_both_aces == "allow")


def contract_size_example(variant: Variant) -> Example:
    contract = variant.contracts[0]
    melds = _melds_for(contract)
    melds[0] = f"{melds[0]} {set_of('9', contract.parts[0].size + 1).split()[-1]}"
    legal = variant.contract_size == "exact_core" and variant.extras_same_turn
    return _contract(contract, melds, say("One card more than contract 1 asks"), legal)


def two_sets_same_rank_example(variant: Variant) -> Example:
    contract = _first(
        one for one in _pairs_of(variant, "set") if one.size <= len(SUITS) * variant.decks
    )
    caption = say("Contract {number} in nines alone", number=contract.number)
    melds = _split(contract, set_of("9", contract.size).split())
    return _contract(contract, melds, caption, variant.two_sets_same_rank == "allow")


def touching_runs_example(variant: Variant) -> Example:
    ranks = variant.run_ranks
    contract = _first(
        one
        for one in _pairs_of(variant, "run")
        if one.size <= len(ranks) and not ("2" in ranks[-one.size :] and variant.twos_are_wild)
    )
    caption = say("Two runs of hearts, one right after the other")
    melds = _split(contract, [f"{rank}H" for rank in ranks[-contract.size :]])
    return _contract(contract, melds, caption, variant.touching_runs == "allow")


def _pairs_of(variant: Variant, kind: Kind) -> list[Contract]:
    """The contracts of two melds of that kind."""
    kinds = [kind, kind]
    return [one for one in variant.contracts_played if [part.kind for part in one.parts] == kinds]


def _split(contract: Contract, cards: list[str]) -> list[str]:
    size = contract.parts[0].size
    return [" ".join(cards[:size]), " ".join(cards[size:])]


def extra_melds_example(variant: Variant) -> Example:
    # A pair is legal in its contract alone, so it shows nothing of extra melds.
    sets = [part for part in variant.contracts[0].parts if part.kind == "set" and part.size > 2]
    _require(sets)
    size = sets[0].size if variant.extra_melds == "contract_parts" else variant.extra_set_min
    caption = say("A {part} beyond the contract", part=Part("set", size).words)
    question = {"ask": "meld", "kind": "set", "contract": 1, "cards": set_of("9", size)}
    return Example(question, caption, {"legal": variant.extra_melds != "none"})


def decks_example(variant: Variant) -> Example:
    cards = " ".join(["7H"] * (variant.decks + 1))
    caption = say_plural(
        "More 7s of hearts than {count} deck has",
        "More 7s of hearts than {count} decks have",
        variant.decks,
    )
    return _meld("set", cards, caption, legal=False)


def must_discard_to_go_out_example(variant: Variant) -> Example:
    """A contract that takes every card of a hand; any other leaves a card that can be discarded."""
    held = variant.deal + 1
    contract = _first(one for one in variant.contracts_played if one.size == held)
    if [part.kind for part in contract.parts] == ["run"]:
        ranks = [rank for rank in variant.run_ranks if rank not in ("A", "2")]
        _require(len(ranks) >= held)
        hand = " ".join(f"{rank}H" for rank in ranks[-held:])
    else:
        hand = " ".join(_melds_for(contract))
    question = {"ask": "hand", "contract": contract.number, "hand": hand}
    caption = say("A hand that is contract {number} to the last card", number=contract.number)
    return Example(question, caption, {"out": not variant.must_discard_to_go_out})


def down_and_out_example(variant: Variant) -> Example:
    caption = (
        say("Contract 1, the other cards added to it, and a 3 to discard")
        if variant.contract_size == "exact"
        else say("Contract 1 made bigger by the other cards, and a 3 to discard")
    )
    return _going_out(variant, variant.deal, ["3D"], caption, out=variant.extras_same_turn)


def layoff_on_others_example(variant: Variant) -> Example:
    _require(variant.extras_same_turn)  # or the answer is not seen in one turn
    caption = say("Contract 1 and its cards, a queen for the queens on the table, a 3 to discard")
    size = variant.deal - 1
    return _going_out(
        variant, size, ["QC", "3D"], caption, out=variant.layoff_on_others, table="QS QH QD"
    )


def all_at_once_example(variant: Variant) -> Example:
    contract = _first(one for one in variant.contracts_played if len(one.parts) > 1)
    _require(contract.parts[0].kind == "set")
    caption = say("One meld alone for contract {number}", number=contract.number)
    return _contract(contract, [set_of("9", contract.parts[0].size)], caption, legal=False)


def penalties_example(variant: Variant) -> Example:
    points = sum(map(variant.penalties.of, ("2", "5", "10", "K", "A")))
    question = {"ask": "score", "cards": "2H 5S 10D KC AH"}
    return Example(question, say("2, 5, 10, king and ace"), {"points": points})


def _melds_for(contract: Contract, size: int = 0) -> list[str]:
    """Natural melds for a contract of sets alone, of five at most. Raises `NoExample`.

    They have as many cards as the contract asks for, or so many more that they come to that `size`.
    """
    _require(all(part.kind == "set" for part in contract.parts))
    _require(len(contract.parts) <= _MOST_SETS)
    sizes = [part.size for part in contract.parts]
    for place in range(size - contract.size):
        sizes[place % len(sizes)] += 1
    return [set_of(rank, many) for rank, many in zip(SET_RANKS, sizes, strict=False)]


def _going_out(
    variant: Variant, size: int, more: list[str], caption: Phrase, *, out: bool, table: str = ""
) -> Example:
    """An example of a hand: contract 1 made bigger to so many cards, and a few cards beside it."""
    contract = variant.contracts[0]
    _require(size >= contract.size and all(part.size >= _LEAST_SET for part in contract.parts))
    hand = " ".join([*_melds_for(contract, size), *more])
    question: dict[str, object] = {"ask": "hand", "contract": 1, "hand": hand}
    if table:
        question["table"] = [{"kind": "set", "meld": table}]
    return Example(question, caption, {"out": out})


def _contract(contract: Contract, melds: list[str], caption: Phrase, legal: bool) -> Example:
    question = {"ask": "contract", "contract": contract.number, "melds": melds}
    return Example(question, caption, {"legal": legal})


def is_showable(variant: Variant, topic: str, example: Example) -> bool:
    """Does the example of a question show its own rule in this rule set, and nothing else first?

    Any table may make its own rules: contracts of long runs alone, one deck, sets of nine. An
    example whose cards are not there, or whose melds nobody is ever asked for, would be judged by
    that and not by the rule that it is to show, so it is left out.
    """
    question = example.question
    if "size" in question and question["size"] not in part_sizes(variant, question["kind"]):
        return False
    if topic in ("decks", "jokers"):  # which are about cards that are not there
        return True
    table = [meld["meld"] for meld in question.get("table", ())]
    cards = read_cards(" ".join([*card_texts(question), *table]))
    if supply_reasons(variant, variant.decks, cards):
        return False
    counted = [Counter(text.split()) for text in card_texts(question)]
    return (
        variant.identical_cards_in_set == "allow"
        or topic == "identical-cards-in-set"
        or question.get("kind") == "run"
        or all(count == 1 or card == JOKER for one in counted for card, count in one.items())
    )
