"""Hands as they occur: rounds played by simple players, who ask the solver in every turn.

A player keeps what goes together, lays the contract as soon as it can be laid or, patient, waits
until the whole hand goes; where piles can be bought, some buy whenever they can. All that the
rounds are for is the questions that come up in them.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.rules.cards import RANKS, Card
from app.rules.rule_sets import shipped_rule_sets, with_house_rules
from app.rules.solver import Solution, TableMeld
from app.rules.variant import Variant
from tests.strategies import deck

MOST_HELD = 26
_MOST_TURNS = 25


class Question(NamedTuple):
    """One hand asked about, with the melds on the table."""

    rules: Variant
    number: int
    hand: tuple[Card, ...]
    table: tuple[TableMeld, ...] = ()


Ask = Callable[[Question], Solution]


@dataclass
class _Player:
    number: int
    """The contract to lay."""
    hand: list[Card]
    patient: bool
    buys: float
    """How likely the player is to take the pile where that is allowed."""
    is_down: bool = False


@dataclass
class _Round:
    rules: Variant
    players: list[_Player]
    stock: list[Card]
    pile: list[Card]
    table: list[TableMeld] = field(default_factory=list)


def questions_in_play(rng: random.Random, ask: Ask) -> Iterator[tuple[Question, Solution]]:
    """Every question of one round after another, for ever, each with its answer."""
    rule_sets = sorted(shipped_rule_sets().values(), key=lambda one: one.id)
    while True:
        rules = rng.choice(rule_sets)
        if rng.random() < 0.3:
            rules = with_house_rules(rules, {"discard_draw": "buy_pile"})
        yield from _played(rng, _dealt(rng, rules), ask)


def _dealt(rng: random.Random, rules: Variant) -> _Round:
    count = rng.randint(rules.players_min, rules.players_max)
    cards = deck(rules, rules.decks_for(count))
    rng.shuffle(cards)
    players = [
        _Player(
            rng.randint(1, len(rules.contracts)),
            [cards.pop() for _ in range(rules.deal)],
            patient=rng.random() < 0.3,
            buys=rng.choice((0.1, 0.5, 1.0)),
        )
        for _ in range(count)
    ]
    return _Round(rules, players, cards, [cards.pop()])


def _played(rng: random.Random, game: _Round, ask: Ask) -> Iterator[tuple[Question, Solution]]:
    for turn in range(_MOST_TURNS * len(game.players)):
        player = game.players[turn % len(game.players)]
        if not game.stock:
            return
        _draw(rng, game, player)
        if not player.is_down:
            hand, table = tuple(player.hand), tuple(game.table)
            question = Question(game.rules, player.number, hand, table)
            found = ask(question)
            yield question, found
            if found.can_lay_down and (found.can_go_out or not player.patient):
                _lay(game, player, found)
                continue
        if not player.hand:
            return
        game.pile.append(_least_wanted(rng, game.rules, player.hand))
        player.hand.remove(game.pile[-1])


def _draw(rng: random.Random, game: _Round, player: _Player) -> None:
    rules, pile = game.rules, game.pile
    buys = not player.is_down and pile and rng.random() < player.buys
    if buys and rules.discard_draw == "buy_pile" and len(player.hand) + len(pile) <= MOST_HELD:
        player.hand += pile
        pile.clear()
        return
    player.hand.append(game.stock.pop())
    extra = rules.buying != "none" and len(player.hand) + 2 <= MOST_HELD
    if buys and extra and len(game.stock) > 1 and player.buys < 1:
        player.hand += [pile.pop(), game.stock.pop()]


def _lay(game: _Round, player: _Player, found: Solution) -> None:
    for meld in found.laydown:
        laid = TableMeld(meld.kind, meld.cards)
        if meld.onto is None:
            game.table.append(laid)
        else:
            game.table[meld.onto] = laid
    player.hand = list(found.remaining)
    player.is_down = True
    if found.discard is not None:
        game.pile.append(found.discard)


def _least_wanted(rng: random.Random, rules: Variant, hand: Sequence[Card]) -> Card:
    """The card that goes with fewest others; a wild card last of all."""
    return min(hand, key=lambda card: (_friends(rules, card, hand), rng.random()))


def _friends(rules: Variant, card: Card, hand: Sequence[Card]) -> int:
    if rules.is_wild(card):
        return 1000
    place = RANKS.index(card.rank)
    return sum(
        3 * (other.rank == card.rank)
        + 2
        * (
            abs(RANKS.index(other.rank) - place) in (1, 2)
            and (rules.run_suit == "any" or other.suit == card.suit)
        )
        for other in hand
        if not rules.is_wild(other)
    )
