"""A worked example for each question of the Q&A that can be shown in cards.

An example is built for the rule set as it stands: with its wild cards, its line, its decks. Where a
question has no effect in a rule set there is no example.
"""

from app.rules.cards import SUITS
from app.rules.contracts import Contract
from app.rules.faq.topics import Example
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant

_LEAST_SET = 3


def _meld(kind: str, cards: str, caption: Phrase, legal: bool) -> Example:
    """An example of one meld, as the part of a contract that asks for just so many cards."""
    question = {"ask": "meld", "kind": kind, "cards": cards, "size": len(cards.split())}
    return Example(question, caption, {"legal": legal})


def _extra_meld(kind: str, cards: str, caption: Phrase, legal: bool) -> Example:
    question = {"ask": "meld", "kind": kind, "contract": 1, "cards": cards}
    return Example(question, caption, {"legal": legal})


def _layoff(kind: str, meld: str, add: str, caption: Phrase, legal: bool) -> Example:
    question = {"ask": "layoff", "contract": 1, "kind": kind, "meld": meld, "add": add}
    return Example(question, caption, {"legal": legal})


def _swap(
    variant: Variant, kind: str, meld: str, card: str, caption: Phrase, legal: bool
) -> Example:
    """An example of a card offered for the wild card in the second place of a meld."""
    owner = "other" if variant.wild_swap == "others" else "self"
    question = {
        "ask": "swap", "kind": kind, "meld": meld, "position": 2, "card": card, "owner": owner,
    }  # fmt: skip
    return Example(question, caption, {"legal": legal})


def _wild_cards(variant: Variant, count: int) -> list[str] | None:
    """So many wild cards that there are in two decks; None where there are too few."""
    twos = ["2S", "2C", "2D", "2H"] if variant.twos_are_wild else []
    jokers = ["JK"] * variant.jokers_in(variant.decks)
    return [*jokers, *twos][:count] if len(jokers) + len(twos) >= count else None


def _allows_equal_wilds(variant: Variant) -> bool:
    return variant.wild_limit != "fewer_than_naturals"


def twos(variant: Variant) -> Example | None:
    caption = say("Three 2s as a set")
    return _meld("set", "2H 2D 2S", caption, legal=not variant.twos_are_wild)


def run_suit(variant: Variant) -> Example | None:
    return _meld("run", "3H 4D 5S 6C", say("A run of mixed suits"), variant.run_suit == "any")


def run_order(variant: Variant) -> Example | None:
    low_ace = variant.run_ranks[0] == "A"
    return _meld("run", "AH 2H 3H 4H", say("Ace, 2, 3 and 4"), legal=low_ace)


def run_both_aces(variant: Variant) -> Example | None:
    if variant.run_ranks[0] != "A":
        return None
    run = " ".join(f"{rank}H" for rank in variant.run_ranks)
    return _meld("run", run, say("A run from ace to ace"), variant.run_both_aces == "allow")


def wild_limit(variant: Variant) -> Example | None:
    wilds = _wild_cards(variant, 2)
    if wilds is None:
        return None
    caption = say("Two natural and two wild cards")
    return _meld("set", " ".join(["8H", "8D", *wilds]), caption, _allows_equal_wilds(variant))


def wild_limit_scope(variant: Variant) -> Example | None:
    wilds = _wild_cards(variant, 3)
    if wilds is None or variant.wild_limit == "none":
        return None
    caption = say("Two more wild cards added to a set with one")
    legal = variant.wild_limit_scope == "initial_only"
    return _layoff("set", f"8H 8D {wilds[0]}", " ".join(wilds[1:]), caption, legal)


def wilds_adjacent(variant: Variant) -> Example | None:
    wilds = _wild_cards(variant, 2)
    if wilds is None:
        return None
    cards = f"3H {wilds[0]} {wilds[1]} 6H 7H"
    return _meld("run", cards, say("3, two wild cards, 6 and 7"), variant.wilds_adjacent)


def two_natural_in_own_slot(variant: Variant) -> Example | None:
    if (
        variant.run_ranks[:2] != ("A", "2")
        or not variant.twos_are_wild
        or not variant.wilds_adjacent
    ):
        return None
    natural = variant.two_natural_in_own_slot
    legal = variant.wild_limit == "none" or (natural and _allows_equal_wilds(variant))
    caption = say("Ace, its own 2 and two more wild cards")
    return _meld("run", "AH 2H 2S 2C", caption, legal)


def pair_with_wild(variant: Variant) -> Example | None:
    wilds = _wild_cards(variant, 1)
    pairs = any(part.size == 2 for contract in variant.contracts for part in contract.parts)
    if wilds is None or not pairs:
        return None
    legal = variant.pair_with_wild == "allow" and _allows_equal_wilds(variant)
    return _meld("set", f"4D {wilds[0]}", say("A 4 and a wild card as the pair"), legal)


def identical_cards_in_set(variant: Variant) -> Example | None:
    if variant.decks < 2:
        return None
    allowed = variant.identical_cards_in_set == "allow"
    return _meld("set", "7H 7H 7D", say("The 7 of hearts twice in one set"), allowed)


