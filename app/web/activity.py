"""A game's activity: every change in plain words, and the way to undo one of the last."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from flask import Blueprint, Response, make_response, render_template, url_for

from app.actions.games import undo_change
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.scorebook.events import corrections, entries, games, rounds
from app.scorebook.events.event import REMOVED_SEAT, Event, name_in
from app.scorebook.game import Game, Seat
from app.scorebook.limits import MOST_SEATS
from app.scorebook.refusals import Refused, StaleVersion
from app.scorebook.undo import would_be_undone
from app.store.queries.games import LoadedGame
from app.store.queries.record import (
    LoggedEvent,
    change_with,
    group_by_change,
    log_before,
    removed_seats,
)
from app.web.checker.recorded_verdicts import shown_verdict
from app.web.infrastructure import localization
from app.web.infrastructure.access import current_game, in_game, needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import asked_number
from app.web.infrastructure.htmx import go_to


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One change: its newest version, when, by which device, in which round, what, and why."""

    version: int
    at: datetime
    device: Phrase
    round_number: int | None
    lines: tuple[Phrase, ...]
    reason: str
    may_be_undone: bool


def change_views(
    loaded: LoadedGame,
    entries: Sequence[LoggedEvent],
    removed: Sequence[tuple[str, int, int]] = (),
) -> tuple[ChangeView, ...]:
    """The changes that entries of a log were written by, in their order.

    `removed` are seats that are no longer there, as `removed_seats` reads them.
    """
    return tuple(_view(loaded, written, removed) for written in group_by_change(entries))


def _view(
    loaded: LoadedGame,
    written: Sequence[LoggedEvent],
    removed: Sequence[tuple[str, int, int]],
) -> ChangeView:
    in_order = sorted(written, key=lambda one: one.version)
    first, events = in_order[0], [one.event for one in in_order]
    logged = [one.to_log() for one in events]
    names = [name for name, after, up_to in removed if after < first.version <= up_to]
    game = _with_removed_seat(loaded.game, " / ".join(names[:MOST_SEATS]))
    return ChangeView(
        version=in_order[-1].version,
        at=first.at,
        device=say("{name}", name=first.device_name) if first.device_name else say("a device"),
        round_number=next((one.round_number for one in logged if one.round_number), None),
        lines=tuple(words_of(one, game) for one in _told(events)),
        reason=next((one.reason for one in logged if one.reason), ""),
        may_be_undone=would_be_undone(loaded.game, events),
    )


def _told(events: Sequence[Event]) -> Sequence[Event]:
    """The events that are worth words: of a void round, not all that was dropped with it."""
    if any(isinstance(one, rounds.RoundVoided) for one in events):
        return [one for one in events if not isinstance(one, entries.EntryEvent)]
    return events


def words_of(event: Event, game: Game) -> Phrase:
    """An event as a sentence; what the page's language has a say in is said here."""
    match event:
        case corrections.ScoreCorrected():
            name = name_in(game, event.seat, event.round_number)
            points = localization.format_signed(event.points)
            if event.removed:
                return say("{name}: score correction {points} removed", name=name, points=points)
            return say("{name}: score correction {points}", name=name, points=points)
        case games.RulingRecorded():
            verdict = shown_verdict(event.recorded_verdict, event.verdict_text).message
            if not event.decision:
                return say("Ruling: {verdict}", verdict=verdict)
            return say(
                "Ruling: {verdict} The group decided: {decided}",
                verdict=verdict,
                decided=event.decision,
            )
    return event.words(game)


def _with_removed_seat(game: Game, name: str) -> Game:
    """The game with who sat, when something happened, on a seat that is no longer there."""
    if not name:
        return game
    return replace(game, seats=(*game.seats, Seat(REMOVED_SEAT, name=name)))


activity = Blueprint("activity", __name__, url_prefix="/games/<key>/activity")

_A_PAGE = 60


@activity.get("")
@needs(Role.WATCH)
def show(key: str) -> Response:
    """Every change to the game, newest first."""
    return _page()


@activity.post("/<int:version>/undo")
@needs(Role.SCORE)
def undo(key: str, version: int) -> Response:
    """Undo one change, as a new one."""
    try:
        in_game(undo_change, version)
    except Refused as refused:
        return _page(refused.faults[0].message, _ended_round_of(version))
    except StaleVersion:
        return _page(say("That has changed again since. Undo the later change first."))
    return go_to(url_for("activity.show", key=key))


def _ended_round_of(version: int) -> int | None:
    """The round that a change was about, where it has ended and can be edited."""
    session = db.session()
    session.rollback()
    logged = (one.event.to_log() for one in change_with(session, asker.game, version))
    number = next((one.round_number for one in logged if one.round_number), None)
    game = current_game().game
    return number if number is not None and game.is_round_ended(number) else None


def _page(fault: Phrase | None = None, round_to_edit: int | None = None) -> Response:
    """The page; with why something was not undone, and the round that can be edited instead."""
    session = db.session()
    session.rollback()
    loaded = current_game()
    up_to = asked_number("until")
    entries = log_before(session, asker.game, up_to, _A_PAGE + 1)
    page = render_template(
        "activity/activity.html",
        key=loaded.key,
        changes=change_views(loaded, entries[:_A_PAGE], removed_seats(session, asker.game)),
        older=entries[_A_PAGE].version if len(entries) > _A_PAGE else None,
        may_undo=asker.role >= Role.SCORE,
        refusal=fault,
        round_to_edit=round_to_edit,
    )
    return make_response(page, 422 if fault else 200)
