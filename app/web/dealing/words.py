"""What the table decided about dealing, in words for the record."""

from collections.abc import Iterator

from app.rules.phrases import Phrase, join_phrases, say
from app.scorebook.game import Game


def decisions_in_words(game: Game) -> tuple[tuple[int, Phrase, str], ...]:
    """Each decision's round, what was decided, and the reason, in the order of the game."""
    said = [*_voids(game), *_dealers(game), *_seats(game)]
    said.sort(key=lambda one: one[0])
    return tuple((number, words, reason) for (number, _deal, _kind), words, reason in said)


_Place = tuple[int, int, int]
"""Round and deal; seats are changed and a dealer is chosen before the deal turns out void."""


def _seats(game: Game) -> Iterator[tuple[_Place, Phrase, str]]:
    for change in game.course.seat_changes:
        order = game.order_at(change.number, change.deal)
        known = game.names_in(change.number)
        playing = [known[seat.id] for seat in order if seat.plays_in(change.number)]
        names = join_phrases([say("{name}", name=name) for name in playing])
        yield (change.number, change.deal, 0), say("New seats: {names}.", names=names), ""


def _dealers(game: Game) -> Iterator[tuple[_Place, Phrase, str]]:
    for change in game.course.dealers:
        name = game.names_in(change.number).get(change.seat, "")
        words = say("{name} dealt, and the deal went on from there.", name=name)
        if change.once:
            words = say("{name} dealt, for this round only.", name=name)
        yield (change.number, change.deal, 1), words, ""


def _voids(game: Game) -> Iterator[tuple[_Place, Phrase, str]]:
    deals: dict[int, int] = {}
    for void in game.course.voids:
        deal = deals[void.number] = deals.get(void.number, 0) + 1
        name = game.names_in(void.number).get(void.dealer or 0, "")
        words = say("Void: {name} dealt, and dealt again.", name=name)
        if void.passed_on:
            words = say("Void: {name} dealt, and the deal passed on.", name=name)
        yield (void.number, deal, 2), words, void.reason
