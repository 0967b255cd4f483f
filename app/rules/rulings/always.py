"""Rulings that no single field makes: what holds always, and what several fields say together."""

from app.rules.cards import JOKER, rank_words
from app.rules.rulings.record import Example, Ruling
from app.rules.variant import Variant
from app.rules.verdicts import source_of
from app.rules.wording import Phrase, listed, say, say_many, side_by_side


def always(variant: Variant) -> tuple[Ruling, ...]:
    """The rulings of a rule set that stand beside those of its fields."""
    return (
        _any_order(variant),
        _ace_after_the_king(variant),
        _wild_at_the_end(variant),
        _around_the_corner(variant),
        _only_wild_cards(variant),
        _all_at_once(variant),
        _joined_or_split(variant),
        _wild_cards_stay(variant),
        _what_cards_cost(variant),
        _several_finish(variant),
        _large_contracts(variant),
        _shorter_game(variant),
    )


def _any_order(variant: Variant) -> Ruling:
    return Ruling(
        id="any-order",
        question=say("Does it matter in which order the cards of a new meld are laid?"),
        answer=say("no, any order that makes the meld counts"),
        explanation=say("Once it lies on the table a run is in order, and stays so."),
        source=source_of(variant, "contracts"),
        silent=True,
        example=_run("7H 5H 8H 6H", say("7, 5, 8 and 6"), legal=True),
    )


def _ace_after_the_king(variant: Variant) -> Ruling:
    return Ruling(
        id="ace-after-the-king",
        question=say("May a run end with the ace?"),
        answer=say("yes, the ace stands above the king"),
        explanation=say("Whether it may also be low is another question."),
        source=source_of(variant, "run_order"),
        silent=False,
        example=_run("JH QH KH AH", say("Jack, queen, king and ace"), legal=True),
    )


def _wild_at_the_end(variant: Variant) -> Ruling:
    wild = "2S" if variant.twos_are_wild else "JK"
    return Ruling(
        id="wild-at-the-end",
        question=say("May a wild card stand at the end of a run?"),
        answer=say("yes, at either end; say which card it is"),
        explanation=say("5, 6, 7 and a wild card may begin with the 4 or end with the 8."),
        source=source_of(variant, "twos"),
        silent=False,
        example=_run(f"5H 6H 7H {wild}", say("A wild card beside 5, 6 and 7"), legal=True)
        if variant.twos_are_wild or variant.jokers_in(variant.decks)
        else None,
    )


def _run(cards: str, caption: Phrase, *, legal: bool) -> Example:
    question = {"ask": "meld", "kind": "run", "size": len(cards.split()), "cards": cards}
    return Example(question, caption, {"legal": legal})


def _around_the_corner(variant: Variant) -> Ruling:
    return Ruling(
        id="around-the-corner",
        question=say("May a run go on from king and ace to low cards?"),
        answer=say("no, a run never turns the corner"),
        explanation=say("Where 2s are wild, a 2 after the ace is read as the card that fits."),
        source=source_of(variant, "run_order"),
        silent=False,
        example=_run("QH KH AH 3H", say("Queen, king, ace and 3"), legal=False),
    )


def _only_wild_cards(variant: Variant) -> Ruling:
    wild = "2S 2H 2D" if variant.twos_are_wild else " ".join(["JK"] * 3)
    there = variant.twos_are_wild or variant.jokers_in(variant.decks) >= 3
    question = {"ask": "meld", "kind": "set", "size": 3, "cards": wild}
    return Ruling(
        id="only-wild-cards",
        question=say("May a meld be of wild cards alone?"),
        answer=say("no, at least one card is natural"),
        explanation=say("Without a natural card nobody could say what the meld is."),
        source=source_of(variant, "wild_limit"),
        silent=variant.wild_limit == "none",
        example=Example(question, say("Three wild cards"), {"legal": False}) if there else None,
    )


