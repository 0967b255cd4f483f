"""What happened to a seat in the course of a game, in words."""

from collections.abc import Iterator

from app.rules.phrases import Phrase, say
from app.scorebook.game import Game, Seat


def all_names_of(seat: Seat, last: int) -> str:
    """Who played a seat up to that round, whoever held it at the end first."""
    return " / ".join((seat.holder_in(last).name, *seat.earlier_player_names(last)))


def seat_words(game: Game, seat: Seat, last: int) -> Iterator[Phrase]:
    """Who joined late, missed rounds, took over or left, up to that round."""
    before = seat.holder_in(seat.joined_in).name
    if seat.joined_in > 1:
        yield _joined(game, seat, before)
    for number in range(seat.joined_in, last + 1):
        name = seat.holder_in(number).name
        if name != before and seat.plays_in(number):
            yield say(
                "{name} took over from {other} in round {number}",
                name=name,
                other=before,
                number=number,
            )
            before = name
        for first, end in seat.missed:
            if first == number == end:
                yield say("{name} missed round {number}", name=name, number=first)
            elif first == number:
                yield say("{name} missed rounds {first}–{last}", name=name, first=first, last=end)
    if seat.left_after is not None and seat.left_after < last:
        yield say("{name} left after round {number}", name=before, number=seat.left_after)


def _joined(game: Game, seat: Seat, name: str) -> Phrase:
    number, contract, score = seat.joined_in, seat.starting_contract, seat.starting_score
    if not game.variant.scores:
        return say(
            "{name} joined in round {number}, on contract {contract}",
            name=name,
            number=number,
            contract=contract,
        )
    if game.variant.progress == "common":
        return say(
            "{name} joined in round {number} with a score of {score}",
            name=name,
            number=number,
            score=score,
        )
    return say(
        "{name} joined in round {number}, on contract {contract} with a score of {score}",
        name=name,
        number=number,
        contract=contract,
        score=score,
    )
