"""Every switch of a rule set in players' words: what it asks, and what each answer means.

A form offers these words; the Q&A (`faq/`) has sentences of its own. Which values a field
may have is not said here but in `Variant` and `rule_sets.py`; contracts, penalties and the number
of players are edited elsewhere and have no question here. This is one long table of words; the
few functions that read it stand below it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from app.rules.cards import JOKER, rank_words
from app.rules.contracts import Contract
from app.rules.phrases import Phrase, listed, say, say_many
from app.rules.rule_sets import BOUNDS, FIELDS, FaultyRules, choices_of
from app.rules.text import shown
from app.rules.variant import Penalties, Variant

Group = Literal["table", "contract", "melds", "after", "turn", "score", "end"]

_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a house rule, and what it means at the table."""

    value: str | int | bool
    label: Phrase


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One switch: its question and what may be answered.

    `choices` is empty for a number, which lies between `least` and `most`; both are None for a
    choice.
    """

    field: str
    group: Group
    question: Phrase
    explanation: Phrase
    choices: tuple[Choice, ...] = ()
    least: int | None = None
    most: int | None = None


def _choice(
    field: str, group: Group, question: Phrase, explanation: Phrase, /, **labels: Phrase
) -> HouseRule:
    """A switch with a label for each value, by its text in lower case; `KeyError` if one lacks."""
    choices = tuple(Choice(value, labels[_sent_as(value)]) for value in choices_of(field))
    return HouseRule(field, group, question, explanation, choices)


def _number(field: str, group: Group, question: Phrase, explanation: Phrase) -> HouseRule:
    least, most = BOUNDS[field]
    return HouseRule(field, group, question, explanation, least=least, most=most)


def _sent_as(value: str | bool) -> str:
    return str(value).lower()


GROUP_NAMES: dict[Group, Phrase] = {
    "table": say("Setup"),
    "contract": say("Contracts"),
    "melds": say("Melds"),
    "after": say("After the contract"),
    "turn": say("The turn"),
    "score": say("Scoring"),
    "end": say("End of the game"),
}
"""The heading of each group, in the order of a game."""

HOUSE_RULES = (
    _number(
        "decks",
        "table",
        say("How many decks do you play with?"),
        say("One deck has 52 cards, not counting jokers."),
    ),
    _number(
        "third_deck_from",
        "table",
        say("At how many players do you add a deck?"),
        say("With 6, you add a deck when six or more play. 0 means never."),
    ),
    _number(
        "jokers",
        "table",
        say("How many jokers do you play with?"),
        say("The jokers of the first two decks together. 0 means none."),
    ),
    _number(
        "jokers_per_extra_deck",
        "table",
        say("How many jokers come with each extra deck?"),
        say("Only if you play with jokers."),
    ),
    _number(
        "deal",
        "table",
        say("How many cards does each player get?"),
        say("The cards dealt to each player at the start of a round."),
    ),
    _choice(
        "first_player_extra_card",
        "table",
        say("Does the first player get an extra card?"),
        say("With an extra card, that player doesn’t draw in the first turn."),
        true=say("yes, and no draw in the first turn"),
        false=say("no, as many as everyone else"),
    ),
    _choice(
        "turn_up",
        "table",
        say("Is a card turned up after dealing?"),
        say("The card turned up starts the discard pile."),
        true=say("yes"),
        false=say("no, the discard pile starts empty"),
    ),
    _choice(
        "dealer_rotation",
        "table",
        say("Who deals the next round?"),
        say("The deal passes on after each round."),
        left=say("the player to the dealer’s left"),
        right=say("the player to the dealer’s right"),
    ),
    _choice(
        "contract_size",
        "contract",
        say("Can a contract meld have more cards than asked?"),
        say("For example, 5 cards of one rank for a set of 4."),
        exact_core=say("yes, larger melds count"),
        exact=say("no, exactly the size asked"),
    ),
    _choice(
        "twos",
        "melds",
        say("Are 2s wild?"),
        say("A wild card can stand for any other card."),
        wild=say("yes, 2s are wild"),
        natural=say("no, 2s are natural cards"),
    ),
    _choice(
        "run_suit",
        "melds",
        say("Must a run be of one suit?"),
        say("A run is a row of cards like 5, 6, 7, 8."),
        same=say("yes, one suit"),
        any=say("no, suits can be mixed"),
    ),
    _choice(
        "run_order",
        "melds",
        say("Where does the ace stand in a run?"),
        say("A run never goes around the corner from the ace to low cards."),
        ace_high=say("only after the king"),
        ace_before_three=say("after the king or right before the 3"),
        two_slot=say("after the king or before the 2"),
    ),
    _choice(
        "run_both_aces",
        "melds",
        say("Can a long run have an ace at both ends?"),
        say("Only if aces can be low as well as high."),
        allow=say("yes"),
        forbid=say("no, only one ace in a run"),
    ),
    _choice(
        "wild_limit",
        "melds",
        say("How many wild cards can a meld have?"),
        say("A meld always has at least one natural card, which means not wild."),
        at_most_naturals=say("no more wild than natural cards"),
        fewer_than_naturals=say("fewer wild than natural cards"),
        none=say("as many as you like"),
    ),
    _choice(
        "wild_limit_scope",
        "melds",
        say("When does the wild-card limit apply?"),
        say("Cards can be laid off on a meld later."),
        always=say("always, also when cards are laid off"),
        initial_only=say("only when a meld is first laid down"),
    ),
    _choice(
        "wilds_adjacent",
        "melds",
        say("Can wild cards be next to each other in a run?"),
        say("For example, 5, wild, wild, 8."),
        true=say("yes"),
        false=say("no, a natural card goes between"),
    ),
    _choice(
        "two_natural_in_own_slot",
        "melds",
        say("Is a 2 in its own place in a run wild?"),
        say("Only if 2s are wild and a run can start with ace, 2, 3."),
        true=say("no, it’s a natural 2 there"),
        false=say("yes, it’s wild there too"),
    ),
    _choice(
        "pair_with_wild",
        "melds",
        say("Can a pair be one natural and one wild card?"),
        say("Only if a contract asks for a pair."),
        allow=say("yes"),
        forbid=say("no, both cards are natural"),
    ),
    _choice(
        "identical_cards_in_set",
        "melds",
        say("Can a set have the same card twice?"),
        say("With two decks there are two 5s of hearts, for example."),
        allow=say("yes"),
        forbid=say("no, all natural cards are different"),
    ),
    _choice(
        "two_sets_same_rank",
        "melds",
        say("Can two sets of a contract have the same rank?"),
        say("For example, two sets of three 7s."),
        allow=say("yes"),
        forbid=say("no, each set has its own rank"),
    ),
    _choice(
        "touching_runs",
        "melds",
        say("Can one run of a contract continue another?"),
        say("For example, 3-4-5-6 and 7-8-9-10 of one suit as two runs."),
        allow=say("yes"),
        forbid=say("no"),
    ),
    _choice(
        "extra_melds",
        "after",
        say("Which extra melds can you lay down?"),
        say("Extra melds are your own melds besides those of the contract."),
        any=say("any sets and runs"),
        contract_parts=say("only melds like those of your contract"),
        none=say("no extra melds"),
    ),
    _number(
        "extra_set_min",
        "after",
        say("How many cards does an extra set need?"),
        say("The fewest cards in a set besides those of the contract."),
    ),
    _number(
        "extra_run_min",
        "after",
        say("How many cards does an extra run need?"),
        say("The fewest cards in a run besides those of the contract."),
    ),
    _choice(
        "extras_same_turn",
        "after",
        say("When can you lay more cards after your contract?"),
        say("That means extra melds and lay-offs."),
        true=say("already in the same turn"),
        false=say("from your next turn on"),
    ),
    _choice(
        "layoff_on_others",
        "after",
        say("On whose melds can you lay off?"),
        say("You can lay off once your own contract is down."),
        true=say("everyone’s"),
        false=say("only your own"),
    ),
    _choice(
        "layoff_check",
        "after",
        say("If you lay off several cards, when must the meld be legal?"),
        say("It matters when the first card alone would make too many wild cards."),
        end_state=say("when all your cards are added"),
        each_card=say("after each single card"),
    ),
    _choice(
        "wild_swap",
        "after",
        say("Can you swap for a wild card on the table?"),
        say("You put down the card that it stands for, take it and play it in the same turn."),
        none=say("no, wild cards stay where they are"),
        others=say("yes, in other players’ melds only"),
        own=say("yes, in your own melds only"),
        any=say("yes, in everyone’s melds"),
    ),
    _choice(
        "swap_in_sets",
        "after",
        say("Can you also swap in a set?"),
        say("Only if wild cards can be swapped."),
        any_suit=say("yes, for a card of that rank in any suit"),
        no=say("no, only in runs"),
    ),
    _choice(
        "swap_wild_twos",
        "after",
        say("Which wild cards can be swapped?"),
        say("Only if wild cards can be swapped and 2s are wild."),
        true=say("jokers and wild 2s"),
        false=say("jokers only"),
    ),
    _choice(
        "must_discard_to_go_out",
        "turn",
        say("Must your last card be a discard?"),
        say("A player who gets rid of the last card goes out, and the round ends."),
        true=say("yes, you go out with a discard"),
        false=say("no, you can also go out by laying every card"),
    ),
    _choice(
        "discard_draw",
        "turn",
        say("What can you take from the discard pile?"),
        say("You can take it instead of a card from the draw pile."),
        top_card=say("its top card"),
        buy_pile=say("the whole pile, if you play its top card at once"),
    ),
    _choice(
        "buying",
        "turn",
        say("Can you take the top discard out of turn?"),
        say("This is called buying. The next player in turn can always take the card first."),
        none=say("no"),
        one_more_card=say("yes, and you also draw from the draw pile"),
    ),
    _number(
        "most_buys",
        "turn",
        say("How often can you buy in a round?"),
        say("Only if you can buy out of turn. 0 means no limit."),
    ),
    _choice(
        "stock_exhausted",
        "turn",
        say("What happens when the draw pile runs out?"),
        say("The draw pile is the face-down pile you draw from."),
        reshuffle=say("all discards but the top one are shuffled"),
        end_round=say("the round ends"),
    ),
    _choice(
        "knock",
        "turn",
        say("Do you announce your last card?"),
        say("A knock on the table warns the other players."),
        true=say("yes, by a knock"),
        false=say("no"),
    ),
    _choice(
        "keep_score",
        "score",
        say("Do you keep a score?"),
        say("Cards left in hand count as points."),
        yes=say("yes"),
        no=say("no"),
        optional=say("optional"),
    ),
    _number(
        "go_out_bonus",
        "score",
        say("How big is the bonus for going out?"),
        say("Points taken off in each round; low scores are good."),
    ),
    _number(
        "completion_bonus",
        "score",
        say("How big is the bonus for finishing all contracts first?"),
        say("Points taken off once; low scores are good."),
    ),
    _number(
        "exact_deal_bonus",
        "score",
        say("How big is the bonus for an exact deal?"),
        say("The dealer gets it for picking up exactly the cards needed."),
    ),
    _number(
        "buy_points",
        "score",
        say("How many points does each buy cost?"),
        say("Only if you can buy out of turn. 0 means none."),
    ),
    _choice(
        "finisher_pays",
        "score",
        say("Does the player who lays the last contract pay for cards still held?"),
        say("Only if the game ends before that player’s hand is empty."),
        true=say("yes, like everyone"),
        false=say("no, only the others pay"),
    ),
    _choice(
        "win",
        "end",
        say("Who wins?"),
        say("What decides when a player has finished the last contract."),
        first_to_complete=say("the first to lay down the last contract"),
        first_out_on_last=say("the first to go out on the last contract"),
        lowest_score=say("the lowest score"),
        lowest_finisher=say("the lowest score of those who finished"),
    ),
    _number(
        "last_contract",
        "end",
        say("Which contract is the last one?"),
        say("A lower number makes a shorter game."),
    ),
    _number(
        "max_deals",
        "end",
        say("After how many rounds does the game end at the latest?"),
        say("0 means that there is no limit."),
    ),
    _choice(
        "progress",
        "end",
        say("Who moves on to the next contract?"),
        say("At the end of each round."),
        individual=say("only who laid the contract down"),
        common=say("everybody, each round"),
    ),
)
"""Every house rule that can be asked for, in the order of `Variant`'s fields."""

