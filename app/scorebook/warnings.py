"""What only looks wrong about a round or a table, and may stand if the table says so.

What cannot be recorded at all is in `faults.py`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from app.rules.grounds import grounds_of
from app.rules.impossible_contracts import impossible_contracts
from app.rules.phrases import Phrase, join_choices, say, say_plural
from app.rules.variant import Variant
from app.scorebook.dealing import decks_in
from app.scorebook.game import Entry, Game, Round, with_all_entries
from app.scorebook.points import (
    HandCosts,
    buys_needed,
    least_cards_left,
    most_cards_left,
    with_digits_swapped,
)
from app.scorebook.progress import (
    Attempt,
    final_laydown_stops_play,
    finishers_among,
    was_ended_by_final_laydown,
)
from app.scorebook.refusals import Notice
from app.scorebook.round_results import penalty_payers, round_attempts, rounds_after_end

ROUNDS_AFTER_END = "rounds_after_end"
"""The code of the question whether rounds that were played may no longer count."""
ASK_WHETHER_LAID_DOWN = frozenset({"too_few_points", "too_few_cards"})
"""The codes of those that ask just that: a yes is that the player laid down."""
FEW_LEFT = ASK_WHETHER_LAID_DOWN | {"impossible_points", "impossible_cards"}
"""The codes of all that doubt that so little was left. Of the two that are added here, even laying
down would be no explanation."""

DOUBT_POINTS = frozenset(
    {
        *FEW_LEFT,
        "odd_penalty",
        "uneven_points",
        "too_many_points",
        "very_many_points",
        "too_many_cards",
    }
)
"""The codes of those that doubt a player's points: other points may be the answer."""

Attempts = tuple[Attempt, ...]
"""What each seat of a round tried, in seating order."""


def find_warnings(game: Game, played: Round) -> tuple[Notice, ...]:
    """What looks wrong about a round."""
    played, names = with_all_entries(game, played), game.names_in(played.number)
    rules, tried = game.rules_in(played.number), round_attempts(game, played)
    return (
        *_nobody_out(rules, played, tried),
        *_out_after_leaving(game, played),
        *_still_holding(rules, tried, names),
        *_out_after_the_end(rules, tried, names),
        *_too_many_buys(rules, played, names),
        *_too_few_buys(rules, tried, names),
        *_odd_counts(rules, tried, names),
        *_unlikely_penalties(game, played, tried, names),
        *_rounds_lost(game, played),
    )


def _rounds_lost(game: Game, played: Round) -> Iterator[Notice]:
    """An edited round that ends the game before rounds that were played."""
    if not game.is_round_ended(played.number):
        return
    if lost := rounds_after_end(game.with_round(played)):
        message = say(
            "This ends the game in round {end}. Later rounds won’t count.", end=lost[0].number - 1
        )
        yield Notice(ROUNDS_AFTER_END, None, message)


def player_count_warning(variant: Variant, count: int) -> Notice | None:
    """What looks wrong about playing a rule set with so many players; None if nothing does."""
    if variant.players_min <= count <= variant.players_max:
        return None
    message = say(
        "{variant} is for {asked} players, and you are {count}.",
        variant=Phrase(variant.name),
        asked=_players_asked(variant),
        count=count,
    )
    code = "few_players" if count < variant.players_min else "many_players"
    return Notice(code, None, message)


def one_too_many(game: Game) -> Phrase | None:
    """That one more player is more than the rule set is for; None where it isn't."""
    count = 1 + sum(seat.left_after is None for seat in game.seats)
    if count <= game.variant.players_max:
        return None
    return say(
        "{variant} is for {asked} players. With one more you are {count}.",
        variant=Phrase(game.variant.name),
        asked=_players_asked(game.variant),
        count=count,
    )


def _players_asked(variant: Variant) -> Phrase | int:
    least, most = variant.players_min, variant.players_max
    return least if least == most else say("{least} to {most}", least=least, most=most)


