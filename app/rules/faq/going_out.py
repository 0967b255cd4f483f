"""The Q&A on the end of a round: who can go out, and how."""

from app.rules.faq import examples
from app.rules.faq.topics import Said, Topic, always_said, asked, by_value
from app.rules.phrases import say
from app.rules.variant import Variant


def _down_and_out(variant: Variant) -> Said:
    if not variant.extras_same_turn:
        return Said(say("Only if the contract takes all your cards."))
    if variant.must_discard_to_go_out:
        return Said(say("Yes, if you keep 1 card to discard."))
    return Said(say("Yes."))


def _round_ends(variant: Variant) -> Said:
    if variant.win == "first_to_complete":
        last = say(
            "It also ends when someone lays contract {number}.", number=variant.last_contract
        )
        return Said(say("As soon as a player has no cards left."), last)
    return Said(say("As soon as a player has no cards left."))


TOPICS = (
    Topic(
        "must-discard-to-go-out",
        question=asked(say("Can I go out without discarding?")),
        said=by_value(
            "must_discard_to_go_out",
            {
                True: Said(say("No, your last card must be a discard.")),
                False: Said(say("Yes, you can also lay down or add your last card.")),
            },
        ),
        search=say("final discard, last card, finish, end, empty hand, throw"),
        fields=("must_discard_to_go_out",),
        example=examples.must_discard_to_go_out,
        on_sheet=True,
    ),
    Topic(
        "down-and-out",
        question=asked(say("Can I lay down and go out in one turn?")),
        said=_down_and_out,
        search=say("same turn, all at once, in one go, finish, hand rummy"),
        fields=("extras_same_turn", "must_discard_to_go_out"),
        example=examples.down_and_out,
    ),
    Topic(
        "out-needs-contract",
        question=asked(say("Can I go out before my contract is down?")),
        said=always_said(say("No, your contract comes first.")),
        search=say("without contract, not laid down, finish, empty hand"),
    ),
    Topic(
        "round-ends",
        question=asked(say("When does a round end?")),
        said=_round_ends,
        search=say("over, finish, hand is empty, no cards, last card, game over"),
        fields=("win", "last_contract"),
    ),
)
