"""The part of the Q&A that depends on more than one value of a rule set.

`QUESTIONS` and `ANSWERS` are worded for a rule set; `RELEVANCE` says where a question has an
effect. Each is keyed by the id of the question in `topics.toml`.
"""

from collections.abc import Callable, Mapping

from app.rules.cards import JOKER, rank_phrase
from app.rules.contracts import Contract, Kind
from app.rules.faq.topics import TopicAnswer
from app.rules.phrases import Phrase, concatenate, join_phrases, say, say_plural
from app.rules.variant import Variant


def _wild_name(variant: Variant) -> Phrase:
    return say("2") if variant.twos_are_wild else say("joker")


def _has_wilds(variant: Variant) -> bool:
    return variant.twos_are_wild or variant.jokers > 0


def _has_low_two(variant: Variant) -> bool:
    return variant.run_ranks[:2] == ("A", "2")


def _largest_contract(variant: Variant) -> Contract:
    """The contract that takes the most cards; the first of several."""
    return max(variant.contracts[: variant.last_contract], key=lambda one: one.size)


def _contract_with_a_pair(variant: Variant) -> int:
    with_pair = (one.number for one in variant.contracts if any(p.size == 2 for p in one.parts))
    return next(with_pair, 0)


# Questions


def _ask_wild_limit_scope(variant: Variant) -> Phrase:
    wild = _wild_name(variant)
    if variant.wild_limit == "fewer_than_naturals":
        return say("Can I add a {wild} to 8-8-8-{wild}-{wild}?", wild=wild)
    return say("Can I add a {wild} to 8-8-{wild}-{wild}?", wild=wild)


def _ask_two_natural_in_own_slot(variant: Variant) -> Phrase:
    if _has_low_two(variant):
        return say("In A-2-3-4, is the 2 wild?")
    return say("Does a 2 ever count as a 2?")


def _ask_wilds_adjacent(variant: Variant) -> Phrase:
    if variant.twos_are_wild:
        return say("Can two wild cards touch in a run?")
    return say("Can two jokers touch in a run?")


def _ask_pair_with_wild(variant: Variant) -> Phrase:
    number, wild = _contract_with_a_pair(variant), _wild_name(variant)
    return say("Contract {number}: can the pair be a 5 and a {wild}?", number=number, wild=wild)


def _ask_touching_runs(variant: Variant) -> Phrase:
    if variant.run_suit == "same":
        return say("Can my two runs be 3–6 and 7–10 of hearts?")
    return say("Can my two runs be 3–6 and 7–10?")


def _ask_large_contracts(variant: Variant) -> Phrase:
    number = _largest_contract(variant).number
    return say("Can I lay contract {number} from {deal} cards?", number=number, deal=variant.deal)


def _ask_last_contract_again(variant: Variant) -> Phrase:
    number = variant.last_contract
    return say("I laid contract {number}, but another player went out: what now?", number=number)


def _ask_layoff_check(variant: Variant) -> Phrase:
    wild = _wild_name(variant)
    return say("I add a {wild} and a 7 together: must each step be legal?", wild=wild)


def _ask_finisher_pays(variant: Variant) -> Phrase:
    number = variant.last_contract
    return say("I laid contract {number} holding cards: do they cost me?", number=number)


QUESTIONS: Mapping[str, Callable[[Variant], Phrase]] = {
    "wild-limit-scope": _ask_wild_limit_scope,
    "two-natural-in-own-slot": _ask_two_natural_in_own_slot,
    "wilds-adjacent": _ask_wilds_adjacent,
    "pair-with-wild": _ask_pair_with_wild,
    "touching-runs": _ask_touching_runs,
    "large-contracts": _ask_large_contracts,
    "layoff-check": _ask_layoff_check,
    "finisher-pays": _ask_finisher_pays,
    "last-contract-again": _ask_last_contract_again,
}


# Answers


def _wild_limit(variant: Variant) -> TopicAnswer:
    later = variant.wild_limit_scope == "initial_only"
    match variant.wild_limit:
        case "at_most_naturals" if later:
            return TopicAnswer(say("At most half of its cards, when the meld is laid."))
        case "at_most_naturals":
            return TopicAnswer(say("At most half of its cards."))
        case "fewer_than_naturals":
            sizes = say("A meld of 4 can hold 1 wild card, a meld of 5 can hold 2.")
            if later:
                return TopicAnswer(
                    say("Fewer than half of its cards, when the meld is laid."), sizes
                )
            return TopicAnswer(say("Fewer than half of its cards."), sizes)
        case "none":
            return TopicAnswer(say("As many as you like, with at least 1 natural card."))


