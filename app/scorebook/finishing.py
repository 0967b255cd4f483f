"""When a game ends, and who laid the last contract first. Who wins is decided in `winning.py`."""

from app.rules.variant import Variant
from app.scorebook.game import Game, Round
from app.scorebook.progress import Attempt, finishers_among, round_attempts


def last_laydown_ends_round(variant: Variant) -> bool:
    """Does laying the last contract end the round, and with it the game, on the spot?

    Not where it takes going out as well; nor where all try the same contract each round, or
    where the score decides among those who finish, for then the last round is played out like
    any other.
    """
    played_out = ("first_out_on_last", "lowest_finisher")
    return variant.progress == "individual" and variant.win not in played_out


def last_laydown_stops_play(variant: Variant) -> bool:
    """Is play over the moment the last contract is laid, so that nobody can go out after it?

    So say the texts that reward who lays it first. Elsewhere the round may go on until somebody
    goes out: the family's Aggravation Rummy only says that play ends then.
    """
    rewards_the_first = variant.win == "first_to_complete" or variant.completion_bonus != 0
    return last_laydown_ends_round(variant) and rewards_the_first


def last_laydown_ended_round(variant: Variant, tried: tuple[Attempt, ...]) -> bool:
    """Did laying the last contract end a round with these attempts, and not going out?"""
    if not last_laydown_ends_round(variant) or not finishers_among(variant, tried):
        return False
    someone_out = any(one.entry.went_out for one in tried)
    return not (variant.finisher_pays_after_out and someone_out)


def is_finisher_exempt(variant: Variant, tried: tuple[Attempt, ...]) -> bool:
    """Does the first to lay the last contract pay nothing for the cards still held?

    By default, where that ended the round. Where another went out after it, the holder is one of
    "the other players", who all pay.
    """
    return last_laydown_ended_round(variant, tried) and not variant.finisher_pays


def round_ends_game(variant: Variant, number: int, tried: tuple[Attempt, ...]) -> bool:
    """Is the game over after the round of that number with these attempts?"""
    if 0 < variant.max_deals <= number:
        return True
    if variant.progress == "common":
        return number >= variant.last_contract
    return bool(finishers_among(variant, tried))


def first_finisher(played: Round, finishers: tuple[int, ...]) -> int | None:
    """Who was first of the seats that finished in a round; None if none did or nobody knows."""
    if len(finishers) == 1:
        return finishers[0]
    return played.first_down if played.first_down in finishers else None


def first_down_candidates(game: Game, played: Round) -> tuple[int, ...]:
    """The seats among which the table must say who laid the last contract first.

    Empty unless several completed it in this round and it matters: for the win, for the bonus
    of the first, or because only the first need not pay for the cards still held.
    """
    return first_down_candidates_among(game.variant, round_attempts(game, played))


def first_down_candidates_among(variant: Variant, tried: tuple[Attempt, ...]) -> tuple[int, ...]:
    """The same where it is known what each seat tried."""
    finishers = finishers_among(variant, tried)
    return finishers if len(finishers) > 1 and _first_matters(variant, tried) else ()


def _first_matters(variant: Variant, tried: tuple[Attempt, ...]) -> bool:
    if variant.win == "first_to_complete":
        return True
    counts = variant.completion_bonus != 0 or is_finisher_exempt(variant, tried)
    return variant.scores and counts
