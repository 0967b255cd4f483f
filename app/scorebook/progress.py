"""Which contract each seat tries in a round, who moves on after it, and when that ends the game.

Points are not looked at here. Who wins is decided in `standings.py`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.rules.variant import Variant
from app.scorebook.dealing import players_in
from app.scorebook.game import Entry, Game, Round


@dataclass(frozen=True, slots=True)
class Attempt:
    """One seat's attempt at a contract in one round, and how many contracts were behind it before.

    Those are the ones that it completed, and those before the one that a late joiner began on.
    `contract` is None for a seat that has none to try. `completes_contract` says whether the
    contract was completed by it.
    """

    seat: int
    contract: int | None
    completed_before: int
    completes_contract: bool
    entry: Entry

    @property
    def completed_after(self) -> int:
        """How many contracts the seat has behind it after this round."""
        return self.completed_before + int(self.completes_contract)


def contract_tried(variant: Variant, completed: int, number: int) -> int | None:
    """The contract that a seat tries in the round of that number; None if none is left."""
    contract = number if variant.progress == "common" else completed + 1
    return contract if contract <= variant.last_contract else None


def attempts_in(game: Game, played: Round, completed: Mapping[int, int]) -> tuple[Attempt, ...]:
    """What each seat of a round tried, in seating order, by how many each had behind it before."""
    return tuple(
        _attempt(game.variant, played, seat.id, completed.get(seat.id, seat.starting_contract - 1))
        for seat in players_in(game, played.number)
    )


def attempts_by_round(game: Game) -> Iterator[tuple[Attempt, ...]]:
    """What each seat tried in each ended round, going through the rounds once."""
    completed: dict[int, int] = {}
    for played in game.rounds:
        tried = attempts_in(game, played, completed)
        completed |= {attempt.seat: attempt.completed_after for attempt in tried}
        yield tried


def finishers_among(variant: Variant, tried: tuple[Attempt, ...]) -> tuple[int, ...]:
    """The seats that have all contracts of the game behind them by these attempts."""
    return tuple(
        attempt.seat
        for attempt in tried
        if attempt.completes_contract and attempt.completed_after >= variant.last_contract
    )


def _attempt(variant: Variant, played: Round, seat: int, completed: int) -> Attempt:
    contract, entry = contract_tried(variant, completed, played.number), played.entry_of(seat)
    # Where the first to go out on the last contract wins, laying that one is not enough.
    takes_going_out = contract == variant.last_contract and variant.win == "first_out_on_last"
    is_done = entry.went_out if takes_going_out else entry.laid_down
    return Attempt(seat, contract, completed, contract is not None and is_done, entry)


def final_laydown_can_end_round(variant: Variant) -> bool:
    """Can laying the last contract end the round, and with it the game?

    Not where it takes going out as well; nor where all try the same contract each round, or
    where the score decides among those who finish, for then the last round is played out like
    any other.
    """
    played_out = ("first_out_on_last", "lowest_finisher")
    return variant.progress == "individual" and variant.win not in played_out


def final_laydown_stops_play(variant: Variant) -> bool:
    """Is play over the moment the last contract is laid, so that nobody can go out after it?

    So say the texts that reward who lays it first. Elsewhere the round may go on until somebody
    goes out: the family's Aggravation Rummy says only that going out ends play.
    """
    rewards_the_first = variant.win == "first_to_complete" or variant.completion_bonus != 0
    return final_laydown_can_end_round(variant) and rewards_the_first


def was_ended_by_final_laydown(variant: Variant, tried: tuple[Attempt, ...]) -> bool:
    """Did laying the last contract end a round with these attempts?

    So it counts, too, where somebody went out in that round, unless `finisher_pays_after_out`.
    """
    if not final_laydown_can_end_round(variant) or not finishers_among(variant, tried):
        return False
    someone_out = any(one.entry.went_out for one in tried)
    return not (variant.finisher_pays_after_out and someone_out)


def is_finisher_exempt(variant: Variant, tried: tuple[Attempt, ...]) -> bool:
    """Does the first to lay the last contract pay nothing for the cards still held?"""
    return was_ended_by_final_laydown(variant, tried) and not variant.finisher_pays


def round_ends_game(variant: Variant, number: int, tried: tuple[Attempt, ...]) -> bool:
    """Does the round of that number with these attempts end the game, whatever the scores?"""
    if 0 < variant.max_deals <= number:
        return True
    if variant.progress == "common":
        return 0 < variant.last_contract <= number
    return bool(finishers_among(variant, tried))


def first_finisher(played: Round, finishers: tuple[int, ...]) -> int | None:
    """Who was first of the seats that finished in a round; None if none did or nobody knows."""
    if len(finishers) == 1:
        return finishers[0]
    return played.first_down if played.first_down in finishers else None


def first_down_candidates(variant: Variant, tried: tuple[Attempt, ...]) -> tuple[int, ...]:
    """The seats among which the table must say who was first to lay down the last contract.

    Empty unless several completed it in this round and it matters: for the win, for the bonus
    of the first, or because only the first need not pay for the cards still held.
    """
    finishers = finishers_among(variant, tried)
    return finishers if len(finishers) > 1 and _first_matters(variant, tried) else ()


def _first_matters(variant: Variant, tried: tuple[Attempt, ...]) -> bool:
    if variant.win == "first_to_complete":
        return True
    counts = variant.completion_bonus != 0 or is_finisher_exempt(variant, tried)
    return variant.keeps_score and counts
