"""A game's activity: its changes in plain words, with a way to undo those that can be undone."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from flask import Blueprint, Response, make_response, render_template, request, url_for
from flask import session as browser_session

from app.actions.games import undo_change
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, concatenate, say
from app.scorebook.effects import (
    dealer_change,
    done_by,
    holding_again,
    leavers_points,
    standing_changes,
    without_before,
    worth_words,
)
from app.scorebook.events import corrections, entries, games, rounds, rulings
from app.scorebook.events.attendance import PlayerJoined, PlayerLeft
from app.scorebook.events.dealing import DealerChanged
from app.scorebook.events.event import REMOVED_SEAT, Event, Subject, name_in
from app.scorebook.events.seats import PlayerRenamed
from app.scorebook.game import Game, Seat
from app.scorebook.limits import MOST_SEATS
from app.scorebook.refusals import Refused, StaleVersion
from app.scorebook.round_results import is_over
from app.scorebook.standings import game_status
from app.scorebook.undo import game_without, is_worth_telling
from app.store.queries.games import LoadedGame
from app.store.queries.log import (
    NO_UNDOS,
    LoggedEvent,
    Undos,
    change_with,
    changed_since,
    group_by_change,
    last_change_by,
    last_events,
    log_of_round,
    removed_seats,
    undos_in,
)
from app.store.queries.players import player_renamed_by
from app.web.game_parts.seating import PageLink
from app.web.game_parts.standings import round_in_words, standing_in_words, winners_in_words
from app.web.game_parts.ways_to_change import way_to_change
from app.web.game_parts.words import (
    joins_in_words,
    short_names_in,
    shown_verdict,
    verdict_in_words,
    with_short_names,
)
from app.web.infrastructure import localization
from app.web.infrastructure.access import current_game, in_game, needs
from app.web.infrastructure.actors import actors_in_words
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import asked_line, asked_number
from app.web.infrastructure.htmx import go_to, wants_fragment


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One change: its newest version, when, by whom, in which round, what, and why."""

    version: int
    at: datetime
    actor: Phrase
    """Who did it, as `actors_in_words` says."""
    round_number: int | None
    lines: tuple[Phrase, ...]
    reason: str
    may_be_undone: bool
    is_undone: bool


def change_views(
    loaded: LoadedGame,
    logged: Sequence[LoggedEvent],
    undos: Undos = NO_UNDOS,
    removed: Sequence[tuple[str, int, int]] = (),
    changed_again: AbstractSet[int] = frozenset(),
) -> tuple[ChangeView, ...]:
    """The changes that these events in the log were written by, in their order.

    `removed` are seats that are no longer there, as `removed_seats` reads them; `changed_again`
    are changes that cannot be undone before a later one.
    """

    def game_then(version: int) -> Game:
        """The game with who sat, at that time, on seats that are no longer there."""
        names = [name for name, after, up_to in removed if after < version <= up_to]
        seats = [Seat(REMOVED_SEAT, name=" / ".join(names[:MOST_SEATS]))] if names else []
        return replace(loaded.game, seats=(*loaded.game.seats, *seats))

    called = actors_in_words()
    return tuple(
        _view(
            loaded.game,
            written,
            undos,
            game_then,
            called,
            is_blocked=written[0].change in changed_again,
        )
        for written in group_by_change(logged)
    )


def _view(
    game: Game,
    written: Sequence[LoggedEvent],
    undos: Undos,
    game_then: Callable[[int], Game],
    called: Callable[[str, int | None], Phrase],
    *,
    is_blocked: bool,
) -> ChangeView:
    in_order = sorted(written, key=lambda one: one.version)
    first, events = in_order[0], [one.event for one in in_order]
    logged = [one.to_log() for one in events]

    def in_words() -> Iterator[Phrase]:
        then, about = game_then(first.version), undos.about.get(first.change)
        if about is None:
            yield from (words_of(one, then) for one in worth_words(events))
            return
        change, holds = [one.event for one in about[0]], about[1]
        what = _in_short(change, game_then(about[0][0].version))
        if holds:
            yield say("An undone change restored: {what}", what=what)
        else:
            yield say("An earlier change undone: {what}", what=what)
        yield from _what_is_now(events, change, then)

    return ChangeView(
        version=in_order[-1].version,
        at=first.at,
        actor=called(first.actor_name, first.device_id),
        round_number=next((one.round_number for one in logged if one.round_number), None),
        lines=tuple(in_words()),
        reason=next((one.reason for one in logged if one.reason), ""),
        may_be_undone=not is_blocked and game_without(game, events) is not None,
        is_undone=first.change in undos.undone,
    )