SWITCHABLE = frozenset(
    rule.field for rule in HOUSE_RULES if rule.group in ("contract", "melds", "after", "turn")
)
"""The house rules that a game may change on its way: those of melds and play. Deal, score and end
are what the rounds so far were reckoned by, so they stay."""

_BY_FIELD = {rule.field: rule for rule in HOUSE_RULES}


def house_rule(field: str) -> HouseRule:
    """The house rule of a field. Raises `KeyError` for a field without a question."""
    return _BY_FIELD[field]


def value_in_words(variant: Variant, field: str) -> Phrase:
    """What a field of the variant says, in words: "2s are wild", "11 cards", "no limit".

    Answers for every field of `FIELDS`. Raises `AttributeError` for what is no field at all.
    """
    value = getattr(variant, field)
    if isinstance(value, Penalties):
        return _penalties_in_words(value)
    if isinstance(value, tuple):
        return _contracts_in_words(value)
    if field in _BY_FIELD and _BY_FIELD[field].choices:
        return next(one.label for one in _BY_FIELD[field].choices if one.value == value)
    return _number_in_words(field, value)


def read_house_rule(field: str, text: str) -> str | int | bool:
    """The value that a form sent: a choice (its value, its label, or yes and no), or a number.

    A bonus may be sent as the points that come off: "25" is -25. Raises `FaultyRules` with a
    sentence for the player. Whether the value fits the other rules is asked of
    `with_house_rules`.
    """
    if field not in _BY_FIELD:
        raise FaultyRules(shown(field), say("This rule can’t be changed here."))
    rule = _BY_FIELD[field]
    sent = " ".join(text.split()).lower()
    return _read_choice(rule, sent) if rule.choices else _read_number(rule, sent)


