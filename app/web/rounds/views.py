"""The addresses of a game's rounds: taps, the end of a round, its edit, and the note on it.

The page of all of them, at the same address without a number, is `history.record`.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from flask import Blueprint, Response, abort, make_response, render_template, url_for

from app.actions import rounds as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.scorebook.dealing import dealer_of
from app.scorebook.events.entries import Tap
from app.scorebook.points import UNREADABLE_PENALTY
from app.scorebook.refusals import (
    ConfirmationNeeded,
    Conflict,
    NotApplied,
    Notice,
    Refused,
    StaleVersion,
)
from app.store.engine import read_only
from app.store.queries.games import LoadedGame
from app.store.queries.log import LoggedEvent
from app.web.activity import change_to_tell, change_views
from app.web.game_parts.rows import (
    RoundOverlay,
    overlay_with_shown_warnings,
    round_view,
    tap_result_view,
)
from app.web.game_parts.viewer import current_viewer, row_order, seen_version, shown_version
from app.web.game_parts.words import words_of_taps
from app.web.games.view_models import game_page
from app.web.infrastructure.access import current_game, in_game, needs
from app.web.infrastructure.actors import said_by
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import asked_number
from app.web.infrastructure.htmx import go_to, render_page_or_fragment, wants_fragment
from app.web.infrastructure.localization import render_phrase
from app.web.rounds.forms import NoteForm, RoundForm, TapForm, both_values

rounds = Blueprint("rounds", __name__, url_prefix="/games/<key>/rounds")


@rounds.app_template_global()
def tap_words() -> str:
    """What taps say, for the device's own scripts: JSON of texts with places."""
    said = {kind: render_phrase(words) for kind, words in words_of_taps().items()}
    return json.dumps(said, ensure_ascii=False)


_STATUS = {StaleVersion: 409, Refused: 422, ConfirmationNeeded: 422}


@rounds.post("/<int:number>/row")
@needs(Role.SCORE)
def take_tap(key: str, number: int) -> Response:
    """Keep what was tapped or typed just now; `changed` names the field.

    `shows` is the version of the game that the device shows, if its page shows nothing else: where
    that is the game before this tap, the rows that the tap changed there are answer enough. Not so
    for a repeat that comes when another round is open or the game is over: the page has not got
    those rows.
    """
    sent = TapForm.from_body()
    try:
        tap = sent.tap(number) or abort(400)
        taken = in_game(act.apply_tap, tap, seen_version=seen_version(), remember_refusal=True)
    except Refused as refused:
        return _answer_refused_tap(key, refused)
    except (StaleVersion, Conflict) as unapplied:
        return _answer_unapplied_tap(key, tap, unapplied)
    after = taken.after
    is_on_page = number == after.game.open_number and not after.status.over
    if not is_on_page or sent.shows.data != taken.before.version or not wants_fragment():
        return _show_game(key, overlay_with_shown_warnings(after))
    changed = tap_result_view(taken, number, sent.only_row, current_viewer())
    return make_response(render_template("rounds/_tap.html", tap=changed))


@rounds.post("/<int:number>/save")
@needs(Role.SCORE)
def save(key: str, number: int) -> Response:
    """Keep the whole open round as it is, without ending it (for browsers without scripts)."""
    sent = RoundForm.from_body().bind_to(current_game(), number)
    try:
        in_game(act.save_open_round, sent.entered_round())
    except NotApplied as unapplied:
        return _answer_unapplied_round(sent, unapplied, key)
    return go_to(url_for("games.show", key=key, order=row_order()))


@rounds.post("/<int:number>/close")
@needs(Role.SCORE)
def end_round(key: str, number: int) -> Response:
    sent = RoundForm.from_body().bind_to(current_game(), number)
    try:
        in_game(act.end_round, sent.entered_round(), sent.confirmation())
    except NotApplied as unapplied:
        return _answer_unapplied_round(sent, unapplied, key, was_ending=True)
    return _show_game(key)


@rounds.post("/<int:number>/undo")
@needs(Role.SCORE)
def reopen_round(key: str, number: int) -> Response:
    """Reopen the round that ended last."""
    try:
        in_game(act.reopen_round, number)
    except StaleVersion:
        db.session.rollback()
        return _show_game(key, RoundOverlay(stale=True), 409)
    return _show_game(key)