def _in_short(events: Sequence[Event], game: Game) -> Phrase:
    """What a change was, in a line: the first that it did, with the round, not what was before."""
    event = done_by(events)[0]
    words = words_of(without_before(event), game)
    if isinstance(event, entries.EntryEvent):
        return _in_round(event.round_number, words)
    return words


def _what_is_now(events: Sequence[Event], about: Sequence[Event], game: Game) -> Iterator[Phrase]:
    """What holds again after an undo, without what the words of the undone change say already."""
    said = words_of(without_before(done_by(about)[0]), game)
    now = [words_of(without_before(one), game) for one in holding_again(events)]
    if now := [one for one in now if one != said]:
        yield say("Now: {what}", what=concatenate(now, " · "))


def _in_round(number: int, what: Phrase) -> Phrase:
    return say("Round {number}, {what}", number=number, what=what)


def words_of(event: Event, game: Game) -> Phrase:
    """An event as a sentence; what the page's language has a say in is said here."""
    match event:
        case corrections.ScoreCorrected():
            name = name_in(game, event.seat, event.round_number)
            points = localization.format_signed(event.points)
            if event.removed:
                return say("{name}: extra points {points} removed", name=name, points=points)
            return say("{name}: extra points {points}", name=name, points=points)
        case rulings.RulingRecorded():
            verdict = shown_verdict(event.recorded_verdict, event.verdict_text).message
            told = verdict_in_words(event.question, verdict)
            if not event.decision:
                return told
            decided = say("The group decided: {decided}", decided=event.decision)
            return concatenate([told, decided])
        case games.ResultEdited():
            return event.words(game, localization.format_written_day)
    return event.with_names_now(game).words(game)


@dataclass(frozen=True, slots=True)
class ToldChange:
    """What the device that asks did to a game last, and what came of it, in `lines`.

    Of what others did only that a round ended, or what became of its own entries, which it cannot
    undo here.
    """

    key: str
    version: int
    lines: tuple[Phrase, ...]
    may_be_undone: bool = False
    round_ended_at: datetime | None = None
    """When the round ended, if that is what is told; it is shown for a moment only."""
    deals_next: Phrase | None = None
    """Who deals the open round: for a moment this covers the head that says it."""
    spoken: Phrase | None = None
    """What who listens is told of a round that ended while the page is open: points, who leads."""
    is_undo: bool = False
    """It undid something, which can be restored."""
    back: str = "game"
    """Which page its Undo leads to: that on which it is shown, or the game."""
    is_start: bool = False
    """It started the game, with the seats of the last one: its Undo deletes the game."""
    renamed: tuple[int, str] | None = None
    """Which player it renamed, and what they were called: its Undo renames them back."""


_STARTED_AGAIN = "started_again"
_JUST_NOW = timedelta(minutes=2)
_MOMENT = timedelta(seconds=20)
"""For so long others are told that a round ended: some devices ask only so often."""
_NAMES_IN_THE_BAR = 44
"""So many characters of names leave room for what a round came to in the bar of a small phone."""
_POINTS_IN_THE_BAR = 88
"""So many characters of points, with names, have room there."""


activity = Blueprint("activity", __name__, url_prefix="/games/<key>/activity")

_A_PAGE = 60


@activity.app_template_global()
def own_change(loaded: LoadedGame | None = None) -> ToldChange | None:
    """What this device did just now to the game of this address, if it is worth telling.

    It is read from the log, so each page of the game within `_JUST_NOW` has it; scripts show it on
    the first of them alone. Once the device does anything else in the game it is no longer told.
    The game is loaded here unless it is given.
    """
    if asker.game_if_any is None or not asker.may_score:
        return None
    since = datetime.now(UTC) - _JUST_NOW
    written = last_change_by(db.session(), asker.game, asker.device, since)
    events = [one.event for one in written]
    if [one.kind for one in events] == [games.GameStarted.kind]:
        loaded, version = loaded or current_game(), written[-1].version
        if version != loaded.version or browser_session.get(_STARTED_AGAIN) != loaded.key:
            return None
        return ToldChange(loaded.key, version, (say("New game, same seats"),), is_start=True)
    ends_round = any(isinstance(one, rounds.RoundEnded) for one in events)
    renamed = _renamed_by(written)
    if not (ends_round or renamed or is_worth_telling(events)):
        return None
    loaded = loaded or current_game()
    before = game_without(loaded.game, events)
    if ends_round and before is None:  # another device ended the next one, or reopened it
        return None
    undo = _undo_with(written)
    if ends_round:
        told = _ended_round(loaded)
    else:
        named = with_short_names(loaded.game, *([before] if before else []))
        lines = tuple(_own_lines(events, undo, *named)) or (words_of(events[-1], named[0]),)
        told = ToldChange(loaded.key, loaded.version, lines)
    return replace(
        told,
        version=written[-1].version,
        may_be_undone=before is not None,
        is_undo=undo is not None and not undo[1],
        back=next((name for name, page in _BACK.items() if page == request.endpoint), "game"),
        renamed=renamed,
    )


