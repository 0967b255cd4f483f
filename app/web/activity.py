"""A game's activity: every change in plain words, and the way to undo one of the last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import singledispatch

from flask import Blueprint, Response, make_response, render_template, url_for

from app.actions.games import undo_change
from app.actions.groups import Role
from app.extensions import db
from app.rules.house_rules import house_rule, value_in_words
from app.rules.phrases import Phrase, join_phrases, say, say_plural
from app.scorebook.dealing import players_in
from app.scorebook.events import attendance, corrections, dealing, games, rounds, seats, voids
from app.scorebook.events.event import Event
from app.scorebook.game import Game, Seat
from app.scorebook.limits import MOST_SEATS
from app.scorebook.refusals import Refused, StaleVersion
from app.scorebook.undo import would_be_undone
from app.store.queries.games import LoadedGame, load_game
from app.store.queries.log import (
    LoggedEvent,
    change_with,
    group_by_change,
    log_before,
    removed_seats,
)
from app.web.checker.recorded_verdicts import shown_verdict
from app.web.game_parts.words import first_down_words, row_words
from app.web.infrastructure import localization
from app.web.infrastructure.access import current_actor, needs
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
    if any(isinstance(one, voids.RoundVoided) for one in events):
        return [one for one in events if not isinstance(one, rounds.EntryEvent)]
    return events


@singledispatch
def words_of(event: Event, _game: Game) -> Phrase:
    """An event as a sentence. Those that hold nothing but that they happened are said here."""
    return _HAPPENED[type(event)]


@words_of.register
def _(event: rounds.EntryChanged, game: Game) -> Phrase:
    return row_words(_name(game, event.seat, event.round_number), event.before, event.after)


@words_of.register
def _(event: rounds.NobodyOutChanged, _game: Game) -> Phrase:
    return say("No one went out") if event.nobody_out else say("Undone: no one went out")


@words_of.register
def _(event: rounds.FirstDownChanged, game: Game) -> Phrase:
    return first_down_words(
        None if event.first_down is None else _name(game, event.first_down, event.round_number)
    )


@words_of.register
def _(event: rounds.RoundEnded, _game: Game) -> Phrase:
    return say("Round {number} ended", number=event.round_number)


@words_of.register
def _(event: rounds.RoundReopened, _game: Game) -> Phrase:
    return say("Round {number} reopened", number=event.round_number)


@words_of.register
def _(event: rounds.RoundEdited, _game: Game) -> Phrase:
    return say("Round {number} edited", number=event.round_number)


@words_of.register
def _(event: voids.RoundVoided, game: Game) -> Phrase:
    if event.is_undone:
        return say("Undone: round {number} void", number=event.round_number)
    if event.passed_on:
        return say("Round {number} void, the deal passes on", number=event.round_number)
    dealer = _name(game, event.dealer, event.round_number)
    return say("Round {number} void, {name} deals again", number=event.round_number, name=dealer)


@words_of.register
def _(event: dealing.DealerChanged, game: Game) -> Phrase:
    number, dealer = event.round_number, event.after["deals"]
    if dealer is None:
        return say("Round {number}: the player whose turn it is deals", number=number)
    name = _name(game, dealer, number)
    if dealer not in {seat.id for seat in players_in(game, number)}:  # left in the middle of it
        return say("{name} dealt round {number}", name=name, number=number)
    if event.after["once"]:
        return say("{name} deals round {number} only", name=name, number=number)
    return say("{name} deals from round {number} on", name=name, number=number)


@words_of.register
def _(event: dealing.SeatsChanged, game: Game) -> Phrase:
    playing = {seat.id for seat in players_in(game, event.round_number)}
    order = [seat for seat in event.after["order"] if seat in playing]
    names = join_phrases(
        [say("{name}", name=_name(game, seat, event.round_number)) for seat in order]
    )
    return say("Seats from round {number} on: {names}", number=event.round_number, names=names)


@words_of.register
def _(event: games.GameStarted, _game: Game) -> Phrase:
    names = join_phrases([say("{name}", name=name) for name in event.player_names])
    return say("The game started: {names}. {dealer} deals", names=names, dealer=event.dealer_name)


@words_of.register
def _(event: attendance.PlayerJoined, _game: Game) -> Phrase:
    if event.score and event.contract > 1:
        return say(
            "{name} joined on contract {number} with a score of {score}",
            name=event.player_name,
            number=event.contract,
            score=event.score,
        )
    if event.contract > 1:
        return say(
            "{name} joined on contract {number}", name=event.player_name, number=event.contract
        )
    return say("{name} joined", name=event.player_name)


@words_of.register
def _(event: attendance.JoinUndone, _game: Game) -> Phrase:
    return say("Undone: {name} joined", name=event.player_name)


@words_of.register
def _(event: attendance.PlayerLeft, _game: Game) -> Phrase:
    if event.hand_treatment == "counted":
        return say("{name} left during the round, and the cards count", name=event.player_name)
    if event.hand_treatment:
        return say(
            "{name} left during the round, and the cards don’t count", name=event.player_name
        )
    return say("{name} left", name=event.player_name)


@words_of.register
def _(event: corrections.ScoreCorrected, game: Game) -> Phrase:
    name, points = (
        _name(game, event.seat, event.round_number),
        localization.format_signed(event.points),
    )
    if event.removed:
        return say("{name}: score correction {points} removed", name=name, points=points)
    return say("{name}: score correction {points}", name=name, points=points)


@words_of.register
def _(event: games.GameStopped, _game: Game) -> Phrase:
    if event.has_result:
        return say("Stopped early, with the standings as the result")
    return say("Stopped early, without a result")


@words_of.register
def _(event: attendance.PlayerReturned, _game: Game) -> Phrase:
    if event.rounds_missed:
        return say_plural(
            "{name} came back after missing {count} round",
            "{name} came back after missing {count} rounds",
            event.rounds_missed,
            name=event.player_name,
        )
    return say("{name} came back", name=event.player_name)


@words_of.register
def _(event: seats.SeatHandedOver, _game: Game) -> Phrase:
    return say("{name} took over from {other}", name=event.player_name, other=event.earlier_name)


@words_of.register
def _(event: seats.HandOverUndone, _game: Game) -> Phrase:
    return say(
        "Undone: {name} took over from {other}", name=event.player_name, other=event.earlier_name
    )


@words_of.register
def _(event: games.RulingRecorded, _game: Game) -> Phrase:
    verdict = shown_verdict(event.recorded_verdict, event.verdict_text).message
    if event.decision:
        return say(
            "Ruling: {verdict} The group decided: {decided}",
            verdict=verdict,
            decided=event.decision,
        )
    return say("Ruling: {verdict}", verdict=verdict)


@words_of.register
def _(event: games.RuleChanged, game: Game) -> Phrase:
    said = [
        say(
            "{question} {answer}",
            question=house_rule(field).question,
            answer=value_in_words(replace(game.variant, **{field: value}), field),
        )
        for field, value in event.after.items()
    ]
    return say(
        "From round {number} on: {rules}", number=event.round_number, rules=join_phrases(said)
    )


@words_of.register
def _(event: games.GameDescribed, _game: Game) -> Phrase:
    if "title" not in event.after:
        return say("Someone changed the note")
    if not event.after["title"]:
        return say("The game has no name anymore")
    return say("The game is called {title}", title=event.after["title"])


def _with_removed_seat(game: Game, name: str) -> Game:
    """The game with who sat, when something happened, on a seat that is no longer there."""
    if not name:
        return game
    return replace(game, seats=(*game.seats, Seat(_REMOVED, name=name)))


def _name(game: Game, seat: int | None, number: int) -> str:
    names = game.names_in(number)
    return names.get(seat or _REMOVED) or names.get(_REMOVED, "?")


_REMOVED = 0
"""The seat of an event whose seat is no longer there."""


_HAPPENED: Mapping[type[Event], Phrase] = {
    games.GameReopened: say("Game reopened"),
    games.GameResumed: say("Game goes on"),
    games.ChangeUndone: say("An earlier change undone"),
    games.GameArchived: say("Game archived"),
    games.GameUnarchived: say("Game unarchived"),
    games.GameDeleted: say("Game deleted"),
    games.GameRestored: say("Game restored"),
    games.ResultShared: say("Public link created"),
    games.ResultUnshared: say("Public link removed"),
}


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
        undo_change(db.session(), current_actor(), asker.game, version)
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
    game = load_game(session, asker.game).game
    return number if number is not None and game.is_round_ended(number) else None


def _page(fault: Phrase | None = None, round_to_edit: int | None = None) -> Response:
    """The page; with why something was not undone, and the round that can be edited instead."""
    session = db.session()
    session.rollback()
    loaded = load_game(session, asker.game)
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