def contract_size(variant: Variant) -> Example | None:
    contract = variant.contracts[0]
    melds = _melds_for(contract)
    if melds is None or contract.parts[0].kind != "set":
        return None
    melds[0] = f"{melds[0]} {_set_of('9', contract.parts[0].size + 1).split()[-1]}"
    legal = variant.contract_size == "exact_core" and variant.extras_same_turn
    return _contract(contract, melds, say("One card more than contract 1 asks"), legal)


def two_sets_same_rank(variant: Variant) -> Example | None:
    for contract in variant.contracts:
        sizes = [part.size for part in contract.parts]
        if all(part.kind == "set" for part in contract.parts) and len(sizes) == 2:
            if sum(sizes) > len(SUITS) * variant.decks:
                continue
            cards = _set_of("9", sum(sizes)).split()
            melds = [" ".join(cards[: sizes[0]]), " ".join(cards[sizes[0] :])]
            caption = say("Contract {number} in nines alone", number=contract.number)
            return _contract(contract, melds, caption, variant.two_sets_same_rank == "allow")
    return None


def touching_runs(variant: Variant) -> Example | None:
    for contract in variant.contracts:
        sizes = [part.size for part in contract.parts]
        if all(part.kind == "run" for part in contract.parts) and len(sizes) == 2:
            upper = variant.run_ranks[-sum(sizes) :]
            if len(upper) < sum(sizes) or ("2" in upper and variant.twos_are_wild):
                continue
            cards = [f"{rank}H" for rank in upper]
            melds = [" ".join(cards[: sizes[0]]), " ".join(cards[sizes[0] :])]
            caption = say("Two runs of hearts, one right after the other")
            return _contract(contract, melds, caption, variant.touching_runs == "allow")
    return None


def extra_melds(variant: Variant) -> Example | None:
    # A pair is legal in its contract alone, so it shows nothing of extra melds.
    sets = [part for part in variant.contracts[0].parts if part.kind == "set" and part.size > 2]
    if not sets:
        return None
    size = sets[0].size if variant.extra_melds == "contract_parts" else variant.extra_set_min
    caption = say("A set of {size} beyond the contract", size=size)
    return _extra_meld("set", _set_of("9", size), caption, variant.extra_melds != "none")


def extra_run_min(variant: Variant) -> Example | None:
    if variant.extra_melds != "any":
        return None
    caption = say("An extra run of three")
    return _extra_meld("run", "5H 6H 7H", caption, variant.extra_run_min <= 3)


def extra_set_min(variant: Variant) -> Example | None:
    if variant.extra_melds != "any":
        return None
    return _extra_meld("set", "5H 5D", say("A pair as an extra meld"), variant.extra_set_min <= 2)


def layoff_check(variant: Variant) -> Example | None:
    wilds = _wild_cards(variant, 2)
    if wilds is None:
        return None
    # Card by card the limit is broken only where equal numbers are too many.
    free = variant.wild_limit_scope == "initial_only" or _allows_equal_wilds(variant)
    legal = free or variant.layoff_check == "end_state"
    caption = say("A wild card and a 7 added together")
    return _layoff("run", f"3S {wilds[0]} 5S", f"{wilds[1]} 7S", caption, legal)


def wild_swap(variant: Variant) -> Example | None:
    wild = _swappable_wild(variant)
    if wild is None:
        return None
    caption = say("The 4 for the wild card in your own run")
    if variant.wild_swap == "others":
        caption = say("The 4 for the wild card in another player’s run")
    return _swap(variant, "run", f"3H {wild} 5H 6H", "4H", caption, variant.wild_swap != "none")


def swap_in_sets(variant: Variant) -> Example | None:
    wild = _swappable_wild(variant)
    if wild is None or variant.wild_swap == "none":
        return None
    caption, legal = say("A 9 for the wild card in a set"), variant.swap_in_sets != "no"
    return _swap(variant, "set", f"9H {wild} 9D", "9S", caption, legal)


def swap_wild_twos(variant: Variant) -> Example | None:
    if not variant.twos_are_wild or variant.wild_swap == "none":
        return None
    caption = say("The 4 for a wild 2")
    return _swap(variant, "run", "3H 2S 5H 6H", "4H", caption, variant.swap_wild_twos)


def decks(variant: Variant) -> Example | None:
    cards = " ".join(["7H"] * (variant.decks + 1))
    return _meld("set", cards, say("One 7 of hearts more than there are"), legal=False)


def jokers(variant: Variant) -> Example | None:
    there = variant.jokers_in(variant.decks) > 0
    return _meld("set", "8H 8D JK", say("Two 8s and a joker"), legal=there)