def _renamed_by(written: Sequence[LoggedEvent]) -> tuple[int, str] | None:
    """Whom a change renamed, and the earlier name, unless they were renamed again since."""
    rename = next((one.event for one in written if isinstance(one.event, PlayerRenamed)), None)
    if rename is None:
        return None
    for one in last_events(db.session(), asker.game, since=written[-1].version):
        if isinstance(one.event, PlayerRenamed) and one.event.earlier_name == rename.player_name:
            return None  # by now somebody else may have that name
    return player_renamed_by(db.session(), asker.group, rename)


def note_started_again(key: str) -> None:
    """Have this device told that it started that game, with the seats of the last one."""
    browser_session[_STARTED_AGAIN] = key


def change_to_tell(loaded: LoadedGame) -> ToldChange | None:
    """The newer of `own_change` and what others changed of what this device entered.

    Where there is neither, that a round ended just now.
    """
    both, ends = (own_change(loaded), _change_of_own_entry(loaded)), loaded.round_ends
    newest = max(both, key=lambda one: one.version if one else 0)
    if newest or not ends or ends[-1] < datetime.now(UTC) - _MOMENT:
        return newest
    return _ended_round(loaded)


def _ended_round(loaded: LoadedGame) -> ToldChange:
    """What the last round came to, without its points where they are too many for the bar."""
    told = round_in_words(loaded, _NAMES_IN_THE_BAR)
    spoken = [*round_in_words(loaded), *standing_in_words(loaded)] if wants_fragment() else []
    return ToldChange(
        loaded.key,
        loaded.version,
        tuple(one for one in told if len(str(one)) <= _POINTS_IN_THE_BAR),
        round_ended_at=loaded.round_ends[-1],
        deals_next=_deals_next(loaded),
        spoken=concatenate(spoken) if spoken else None,
    )


def _deals_next(loaded: LoadedGame) -> Phrase | None:
    """Who deals the open round; None where none is open, or nobody is known to."""
    dealer = loaded.status.dealer
    if loaded.status.over or dealer is None or loaded.game.seat(dealer).left_after is not None:
        return None
    name = short_names_in(loaded.game)[loaded.game.names[dealer]]
    return say("{name} deals", name=name)


def _change_of_own_entry(loaded: LoadedGame) -> ToldChange | None:
    """What another device changed just now of what this one had entered in the open round."""
    if not asker.may_score or loaded.status.over:
        return None
    mine, found = set[Subject](), None
    for one in log_of_round(db.session(), asker.game, loaded.game.open_number, 0):
        event, about = one.event, one.event.subjects
        if isinstance(event, rounds.DealVoided):
            mine, found = set(), None
        elif one.device_id == asker.device:
            mine |= about
            found = None if found and found.event.subjects & about else found
        else:
            if (
                mine & about
                and isinstance(event, entries.EntryChanged)
                and any(event.before.values())
            ):
                found = one
            mine -= about
    if found is None or found.at < datetime.now(UTC) - _JUST_NOW:
        return None
    who = say("{who} changed your entry", who=actors_in_words()(found.actor_name, found.device_id))
    words = words_of(found.event, *with_short_names(loaded.game))
    return ToldChange(loaded.key, found.version, (who, words))


_BACK = {
    "game": "games.show",
    "rounds": "history.record",
    "changes": "activity.show",
    "players": "games.players",
    "corrections": "corrections.show",
    "dealing": "dealing.show",
    "rulings": "rulings.index",
}
"""Where one is after an undo: mostly where one was."""


def _undo_with(written: Sequence[LoggedEvent]) -> tuple[Sequence[Event], bool] | None:
    """What an undo was about, and whether it holds again by it; None for what is no undo."""
    if not any(isinstance(one.event, games.ChangeUndone) for one in written):
        return None
    about = undos_in(db.session(), asker.game).about.get(written[0].change)
    return about and ([one.event for one in about[0]], about[1])


