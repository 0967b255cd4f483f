"""Every switch of a rule set in players' words: what it asks, and what each answer means.

A form offers these words; the Q&A (`faq/`) has sentences of its own. Which values a field
may have is not said here but in `Variant` and `loading.py`; contracts, penalties and the number
of players are edited elsewhere and have no question here. This is one long table of words; the
few functions that read it stand below it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from app.rules.cards import JOKER, rank_words
from app.rules.contracts import Contract
from app.rules.loading import BOUNDS, FIELDS, FaultyRules, choices_of
from app.rules.text import shown
from app.rules.variant import Penalties, Variant
from app.rules.wording import Phrase, listed, say, say_many

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
    "table": say("The table"),
    "contract": say("Contracts"),
    "melds": say("Melds"),
    "after": say("After the contract"),
    "turn": say("The turn"),
    "score": say("The score"),
    "end": say("The end"),
}
"""The heading of each group, in the order of a game."""

HOUSE_RULES = (
    _number(
        "decks",
        "table",
        say("How many decks do you play with?"),
        say("One deck has 52 cards; jokers are counted apart."),
    ),
    _number(
        "third_deck_from",
        "table",
        say("From how many players on do you add one more deck?"),
        say("With 6, a sixth player brings one deck more to the table. 0 means never."),
    ),
    _number(
        "jokers",
        "table",
        say("How many jokers do two decks have?"),
        say("All the jokers of the first two decks together. 0 means that you play without."),
    ),
    _number(
        "jokers_per_extra_deck",
        "table",
        say("How many jokers come with each further deck?"),
        say("Counts only if you play with jokers at all."),
    ),
    _number(
        "deal",
        "table",
        say("How many cards does each player get?"),
        say("The cards that are dealt to each player when a round starts."),
    ),
    _choice(
        "first_player_extra_card",
        "table",
        say("Does the first player get one card more?"),
        say("Who gets one more does not draw in the first turn."),
        true=say("one card more, and no draw in the first turn"),
        false=say("as many cards as everybody"),
    ),
    _choice(
        "turn_up",
        "table",
        say("Is a card turned up after the deal?"),
        say("A card that is turned up starts the discard pile."),
        true=say("a card is turned up"),
        false=say("the discard pile starts empty"),
    ),
    _choice(
        "dealer_rotation",
        "table",
        say("Who deals the next round?"),
        say("The deal passes on after each round."),
        left=say("the player at the dealer's left"),
        right=say("the player at the dealer's right"),
    ),
    _choice(
        "contract_size",
        "contract",
        say("May a meld of the contract be larger than asked?"),
        say("For example 5 cards of one rank where a set of 4 is asked."),
        exact_core=say("larger melds count too"),
        exact=say("exactly the size that is asked"),
    ),
    _choice(
        "twos",
        "melds",
        say("Are 2s wild?"),
        say("A wild card can stand for any other card."),
        wild=say("2s are wild"),
        natural=say("2s are ordinary cards"),
    ),
    _choice(
        "run_suit",
        "melds",
        say("Must a run be of one suit?"),
        say("A run is a row of cards like 5, 6, 7, 8."),
        same=say("all cards of a run have one suit"),
        any=say("suits may be mixed in a run"),
    ),
    _choice(
        "run_order",
        "melds",
        say("Where does the ace stand in a run?"),
        say("A run never goes on from the ace at its high end to low cards again."),
        ace_high=say("only after the king"),
        ace_before_three=say("after the king or right before the 3"),
        two_slot=say("after the king or before the 2"),
    ),
    _choice(
        "run_both_aces",
        "melds",
        say("May a long run have an ace at both ends?"),
        say("This matters only if the ace can be low as well as high."),
        allow=say("an ace at both ends is fine"),
        forbid=say("only one ace in a run"),
    ),
    _choice(
        "wild_limit",
        "melds",
        say("How many cards may be wild in a meld?"),
        say("At least one card of a meld is always natural, which means not wild."),
        at_most_naturals=say("not more wild than natural cards"),
        fewer_than_naturals=say("fewer wild than natural cards"),
        none=say("as many as you like"),
    ),
    _choice(
        "wild_limit_scope",
        "melds",
        say("When does the limit for wild cards hold?"),
        say("Cards can be added to a meld after it is laid down."),
        always=say("always, also for added cards"),
        initial_only=say("only when a meld is first laid down"),
    ),
    _choice(
        "wilds_adjacent",
        "melds",
        say("May wild cards lie side by side in a run?"),
        say("For example 5, wild, wild, 8."),
        true=say("wild cards may lie side by side"),
        false=say("a natural card between wild cards"),
    ),
    _choice(
        "two_natural_in_own_slot",
        "melds",
        say("Is a 2 in its own place in a run still wild?"),
        say("This matters only if 2s are wild and a run can start with ace, 2, 3."),
        true=say("there it is an ordinary 2"),
        false=say("it is wild there too"),
    ),
    _choice(
        "pair_with_wild",
        "melds",
        say("May a pair be one natural and one wild card?"),
        say("This matters only if a contract asks for a pair."),
        allow=say("a pair may have a wild card"),
        forbid=say("both cards of a pair are natural"),
    ),
    _choice(
        "identical_cards_in_set",
        "melds",
        say("May a set hold the same card twice?"),
        say("With two decks there are two 5s of hearts, for example."),
        allow=say("the same card twice is fine"),
        forbid=say("every natural card of a set is different"),
    ),
    _choice(
        "two_sets_same_rank",
        "melds",
        say("May two sets of a contract have the same rank?"),
        say("For example one set of three 7s and another set of three 7s."),
        allow=say("two sets may have the same rank"),
        forbid=say("each set has a rank of its own"),
    ),
    _choice(
        "touching_runs",
        "melds",
        say("May one run of a contract go on where another ends?"),
        say("For example 3, 4, 5, 6 and 7, 8, 9, 10 of one suit as two runs."),
        allow=say("one run may go on where another ends"),
        forbid=say("two such runs are not allowed"),
    ),
    _choice(
        "extra_melds",
        "after",
        say("Which new melds may you lay after your contract?"),
        say("These are melds of your own beyond those that the contract asks for."),
        any=say("any sets and runs"),
        contract_parts=say("only melds like those of your contract"),
        none=say("no new melds"),
    ),
    _number(
        "extra_set_min",
        "after",
        say("How many cards does a new set need?"),
        say("The fewest cards of a set that you lay beyond your contract."),
    ),
    _number(
        "extra_run_min",
        "after",
        say("How many cards does a new run need?"),
        say("The fewest cards of a run that you lay beyond your contract."),
    ),
    _choice(
        "extras_same_turn",
        "after",
        say("When may you lay more cards after your contract?"),
        say("More cards are new melds and cards that you add to melds on the table."),
        true=say("already in the same turn"),
        false=say("from your next turn on"),
    ),
    _choice(
        "layoff_on_others",
        "after",
        say("To whose melds may you add cards?"),
        say("You may add cards once your own contract is down."),
        true=say("to everybody's melds"),
        false=say("only to your own melds"),
    ),
    _choice(
        "layoff_check",
        "after",
        say("If you add several cards, when must the meld be right?"),
        say("This matters when the first card alone would make too many wild cards."),
        end_state=say("when all your cards are added"),
        each_card=say("after each single card"),
    ),
    _choice(
        "wild_swap",
        "after",
        say("May you swap a wild card on the table?"),
        say("You put down the card that it stands for, take it and play it in the same turn."),
        none=say("wild cards stay where they are"),
        others=say("in other players' melds only"),
        own=say("in your own melds only"),
        any=say("in everybody's melds"),
    ),
    _choice(
        "swap_in_sets",
        "after",
        say("May a wild card be swapped in a set too?"),
        say("This matters only if wild cards may be swapped."),
        any_suit=say("yes, for a card of that rank in any suit"),
        no=say("no, only in runs"),
    ),
    _choice(
        "swap_wild_twos",
        "after",
        say("Which wild cards may be swapped?"),
        say("This matters only if wild cards may be swapped and 2s are wild."),
        true=say("jokers and wild 2s"),
        false=say("jokers only"),
    ),
    _choice(
        "must_discard_to_go_out",
        "turn",
        say("Must your last card be a discard?"),
        say("Who gets rid of the last card goes out, and the round ends."),
        true=say("you go out with a discard"),
        false=say("you may also go out by laying all cards"),
    ),
    _choice(
        "discard_draw",
        "turn",
        say("What may you take from the discard pile?"),
        say("You may take this instead of a card from the stock."),
        top_card=say("its top card"),
        buy_pile=say("the whole pile, if you play its top card at once"),
    ),
    _choice(
        "buying",
        "turn",
        say("May you take the top discard when it is not your turn?"),
        say("This is called buying. Who is next in turn may always take the card first."),
        none=say("only the player whose turn it is takes cards"),
        one_more_card=say("yes, with one card from the stock as its price"),
    ),
    _number(
        "most_buys",
        "turn",
        say("How often may you buy in a round?"),
        say("This matters only if cards may be bought out of turn. 0 means no limit."),
    ),
    _choice(
        "stock_exhausted",
        "turn",
        say("What happens when the stock is used up?"),
        say("The stock is the pile that you draw from, face down."),
        reshuffle=say("all discards but the top one are shuffled"),
        end_round=say("the round ends"),
    ),
    _choice(
        "knock",
        "turn",
        say("Do you knock when you have one card left?"),
        say("A knock on the table warns the others."),
        true=say("you knock at one card"),
        false=say("nobody needs to knock"),
    ),
    _choice(
        "keep_score",
        "score",
        say("Do you keep a score?"),
        say("Cards that are left in your hand cost points."),
        yes=say("yes, cards left in the hand cost points"),
        no=say("no score"),
        optional=say("no score unless the table asks for one"),
    ),
    _number(
        "go_out_bonus",
        "score",
        say("How many points come off for going out?"),
        say("They are taken off in each round, which is good: few points are best."),
    ),
    _number(
        "completion_bonus",
        "score",
        say("How many points come off for being first to finish all contracts?"),
        say("They are taken off once, which is good: few points are best."),
    ),
    _number(
        "exact_deal_bonus",
        "score",
        say("How many points come off for lifting exactly the cards for the deal?"),
        say("A dealer earns it by lifting just as many cards as the deal needs."),
    ),
    _choice(
        "finisher_pays",
        "score",
        say("Does who lays the last contract pay for the cards still held?"),
        say("This matters only if the game ends before that player's hand is empty."),
        true=say("yes, like everybody"),
        false=say("no, only the others pay"),
    ),
    _choice(
        "win",
        "end",
        say("Who wins?"),
        say("What counts when somebody has finished the last contract."),
        first_to_complete=say("who lays the last contract first"),
        first_out_on_last=say("who goes out first with the last contract"),
        lowest_score=say("who has the lowest score"),
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
        raise FaultyRules(shown(field), say("This rule cannot be changed here."))
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
    reason = say("A whole number from {low} to {high} is needed.", low=low, high=high)
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
