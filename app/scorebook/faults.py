"""What cannot be recorded of a round, or as a past result, in words for who typed it.

It would contradict itself; what only looks wrong, and the table may overrule, is in `warnings.py`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from app.rules.phrases import Phrase, concatenate, join_names, say, say_plural
from app.rules.variant import Variant
from app.scorebook.dealing import dealer_of, decks_in, players_in, round_dealers
from app.scorebook.game import Entry, Game, Round, with_all_entries
from app.scorebook.limits import MOST_POINTS
from app.scorebook.points import HandCosts
from app.scorebook.progress import Attempt, attempts_by_round, first_down_candidates
from app.scorebook.refusals import Notice
from app.scorebook.round_results import (
    before_round,
    is_over,
    penalty_payers,
    round_attempts,
    round_results,
)


def find_round_faults(game: Game, played: Round) -> tuple[Notice, ...]:
    """The contradictions of a round that is to be added to a game, or to replace one of its rounds.

    The round is judged by the rounds before it; an ended one of the same number is left out of
    account. Empty if it can end so.
    """
    following = len(game.rounds) + 1
    if not 1 <= played.number <= following:
        message = say(
            "Round {number} can’t be entered. The next one is round {next}.",
            number=played.number,
            next=following,
        )
        return (Notice("wrong_number", None, message, "number"),)
    if is_over(before_round(game, played.number)):
        return (_over_before(played.number),)
    tried, dealer = round_attempts(game, played), dealer_of(game, played.number)
    return (
        *seat_faults(game, played),
        *_round_faults(game, with_all_entries(game, played), tried, dealer),
    )


def _round_faults(
    game: Game, played: Round, tried: tuple[Attempt, ...], dealer: int | None
) -> Iterator[Notice]:
    """The contradictions within a round, by what each seat tried in it and who dealt.

    Nothing here goes through the rounds before it, which are many in a long game.
    """
    if not played.entries:
        yield Notice("nobody_plays", None, say("No one is left to play this round."), "rows")
    yield from contract_faults(game.variant, played)
    yield from _going_out_faults(game, played)
    yield from _penalty_faults(game, played, tried)
    yield from _exact_deal_faults(game, played, dealer)
    yield from _buy_faults(game, played)
    yield from _first_down_faults(game, played, tried)


def fault_of_places(places: Iterable[int | None]) -> Phrase | None:
    """What is wrong with the places of a past result; None where nothing is."""
    return None if 1 in places else say("No one won this game. Give a player place 1.")


def faults_by_round(game: Game) -> Mapping[int, tuple[Notice, ...]]:
    """The contradictions of the ended rounds, by number; only of rounds that have some.

    An edited round can leave some behind it: a finish that two players now share, a penalty that
    is now owed, rounds after the end.
    """
    counting = len(round_results(game))  # looked at once, for long games and many of them
    found: dict[int, tuple[Notice, ...]] = {}
    each = zip(game.rounds, attempts_by_round(game), round_dealers(game), strict=False)
    for played, tried, dealer in each:
        if played.number > counting:
            found[played.number] = (_over_before(played.number),)
        else:
            found[played.number] = tuple(
                _round_faults(game, with_all_entries(game, played), tried, dealer)
            )
    return {number: those for number, those in found.items() if those}


def _over_before(number: int) -> Notice:
    message = say("The game was over before round {number}.", number=number)
    return Notice("game_over", None, message, "number")


def seat_faults(game: Game, played: Round) -> Iterator[Notice]:
    """What is wrong with the seats that something is entered for, each named once."""
    playing = {seat.id for seat in players_in(game, played.number)}
    for seat, count in sorted(Counter(entry.seat for entry in played.entries).items()):
        if seat not in playing:
            yield not_playing_fault(game, played.number, seat, "rows")
        elif count > 1:
            message = say("{name} is entered more than once.", name=game.name_of(seat))
            yield Notice("row_twice", seat, message, "rows")


def not_playing_fault(game: Game, number: int, seat: int, field: str) -> Notice:
    """Something is said of a seat that does not play in the round, or not in the game at all."""
    message = say("That player isn’t in this round.")
    if seat in game.names:
        name = game.names_in(number)[seat]
        message = say("{name} isn’t playing in round {number}.", name=name, number=number)
    return Notice("not_playing", seat, message, field)


def nobody_out_faults(played: Round) -> Iterator[Notice]:
    """It is said that no one went out, and of somebody that they did."""
    if played.nobody_out and any(entry.went_out for entry in played.entries):
        message = say("Choose either “No one went out” or a player.")
        yield Notice("nobody_and_one_out", None, message, "nobody_out")


def contract_faults(variant: Variant, played: Round) -> Iterator[Notice]:
    """What is entered of laying down, going out or counted cards where there are no contracts."""
    if variant.contracts:
        return
    message = say("This game has only points: no contracts, and no one goes out.")
    for entry in played.entries:
        if entry.laid_down or any(entry.counted):
            yield Notice("no_contracts", entry.seat, message, "met")
    if played.nobody_out:
        yield Notice("no_contracts", None, message, "nobody_out")


def _going_out_faults(game: Game, played: Round) -> Iterator[Notice]:
    out = [entry.seat for entry in played.entries if entry.went_out]
    if len(out) > 1:
        names = game.names_in(played.number)
        who = join_names(names[seat] for seat in out)
        message = say("Only one player can go out. Choose one: {names}.", names=who)
        yield Notice("two_out", None, message, "went_out")
    yield from nobody_out_faults(played)


def points_faults(game: Game, played: Round) -> Iterator[Notice]:
    """What is wrong with the points that are there, one fault of a seat at most."""
    decks = decks_in(game, played.number)
    most = HandCosts(game.variant, decks).most if game.variant.contracts else MOST_POINTS
    names = game.names_in(played.number)
    for entry in played.entries:
        if fault := _penalty_fault(game.variant, entry, names[entry.seat], decks, most):
            yield fault


def _penalty_faults(game: Game, played: Round, tried: tuple[Attempt, ...]) -> Iterator[Notice]:
    wrong = {one.seat: one for one in points_faults(game, played)}
    payers = penalty_payers(game.rules_in(played.number), played, tried)
    for entry in played.entries:
        if entry.seat in wrong:
            yield wrong[entry.seat]
        elif entry.penalty is None and not entry.not_counted and entry.seat in payers:
            name = game.names_in(played.number)[entry.seat]
            message = say("Enter {name}’s points. If there are none, enter 0.", name=name)
            yield Notice("penalty_blank", entry.seat, message, "penalty")


def _penalty_fault(
    variant: Variant, entry: Entry, name: str, decks: int, most: int
) -> Notice | None:
    """What is wrong with the points of an entry that are there."""
    penalty = entry.penalty or 0
    if entry.went_out and penalty != 0:
        message = say(
            "{name} went out, so their points must be 0, not {penalty}.", name=name, penalty=penalty
        )
        return Notice("penalty_for_out", entry.seat, message, "penalty")
    if penalty < 0 and not variant.below_zero:
        message = say(
            "{name}’s points can’t be less than 0: {penalty}.", name=name, penalty=penalty
        )
        if not variant.contracts:
            choose = say("Whether points can be below zero is chosen when a game starts.")
            message = concatenate([message, choose])
        return Notice("penalty_negative", entry.seat, message, "penalty")
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
        return Notice("penalty_too_high", entry.seat, message, "penalty")
    return None


def _exact_deal_faults(game: Game, played: Round, dealer: int | None) -> Iterator[Notice]:
    has_bonus = game.rules_in(played.number).keeps_score and game.variant.exact_deal_bonus != 0
    for entry in played.entries:
        if not entry.exact_deal:
            continue
        if not has_bonus:
            message = say("This game has no dealer bonus.")
            yield Notice("no_exact_deal_bonus", entry.seat, message, "exact_deal")
        elif entry.seat != dealer:
            message = say(
                "{name} didn’t deal round {number}, so the dealer bonus isn’t theirs.",
                name=game.names_in(played.number)[entry.seat],
                number=played.number,
            )
            yield Notice("not_the_dealer", entry.seat, message, "exact_deal")


def _buy_faults(game: Game, played: Round) -> Iterator[Notice]:
    for entry in played.entries:
        if entry.buys and not game.rules_in(played.number).counts_buys:
            yield Notice("no_buys", entry.seat, say("This game doesn’t count buys."), "buys")


def _first_down_faults(game: Game, played: Round, tried: tuple[Attempt, ...]) -> Iterator[Notice]:
    asked = first_down_candidates(game.rules_in(played.number), tried)
    if not asked or played.first_down in asked:
        return
    if played.first_down is None:
        names = game.names_in(played.number)
        who = join_names(names[seat] for seat in asked)
        message = say("{names} laid down the last contract. Who was first?", names=who)
        yield Notice("first_down_missing", None, message, "first_down")
    else:
        message = say(
            "{name} didn’t lay down the last contract, so they can’t have been first.",
            name=game.name_of(played.first_down),
        )
        yield Notice("first_down_wrong", played.first_down, message, "first_down")