def _own_lines(
    events: Sequence[Event],
    undo: tuple[Sequence[Event], bool] | None,
    game: Game,
    before: Game | None = None,
) -> Iterator[Phrase]:
    """What was done, or what was undone or restored and what is now, and what came of it."""
    if undo:
        what = _in_short(undo[0], game)
        yield say("Restored: {what}", what=what) if undo[1] else say("Undone: {what}", what=what)
        yield from _what_is_now(events, undo[0], game)
    else:
        yield from _done_in_words(game, events, before)
    scores = any(isinstance(one, rounds.RoundEdited | corrections.ScoreCorrected) for one in events)
    if (scores or undo) and before:
        yield from _end_in_words(before, game, is_undo=undo is not None)
        yield from standing_changes(before, game)
    dealers = before and dealer_change(before, game)
    is_said = not undo and any(isinstance(one, DealerChanged) for one in events)
    if dealers and not is_said:
        yield say("Dealer: {before} → {after}", before=dealers[0], after=dealers[1])


def _end_in_words(before: Game, after: Game, *, is_undo: bool) -> Iterator[Phrase]:
    """That an edit left a game over, and who won; that it goes on where it was over before.

    Of an undo the end is said where it is another than before.
    """
    status = game_status(after)
    won, names = status.winners, after.names_in(status.last_held)
    if is_over(before) and not is_over(after):
        yield say("Game goes on")
    same = is_undo and is_over(before) and game_status(before).winners == won
    if is_over(after) and not same:
        winners = winners_in_words([names[seat] for seat in won])
        over = say("The game is over.")
        yield say("The game is over: {winners}", winners=winners) if winners else over


def _done_in_words(game: Game, events: Sequence[Event], before: Game | None) -> Iterator[Phrase]:
    """What was done, of an edited round with its number."""
    edited = next((one for one in events if isinstance(one, rounds.RoundEdited)), None)
    for event in done_by(events):
        if isinstance(event, corrections.ScoreCorrected) and before is not None:
            continue  # what it came to says it
        if isinstance(event, PlayerJoined):
            yield joins_in_words(game, game.seat(event.seat))
            continue
        words = words_of(event, game)
        if isinstance(event, DealerChanged) and before and (was := dealer_change(before, game)):
            words = say("{what} (was {before})", what=words, before=was[0])
        if edited is not None and event is not edited and not isinstance(event, DealerChanged):
            words = _in_round(edited.round_number, words)
            edited = None
        yield words
        if isinstance(event, PlayerLeft) and (points := leavers_points(event, game)):
            yield points


@activity.get("")
@needs(Role.WATCH)
def show(key: str) -> Response:
    """The changes to the game, newest first, a page of them."""
    return _page()


@activity.post("/<int:version>/undo")
@needs(Role.SCORE)
def undo(key: str, version: int) -> Response:
    """Undo one change, as a new one."""
    try:
        in_game(undo_change, version)
    except Refused as refused:
        return _page(refused.faults[0].message, _where_instead(version))
    except StaleVersion:
        return _page(say("That change isn’t there anymore."))
    return go_to(url_for(_BACK.get(asked_line("back"), _BACK["changes"]), key=key))


def _where_instead(version: int) -> PageLink | None:
    """Where a change that is not undone can be put right: by its last event that has a page."""
    session = db.session()
    session.rollback()
    events = [one.event for one in change_with(session, asker.game, version)]
    loaded = current_game()
    ways = (way_to_change(loaded.key, loaded.game, one) for one in reversed(events))
    return next((way for way in ways if way), None)


def _page(fault: Phrase | None = None, instead: PageLink | None = None) -> Response:
    """The page; with why something was not undone, and where it can be done instead."""
    session = db.session()
    session.rollback()
    loaded = current_game()
    up_to = asked_number("until")
    logged = last_events(session, asker.game, up_to, _A_PAGE + 1)
    later = () if up_to is None else last_events(session, asker.game, since=up_to)
    undos = undos_in(session, asker.game)
    page = render_template(
        "activity/activity.html",
        key=loaded.key,
        changes=change_views(
            loaded,
            logged[:_A_PAGE],
            undos,
            removed_seats(session, asker.game),
            changed_since([*later, *logged], undos),
        ),
        older=logged[_A_PAGE].version if len(logged) > _A_PAGE else None,
        refusal=fault,
        instead=instead,
    )
    return make_response(page, 422 if fault else 200)