def fault_words(fault: FaultyRules) -> Phrase:
    """What is wrong with some rules, for the player who chose them: the question and the reason."""
    rule = _BY_FIELD.get(fault.field)
    if rule is None:
        field = fault.field.replace("_", " ")
        return say("{field}: {reason}", field=field, reason=fault.phrase)
    return say("{question} {reason}", question=rule.question, reason=fault.phrase)


def changed_rules(base: Variant, played: Variant) -> tuple[str, ...]:
    """The fields in which the rules played differ from the base, in the order of `FIELDS`."""
    return tuple(field for field in FIELDS if getattr(base, field) != getattr(played, field))


def _read_choice(rule: HouseRule, sent: str) -> str | int | bool:
    meant = {"yes": "true", "no": "false"}.get(sent, sent)
    for choice in rule.choices:
        wanted = meant if isinstance(choice.value, bool) else sent
        if wanted in (str(choice.value).lower(), str(choice.label).lower()):
            return choice.value
    labels = listed([choice.label for choice in rule.choices])
    raise FaultyRules(rule.field, say("Choose one of these: {labels}.", labels=labels))


def _read_number(rule: HouseRule, sent: str) -> int:
    least, most = BOUNDS[rule.field]
    plain = sent.replace("−", "-")
    if _WHOLE_NUMBER.fullmatch(plain):
        # Points that come off are kept as a minus, and phones' number keys often have none.
        number = -abs(int(plain)) if most == 0 else int(plain)
        if least <= number <= most:
            return number
    low, high = (0, -least) if most == 0 else (least, most)
    reason = say("Enter a whole number from {low} to {high}.", low=low, high=high)
    raise FaultyRules(rule.field, reason)