def _twos(variant: Variant) -> TopicAnswer:
    if variant.twos_are_wild and variant.jokers:
        return TopicAnswer(say("Yes, 2s and jokers are wild."))
    if variant.twos_are_wild:
        return TopicAnswer(say("Yes, every 2 is wild."))
    if variant.jokers:
        return TopicAnswer(say("No, only jokers are wild."))
    return TopicAnswer(say("No, and nothing else is wild."))


def _two_natural_in_own_slot(variant: Variant) -> TopicAnswer:
    if variant.two_natural_in_own_slot and _has_low_two(variant):
        return TopicAnswer(say("No, in its own place it counts as an ordinary 2."))
    if _has_low_two(variant):
        return TopicAnswer(say("Yes, a 2 counts as wild even in its own place."))
    reason = say("The lowest card of a run is the 3.")
    if variant.run_ranks[0] == "A":
        reason = say("The ace stands right before the 3: in A-2-3-4 the 2 is a 5.")
    return TopicAnswer(say("No, it is always wild."), reason)


def _pair_with_wild(variant: Variant) -> TopicAnswer:
    if variant.wild_limit == "fewer_than_naturals":
        return TopicAnswer(say("No, a meld needs more natural than wild cards."))
    if variant.pair_with_wild == "forbid":
        return TopicAnswer(say("No, both cards of the pair must be natural."))
    return TopicAnswer(say("Yes, 1 natural and 1 wild card keep the limit."))


def _run_order(variant: Variant) -> TopicAnswer:
    if variant.run_ranks[0] != "A":
        low = say("The lowest card of a run is the {low}.", low=variant.run_ranks[0])
        return TopicAnswer(say("High only: it comes after the king."), low)
    if variant.run_ranks[1] == "3":
        return TopicAnswer(say("Either: above the king or right before the 3."))
    return TopicAnswer(say("Either: above the king or below the 2."))


def _around_the_corner(variant: Variant) -> TopicAnswer:
    reason = say("Q-K-A-2 isn’t a run.")
    if variant.twos_are_wild:
        reason = say("Q-K-A-2 is fine: there the 2 is wild and stands for the jack.")
    return TopicAnswer(say("No, a run ends at the ace above the king."), reason)


def _progress(variant: Variant) -> TopicAnswer:
    if variant.progress == "common":
        return TopicAnswer(
            say("No, laying it down is enough."), say("Everyone moves on after each round anyway.")
        )
    last = None
    if variant.win == "first_out_on_last":
        last = say("Only contract {number} also needs going out.", number=variant.last_contract)
    return TopicAnswer(say("No, laying it down is enough."), last)


def _contract_size(variant: Variant) -> TopicAnswer:
    if variant.contract_size == "exact":
        return TopicAnswer(say("No, lay exactly 3 and add the fourth after."))
    if not variant.extras_same_turn:
        return TopicAnswer(say("No, you can add the fourth from your next turn on."))
    return TopicAnswer(say("Yes, a contract’s meld can be bigger."))


def _large_contracts(variant: Variant) -> TopicAnswer:
    size, held = _largest_contract(variant).size, variant.deal + 1
    takes = say("It takes {size} cards; after the draw you hold {held}.", size=size, held=held)
    needed = size + variant.must_discard_to_go_out
    if needed <= held:
        return TopicAnswer(say("Yes, with every card you hold after the draw."))
    if variant.max_hand_size >= needed:
        return TopicAnswer(say("Only after buying cards."), takes)
    return TopicAnswer(say("No, not from one hand."), takes)


def _at_least(count: int) -> TopicAnswer:
    return TopicAnswer(say_plural("{count} card or more.", "{count} cards or more.", count))


def _buying(variant: Variant) -> TopicAnswer:
    if variant.buying == "none":
        return TopicAnswer(say("No, you only draw on your own turn."))
    often = say("The next player in turn can always take it first.")
    if variant.most_buys:
        often = say_plural(
            "You can do so {count} time a round.",
            "You can do so {count} times a round.",
            variant.most_buys,
        )
    price = say("Yes, with 1 card from the draw pile as its price.")
    if variant.buy_points:
        price = say_plural(
            "Yes, for 1 card from the draw pile and {count} point.",
            "Yes, for 1 card from the draw pile and {count} points.",
            variant.buy_points,
        )
    return TopicAnswer(price, often)


