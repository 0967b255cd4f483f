"""Who plays in a round, who deals it, who plays first, and what is dealt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from app.rules.variant import Variant
from app.scorebook.game import Game, Seat


@dataclass(frozen=True, slots=True)
class DealPlan:
    """What the dealer needs; `extra` is 1 where the first player gets one card more."""

    cards_each: int
    extra: int
    decks: int
    jokers: int


def plan_deal(variant: Variant, players: int) -> DealPlan | None:
    """What is dealt to that many players; None without contracts: then the rules do not say."""
    if not variant.contracts:
        return None
    decks = variant.decks_for(players)
    return DealPlan(
        cards_each=variant.deal,
        extra=int(variant.first_player_extra_card),
        decks=decks,
        jokers=variant.joker_count(decks),
    )


def players_in(game: Game, number: int) -> tuple[Seat, ...]:
    """The seats that play in the round of that number, in seating order."""
    seats = game.order_at(number, game.decisions.current_deal(number))
    return tuple(seat for seat in seats if seat.plays_in(number))


def decks_in(game: Game, number: int) -> int:
    """How many decks the players of the round of that number use."""
    return game.variant.decks_for(len(players_in(game, number)))


def dealer_of(game: Game, number: int) -> int | None:
    """The seat that deals the round of that number; None if nobody plays in it, or nobody deals.

    The deal passes on by `dealer_rotation`, over seats that do not play in the round, unless the
    table chose another dealer.
    """
    return next(islice(round_dealers(game), number - 1, None))


def first_player_after(game: Game, dealer: int | None, number: int) -> int | None:
    """The seat that plays first when that seat deals the round; None where none deals.

    It is the next one in the direction in which the deal passes: a table that deals to the
    right plays to the right, so who played first deals next if all stay.
    """
    deal = game.decisions.current_deal(number)
    return None if dealer is None else _next_after(game, dealer, number, deal)


def rematch_roles(game: Game, number: int) -> tuple[int | None, int | None]:
    """The seats that would deal and play first in a rematch, where that round would be the next.

    The deal passes on as it would to that round; who has left is skipped.
    """
    due = dealer_of(game, number)
    if due is None:
        return None, None
    there = [one for one in (due, *_onward(game, due, game.seats)) if one in game.seated]
    dealer, first, *_ = *there, *there, None, None
    return dealer, first


def has_dealer(variant: Variant) -> bool:
    """Does somebody deal in games of a rule set?"""
    return variant.dealer_rotation != "none"


def round_dealers(game: Game) -> Iterator[int | None]:
    """The dealers of round 1, 2 and so on, without end; None where `dealer_of` answers it."""
    return (deals[-1] for deals in dealers_by_deal(game))


def dealers_by_deal(game: Game) -> Iterator[tuple[int | None, ...]]:
    """For round 1, 2 and so on, without end: who dealt each void deal, last the one that counts.

    Where the table chose another dealer for one round only, the deal passes on from the player
    whose turn it was.
    """
    turn, number = game.first_dealer, 1
    while not has_dealer(game.variant):
        yield (None,) * game.decisions.current_deal(number)
        number += 1
    due = turn if game.seat(turn).plays_in(1) else _next_after(game, turn, 1)
    while True:
        deals, dealer = [], due
        for deal, void in enumerate((*game.decisions.voids_in(number), None), start=1):
            change = game.decisions.dealer_change(number, deal)
            if change is not None and (void or _may_deal(game.seat(change.seat), number)):
                dealer, due = change.seat, due if change.once else change.seat
            if void:
                dealer, due = void.dealer, void.dealer if dealer == due else due
            deals.append(dealer)
            turn = due or turn
            if void and (void.passed_on or not _plays(game, dealer, number)):
                dealer = due = _next_after(game, turn, number, deal + 1)
        yield tuple(deals)
        number += 1
        due = _next_turn(game, turn, number)


def _may_deal(seat: Seat, number: int) -> bool:
    """Does a player who was chosen deal that round? Also who left since the round before ended."""
    return seat.plays_in(number) or seat.left_after == number - 1


def _plays(game: Game, seat: int | None, number: int) -> bool:
    return seat is not None and game.seat(seat).plays_in(number)


def _next_turn(game: Game, last: int, number: int) -> int | None:
    """Whose turn to deal that round it is, after that seat's turn in the round before."""
    if game.variant.dealer_rotation == "first_player":
        leader = first_player_after(game, last, number - 1)
        if _plays(game, leader, number):
            return leader
        last = leader or last
    return _next_after(game, last, number)


def _next_after(game: Game, seat: int, number: int, deal: int = 1) -> int | None:
    """The seat that plays in that round next after this one, which itself comes last."""
    order = _onward(game, seat, game.order_at(number, deal))
    return next((after for after in order if _plays(game, after, number)), None)


def _onward(game: Game, seat: int, seats: Sequence[Seat]) -> tuple[int, ...]:
    """These seats in the direction in which the deal passes: that one last, the one after first."""
    onward = [one.id for one in seats]
    if game.variant.dealer_rotation == "right":
        onward.reverse()
    start = onward.index(seat) + 1
    return (*onward[start:], *onward[:start])