def must_discard_to_go_out(variant: Variant) -> Example | None:
    """A contract that takes every card of a hand; any other leaves a card that can be discarded."""
    held = variant.deal + 1
    contract = next((one for one in variant.contracts if one.size == held), None)
    if contract is None:
        return None
    if [part.kind for part in contract.parts] == ["run"]:
        ranks = [rank for rank in variant.run_ranks if rank not in ("A", "2")]
        hand = " ".join(f"{rank}H" for rank in ranks[-held:]) if len(ranks) >= held else None
    else:
        melds = _melds_for(contract)
        hand = " ".join(melds) if melds and len(melds) == len(contract.parts) else None
    if hand is None:
        return None
    question = {"ask": "hand", "contract": contract.number, "hand": hand}
    caption = say("A hand that is contract {number} to the last card", number=contract.number)
    return Example(question, caption, {"out": not variant.must_discard_to_go_out})


def down_and_out(variant: Variant) -> Example | None:
    caption = say("Contract 1 made bigger by the other cards, and a 3 to discard")
    return _going_out(variant, variant.deal, ["3D"], caption, out=variant.extras_same_turn)


def layoff_on_others(variant: Variant) -> Example | None:
    caption = say("Contract 1 and its cards, a queen for the queens on the table, a 3 to discard")
    out = variant.extras_same_turn and variant.layoff_on_others
    size = variant.deal - 1
    return _going_out(variant, size, ["QC", "3D"], caption, out=out, table="QS QH QD")


def any_order(_variant: Variant) -> Example:
    return _meld("run", "7H 5H 8H 6H", say("7, 5, 8 and 6"), legal=True)


def around_the_corner(_variant: Variant) -> Example:
    return _meld("run", "QH KH AH 3H", say("Queen, king, ace and 3"), legal=False)


def wild_stands_for(variant: Variant) -> Example | None:
    wilds = _wild_cards(variant, 1)
    if wilds is None:
        return None
    cards = " ".join(["5H", "6H", "7H", *wilds])
    return _meld("run", cards, say("A wild card beside 5, 6 and 7"), legal=True)


def only_wild_cards(variant: Variant) -> Example | None:
    wilds = ["2S", "2H", "2D"] if variant.twos_are_wild else _wild_cards(variant, 3)
    if wilds is None:
        return None
    return _meld("set", " ".join(wilds), say("Three wild cards"), legal=False)


def wild_cards_stay(variant: Variant) -> Example | None:
    wild = _wild_cards(variant, 1)
    if wild is None:
        return None
    caption = say("The 7 added where the wild card is the 7")
    return _layoff("run", f"5H 6H {wild[0]} 8H", "7H", caption, legal=False)


def all_at_once(variant: Variant) -> Example | None:
    contract = next((one for one in variant.contracts if len(one.parts) > 1), None)
    if contract is None or contract.parts[0].kind == "run":
        return None
    caption = say("One meld alone for contract {number}", number=contract.number)
    return _contract(contract, [_set_of("9", contract.parts[0].size)], caption, legal=False)


def penalties(variant: Variant) -> Example:
    points = sum(map(variant.penalties.of, ("2", "5", "10", "K", "A")))
    question = {"ask": "score", "cards": "2H 5S 10D KC AH"}
    return Example(question, say("2, 5, 10, king and ace"), {"points": points})


def _swappable_wild(variant: Variant) -> str | None:
    if variant.jokers_in(variant.decks):
        return "JK"
    return "2S" if variant.twos_are_wild and variant.swap_wild_twos else None


def _set_of(rank: str, size: int) -> str:
    """A set of that rank; suits in turn, so that no card comes twice before all four are there."""
    return " ".join(f"{rank}{SUITS[place % len(SUITS)]}" for place in range(size))


def _melds_for(contract: Contract) -> list[str] | None:
    """Natural melds for a contract of sets alone; None for any other."""
    if any(part.kind == "run" for part in contract.parts):
        return None
    ranks = ("9", "J", "K", "6", "4")
    return [_set_of(rank, part.size) for rank, part in zip(ranks, contract.parts, strict=False)]


def _going_out(
    variant: Variant, size: int, more: list[str], caption: Phrase, *, out: bool, table: str = ""
) -> Example | None:
    """An example of a hand: contract 1 made bigger to so many cards, and a few cards beside it."""
    parts = variant.contracts[0].parts
    spare = size - sum(part.size for part in parts)
    if spare < 0 or any(part.kind == "run" or part.size < _LEAST_SET for part in parts):
        return None
    sizes = [part.size for part in parts]
    for place in range(spare):
        sizes[place % len(sizes)] += 1
    ranks = ("9", "J", "K", "6", "4")
    if len(parts) > len(ranks):
        return None
    melds = [_set_of(rank, many) for rank, many in zip(ranks, sizes, strict=False)]
    question: dict[str, object] = {
        "ask": "hand",
        "contract": 1,
        "hand": " ".join([*melds, *more]),
    }
    if table:
        question["table"] = [{"kind": "set", "meld": table}]
    return Example(question, caption, {"out": out})


def _contract(contract: Contract, melds: list[str], caption: Phrase, legal: bool) -> Example:
    question = {"ask": "contract", "contract": contract.number, "melds": melds}
    return Example(question, caption, {"legal": legal})
