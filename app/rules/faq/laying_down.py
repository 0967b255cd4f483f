"""The Q&A on the contract: what it takes to lay it down, and what its melds can be."""

from app.rules.contracts import Contract
from app.rules.faq import examples
from app.rules.faq.topics import Said, Topic, always_said, asked, by_value
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant


def _two_sets(variant: Variant) -> bool:
    return any(
        sum(part.kind == "set" for part in contract.parts) > 1 for contract in variant.contracts
    )


def _bigger(variant: Variant) -> Said:
    if variant.contract_size == "exact":
        return Said(say("No, lay exactly 3 and add the fourth after."))
    if not variant.extras_same_turn:
        return Said(say("No, you can add the fourth from your next turn on."))
    return Said(say("Yes, a contract’s meld can be bigger."))


def _progress(variant: Variant) -> Said:
    if variant.progress == "common":
        return Said(
            say("Laying it down. Everyone moves on after each round anyway."),
        )
    if variant.win == "first_out_on_last":
        last = say("Only contract {number} also needs going out.", number=variant.last_contract)
        return Said(say("Laying it down; you don’t have to go out."), last)
    return Said(say("Laying it down; you don’t have to go out."))


def _held(variant: Variant) -> Said:
    if variant.progress == "common":
        return Said(say("Yes, everyone moves on after each round."))
    return Said(say("No, only a contract laid on the table counts."))


def largest_contract(variant: Variant) -> Contract:
    """The contract that takes the most cards; the first of several."""
    return max(variant.contracts[: variant.last_contract], key=lambda one: one.size)


def _takes_the_hand(variant: Variant) -> bool:
    return largest_contract(variant).size > variant.deal


def _large_question(variant: Variant) -> Phrase:
    number = largest_contract(variant).number
    return say("Can I lay contract {number} from {deal} cards?", number=number, deal=variant.deal)


def _large(variant: Variant) -> Said:
    size, held = largest_contract(variant).size, variant.deal + 1
    takes = say("It takes {size} cards; after the draw you hold {held}.", size=size, held=held)
    needed = size + variant.must_discard_to_go_out
    if needed <= held:
        return Said(say("Yes, with every card you hold after the draw."))
    if variant.most_held >= needed:
        return Said(say("Only after buying cards."), takes)
    return Said(say("No, not from one hand."), takes)


TOPICS = (
    Topic(
        "progress",
        question=asked(say("What completes a contract?")),
        said=_progress,
        search=say("move on, next contract, advance, met, fulfill, finished, stuck, repeat"),
        fields=("progress", "win", "last_contract"),
        on_sheet=True,
    ),
    Topic(
        "held-not-laid",
        question=asked(say("I held the contract but never laid it down: do I move on?")),
        said=_held,
        search=say("in hand, not melded, too late, not laid, move on, next contract, stuck"),
        fields=("progress",),
    ),
    Topic(
        "contracts",
        question=asked(say("Can I skip a contract or lay two in one round?")),
        said=always_said(say("No, one contract a round, in order.")),
        search=say("order, sequence of contracts, two contracts, skip, jump"),
        matters=lambda variant: len(variant.contracts) > 1,
        on_sheet=True,
    ),
    Topic(
        "all-at-once",
        question=asked(say("Do I have to lay down the whole contract at once?")),
        said=always_said(
            say("Yes, all its melds in one turn."),
            say("Before that you can’t lay or add anything."),
        ),
        search=say("part of the contract, one meld first, partly, lay down, go down"),
        example=examples.all_at_once,
        on_sheet=True,
    ),
    Topic(
        "hold-back",
        question=asked(say("Do I have to lay down as soon as I can?")),
        said=always_said(say("No, you can hold your cards back.")),
        search=say("wait, keep, force, must lay, obliged, hold"),
    ),
    Topic(
        "contract-size",
        question=asked(say("Can I lay four 9s where three are asked?")),
        said=_bigger,
        search=say("larger, bigger, more cards, longer run, exact, exactly, too many cards, size"),
        fields=("contract_size", "extras_same_turn"),
        example=examples.contract_size,
        on_sheet=True,
    ),
    Topic(
        "large-contracts",
        question=_large_question,
        said=_large,
        search=say("too few cards, not enough cards, all cards, impossible, every card"),
        fields=("deal", "contracts", "discard_draw", "must_discard_to_go_out"),
        matters=_takes_the_hand,
    ),
    Topic(
        "set",
        question=asked(say("What is a set?")),
        said=always_said(say("Cards of the same rank, in any suits.")),
        search=say("three of a kind, same value, denomination, group, book, triplet"),
    ),
    Topic(
        "identical-cards-in-set",
        question=asked(say("Can a set hold the same card twice?")),
        said=by_value(
            "identical_cards_in_set",
            {
                "allow": Said(say("Yes, only the rank counts.")),
                "forbid": Said(say("No, its natural cards must all differ.")),
            },
        ),
        search=say("identical, duplicate, double, twice, two 7s of hearts, same suit"),
        fields=("identical_cards_in_set",),
        matters=lambda variant: variant.decks > 1,
        example=examples.identical_cards_in_set,
    ),
    Topic(
        "two-sets-same-rank",
        question=asked(say("Can my two sets have the same rank?")),
        said=by_value(
            "two_sets_same_rank",
            {
                "allow": Said(say("Yes, two sets of 9s count as two.")),
                "forbid": Said(say("No, each set needs a rank of its own.")),
            },
        ),
        search=say("same value, six of a kind, equal sets, both sets"),
        fields=("two_sets_same_rank",),
        matters=_two_sets,
        example=examples.two_sets_same_rank,
    ),
    Topic(
        "any-order",
        question=asked(say("Does it matter in which order I lay the cards of a meld?")),
        said=always_said(
            say("No, any order counts that makes the meld."),
            say("Once it lies there, a run is in order."),
        ),
        search=say("sort, arrange, card by card, sequence"),
        example=examples.any_order,
    ),
    Topic(
        "first-turn",
        question=asked(say("Can the first player lay down right away?")),
        said=always_said(
            say("Yes, without drawing."),
            say("The first player holds 1 card more, and only melds and discards."),
        ),
        search=say("first turn, starter, immediately, meld"),
        fields=("first_player_extra_card",),
        matters=lambda variant: variant.first_player_extra_card,
    ),
)
