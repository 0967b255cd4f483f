"""The Q&A on players, decks, the deal, and who deals."""

from app.rules.faq import examples
from app.rules.faq.topics import Said, Topic, always_said, asked, by_value
from app.rules.phrases import say, say_many
from app.rules.variant import Variant


def _players(variant: Variant) -> Said:
    return Said(
        say("{least} to {most} players.", least=variant.players_min, most=variant.players_max)
    )


def _decks(variant: Variant) -> Said:
    decks, more = variant.decks, variant.third_deck_from
    if not more or more > variant.players_max:
        return Said(say_many("{count} deck of 52 cards.", "{count} decks of 52 cards.", decks))
    return Said(
        say(
            "{decks} for up to {few} players, {more} from {many} on.",
            decks=decks,
            few=more - 1,
            more=decks + 1,
            many=more,
        )
    )


def _jokers(variant: Variant) -> Said:
    if not variant.jokers:
        return Said(say("No."))
    count = variant.jokers_in(variant.decks)
    return Said(say_many("Yes, with {count} joker.", "Yes, with {count} jokers.", count))


def _third_deck(variant: Variant) -> Said:
    if not variant.jokers:
        return Said(say("No, there are no jokers in this game."))
    count = variant.jokers_per_extra_deck
    if not count:
        return Said(say("No, only the first two decks have jokers."))
    return Said(say_many("Yes, {count} joker.", "Yes, {count} jokers.", count))


def _grows(variant: Variant) -> bool:
    return 0 < variant.third_deck_from <= variant.players_max


def _deal(variant: Variant) -> Said:
    return Said(say_many("{count} card.", "{count} cards.", variant.deal))


TOPICS = (
    Topic(
        "players",
        question=asked(say("How many can play?")),
        said=_players,
        search=say("players, people, number of players, at least, at most"),
        fields=("players_max", "players_min"),
        on_sheet=True,
    ),
    Topic(
        "decks",
        question=asked(say("How many decks do we play with?")),
        said=_decks,
        search=say("packs, cards, third deck, more players, three 7s of hearts, copies"),
        fields=("decks", "third_deck_from", "players_max"),
        example=examples.decks,
        on_sheet=True,
    ),
    Topic(
        "jokers",
        question=asked(say("Do we play with jokers?")),
        said=_jokers,
        search=say("joker, how many jokers, optional"),
        fields=("jokers", "decks"),
        example=examples.jokers,
        on_sheet=True,
    ),
    Topic(
        "jokers-per-extra-deck",
        question=asked(say("Does the third deck bring jokers?")),
        said=_third_deck,
        search=say("six players, seven players, eight players, more jokers, third deck"),
        fields=("jokers_per_extra_deck", "jokers"),
        matters=_grows,
    ),
    Topic(
        "deal",
        question=asked(say("How many cards does each player get?")),
        said=_deal,
        search=say("deal, dealt, hand, hand size, ten, eleven, thirteen"),
        fields=("deal",),
        on_sheet=True,
    ),
    Topic(
        "first-player-extra-card",
        question=asked(say("Does the first player get an extra card?")),
        said=by_value(
            "first_player_extra_card",
            {
                True: Said(say("Yes, 1 more, and no draw in the first turn.")),
                False: Said(say("No, everyone gets the same.")),
            },
        ),
        search=say("one more, eleven, starter, first turn"),
        fields=("first_player_extra_card",),
    ),
    Topic(
        "turn-up",
        question=asked(say("Is a card turned up after dealing?")),
        said=by_value(
            "turn_up",
            {
                True: Said(say("Yes, it starts the discard pile.")),
                False: Said(say("No, the first player’s discard starts the pile.")),
            },
        ),
        search=say("face up, flip, upcard, start of the discard pile, reveal"),
        fields=("turn_up",),
    ),
    Topic(
        "dealer-rotation",
        question=asked(say("Who deals next?")),
        said=by_value(
            "dealer_rotation",
            {
                "left": Said(say("The player to the dealer’s left.")),
                "right": Said(say("The player to the dealer’s right.")),
            },
        ),
        search=say("dealer, next deal, passes, clockwise, whose deal, rotation"),
        fields=("dealer_rotation",),
        on_sheet=True,
    ),
    Topic(
        "first-dealer",
        question=asked(say("Who deals first, and who sits where?")),
        said=always_said(say("However you like: draw for it, or let Meldkeeper pick.")),
        search=say("draw for deal, high card, seats, seating, choose the dealer, begin"),
    ),
    Topic(
        "shuffle-and-cut",
        question=asked(say("Who shuffles, and who cuts?")),
        said=always_said(say("The dealer shuffles.")),
        search=say("cut the deck, shuffle, one at a time, face down"),
        matters=lambda variant: bool(variant.own_answer("shuffle-and-cut").answer),
    ),
    Topic(
        "other-rules",
        question=asked(say("What holds where this text says nothing?")),
        said=always_said(say("What your group agrees on.")),
        search=say("parent game, silent, missing rule, otherwise, same as"),
        matters=lambda variant: bool(variant.own_answer("other-rules").answer),
    ),
)