def start_warnings(variant: Variant, count: int) -> tuple[Notice, ...]:
    """What looks wrong about starting a game by these rules with so many players."""
    players = player_count_warning(variant, count)
    impossible = (
        say("No one can lay down this contract. {why}.", why=reason)
        for reason in impossible_contracts(variant).values()
    )
    contracts = [Notice("impossible_contract", None, message) for message in impossible]
    return (*((players,) if players else ()), *contracts)


def lacks_who_went_out(variant: Variant, played: Round, tried: Attempts) -> bool:
    """Has the table still to say of a round who went out, or that no one did?"""
    is_known = played.nobody_out or any(entry.went_out for entry in played.entries)
    if is_known or not variant.contracts:
        return False
    return not was_ended_by_final_laydown(variant, tried)


def _nobody_out(rules: Variant, played: Round, tried: Attempts) -> Iterator[Notice]:
    if lacks_who_went_out(rules, played, tried):
        yield Notice("nobody_out", None, say("No one went out in this round. Is that right?"))


def _out_after_leaving(game: Game, played: Round) -> Iterator[Notice]:
    """Who went out in the open round, which is the last that they played.

    They left in the middle of it, or after it had ended if it was reopened since.
    """
    if game.is_round_ended(played.number):
        return  # who left after it may well have gone out in it
    for entry in played.entries:
        if entry.went_out and game.seat(entry.seat).left_after == played.number:
            name = game.names_in(played.number)[entry.seat]
            message = say(
                "{name} plays no more after this round. Did {name} go out in it?", name=name
            )
            yield Notice("out_after_leaving", entry.seat, message)


def _still_holding(rules: Variant, tried: Attempts, names: Mapping[int, str]) -> Iterator[Notice]:
    """Who laid a contract that takes every card of a hand, and did not go out."""
    for attempt in tried:
        if _must_have_gone_out(rules, attempt, tried):
            message = say(
                "Contract {number} takes every card, so {name} must have gone out. "
                "Did someone else?",
                number=attempt.contract or 0,
                name=names[attempt.seat],
            )
            yield _against("still_holding", attempt.seat, message, rules, "deal")


def _must_have_gone_out(rules: Variant, attempt: Attempt, tried: Attempts) -> bool:
    if not attempt.entry.laid_down or attempt.entry.went_out or attempt.contract is None:
        return False
    return _most_left(rules, attempt, tried) < 1


def _most_left(rules: Variant, attempt: Attempt, tried: Attempts) -> int:
    stops = attempt.seat in finishers_among(rules, tried) and was_ended_by_final_laydown(
        rules, tried
    )
    return most_cards_left(rules, attempt, stops=stops)


def _most_after_laying_down(rules: Variant, attempt: Attempt, tried: Attempts) -> int:
    """The most cards that a seat could have left if it laid down after all; 0 if it could not."""
    if attempt.contract is None:
        return 0
    laid = replace(attempt, completes_contract=True, entry=replace(attempt.entry, met=True))
    others = (one for one in tried if one.seat != attempt.seat)
    return max(0, _most_left(rules, laid, (*others, laid)))


def _out_after_the_end(
    rules: Variant, tried: Attempts, names: Mapping[int, str]
) -> Iterator[Notice]:
    """Of who ended the game by laying the last contract: did another go out in that round?"""
    if not final_laydown_stops_play(rules):
        return
    finishers = finishers_among(rules, tried)
    out = [one.seat for one in tried if one.entry.went_out and one.seat not in finishers]
    for attempt in tried:
        finisher = attempt.seat
        if out and finisher in finishers and not _must_have_gone_out(rules, attempt, tried):
            message = say(
                "{finisher} laid down contract {number}, and that ends the game at once. "
                "Did {out} go out in the same round?",
                finisher=names[finisher],
                number=rules.last_contract,
                out=names[out[0]],
            )
            yield _against("out_after_end", finisher, message, rules, "win")


