"""What only looks wrong about a round or a table, and may stand if the table says so.

What cannot be recorded at all is in `faults.py`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.rules.variant import Variant
from app.rules.wording import Phrase, say, say_many
from app.scorebook.dealing import decks_in
from app.scorebook.finishing import ends_at_once
from app.scorebook.hands import can_cost, dearest_hand, nearest_costs
from app.scorebook.progress import attempts, finished
from app.scorebook.records import Game, Round, before_round
from app.scorebook.scoring import needs_penalty


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
    before = before_round(game, played.number)
    return (*_nobody_out(before, played), *_odd_penalties(before, played, names))


def players_oddity(variant: Variant, count: int) -> Oddity | None:
    """What looks wrong about playing a rule set with so many players; None if nothing does."""
    least, most = variant.players_min, variant.players_max
    if least <= count <= most:
        return None
    rule = say("{least} to {most}", least=least, most=most) if least < most else say(
        "{most}", most=most)  # fmt: skip
    message = say_many(
        "{variant} is for {rule} players; you are {count}.",
        "{variant} is for {rule} players; you are {count}.",
        count,
        variant=variant.name,
        rule=rule,
    )
    return Oddity("few_players" if count < least else "many_players", None, message)


def _nobody_out(before: Game, played: Round) -> Iterator[Oddity]:
    if any(row.went_out for row in played.rows):
        return
    if ends_at_once(before.variant) and finished(before.variant, attempts(before, played)):
        return
    yield Oddity("nobody_out", None, say("Nobody went out in this round. Is that right?"))


def _odd_penalties(before: Game, played: Round, names: Mapping[int, str]) -> Iterator[Oddity]:
    decks = decks_in(before, played.number)
    most = dearest_hand(before.variant, decks)
    for row in played.rows:
        penalty = row.penalty
        if penalty is None or not 0 <= penalty <= most:
            continue
        if needs_penalty(before, played, row.seat) and not can_cost(before.variant, decks, penalty):
            name = names[row.seat]
            nearest = nearest_costs(before.variant, decks, penalty)
            yield Oddity("odd_penalty", row.seat, _no_hand(name, penalty, nearest), nearest)


def _no_hand(name: str, penalty: int, nearest: tuple[int, ...]) -> Phrase:
    match nearest:
        case (below, above):
            return say(
                "No cards cost {penalty} points together. Did {name} have {below} or {above}?",
                penalty=penalty,
                name=name,
                below=below,
                above=above,
            )
        case (only,):
            return say(
                "No cards cost {penalty} points together. Did {name} have {only}?",
                penalty=penalty,
                name=name,
                only=only,
            )
        case _:
            return say("No cards cost {penalty} points together.", penalty=penalty)