def _down_and_out(variant: Variant) -> TopicAnswer:
    if not variant.extras_same_turn:
        return TopicAnswer(say("Only if the contract takes all your cards."))
    if variant.must_discard_to_go_out:
        return TopicAnswer(say("Yes, if you keep 1 card to discard."))
    return TopicAnswer(say("Yes, with or without a discard."))


def _round_ends(variant: Variant) -> TopicAnswer:
    last = None
    if variant.win == "first_to_complete":
        number = variant.last_contract
        last = say("It also ends when someone lays contract {number}.", number=number)
    return TopicAnswer(say("As soon as a player has no cards left."), last)


def _win(variant: Variant) -> TopicAnswer:
    number = variant.last_contract
    match variant.win:
        case "first_to_complete":
            return TopicAnswer(
                say("The first player to lay down contract {number}.", number=number)
            )
        case "first_out_on_last":
            return TopicAnswer(
                say("The first player to go out on contract {number}.", number=number),
                say("A player who lays it down but doesn’t go out tries it again."),
            )
        case "lowest_score":
            return TopicAnswer(say("The player with the lowest score at the end."))
        case "lowest_finisher":
            return TopicAnswer(say("The player with the lowest score of those who finished."))


def _game_ends(variant: Variant) -> TopicAnswer:
    number = variant.last_contract
    if variant.progress == "common":
        return TopicAnswer(say("After the round of contract {number}.", number=number))
    if variant.win == "first_out_on_last":
        return TopicAnswer(say("When a player goes out on contract {number}.", number=number))
    return TopicAnswer(say("When a player lays down contract {number}.", number=number))


def _penalties(variant: Variant) -> TopicAnswer:
    return TopicAnswer(join_phrases([_cost(*one) for one in variant.penalties.classes]))


def _cost(points: int, ranks: tuple[str, ...]) -> Phrase:
    names = concatenate([say("★") if rank == JOKER else rank_phrase(rank) for rank in ranks])
    return say_plural("{ranks}: {count} point", "{ranks}: {count} points", points, ranks=names)


def _points_off(points: int) -> TopicAnswer:
    if points == 0:
        return TopicAnswer(say("Nothing."))
    return TopicAnswer(say_plural("{count} point off.", "{count} points off.", -points))


def _max_deals(variant: Variant) -> TopicAnswer:
    most = variant.max_deals
    if most == 0:
        return TopicAnswer(say("No, the game goes on until the last contract."))
    return TopicAnswer(say_plural("Yes, after {count} round.", "Yes, after {count} rounds.", most))


def _shorter_game(variant: Variant) -> TopicAnswer:
    return TopicAnswer(
        say("Yes, agree on an earlier last contract before you start."),
        say("This game goes to contract {number}.", number=variant.last_contract),
    )


def _players(variant: Variant) -> TopicAnswer:
    least, most = variant.players_min, variant.players_max
    return TopicAnswer(say("{least} to {most} players.", least=least, most=most))


def _decks(variant: Variant) -> TopicAnswer:
    decks, more = variant.decks, variant.third_deck_from
    if not _adds_a_deck(variant):
        return TopicAnswer(
            say_plural("{count} deck of 52 cards.", "{count} decks of 52 cards.", decks)
        )
    return TopicAnswer(
        say(
            "{decks} for up to {few} players, {more} from {many} on.",
            decks=decks,
            few=more - 1,
            more=decks + 1,
            many=more,
        )
    )


def _jokers(variant: Variant) -> TopicAnswer:
    if not variant.jokers:
        return TopicAnswer(say("No."))
    count = variant.joker_count(variant.decks)
    return TopicAnswer(say_plural("Yes, with {count} joker.", "Yes, with {count} jokers.", count))


def _jokers_per_extra_deck(variant: Variant) -> TopicAnswer:
    if not variant.jokers:
        return TopicAnswer(say("No, there are no jokers in this game."))
    count = variant.jokers_per_extra_deck
    if not count:
        return TopicAnswer(say("No, only the first two decks have jokers."))
    return TopicAnswer(say_plural("Yes, {count} joker.", "Yes, {count} jokers.", count))


def _deal(variant: Variant) -> TopicAnswer:
    return TopicAnswer(say_plural("{count} card.", "{count} cards.", variant.deal))


