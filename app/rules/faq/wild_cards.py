"""The Q&A on wild cards: which there are, what they stand for, how many a meld may hold."""

from app.rules.faq import examples
from app.rules.faq.topics import Said, Topic, always_said, asked, by_value
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant


def _has_wilds(variant: Variant) -> bool:
    return variant.twos_are_wild or variant.jokers > 0


def _are_twos_wild(variant: Variant) -> Said:
    if variant.twos_are_wild:
        return Said(say("Yes, every 2 is wild."))
    if variant.jokers:
        return Said(say("No, only jokers are wild."))
    return Said(say("No, and nothing else is wild."))


def _own_place_question(variant: Variant) -> Phrase:
    if variant.line[:2] == ("A", "2"):
        return say("In A-2-3-4, is the 2 wild?")
    return say("Does a 2 ever count as a 2?")


def _own_place(variant: Variant) -> Said:
    has_place = variant.line[:2] == ("A", "2")
    if variant.two_natural_in_own_slot and has_place:
        return Said(say("No, in its own place it counts as an ordinary 2."))
    if has_place:
        return Said(say("Yes, a 2 counts as wild even in its own place."))
    if variant.line[0] == "A":
        return Said(
            say("No, it is always wild."),
            say("The ace stands right before the 3: in A-2-3-4 the 2 is a 5."),
        )
    return Said(say("No, it is always wild."), say("The lowest card of a run is the 3."))


def _limit_later_question(variant: Variant) -> Phrase:
    wild = say("2") if variant.twos_are_wild else say("joker")
    if variant.wild_limit == "fewer_than_naturals":
        return say("Can I add a {wild} to 8-8-8-{wild}-{wild}?", wild=wild)
    return say("Can I add a {wild} to 8-8-{wild}-{wild}?", wild=wild)


def _limited(variant: Variant) -> bool:
    return _has_wilds(variant) and variant.wild_limit != "none"


def _touch_question(variant: Variant) -> Phrase:
    if variant.twos_are_wild:
        return say("Can two wild cards touch in a run?")
    return say("Can two jokers touch in a run?")


def _pair_question(variant: Variant) -> Phrase:
    number = _contract_with_a_pair(variant)
    wild = say("2") if variant.twos_are_wild else say("joker")
    return say("Contract {number}: can the pair be a 5 and a {wild}?", number=number, wild=wild)


def _contract_with_a_pair(variant: Variant) -> int:
    with_pair = (one.number for one in variant.contracts if any(p.size == 2 for p in one.parts))
    return next(with_pair, 0)


def _pair(variant: Variant) -> Said:
    if variant.wild_limit == "fewer_than_naturals":
        return Said(say("No, a meld needs more natural than wild cards."))
    if variant.pair_with_wild == "forbid":
        return Said(say("No, both cards of the pair must be natural."))
    return Said(say("Yes, 1 natural and 1 wild card keep the limit."))


TOPICS = (
    Topic(
        "wild-limit",
        question=asked(say("How many wild cards can a meld hold?")),
        said=by_value(
            "wild_limit",
            {
                "at_most_naturals": Said(say("At most half of its cards.")),
                "fewer_than_naturals": Said(
                    say("Fewer than half of its cards."),
                    say("A meld of 4 can hold 1 wild card, a meld of 5 can hold 2."),
                ),
                "none": Said(say("As many as you like, with at least 1 natural card.")),
            },
        ),
        search=say("limit, too many, deuce, deuces, 2s, joker, jokers, half, maximum, how much"),
        fields=("wild_limit",),
        matters=_has_wilds,
        example=examples.wild_limit,
        on_sheet=True,
    ),
    Topic(
        "wild-limit-scope",
        question=_limit_later_question,
        said=by_value(
            "wild_limit_scope",
            {
                "always": Said(say("No, the limit also holds for cards you add later.")),
                "initial_only": Said(
                    say("Yes, the limit only holds when a meld is first laid down.")
                ),
            },
        ),
        search=say("limit, later, lay off, add more wild cards, extend, deuce, joker"),
        fields=("wild_limit_scope", "wild_limit"),
        matters=_limited,
        example=examples.wild_limit_scope,
        on_sheet=True,
    ),
    Topic(
        "twos",
        question=asked(say("Are 2s wild?")),
        said=_are_twos_wild,
        search=say("deuce, deuces, two, twos, which cards are wild"),
        fields=("twos",),
        example=examples.twos,
        on_sheet=True,
    ),
    Topic(
        "two-natural-in-own-slot",
        question=_own_place_question,
        said=_own_place,
        search=say("deuce, own place, natural 2, ordinary 2, low run, ace two three"),
        fields=("two_natural_in_own_slot", "run_order"),
        matters=lambda variant: variant.twos_are_wild,
        example=examples.two_natural_in_own_slot,
    ),
    Topic(
        "wild-stands-for",
        question=asked(say("What can a wild card stand for?")),
        said=always_said(
            say("Any card, also at either end of a run."),
            say("Wild beside 5-6-7 can be the 4 or the 8."),
        ),
        search=say("substitute, replace, joker, deuce, end of a run, any card"),
        matters=_has_wilds,
        example=examples.wild_at_the_end,
    ),
    Topic(
        "say-which",
        question=asked(say("Do I have to say which card a wild card is?")),
        said=always_said(say("Yes, when it isn’t clear.")),
        search=say("declare, name, specify, announce, joker, deuce"),
        matters=_has_wilds,
    ),
    Topic(
        "only-wild-cards",
        question=asked(say("Can a meld be all wild cards?")),
        said=always_said(say("No, at least 1 card must be natural.")),
        search=say("only jokers, three 2s, set of deuces, set of jokers"),
        matters=_has_wilds,
        example=examples.only_wild_cards,
    ),
    Topic(
        "wilds-adjacent",
        question=_touch_question,
        said=by_value(
            "wilds_adjacent",
            {
                True: Said(say("Yes, wild cards can lie side by side.")),
                False: Said(
                    say("No, a natural card must lie between them."),
                    say("This holds when you lay the run and when all your added cards lie there."),
                ),
            },
        ),
        search=say("side by side, next to each other, adjacent, neighbors, joker, deuce"),
        fields=("wilds_adjacent",),
        matters=_has_wilds,
        example=examples.wilds_adjacent,
        on_sheet=True,
    ),
    Topic(
        "pair-with-wild",
        question=_pair_question,
        said=_pair,
        search=say("pair, two of a kind, set of two, joker, deuce"),
        fields=("pair_with_wild", "wild_limit"),
        matters=lambda variant: _has_wilds(variant) and _contract_with_a_pair(variant) > 0,
        example=examples.pair_with_wild,
    ),
    Topic(
        "wild-cards-stay",
        question=asked(say("Can I move a wild card on the table?")),
        said=always_said(
            say("No, it keeps the place it was laid in."),
        ),
        search=say("shift, change place, rearrange, joker, deuce"),
        matters=_has_wilds,
        example=examples.wild_cards_stay,
    ),
)
