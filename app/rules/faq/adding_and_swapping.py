"""The Q&A on what follows once a contract is down: new melds, added cards, swapped wild cards."""

from app.rules.faq import examples
from app.rules.faq.topics import Said, Topic, asked, by_value
from app.rules.phrases import Phrase, say, say_many
from app.rules.variant import Variant


def _any_extras(variant: Variant) -> bool:
    return variant.extra_melds == "any"


def _extra_sets(variant: Variant) -> Said:
    least = variant.extra_set_min
    return Said(say_many("{count} card or more.", "{count} cards or more.", least))


def _extra_runs(variant: Variant) -> Said:
    least = variant.extra_run_min
    return Said(say_many("{count} card or more.", "{count} cards or more.", least))


def _step_question(variant: Variant) -> Phrase:
    wild = say("2") if variant.twos_are_wild else say("joker")
    return say("I add a {wild} and a 7 together: must each step be legal?", wild=wild)


def _steps_matter(variant: Variant) -> bool:
    has_wilds = variant.twos_are_wild or variant.jokers > 0
    limited = variant.wild_limit != "none" and variant.wild_limit_scope == "always"
    return has_wilds and (limited or not variant.wilds_adjacent)


def _swaps(variant: Variant) -> bool:
    return variant.wild_swap != "none"


_AT_ONCE = say("Your contract must be down, and you must play the freed card in the same turn.")

TOPICS = (
    Topic(
        "layoff-on-others",
        question=asked(say("Can I add (lay off) to another player’s meld?")),
        said=by_value(
            "layoff_on_others",
            {
                True: Said(say("Yes, once your own contract is down.")),
                False: Said(say("No, only to your own melds.")),
            },
        ),
        search=say("lay off, others’ melds, opponents, extend, attach, add cards, go on"),
        fields=("layoff_on_others",),
        example=examples.layoff_on_others,
        on_sheet=True,
    ),
    Topic(
        "extra-melds",
        question=asked(say("Can I lay new melds after my contract?")),
        said=by_value(
            "extra_melds",
            {
                "any": Said(say("Yes, any sets and runs.")),
                "contract_parts": Said(
                    say("Yes, but only melds like those of your contract."),
                    say("The kind and the size must be the same."),
                ),
                "none": Said(say("No, you can only add cards to melds on the table.")),
            },
        ),
        search=say("extra meld, new set, new run, additional, more melds"),
        fields=("extra_melds",),
        example=examples.extra_melds,
        on_sheet=True,
    ),
    Topic(
        "extra-set-min",
        question=asked(say("How many cards does an extra set need?")),
        said=_extra_sets,
        search=say("new set, small set, pair, lay off, size, at least"),
        fields=("extra_set_min", "extra_melds"),
        matters=_any_extras,
        example=examples.extra_set_min,
    ),
    Topic(
        "extra-run-min",
        question=asked(say("How many cards does an extra run need?")),
        said=_extra_runs,
        search=say("new run, short run, sequence, straight, lay off, size, at least"),
        fields=("extra_run_min", "extra_melds"),
        matters=_any_extras,
        example=examples.extra_run_min,
        on_sheet=True,
    ),
    Topic(
        "extras-same-turn",
        question=asked(say("Can I lay down and add more cards in one turn?")),
        said=by_value(
            "extras_same_turn",
            {
                True: Said(say("Yes, right after your contract.")),
                False: Said(say("No, you can add cards from your next turn on.")),
            },
        ),
        search=say("same turn, at once, immediately, next turn"),
        fields=("extras_same_turn",),
    ),
    Topic(
        "layoff-check",
        question=_step_question,
        said=by_value(
            "layoff_check",
            {
                "end_state": Said(say("No, only the result counts.")),
                "each_card": Said(say("Yes, after each card the meld must be legal.")),
            },
        ),
        search=say("several cards, intermediate, one by one, card by card, lay off, joker, deuce"),
        fields=("layoff_check",),
        matters=_steps_matter,
        example=examples.layoff_check,
    ),
    Topic(
        "wild-swap",
        question=asked(say("Can I swap the real card for a wild card on the table?")),
        said=by_value(
            "wild_swap",
            {
                "none": Said(say("No, the wild card stays.")),
                "others": Said(say("Yes, but only in other players’ melds."), _AT_ONCE),
                "own": Said(say("Yes, but only in your own melds."), _AT_ONCE),
                "any": Said(say("Yes, in any meld on the table."), _AT_ONCE),
            },
        ),
        search=say("replace, exchange, trade, steal, take a joker, substitute, free, deuce"),
        fields=("wild_swap",),
        matters=lambda variant: variant.twos_are_wild or variant.jokers > 0,
        example=examples.wild_swap,
        on_sheet=True,
    ),
    Topic(
        "swap-in-sets",
        question=asked(say("Can I also swap a wild card out of a set?")),
        said=by_value(
            "swap_in_sets",
            {
                "any_suit": Said(say("Yes, for any card of that rank.")),
                "no": Said(say("No, only out of runs.")),
            },
        ),
        search=say("replace, exchange, trade, steal, take a joker, substitute, three of a kind"),
        fields=("swap_in_sets", "wild_swap"),
        matters=_swaps,
        example=examples.swap_in_sets,
    ),
    Topic(
        "swap-wild-twos",
        question=asked(say("Can I also swap out a wild 2?")),
        said=by_value(
            "swap_wild_twos",
            {
                True: Said(say("Yes, jokers and wild 2s alike.")),
                False: Said(say("No, only jokers.")),
            },
        ),
        search=say("replace, exchange, trade, steal, deuce, take a 2, substitute"),
        fields=("swap_wild_twos", "wild_swap"),
        matters=lambda variant: _swaps(variant) and variant.twos_are_wild,
        example=examples.swap_wild_twos,
    ),
)