@rounds.get("/<int:number>")
@needs(Role.WATCH)
def show(key: str, number: int) -> Response:
    """A round that has ended, to be edited; the address may hold entries that came too late.

    Who can only watch reads it in the record.
    """
    loaded = _game_with_ended(number)
    if not asker.may_score:
        return go_to(_in_record(key, number))
    sent = RoundForm.from_query().bind_to(loaded, number)
    tapped = RoundOverlay(
        entries=sent.entries_with_sent_fields() if sent.has_sent_fields else None,
        first_down_seat=sent.first_down_seat,
        nobody_out=sent.nobody_out,
    )
    return _edit_page(loaded, number, tapped, 200)


@rounds.post("/<int:number>")
@needs(Role.SCORE)
def edit_round(key: str, number: int) -> Response:
    loaded = _game_with_ended(number)
    sent = RoundForm.from_body().bind_to(loaded, number)
    confirmation, note = sent.confirmation(), NoteForm.from_body()
    written = note.note.data if note.note.raw_data else None
    try:
        edited = in_game(
            act.edit_round, sent.entered_round(), confirmation, written, asked_number("dealer")
        )
    except NotApplied as unapplied:
        db.session.rollback()
        note.validate()
        overlay, now = _overlay(sent, unapplied), current_game()
        note.catch_up(now.game.decisions.note_on(number))
        news = current_viewer(since=confirmation.seen_version).news if overlay.stale else ()
        return _edit_page(now, number, overlay, _STATUS[type(unapplied)], note, news)
    if edited.version == confirmation.seen_version:  # a repeat finds `loaded` edited already
        unchanged = Notice("unchanged", None, say("Nothing has changed."))
        overlay = RoundOverlay(faults=(unchanged,), edit_reason=confirmation.reason)
        return _edit_page(edited, number, overlay, 200)
    return go_to(_in_record(key, number))


def _in_record(key: str, number: int) -> str:
    """The address of a round in the record of its game."""
    return url_for("history.record", key=key) + f"#round-{number}"


@rounds.get("/note")
@needs(Role.SCORE)
def show_note(key: str) -> Response:
    """The note on the open round, to be written; a game that is over leads to its record."""
    loaded = current_game()
    if loaded.status.over:
        return go_to(url_for("history.record", key=key))
    return _note_page(loaded, loaded.game.open_number)


@rounds.post("/<int:number>/note")
@needs(Role.SCORE)
def note_round(key: str, number: int) -> Response:
    """Write a line about the open round or one that has ended, or remove it."""
    is_open = number == current_game().game.open_number
    if not is_open:
        _game_with_ended(number)
    form = NoteForm.from_body()
    seen = form.seen_note.data if form.seen_note.raw_data else None
    record = url_for("history.record", key=key) + "#notes"
    saved = url_for("games.show", key=key) if is_open else record
    try:
        if form.submit(lambda: in_game(act.note_round, number, form.note.data, seen)):
            return go_to(saved)
    except Conflict as conflict:
        db.session.rollback()
        return _note_page(current_game(), number, 409, form, saved, said_by(conflict))
    if is_open:
        return _note_page(current_game(), number, 422, form)
    return _edit_page(current_game(), number, RoundOverlay(), 422, form)


def _note_page(
    loaded: LoadedGame,
    number: int,
    status: int = 200,
    form: NoteForm | None = None,
    theirs_kept: str | None = None,
    other: Phrase | None = None,
) -> Response:
    """The note alone; `theirs_kept` is the address for who leaves what `other` wrote."""
    kept = loaded.game.decisions.note_on(number)
    page = render_template(
        "rounds/note.html",
        key=loaded.key,
        number=number,
        note=form or NoteForm.showing(kept),
        kept=kept,
        theirs_kept=theirs_kept,
        other=other,
    )
    return make_response(page, status)


def _game_with_ended(number: int) -> LoadedGame:
    """The game, in which the round of that number has ended; else the page is not found."""
    loaded = current_game()
    if not loaded.game.is_round_ended(number):
        abort(404)
    return loaded


