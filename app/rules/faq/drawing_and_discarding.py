"""The Q&A on a turn: drawing, discarding, and the two piles."""

from app.rules.faq.topics import Said, Topic, always_said, asked, by_value
from app.rules.phrases import say, say_many
from app.rules.variant import Variant


def _out_of_turn(variant: Variant) -> Said:
    if variant.buying == "none":
        return Said(say("No, you only draw on your own turn."))
    most = variant.most_buys
    often = say_many(
        "You can do so {count} time a round.", "You can do so {count} times a round.", most
    )
    points = say_many(
        "Yes, for 1 card from the draw pile and {count} point.",
        "Yes, for 1 card from the draw pile and {count} points.",
        variant.buy_points,
    )
    return Said(
        points if variant.buy_points else say("Yes, with 1 card from the draw pile as its price."),
        often if most else say("The next player in turn can always take it first."),
    )


def _who_starts(variant: Variant) -> Said:
    if variant.dealer_rotation == "left":
        return Said(say("The player to the dealer’s left; play goes clockwise."))
    return Said(say("The player to the dealer’s right; play goes counterclockwise."))


TOPICS = (
    Topic(
        "turn",
        question=asked(say("What do I do in a turn?")),
        said=always_said(
            say("Draw a card, lay down or add cards if you like, then discard one."),
        ),
        search=say("draw, pick up, discard, throw, order of a turn, meld, steps"),
        on_sheet=True,
    ),
    Topic(
        "discard-draw",
        question=asked(say("Can I take the discard pile?")),
        said=by_value(
            "discard_draw",
            {
                "top_card": Said(say("No, you draw only its top card, or one from the draw pile.")),
                "buy_pile": Said(
                    say("Yes: the whole pile, if you can play its top card at once."),
                    say("You can’t take its top card alone."),
                ),
            },
        ),
        search=say("pick up, draw, discards, top card, face up, buy, buying, whole pile"),
        fields=("discard_draw",),
        on_sheet=True,
    ),
    Topic(
        "buying",
        question=asked(say("Can I take a discard out of turn?")),
        said=_out_of_turn,
        search=say("buy, may I, pick up, not my turn, another player’s turn, steal, interrupt"),
        fields=("buying", "most_buys", "buy_points"),
    ),
    Topic(
        "who-starts",
        question=asked(say("Who starts a round?")),
        said=_who_starts,
        search=say("first player, begin, first turn, clockwise, direction, left, starter"),
        fields=("dealer_rotation",),
    ),
    Topic(
        "stock-exhausted",
        question=asked(say("What happens when the draw pile runs out?")),
        said=by_value(
            "stock_exhausted",
            {
                "reshuffle": Said(
                    say("Shuffle all discards but the top one: they are the new pile.")
                ),
                "end_round": Said(say("The round ends.")),
            },
        ),
        search=say("reshuffle, shuffle, stock, empty, used up, no cards left, exhausted, talon"),
        fields=("stock_exhausted",),
        on_sheet=True,
    ),
    Topic(
        "knock",
        question=asked(say("Do I knock when I have one card left?")),
        said=by_value(
            "knock",
            {
                True: Said(say("Yes, knock on the table to warn the others.")),
                False: Said(say("No, no one has to.")),
            },
        ),
        search=say("last card, warn, announce, tap, one card, uno"),
        fields=("knock",),
        matters=lambda variant: variant.knock,
    ),
)