def _all_at_once(variant: Variant) -> Ruling:
    contract = next(one for one in variant.contracts if len(one.parts) > 1 or one.number == 1)
    part = contract.parts[0]
    cards = " ".join(f"9{'SHDC'[place % 4]}" for place in range(part.size))
    shown = part.kind == "set" and len(contract.parts) > 1
    question = {"ask": "contract", "contract": contract.number, "melds": [cards]}
    caption = say("One meld alone for contract {number}", number=contract.number)
    return Ruling(
        id="all-at-once",
        question=say("Must all melds of the contract go down in one turn?"),
        answer=say("yes, all of them at once"),
        explanation=say("Before that nothing is laid, and nothing is added to other melds."),
        source=source_of(variant, "contracts"),
        silent=False,
        example=Example(question, caption, {"legal": False}) if shown else None,
    )


def _joined_or_split(variant: Variant) -> Ruling:
    return Ruling(
        id="joined-or-split",
        question=say("May melds on the table be joined or split?"),
        answer=say("no, they stay apart as they were laid"),
        explanation=say("Cards may be added to a meld; none is taken away or moved to another."),
        source=source_of(variant, "touching_runs"),
        silent=not variant.fact("touching_runs").source,
    )


def _wild_cards_stay(variant: Variant) -> Ruling:
    return Ruling(
        id="wild-cards-stay",
        question=say("May a wild card on the table change its place?"),
        answer=say("no, it keeps the place in which it was laid"),
        explanation=say("Whether it may be taken for the card it stands for is another question."),
        source=source_of(variant, "wild_swap"),
        silent=not variant.fact("wild_swap").source,
        example=Example(
            {"ask": "layoff", "contract": 1, "kind": "run", "meld": "5H 6H 7H 8H", "add": "10H"},
            say("A 10 added to a run that ends with the 8"),
            {"legal": False},
        ),
    )


def _what_cards_cost(variant: Variant) -> Ruling:
    costs = [_cost(points, ranks) for points, ranks in variant.penalties.classes]
    return Ruling(
        id="what-cards-cost",
        question=say("What does each card cost that is left in a hand?"),
        answer=listed(costs),
        explanation=say("Points count against the player who holds the cards."),
        source=source_of(variant, "penalties"),
        silent=not variant.fact("penalties").source,
        field="penalties",
        example=Example(
            {"ask": "score", "cards": "2H 5S 10D KC AH"},
            say("2, 5, 10, king and ace"),
            {"points": sum(map(variant.penalties.of, ("2", "5", "10", "K", "A")))},
        ),
    )


def _cost(points: int, ranks: tuple[str, ...]) -> Phrase:
    names = side_by_side([say("★") if rank == JOKER else rank_words(rank) for rank in ranks])
    return say_many("{ranks}: {count} point", "{ranks}: {count} points", points, ranks=names)


def _several_finish(variant: Variant) -> Ruling:
    return Ruling(
        id="several-finish",
        question=say("Who wins when two players finish in the same round?"),
        answer=_who_wins(variant),
        explanation=say("The app asks who laid down first, where it matters."),
        source=source_of(variant, "win"),
        silent=True,
        field="win",
    )


def _who_wins(variant: Variant) -> Phrase:
    match variant.win:
        case "first_to_complete":
            return say("who laid the last contract down first")
        case "first_out_on_last":
            return say("only one can: who goes out on the last contract")
        case "lowest_score":
            return say("the lowest score, whoever finished")
        case "lowest_finisher":
            return say("the lowest score of those who finished")


def _large_contracts(variant: Variant) -> Ruling:
    held = variant.deal + 1
    large = [one for one in variant.contracts if one.size >= held]
    numbers = [say("{number}", number=one.number) for one in large]
    answer = say("none: every contract leaves a card")
    if large:
        some = listed(numbers)
        answer = say_many("contract {numbers}", "contracts {numbers}", len(large), numbers=some)
    return Ruling(
        id="large-contracts",
        question=say("Which contracts take every card of the hand?"),
        answer=answer,
        explanation=say_many(
            "After the draw a player holds {count} card.",
            "After the draw a player holds {count} cards.",
            held,
        ),
        source=source_of(variant, "deal"),
        silent=False,
    )


def _shorter_game(variant: Variant) -> Ruling:
    return Ruling(
        id="shorter-game",
        question=say("May we play a shorter game?"),
        answer=say("yes, choose an earlier last contract before the game"),
        explanation=say("This game is played to contract {number}.", number=variant.last_contract),
        source=source_of(variant, "last_contract"),
        silent=True,
        field="last_contract",
    )