def _show_game(key: str, overlay: RoundOverlay | None = None, status: int = 200) -> Response:
    if not wants_fragment() and status == 200:
        return go_to(url_for("games.show", key=key, order=row_order()))
    with read_only():  # what was done is done: other processes may write meanwhile
        loaded = current_game()
        page = game_page(loaded, current_viewer(since=shown_version()), overlay)
    return render_page_or_fragment(
        "games/game.html",
        "games/_update.html",
        status=status,
        cached=True,
        page=page,
        told_change=change_to_tell(loaded),
    )


def _answer_unapplied_round(
    sent: RoundForm, unapplied: NotApplied, key: str, *, was_ending: bool = False
) -> Response:
    db.session.rollback()
    loaded = current_game()
    is_open = loaded.game.open_number == sent.number
    if is_open and not isinstance(unapplied, StaleVersion):
        overlay = replace(_overlay(sent, unapplied), was_ending=was_ending)
        return _show_game(key, overlay, _STATUS[type(unapplied)])
    entries = sent.entries_filling_blanks(loaded) if is_open else None
    ended = sent.number if sent.number < loaded.game.open_number else None
    return _show_game(key, RoundOverlay(entries=entries, stale=True, ended_already=ended), 409)


def _answer_refused_tap(key: str, refused: Refused) -> Response:
    """Why a tap was refused: alone, or in the game for who sends no `HX-Request`.

    A penalty that cannot be read was kept: that is shown in the game, too.
    """
    db.session.rollback()
    fault = refused.faults[0]
    if fault.code == UNREADABLE_PENALTY or not wants_fragment():
        return _show_game(key, RoundOverlay(faults=refused.faults), 422)
    return _piece_saying_why(fault.message, 422)


def _piece_saying_why(reason: Phrase, status: int) -> Response:
    """Why a tap was not taken: the device shows it above the page, with what was entered."""
    return make_response(render_template("rounds/_refused_tap.html", reason=reason), status)


def _answer_unapplied_tap(key: str, tap: Tap, unapplied: StaleVersion | Conflict) -> Response:
    """Answer a tap that met something done meanwhile, or whose round is not the open one.

    A person chooses between both values, the table's and the device's. Where the round has ended,
    they can edit it to have the device's; where there is no such round, or not yet, or the seat
    does not play in it, the tap is not taken, nor are cards that cannot be counted so. Without
    `HX-Request` the game is shown as it stands.
    """
    db.session.rollback()
    if not wants_fragment():
        return _show_game(key, RoundOverlay(stale=True), 409)
    loaded, number = current_game(), tap.number
    try:
        both = both_values(loaded, tap)
    except Refused as refused:
        return _answer_refused_tap(key, refused)
    if both is None or not 1 <= number <= loaded.game.open_number:
        return _piece_saying_why(say("Round {number} isn’t open.", number=number), 410)
    stored_text, sent_text, edit_fields = both
    body = render_template(
        "rounds/_tap_conflict.html",
        number=number,
        version=loaded.version,
        has_ended=isinstance(unapplied, StaleVersion),
        other=said_by(unapplied) if isinstance(unapplied, Conflict) else None,
        stored_text=stored_text,
        sent_text=sent_text,
        edit_address=url_for("rounds.show", key=key, number=number, **edit_fields),
    )
    return make_response(body, 409)


def _overlay(sent: RoundForm, unapplied: NotApplied) -> RoundOverlay:
    return RoundOverlay(
        entries=sent.entries,
        first_down_seat=sent.first_down_seat,
        faults=unapplied.faults if isinstance(unapplied, Refused) else (),
        warnings=unapplied.warnings if isinstance(unapplied, ConfirmationNeeded) else (),
        stale=isinstance(unapplied, StaleVersion),
        nobody_out=sent.nobody_out,
        edit_reason=sent.confirmation().reason,
    )


def _edit_page(
    loaded: LoadedGame,
    number: int,
    overlay: RoundOverlay,
    status: int,
    note: NoteForm | None = None,
    news: Sequence[LoggedEvent] = (),
) -> Response:
    """The page; with what was changed elsewhere since the round was shown, where that matters."""
    view = round_view(loaded, number, overlay)
    return render_page_or_fragment(
        "rounds/edit.html",
        status=status,
        page=view,
        news=change_views(loaded, news),
        name=loaded.name,
        over=loaded.status.over,
        note=note or NoteForm.showing(loaded.game.decisions.note_on(number)),
        dealer=asked_number("dealer") or dealer_of(loaded.game, number),
    )
