"""What cannot be recorded of a round without contradiction, in words for who typed it.

What only looks wrong, and the table may overrule, is in `oddities.py`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.rules.variant import Variant
from app.rules.wording import Phrase, listed, say, say_many
from app.scorebook.dealing import dealer_of, dealers, decks_in, players_in
from app.scorebook.finishing import asked_among
from app.scorebook.hands import dearest_hand
from app.scorebook.history import history, is_over
from app.scorebook.progress import Attempt, attempts, attempts_by_round
from app.scorebook.records import Game, Round, Row, before_round, in_dealing_order
from app.scorebook.scoring import payers_among

Names = Mapping[int, str]
"""The players' names by seat id."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A contradiction: a code that stays, the seat and the field at fault, and what to say.

    `seat` is None where the round as a whole is at fault; `field` is a field of `Row` or
    `Round`.
    """

    code: str
    seat: int | None
    field: str
    message: Phrase


def faults(game: Game, played: Round, names: Names) -> tuple[Fault, ...]:
    """All contradictions of a round that is to be added to a game, or to mend one of its rounds.

    The round is judged by the rounds before it; a recorded one of the same number is left out
    of account. Empty if the round can be recorded.
    """
    blocking = _number_fault(game, played)
    if blocking:
        return (blocking,)
    played = in_dealing_order(game, played)
    tried, dealer = attempts(game, played), dealer_of(game, played.number)
    return _round_faults(game, played, tried, dealer, names)


def _round_faults(
    game: Game, played: Round, tried: tuple[Attempt, ...], dealer: int | None, names: Names
) -> tuple[Fault, ...]:
    """The contradictions within a round, by what each seat tried in it and who dealt.

    Nothing here goes through the rounds before it, which are many in a long game.
    """
    return (
        *_seat_faults(game, played, names),
        *_going_out_faults(played, names),
        *_penalty_faults(game, played, tried, names),
        *_exact_deal_faults(game.variant, played, dealer, names),
        *_first_down_faults(game.variant, played, tried, names),
    )


def faults_by_round(game: Game, names: Names) -> Mapping[int, tuple[Fault, ...]]:
    """The contradictions of the recorded rounds, by number; only of rounds that have some.

    A mended round can leave some behind it: a finish that two players now share, a penalty that
    is now owed, rounds after the end.
    """
    counting = len(history(game))  # looked at once, for long games and many of them
    found: dict[int, tuple[Fault, ...]] = {}
    each = zip(game.rounds, attempts_by_round(game), dealers(game), strict=False)
    for played, tried, dealer in each:
        if played.number > counting:
            found[played.number] = (_over_before(played.number),)
        else:
            ordered = in_dealing_order(game, played)
            found[played.number] = _round_faults(game, ordered, tried, dealer, names)
    return {number: those for number, those in found.items() if those}


def _number_fault(game: Game, played: Round) -> Fault | None:
    following = len(game.rounds) + 1
    if not 1 <= played.number <= following:
        message = say(
            "Round {number} can’t be entered. The next one is round {next}.",
            number=played.number,
            next=following,
        )
        return Fault("wrong_number", None, "number", message)
    if is_over(before_round(game, played.number)):
        return _over_before(played.number)
    return None


def _over_before(number: int) -> Fault:
    message = say("The game was over before round {number}.", number=number)
    return Fault("game_over", None, "number", message)


def _seat_faults(game: Game, played: Round, names: Names) -> Iterator[Fault]:
    players = [seat.id for seat in players_in(game, played.number)]
    if not players:
        yield Fault("nobody_plays", None, "rows", say("No one is left to play this round."))
    rows_by_seat = Counter(row.seat for row in played.rows)
    for seat in players:
        if rows_by_seat[seat] == 0:
            message = say("Nothing is entered for {name}.", name=names[seat])
            yield Fault("row_missing", seat, "rows", message)
    for seat, count in rows_by_seat.items():
        if seat not in players:
            name = _name(names, seat)
            message = say(
                "{name} isn’t playing in round {number}.", name=name, number=played.number
            )
            yield Fault("not_playing", seat, "rows", message)
        elif count > 1:
            message = say("{name} is entered more than once.", name=names[seat])
            yield Fault("row_twice", seat, "rows", message)


def _going_out_faults(played: Round, names: Names) -> Iterator[Fault]:
    out = {row.seat: row for row in played.rows if row.went_out}
    if len(out) > 1:
        who = listed([say("{name}", name=_name(names, seat)) for seat in out])
        message = say("Only one player can go out. Choose one: {names}.", names=who)
        yield Fault("two_out", None, "went_out", message)
    for row in out.values():
        if not row.met:
            message = say(
                "{name} went out, so they must have laid down their contract.",
                name=_name(names, row.seat),
            )
            yield Fault("out_without_contract", row.seat, "met", message)


def _penalty_faults(
    game: Game, played: Round, tried: tuple[Attempt, ...], names: Names
) -> Iterator[Fault]:
    decks = decks_in(game, played.number)
    most = dearest_hand(game.variant, decks)
    payers = payers_among(game.variant, played, tried)
    for row in played.rows:
        fault = _penalty_fault(row, _name(names, row.seat), decks, most)
        if fault:
            yield fault
        elif row.penalty is None and not row.not_counted and row.seat in payers:
            message = say(
                "Enter {name}’s points. If there are none, enter 0.",
                name=_name(names, row.seat),
            )
            yield Fault("penalty_blank", row.seat, "penalty", message)


def _penalty_fault(row: Row, name: str, decks: int, most: int) -> Fault | None:
    """What is wrong with a penalty that was typed."""
    penalty = row.penalty or 0
    if row.went_out and penalty != 0:
        message = say(
            "{name} went out, so their points must be 0, not {penalty}.",
            name=name,
            penalty=penalty,
        )
        return Fault("penalty_for_out", row.seat, "penalty", message)
    if penalty < 0:
        message = say(
            "{name}’s points can’t be less than 0: {penalty}.", name=name, penalty=penalty
        )
        return Fault("penalty_negative", row.seat, "penalty", message)
    if penalty > most:
        message = say_many(
            "{name}: {penalty} points is too many. All the cards of {count} deck add up to {most}.",
            "{name}: {penalty} points is too many. All the cards of {count} decks "
            "add up to {most}.",
            decks,
            name=name,
            penalty=penalty,
            most=most,
        )
        return Fault("penalty_too_high", row.seat, "penalty", message)
    return None


def _exact_deal_faults(
    variant: Variant, played: Round, dealer: int | None, names: Names
) -> Iterator[Fault]:
    has_bonus = variant.scores and variant.exact_deal_bonus != 0
    for row in played.rows:
        if not row.exact_deal:
            continue
        if not has_bonus:
            message = say("This game has no bonus for an exact deal.")
            yield Fault("no_exact_deal_bonus", row.seat, "exact_deal", message)
        elif row.seat != dealer:
            message = say(
                "{name} didn’t deal round {number}, so the dealer’s bonus isn’t theirs.",
                name=_name(names, row.seat),
                number=played.number,
            )
            yield Fault("not_the_dealer", row.seat, "exact_deal", message)


def _first_down_faults(
    variant: Variant, played: Round, tried: tuple[Attempt, ...], names: Names
) -> Iterator[Fault]:
    asked = asked_among(variant, tried)
    if not asked or played.first_down in asked:
        return
    if played.first_down is None:
        who = listed([say("{name}", name=names[seat]) for seat in asked])
        message = say("{names} laid down the last contract. Who was first?", names=who)
        yield Fault("first_down_missing", None, "first_down", message)
    else:
        message = say(
            "{name} didn’t lay down the last contract, so they can’t have been first.",
            name=_name(names, played.first_down),
        )
        yield Fault("first_down_wrong", played.first_down, "first_down", message)


def _name(names: Names, seat: int) -> str:
    """The name of a seat; of one that is not in the game, its number."""
    return names.get(seat, str(seat))