def _number_in_words(field: str, number: int) -> Phrase:
    if number == 0:
        return _ZERO_IN_WORDS[field]
    return _NUMBER_IN_WORDS[field](number)


def _players(number: int) -> Phrase:
    return say_many("{count} player", "{count} players", number)


def _jokers(number: int) -> Phrase:
    return say_many("{count} joker", "{count} jokers", number)


def _cards(number: int) -> Phrase:
    return say_many("{count} card", "{count} cards", number)


def _points_off(number: int) -> Phrase:
    return say_many("{count} point off", "{count} points off", -number)


_NUMBER_IN_WORDS: dict[str, Callable[[int], Phrase]] = {
    "players_min": _players,
    "players_max": _players,
    "decks": lambda number: say_many("{count} deck", "{count} decks", number),
    "third_deck_from": lambda number: say("from {number} players on", number=number),
    "jokers": _jokers,
    "jokers_per_extra_deck": _jokers,
    "deal": _cards,
    "extra_set_min": _cards,
    "extra_run_min": _cards,
    "go_out_bonus": _points_off,
    "completion_bonus": _points_off,
    "exact_deal_bonus": _points_off,
    "buy_points": lambda number: say_many("{count} point", "{count} points", number),
    "most_buys": lambda number: say_many("once", "{count} times", number),
    "last_contract": lambda number: say("contract {number}", number=number),
    "max_deals": lambda number: say_many("{count} round", "{count} rounds", number),
}

_ZERO_IN_WORDS = {
    "third_deck_from": say("never"),
    "jokers": say("no jokers"),
    "jokers_per_extra_deck": say("no jokers"),
    "go_out_bonus": say("no bonus"),
    "completion_bonus": say("no bonus"),
    "exact_deal_bonus": say("no bonus"),
    "buy_points": say("no points"),
    "most_buys": say("as often as you like"),
    "max_deals": say("no limit"),
}
"""What 0 means, for each number that may be 0."""


def _contracts_in_words(contracts: tuple[Contract, ...]) -> Phrase:
    return say_many("{count} contract", "{count} contracts", len(contracts))


def _penalties_in_words(penalties: Penalties) -> Phrase:
    return listed(
        [
            say_many(
                "{count} point for {ranks}",
                "{count} points for {ranks}",
                points,
                ranks=listed([_rank_in_words(rank) for rank in ranks]),
            )
            for points, ranks in penalties.classes
        ]
    )


def _rank_in_words(rank: str) -> Phrase:
    return say("a joker") if rank == JOKER else rank_words(rank)