ANSWERS: Mapping[str, Callable[[Variant], TopicAnswer]] = {
    "wild-limit": _wild_limit,
    "twos": _twos,
    "two-natural-in-own-slot": _two_natural_in_own_slot,
    "pair-with-wild": _pair_with_wild,
    "run-order": _run_order,
    "around-the-corner": _around_the_corner,
    "progress": _progress,
    "contract-size": _contract_size,
    "large-contracts": _large_contracts,
    "extra-set-min": lambda variant: _at_least(variant.extra_set_min),
    "extra-run-min": lambda variant: _at_least(variant.extra_run_min),
    "buying": _buying,
    "down-and-out": _down_and_out,
    "round-ends": _round_ends,
    "win": _win,
    "game-ends": _game_ends,
    "penalties": _penalties,
    "go-out-bonus": lambda variant: _points_off(variant.go_out_bonus),
    "completion-bonus": lambda variant: _points_off(variant.completion_bonus),
    "exact-deal-bonus": lambda variant: _points_off(variant.exact_deal_bonus),
    "max-deals": _max_deals,
    "shorter-game": _shorter_game,
    "players": _players,
    "decks": _decks,
    "jokers": _jokers,
    "jokers-per-extra-deck": _jokers_per_extra_deck,
    "deal": _deal,
}


# Where a question has an effect


def _adds_a_deck(variant: Variant) -> bool:
    return 0 < variant.third_deck_from <= variant.players_max


def _has_two(kind: Kind) -> Callable[[Variant], bool]:
    """Does any contract ask for two melds of that kind?"""
    return lambda variant: any(
        sum(part.kind == kind for part in contract.parts) > 1 for contract in variant.contracts
    )


def _has_legal_steps(variant: Variant) -> bool:
    """Can a meld be legal with all added cards and not with the first of them?"""
    limited = variant.wild_limit != "none" and variant.wild_limit_scope == "always"
    return _has_wilds(variant) and (limited or not variant.wilds_adjacent)


def _can_finish_with_cards(variant: Variant) -> bool:
    """Can a player lay the last contract and still hold cards when the score is made?"""
    last = variant.contract(variant.last_contract)
    individual = variant.progress == "individual" and variant.win != "first_out_on_last"
    return individual and variant.scores and last.size <= variant.deal


def _has_several_contracts(variant: Variant) -> bool:
    return len(variant.contracts) > 1


RELEVANCE: Mapping[str, Callable[[Variant], bool]] = {
    **dict.fromkeys(
        (
            "wild-limit",
            "wild-stands-for",
            "say-which",
            "only-wild-cards",
            "wilds-adjacent",
            "wild-cards-stay",
            "wild-swap",
        ),
        _has_wilds,
    ),
    "wild-limit-scope": lambda variant: _has_wilds(variant) and variant.wild_limit != "none",
    "two-natural-in-own-slot": lambda variant: variant.twos_are_wild,
    "pair-with-wild": lambda variant: _has_wilds(variant) and _contract_with_a_pair(variant) > 0,
    "run-both-aces": lambda variant: variant.run_ranks[0] == "A",
    "touching-runs": _has_two("run"),
    "contracts": _has_several_contracts,
    "large-contracts": lambda variant: _largest_contract(variant).size > variant.deal,
    "identical-cards-in-set": lambda variant: variant.decks > 1,
    "two-sets-same-rank": _has_two("set"),
    "first-turn": lambda variant: variant.first_player_extra_card,
    "extra-set-min": lambda variant: variant.extra_melds == "any",
    "extra-run-min": lambda variant: variant.extra_melds == "any",
    "layoff-check": _has_legal_steps,
    "swap-in-sets": lambda variant: variant.wild_swap != "none",
    "swap-wild-twos": lambda variant: variant.wild_swap != "none" and variant.twos_are_wild,
    "knock": lambda variant: variant.knock,
    "several-finish": lambda variant: variant.progress == "individual",
    "equal-scores": lambda variant: variant.win in ("lowest_score", "lowest_finisher"),
    "penalties": lambda variant: variant.keep_score != "no",
    "finisher-pays": _can_finish_with_cards,
    "go-out-bonus": lambda variant: variant.go_out_bonus < 0,
    "completion-bonus": lambda variant: variant.completion_bonus < 0,
    "exact-deal-bonus": lambda variant: variant.exact_deal_bonus < 0,
    "max-deals": lambda variant: (
        variant.max_deals > 0 or bool(variant.file_answer("max-deals").answer)
    ),
    "shorter-game": _has_several_contracts,
    "jokers-per-extra-deck": _adds_a_deck,
    "shuffle-and-cut": lambda variant: bool(variant.file_answer("shuffle-and-cut").answer),
    "other-rules": lambda variant: bool(variant.file_answer("other-rules").answer),
    "texts-differ": lambda variant: bool(variant.file_answer("texts-differ").answer),
    "last-contract-again": lambda variant: variant.win == "first_out_on_last",
}
