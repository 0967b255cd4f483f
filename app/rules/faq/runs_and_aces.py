"""The Q&A on runs: suits, where the ace stands, and runs that touch on the table."""

from app.rules.faq import examples
from app.rules.faq.topics import Said, Topic, always_said, asked, by_value
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant


def _ace(variant: Variant) -> Said:
    if variant.line[0] != "A":
        return Said(
            say("High only: it comes after the king."),
            say("The lowest card of a run is the {low}.", low=variant.line[0]),
        )
    if variant.line[1] == "3":
        return Said(say("Either: above the king or right before the 3."))
    return Said(say("Either: above the king or below the 2."))


def _corner(variant: Variant) -> Said:
    if variant.twos_are_wild:
        wild_two = say("Q-K-A-2 is fine: there the 2 is wild and stands for the jack.")
        return Said(say("No, a run ends at the ace above the king."), wild_two)
    return Said(say("No, a run ends at the ace above the king."), say("Q-K-A-2 isn’t a run."))


def _touch_question(variant: Variant) -> Phrase:
    if variant.run_suit == "same":
        return say("Can my two runs be 3–6 and 7–10 of hearts?")
    return say("Can my two runs be 3–6 and 7–10?")


def _two_runs(variant: Variant) -> bool:
    return any(
        sum(part.kind == "run" for part in contract.parts) > 1 for contract in variant.contracts
    )


TOPICS = (
    Topic(
        "run",
        question=asked(say("What is a run?")),
        said=by_value(
            "run_suit",
            {
                "same": Said(say("Cards of one suit in sequence.")),
                "any": Said(say("Cards in sequence, in any suits.")),
            },
        ),
        search=say("sequence, straight, straight flush, series, consecutive, in a row"),
        fields=("run_suit",),
    ),
    Topic(
        "run-suit",
        question=asked(say("Can a run mix suits?")),
        said=by_value(
            "run_suit",
            {
                "any": Said(say("Yes, only the ranks must follow each other.")),
                "same": Said(
                    say("No, all its cards have one suit."), say("A wild card takes that suit.")
                ),
            },
        ),
        search=say("sequence, straight, color, suit, hearts, spades, same suit, mixed"),
        fields=("run_suit",),
        example=examples.run_suit,
        on_sheet=True,
    ),
    Topic(
        "run-order",
        question=asked(say("Is the ace high or low?")),
        said=_ace,
        search=say("aces, sequence, straight, order, ranking, lowest, highest, above, below"),
        fields=("run_order", "twos"),
        example=examples.run_order,
        on_sheet=True,
    ),
    Topic(
        "around-the-corner",
        question=asked(say("Can a run go around the corner, like Q-K-A-3?")),
        said=_corner,
        search=say("wrap, wraps, wrap around, ace, king ace two, sequence, straight, circle"),
        fields=(),
        example=examples.around_the_corner,
    ),
    Topic(
        "run-both-aces",
        question=asked(say("Can a run have an ace at both ends?")),
        said=by_value(
            "run_both_aces",
            {
                "allow": Said(say("Yes, a full run can begin and end with an ace.")),
                "forbid": Said(say("No, a run holds only 1 ace.")),
            },
        ),
        search=say("two aces, ace to ace, full run, sequence, straight"),
        fields=("run_both_aces",),
        matters=lambda variant: variant.line[0] == "A",
        example=examples.run_both_aces,
    ),
    Topic(
        "touching-runs",
        question=_touch_question,
        said=by_value(
            "touching_runs",
            {
                "allow": Said(say("Yes, they stay two runs.")),
                "forbid": Said(say("No, one can’t begin where the other ends.")),
            },
        ),
        search=say("touch, touching, connected, consecutive runs, sequence, straight, same suit"),
        fields=("touching_runs", "run_suit"),
        matters=_two_runs,
        example=examples.touching_runs,
    ),
    Topic(
        "joined-or-split",
        question=asked(say("Can runs on the table be joined or split?")),
        said=always_said(say("No, they stay as they were laid."), say("You can only add cards.")),
        search=say("join, merge, combine, divide, break up, rearrange, sequence, straight"),
    ),
)