def _unlikely_penalties(
    game: Game, played: Round, tried: Attempts, names: Mapping[int, str]
) -> Iterator[Notice]:
    """Points that the cards left can hardly come to, or can't at all: one question for a seat."""
    rules = game.rules_in(played.number)
    if not rules.contracts:
        yield from _uneven_points(rules, played)
        return
    costs = HandCosts(rules, decks_in(game, played.number))
    payers = penalty_payers(rules, played, tried)
    many = 2 * rules.deal  # more cards than this are asked about even where a hand has no limit
    for attempt in tried:
        entry, penalty, name = attempt.entry, attempt.entry.penalty, names[attempt.seat]
        if penalty is None or not 0 <= penalty <= costs.most or entry.seat not in payers:
            continue
        left = _most_left(rules, attempt, tried)
        least, dearest = least_cards_left(rules, attempt), costs.dearest(left)
        lowest = 0 if any(entry.counted) else costs.cheapest(least)
        highest = costs.dearest(min(left, many)) if left > 0 else costs.most
        nearest: tuple[int, ...] = ()
        if not costs.can_be(penalty):
            swapped = filter(costs.can_be, with_digits_swapped(penalty))
            # So few points may be right if the contract was laid down; that is asked below.
            low = lowest if penalty >= lowest else 0
            fitting = [
                [one for one in sums if low <= one <= highest]
                for sums in (swapped, costs.nearest(penalty))
            ]
            nearest = _offered(penalty, *fitting)
        if left > 0 and penalty > dearest:
            yield _too_many_points(rules, entry, name, left, dearest)
        elif left > many and penalty > costs.dearest(many):
            yield _very_many_points(entry, name, costs.dearest(many))
        elif penalty < lowest:
            after_laying_down = costs.dearest(_most_after_laying_down(rules, attempt, tried))
            if penalty <= after_laying_down and costs.can_be(penalty):
                message = say(
                    "All {deal} cards count at least {least}, not {penalty}. Did {name} lay down?",
                    deal=least, least=lowest, penalty=penalty, name=name,
                )  # fmt: skip
                yield _against("too_few_points", entry.seat, message, rules, "deal")
            else:
                message = say(
                    "{name} can’t have {penalty}, even after laying down. All {deal} cards count "
                    "at least {least}.",
                    deal=least, least=lowest, penalty=penalty, name=name,
                )  # fmt: skip
                yield _against("impossible_points", entry.seat, message, rules, "deal", nearest)
        elif nearest:
            yield Notice(
                "odd_penalty", entry.seat, _no_hand(name, penalty, nearest), nearest=nearest
            )


def _uneven_points(rules: Variant, played: Round) -> Iterator[Notice]:
    """Points that lie between the steps in which this game counts."""
    step = rules.points_step
    for entry in played.entries:
        if entry.penalty is not None and entry.penalty % step:
            below = entry.penalty // step * step
            swapped = [one for one in with_digits_swapped(entry.penalty) if not one % step]
            nearest = _offered(entry.penalty, swapped, (below, below + step))
            message = say(
                "This game counts in steps of {step}: {sums}, not {points}?",
                step=step, sums=_one_of(nearest), points=entry.penalty,
            )  # fmt: skip
            yield Notice("uneven_points", entry.seat, message, nearest=nearest)


def _too_many_buys(rules: Variant, played: Round, names: Mapping[int, str]) -> Iterator[Notice]:
    most = rules.most_buys
    for entry in played.entries:
        if 0 < most < entry.buys:
            message = say_plural(
                "{name} bought {buys} times, but you can buy at most {count} time a round.",
                "{name} bought {buys} times, but you can buy at most {count} times a round.",
                most,
                name=names[entry.seat],
                buys=entry.buys,
            )
            yield _against("too_many_buys", entry.seat, message, rules, "most_buys")


