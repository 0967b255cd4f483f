"""The Q&A on points and on who wins, and when."""

from app.rules.cards import JOKER, rank_words
from app.rules.faq import examples
from app.rules.faq.topics import Said, Topic, always_said, asked, by_value
from app.rules.phrases import Phrase, listed, say, say_many, side_by_side
from app.rules.variant import Variant


def _winner(variant: Variant) -> Said:
    number = variant.last_contract
    match variant.win:
        case "first_to_complete":
            return Said(say("The first player to lay down contract {number}.", number=number))
        case "first_out_on_last":
            return Said(
                say("The first player to go out on contract {number}.", number=number),
                say("A player who lays it down but doesn’t go out tries it again."),
            )
        case "lowest_score":
            return Said(say("The player with the lowest score at the end."))
        case "lowest_finisher":
            return Said(say("The player with the lowest score of those who finished."))


def _game_ends(variant: Variant) -> Said:
    number = variant.last_contract
    if variant.progress == "common":
        return Said(say("After the round of contract {number}.", number=number))
    if variant.win == "first_out_on_last":
        return Said(say("When a player goes out on contract {number}.", number=number))
    return Said(say("When a player lays down contract {number}.", number=number))


def _several_finish(variant: Variant) -> Said:
    match variant.win:
        case "first_to_complete":
            return Said(say("The one who laid down first."))
        case "first_out_on_last":
            return Said(say("Only one can: the player who goes out."))
        case "lowest_score":
            return Said(say("The one with the lower score."))
        case "lowest_finisher":
            return Said(say("The finisher with the lower score."))


def _cards_count(variant: Variant) -> Said:
    match variant.keep_score:
        case "yes":
            return Said(say("Yes, each adds points to its holder’s score."))
        case "no":
            return Said(say("No, no score is kept."))
        case "optional":
            return Said(say("Only if your group keeps a score."))


def _card_values(variant: Variant) -> Said:
    return Said(listed([_cost(points, ranks) for points, ranks in variant.penalties.classes]))


def _cost(points: int, ranks: tuple[str, ...]) -> Phrase:
    names = side_by_side([say("★") if rank == JOKER else rank_words(rank) for rank in ranks])
    return say_many("{ranks}: {count} point", "{ranks}: {count} points", points, ranks=names)


def _has_values(variant: Variant) -> bool:
    return variant.keep_score != "no"


def _off(points: int) -> Said:
    if points == 0:
        return Said(say("Nothing."))
    return Said(say_many("{count} point off.", "{count} points off.", -points))


def _rounds(variant: Variant) -> Said:
    most = variant.max_deals
    if most == 0:
        return Said(say("No, the game goes on until the last contract."))
    return Said(say_many("Yes, after {count} round.", "Yes, after {count} rounds.", most))


def _shorter(variant: Variant) -> Said:
    return Said(
        say("Yes, agree on an earlier last contract before you start."),
        say("This game goes to contract {number}.", number=variant.last_contract),
    )


def _can_hold_cards(variant: Variant) -> bool:
    """Can a player lay the last contract and still hold cards when the score is made?"""
    last = variant.contract(variant.last_contract)
    individual = variant.progress == "individual" and variant.win != "first_out_on_last"
    return individual and variant.scores and last.size <= variant.deal


def _finisher_question(variant: Variant) -> Phrase:
    number = variant.last_contract
    return say("I laid contract {number} holding cards: do they cost me?", number=number)


TOPICS = (
    Topic(
        "win",
        question=asked(say("Who wins?")),
        said=_winner,
        search=say("winner, first, victory, lowest score, last contract, who is first"),
        fields=("win", "last_contract"),
        on_sheet=True,
    ),
    Topic(
        "game-ends",
        question=asked(say("When does the game end?")),
        said=_game_ends,
        search=say("over, finish, last contract, immediately, at once, stop"),
        fields=("win", "last_contract", "progress"),
    ),
    Topic(
        "several-finish",
        question=asked(say("Two players finish in the same round: who wins?")),
        said=_several_finish,
        search=say("tie, draw, equal, both finish, same time, several"),
        fields=("win",),
        matters=lambda variant: variant.progress == "individual",
    ),
    Topic(
        "equal-scores",
        question=asked(say("What if two players have the same lowest score?")),
        said=always_said(say("They tie: both have won.")),
        search=say("tie, draw, equal, same score, shared win"),
        matters=lambda variant: variant.win in ("lowest_score", "lowest_finisher"),
    ),
    Topic(
        "keep-score",
        question=asked(say("Do cards left in hand count?")),
        said=_cards_count,
        search=say("points, score, scoring, penalty, penalties, left over, keep score"),
        fields=("keep_score",),
    ),
    Topic(
        "penalties",
        question=asked(say("How many points does each card cost?")),
        said=_card_values,
        search=say("card values, score, scoring, penalty, joker, ace, worth, left in hand"),
        fields=("penalties",),
        matters=_has_values,
        example=examples.card_values,
    ),
    Topic(
        "finisher-pays",
        question=_finisher_question,
        said=by_value(
            "finisher_pays",
            {
                True: Said(say("Yes, like everyone’s cards.")),
                False: Said(say("No, they cost you nothing.")),
            },
        ),
        search=say("last contract, left in hand, finished, penalty, points, cards left"),
        fields=("finisher_pays",),
        matters=_can_hold_cards,
    ),
    Topic(
        "go-out-bonus",
        question=asked(say("What do I get for going out?")),
        said=lambda variant: _off(variant.go_out_bonus),
        search=say("bonus, points off, minus, subtract, last card"),
        fields=("go_out_bonus",),
        matters=lambda variant: variant.go_out_bonus < 0,
        on_sheet=True,
    ),
    Topic(
        "completion-bonus",
        question=asked(say("What do I get for finishing all contracts first?")),
        said=lambda variant: _off(variant.completion_bonus),
        search=say("bonus, points off, minus, subtract, last contract"),
        fields=("completion_bonus",),
        matters=lambda variant: variant.completion_bonus < 0,
        on_sheet=True,
    ),
    Topic(
        "exact-deal-bonus",
        question=asked(say("What does the dealer get for picking up exactly the cards to deal?")),
        said=lambda variant: _off(variant.exact_deal_bonus),
        search=say("bonus, exact deal, lift, cut, points off, minus, subtract"),
        fields=("exact_deal_bonus",),
        matters=lambda variant: variant.exact_deal_bonus < 0,
        on_sheet=True,
    ),
    Topic(
        "max-deals",
        question=asked(say("Does the game stop after some number of rounds?")),
        said=_rounds,
        search=say("limit, how many rounds, deals, 15, hands, stop, end"),
        fields=("max_deals",),
        matters=lambda variant: (
            variant.max_deals > 0 or bool(variant.own_answer("max-deals").answer)
        ),
    ),
    Topic(
        "shorter-game",
        question=asked(say("Can we play a shorter game?")),
        said=_shorter,
        search=say("short, quick, fewer contracts, finish earlier, last contract"),
        fields=("last_contract",),
        matters=lambda variant: len(variant.contracts) > 1,
    ),
)
