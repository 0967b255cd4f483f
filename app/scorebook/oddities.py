"""What only looks wrong about a round or a table, and may stand if the table says so.

What cannot be recorded at all is in `faults.py`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.rules.impossible import impossible_contracts
from app.rules.variant import Variant
from app.rules.wording import Phrase, say
from app.scorebook.dealing import decks_in
from app.scorebook.finishing import ends_at_once
from app.scorebook.hands import can_cost, dearest_hand, nearest_costs
from app.scorebook.progress import attempts, finished
from app.scorebook.records import Game, Round, before_round, in_dealing_order
from app.scorebook.scoring import penalty_payers


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something that looks wrong: a code that stays, the seat if it is one's, and what to say.

    `nearest` offers the sums next to an odd penalty that some hand does cost, lowest first.
    """

    code: str
    seat: int | None
    message: Phrase
    nearest: tuple[int, ...] = ()


def oddities(game: Game, played: Round, names: Mapping[int, str]) -> tuple[Oddity, ...]:
    """What looks wrong about a round, by the rounds before it; names by seat id."""
    before, played = before_round(game, played.number), in_dealing_order(game, played)
    return (*_nobody_out(before, played), *_odd_penalties(before, played, names))


def players_oddity(variant: Variant, count: int) -> Oddity | None:
    """What looks wrong about playing a rule set with so many players; None if nothing does."""
    least, most = variant.players_min, variant.players_max
    if least <= count <= most:
        return None
    asked = least if least == most else say("{least} to {most}", least=least, most=most)
    message = say(
        "{variant} is for {asked} players; at this table there are {count}.",
        variant=Phrase(variant.name),
        asked=asked,
        count=count,
    )
    return Oddity("few_players" if count < least else "many_players", None, message)


def start_oddities(variant: Variant, count: int) -> tuple[Oddity, ...]:
    """What looks wrong about starting a game by these rules with so many players."""
    players = players_oddity(variant, count)
    impossible = tuple(
        Oddity("impossible_contract", None, say("Nobody can lay this. {why}.", why=one.reason))
        for one in impossible_contracts(variant)
    )
    return (*((players,) if players else ()), *impossible)


def _nobody_out(before: Game, played: Round) -> Iterator[Oddity]:
    if any(row.went_out for row in played.rows):
        return
    if ends_at_once(before.variant) and finished(before.variant, attempts(before, played)):
        return
    yield Oddity("nobody_out", None, say("Nobody went out in this round. Is that right?"))


def _odd_penalties(before: Game, played: Round, names: Mapping[int, str]) -> Iterator[Oddity]:
    decks = decks_in(before, played.number)
    most = dearest_hand(before.variant, decks)
    payers = penalty_payers(before, played)
    for row in played.rows:
        penalty = row.penalty
        if penalty is None or not 0 <= penalty <= most:
            continue
        if row.seat in payers and not can_cost(before.variant, decks, penalty):
            name = names[row.seat]
            nearest = nearest_costs(before.variant, decks, penalty)
            yield Oddity("odd_penalty", row.seat, _no_hand(name, penalty, nearest), nearest)


def _no_hand(name: str, penalty: int, nearest: tuple[int, ...]) -> Phrase:
    # There is always one above: all the cards together are a hand.
    if len(nearest) == 1:
        return say(
            "No cards cost {penalty} points together. Did {name} have {only}?",
            penalty=penalty,
            name=name,
            only=nearest[0],
        )
    return say(
        "No cards cost {penalty} points together. Did {name} have {below} or {above}?",
        penalty=penalty,
        name=name,
        below=nearest[0],
        above=nearest[1],
    )
