"""Games of a document that could not have been played, by the scorebook's own judgement.

What an edited round may leave behind it in the app itself (a penalty now owed, a finish now shared,
rounds after the end) is let through, or a group could not import its own games again. So is an
entry of who does not play in its round, such as what was entered for a player who then left: it
counts for nothing, here as in the app.
"""

from collections.abc import Iterator
from dataclasses import replace

from app.exchange.documents import GameDocument
from app.exchange.games import game_from_document
from app.exchange.schema import DocumentError
from app.rules.phrases import say
from app.rules.variant import Variant
from app.scorebook.events.entries import EntryFields
from app.scorebook.events.seats import players_of_two_seats
from app.scorebook.faults import fault_of_places, faults_by_round
from app.scorebook.game import Game
from app.scorebook.refusals import Notice
from app.scorebook.round_results import is_over

_LEFT_BY_EDITING = frozenset(
    {"penalty_blank", "first_down_missing", "first_down_wrong", "game_over"}
)


def find_implausibilities(document: GameDocument, variant: Variant) -> Iterator[DocumentError]:
    """What could not have been played, each with its place in the game."""
    if document.past_result:
        if message := fault_of_places(one.place for one in document.past_result):
            yield DocumentError("paper", message)
        return
    game = game_from_document(document, variant)
    yield from _players_of_two_seats(game)
    for number, found in faults_by_round(game).items():
        for fault in found:
            if fault.code not in _LEFT_BY_EDITING:
                yield DocumentError(_place_of(fault, document, number - 1), fault.message)
    if game.stopped and (
        is_over(replace(game, stopped=None)) or (game.stopped == "result" and not game.rounds)
    ):
        yield DocumentError("stopped", say("The rounds show that the game didn’t stop like this."))
    over, finished = is_over(game), document.finished_at is not None
    if over and not finished:
        yield DocumentError("finished_at", say("The rounds show that the game is over."))
    if finished and not over:
        yield DocumentError("finished_at", say("The rounds show that the game isn’t over."))


def _place_of(fault: Notice, document: GameDocument, index: int) -> str:
    """Where a fault of a round stands: of a row, the field in the row of its seat.

    Where that seat has no row, the list of rows; what is no field of an entry, that field of the
    round.
    """
    if fault.field not in EntryFields.__annotations__:
        return f"rounds[{index}].{fault.field}"
    for row, entry in enumerate(document.rounds[index].rows):
        if entry.seat == fault.seat:
            return f"rounds[{index}].rows[{row}].{fault.field}"
    return f"rounds[{index}].rows"


def _players_of_two_seats(game: Game) -> Iterator[DocumentError]:
    """Who is said to play two seats in one round."""
    if not any(seat.stand_ins for seat in game.seats):
        return
    for number, name in players_of_two_seats(game, 1):
        if number <= game.open_number:
            message = say("{name} plays two seats in round {number}.", name=name, number=number)
            yield DocumentError("seats", message)