def _too_few_buys(rules: Variant, tried: Attempts, names: Mapping[int, str]) -> Iterator[Notice]:
    """Who laid more cards than the buys allow, at a table that counts them."""
    if not any(attempt.entry.buys for attempt in tried):
        return
    for attempt in tried:
        needed = buys_needed(rules, attempt)
        if attempt.entry.buys < needed:
            message = say_plural(
                "{name} laid down contract {number}, which takes {count} buy.",
                "{name} laid down contract {number}, which takes {count} buys.",
                needed,
                name=names[attempt.seat],
                number=attempt.contract or 0,
            )
            yield _against("too_few_buys", attempt.seat, message, rules, "deal")


def _odd_counts(rules: Variant, tried: Attempts, names: Mapping[int, str]) -> Iterator[Notice]:
    """More cards counted than can be left, or fewer than were dealt and no contract laid down."""
    for attempt in tried:
        cards, name = sum(attempt.entry.counted), names[attempt.seat]
        if not cards or attempt.entry.went_out:
            continue
        left = _most_left(rules, attempt, tried)
        if 0 < left < cards:
            message = say_plural(
                "{cards} cards counted for {name}, but at most {count} card was left.",
                "{cards} cards counted for {name}, but at most {count} cards were left.",
                left,
                cards=cards,
                name=name,
            )
            yield _against("too_many_cards", attempt.seat, message, rules, "deal")
        elif cards < least_cards_left(rules, attempt):
            most = _most_after_laying_down(rules, attempt, tried)
            if cards <= most:
                message = say(
                    "All {deal} cards were left, not {cards}. Did {name} lay down?",
                    deal=rules.deal, cards=cards, name=name,
                )  # fmt: skip
                yield _against("too_few_cards", attempt.seat, message, rules, "deal")
            else:
                message = say(
                    "{name} can’t have {cards} left: it’s {deal} without laying down, at most "
                    "{most} after.",
                    deal=rules.deal, most=most, cards=cards, name=name,
                )  # fmt: skip
                yield _against("impossible_cards", attempt.seat, message, rules, "deal")


def _too_many_points(rules: Variant, entry: Entry, name: str, left: int, dearest: int) -> Notice:
    message = say_plural(
        "{penalty} points for {name}, but at most {count} card was left, and that "
        "counts {dearest}.",
        "{penalty} points for {name}, but at most {count} cards were left, and the "
        "highest of them count {dearest}.",
        left,
        penalty=entry.penalty or 0,
        name=name,
        dearest=dearest,
    )
    return _against("too_many_points", entry.seat, message, rules, "deal")


def _very_many_points(entry: Entry, name: str, dearest: int) -> Notice:
    message = say(
        "Is {penalty} right for {name}? Even twice the cards of a deal count at most {dearest}.",
        penalty=entry.penalty or 0,
        name=name,
        dearest=dearest,
    )
    return Notice("very_many_points", entry.seat, message)


def _against(
    code: str, seat: int, message: Phrase, rules: Variant, field: str, nearest: tuple[int, ...] = ()
) -> Notice:
    """A warning of what goes against a field of the rules, with where that stands."""
    return Notice(code, seat, message, "", nearest, grounds_of(rules, field).citation)


def _no_hand(name: str, penalty: int, nearest: tuple[int, ...]) -> Phrase:
    # There is always one above: as many of the dearest cards as can be left are a hand.
    return say(
        "No hand adds up to {penalty}. Did {name} have {sums}?",
        penalty=penalty,
        name=name,
        sums=_one_of(nearest),
    )


def _offered(points: int, swapped: Iterable[int], nearest: Iterable[int]) -> tuple[int, ...]:
    """What may be meant instead of points, two at most: with swapped digits first, then nearest."""
    first = [*swapped][:1]
    near = sorted(nearest, key=lambda one: abs(one - points))[: 2 - len(first)]
    return tuple(dict.fromkeys((*first, *sorted(near))))


def _one_of(points: Iterable[int]) -> Phrase:
    return join_choices([Phrase(str(one)) for one in points])
