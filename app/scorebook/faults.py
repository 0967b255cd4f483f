"""What cannot be recorded of a round without contradiction, in words for who typed it.

What only looks wrong, and the table may overrule, is in `warnings.py`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.rules.phrases import Phrase, join_phrases, say, say_plural
from app.scorebook.dealing import dealer_of, decks_in, players_in, round_dealers
from app.scorebook.finishing import first_down_candidates_among
from app.scorebook.game import Entry, Game, Round, before_round, with_all_entries
from app.scorebook.hands import HandCosts
from app.scorebook.history import is_over, round_results
from app.scorebook.progress import Attempt, attempts_by_round, round_attempts
from app.scorebook.scoring import payers_among


@dataclass(frozen=True, slots=True)
class Fault:
    """A contradiction: a code that stays, the seat and the field at fault, and what to say.

    `seat` is None where the round as a whole is at fault; `field` is a field of `Entry` or
    `Round`.
    """

    code: str
    seat: int | None
    field: str
    message: Phrase


def find_round_faults(game: Game, played: Round) -> tuple[Fault, ...]:
    """All contradictions of a round that is to be added to a game, or to mend one of its rounds.

    The round is judged by the rounds before it; a recorded one of the same number is left out
    of account. Empty if the round can be recorded.
    """
    blocking = _number_fault(game, played)
    if blocking:
        return (blocking,)
    tried, dealer = round_attempts(game, played), dealer_of(game, played.number)
    return (
        *seat_faults(game, played),
        *_round_faults(game, with_all_entries(game, played), tried, dealer),
    )


def _round_faults(
    game: Game, played: Round, tried: tuple[Attempt, ...], dealer: int | None
) -> Iterator[Fault]:
    """The contradictions within a round, by what each seat tried in it and who dealt.

    Nothing here goes through the rounds before it, which are many in a long game.
    """
    if not played.entries:
        yield Fault("nobody_plays", None, "rows", say("No one is left to play this round."))
    yield from _going_out_faults(game, played)
    yield from _penalty_faults(game, played, tried)
    yield from _exact_deal_faults(game, played, dealer)
    yield from _buy_faults(game, played)
    yield from _first_down_faults(game, played, tried)


def faults_by_round(game: Game) -> Mapping[int, tuple[Fault, ...]]:
    """The contradictions of the recorded rounds, by number; only of rounds that have some.

    A mended round can leave some behind it: a finish that two players now share, a penalty that
    is now owed, rounds after the end.
    """
    counting = len(round_results(game))  # looked at once, for long games and many of them
    found: dict[int, tuple[Fault, ...]] = {}
    each = zip(game.rounds, attempts_by_round(game), round_dealers(game), strict=False)
    for played, tried, dealer in each:
        if played.number > counting:
            found[played.number] = (_over_before(played.number),)
        else:
            found[played.number] = tuple(
                _round_faults(game, with_all_entries(game, played), tried, dealer)
            )
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


def seat_faults(game: Game, played: Round) -> Iterator[Fault]:
    """What is wrong with the seats that something is entered for, each named once."""
    playing = {seat.id for seat in players_in(game, played.number)}
    for seat, count in sorted(Counter(entry.seat for entry in played.entries).items()):
        if seat not in playing:
            yield not_playing_fault(game, played.number, seat, "rows")
        elif count > 1:
            message = say("{name} is entered more than once.", name=game.name_of(seat))
            yield Fault("row_twice", seat, "rows", message)


def not_playing_fault(game: Game, number: int, seat: int, field: str) -> Fault:
    """Something is said of a seat that does not play in the round, or not in the game at all."""
    message = say("That player isn’t in this round.")
    if seat in game.names:
        name = game.names_in(number)[seat]
        message = say("{name} isn’t playing in round {number}.", name=name, number=number)
    return Fault("not_playing", seat, field, message)


def nobody_out_faults(played: Round) -> Iterator[Fault]:
    """It is said that no one went out, and of somebody that they did."""
    if played.nobody_out and any(entry.went_out for entry in played.entries):
        message = say("Choose either “No one went out” or a player.")
        yield Fault("nobody_and_one_out", None, "nobody_out", message)


def _going_out_faults(game: Game, played: Round) -> Iterator[Fault]:
    out = [entry.seat for entry in played.entries if entry.went_out]
    if len(out) > 1:
        names = game.names_in(played.number)
        who = join_phrases([say("{name}", name=names[seat]) for seat in out])
        message = say("Only one player can go out. Choose one: {names}.", names=who)
        yield Fault("two_out", None, "went_out", message)
    yield from nobody_out_faults(played)


def _penalty_faults(game: Game, played: Round, tried: tuple[Attempt, ...]) -> Iterator[Fault]:
    decks = decks_in(game, played.number)
    most = HandCosts(game.variant, decks).most
    payers = payers_among(game.variant, played, tried)
    names = game.names_in(played.number)
    for entry in played.entries:
        name = names[entry.seat]
        fault = _penalty_fault(entry, name, decks, most)
        if fault:
            yield fault
        elif entry.penalty is None and not entry.not_counted and entry.seat in payers:
            message = say("Enter {name}’s points. If there are none, enter 0.", name=name)
            yield Fault("penalty_blank", entry.seat, "penalty", message)


def _penalty_fault(entry: Entry, name: str, decks: int, most: int) -> Fault | None:
    """What is wrong with a penalty that was typed."""
    penalty = entry.penalty or 0
    if entry.went_out and penalty != 0:
        message = say(
            "{name} went out, so their points must be 0, not {penalty}.", name=name, penalty=penalty
        )
        return Fault("penalty_for_out", entry.seat, "penalty", message)
    if penalty < 0:
        message = say(
            "{name}’s points can’t be less than 0: {penalty}.", name=name, penalty=penalty
        )
        return Fault("penalty_negative", entry.seat, "penalty", message)
    if penalty > most:
        message = say_plural(
            "{name}: {penalty} points is too many. All the cards of {count} deck add up to {most}.",
            "{name}: {penalty} points is too many. All the cards of {count} decks "
            "add up to {most}.",
            decks,
            name=name,
            penalty=penalty,
            most=most,
        )
        return Fault("penalty_too_high", entry.seat, "penalty", message)
    return None


def _exact_deal_faults(game: Game, played: Round, dealer: int | None) -> Iterator[Fault]:
    has_bonus = game.variant.scores and game.variant.exact_deal_bonus != 0
    for entry in played.entries:
        if not entry.exact_deal:
            continue
        if not has_bonus:
            message = say("This game has no bonus for an exact deal.")
            yield Fault("no_exact_deal_bonus", entry.seat, "exact_deal", message)
        elif entry.seat != dealer:
            message = say(
                "{name} didn’t deal round {number}, so the dealer’s bonus isn’t theirs.",
                name=game.names_in(played.number)[entry.seat],
                number=played.number,
            )
            yield Fault("not_the_dealer", entry.seat, "exact_deal", message)


def _buy_faults(game: Game, played: Round) -> Iterator[Fault]:
    bought = [entry for entry in played.entries if entry.buys]
    if not bought or game.rules_in(played.number).counts_buys:
        return
    for entry in bought:
        yield Fault("no_buys", entry.seat, "buys", say("This game doesn’t count buys."))


def _first_down_faults(game: Game, played: Round, tried: tuple[Attempt, ...]) -> Iterator[Fault]:
    asked = first_down_candidates_among(game.variant, tried)
    if not asked or played.first_down in asked:
        return
    if played.first_down is None:
        names = game.names_in(played.number)
        who = join_phrases([say("{name}", name=names[seat]) for seat in asked])
        message = say("{names} laid down the last contract. Who was first?", names=who)
        yield Fault("first_down_missing", None, "first_down", message)
    else:
        message = say(
            "{name} didn’t lay down the last contract, so they can’t have been first.",
            name=game.name_of(played.first_down),
        )
        yield Fault("first_down_wrong", played.first_down, "first_down", message)
