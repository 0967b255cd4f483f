"""How a round ends, and how an ended one is edited or reopened: what events that makes."""

from collections.abc import Collection

from app.rules.phrases import say
from app.scorebook.entries import validated_round
from app.scorebook.events.event import Event
from app.scorebook.events.rounds import RoundEdited, RoundEnded, RoundReopened, changes_to
from app.scorebook.faults import find_round_faults
from app.scorebook.game import Game, Round
from app.scorebook.history import is_over
from app.scorebook.refusals import ConfirmationNeeded, Refused, refusal
from app.scorebook.warnings import find_warnings


def check_round(game: Game, played: Round, accepted: Collection[str] = ()) -> None:
    """Raise `Refused` for the contradictions of a round that is to be recorded as ended.

    Raises `ConfirmationNeeded` for warnings whose mark is not among the `accepted`.
    """
    wrong = find_round_faults(game, played)
    if wrong:
        raise Refused(wrong)
    open_warnings = [one for one in find_warnings(game, played) if one.mark not in accepted]
    if open_warnings:
        raise ConfirmationNeeded(open_warnings)


def events_to_save_round(game: Game, entered: Round) -> tuple[Event, ...]:
    """The open round is kept as it was entered, without ending it. Raises `Refused`."""
    return changes_to(game, validated_round(game, entered))


def events_to_end_round(game: Game, entered: Round, accepted: Collection[str]) -> tuple[Event, ...]:
    """The open round ends as it was entered.

    Raises `Refused` for contradictions, `ConfirmationNeeded` for warnings not accepted.
    """
    entered = validated_round(game, entered)
    check_round(game, entered, accepted)
    return (*changes_to(game, entered), RoundEnded(entered.number))


def events_to_edit_round(
    game: Game, entered: Round, accepted: Collection[str], reason: str
) -> tuple[Event, ...]:
    """An ended round is changed to what was entered; everything after it follows.

    A finished game is edited only after it was reopened. Raises as `events_to_end_round`.
    """
    if is_over(game) and not game.is_reopened:
        raise refusal("game", say("The game is over. Reopen it before you edit a round."))
    entered = validated_round(game, entered)
    check_round(game, entered, accepted)
    return (*changes_to(game, entered), RoundEdited(entered.number, reason))


def events_to_reopen_round(number: int) -> tuple[Event, ...]:
    """The round that ended last is open again; what was entered for the next one is kept."""
    return (RoundReopened(number),)
