"""The addresses of a game's rounds: what is tapped, closed and mended is answered with the game."""

from typing import Any

from flask import Blueprint, Response, abort, g, make_response, render_template, url_for

from app.actions import rounds as act
from app.actions.faults import ConfirmationNeeded, NotApplied, Refused, StaleVersion, TapConflict
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.scorebook.points import UNREADABLE_PENALTY
from app.store.engine import meaning_to_write
from app.store.queries.games import LoadedGame, load_game
from app.web.games.view_models import game_page
from app.web.games.viewer import order, seen, viewer
from app.web.infrastructure.access import current_actor, needs
from app.web.infrastructure.htmx import answer, go_to, wants_fragment
from app.web.rounds.forms import RoundForm, TapForm
from app.web.rounds.view_models import Outcome, round_view, tap_view

rounds = Blueprint("rounds", __name__, url_prefix="/games/<key>/rounds")

_STATUS = {StaleVersion: 409, Refused: 422, ConfirmationNeeded: 422}


@rounds.post("/<int:number>/row")
@needs(Role.SCORE)
def set_row(key: str, number: int) -> Response:
    """Keep what was tapped or typed just now; `changed` names the field.

    `shows` is the version that the phone shows, where it shows nothing but the game as it stands:
    then all that it does not show is what this tap changed.
    """
    tap = TapForm.sent()
    try:
        taken = act.enter(
            db.session(),
            g.game,
            tap.command(number) or abort(400),
            current_actor(),
            late_since=seen() if tap.late.data else None,
            keep_unreadable=True,
        )
    except Refused as refused:
        return _not_set(key, refused)
    except (StaleVersion, TapConflict) as reason:
        return _too_late(key, tap, number, closed=isinstance(reason, StaleVersion))
    db.session.rollback()
    if tap.shows.data != taken.before.version or not wants_fragment():
        return _show_game(key)
    changed = tap_view(taken, number, tap.seat, viewer())
    return make_response(render_template("rounds/_tap.html", tap=changed))


@rounds.post("/<int:number>/save")
@needs(Role.SCORE)
def save(key: str, number: int) -> Response:
    """Keep the whole open round as it is, without closing it (for browsers without scripts)."""
    sent = RoundForm.sent().at(_table(), number)
    try:
        act.save_open_round(db.session(), g.game, sent.entered(), current_actor())
    except NotApplied as reason:
        return _not_done(sent, reason, key)
    return go_to(url_for("games.show", key=key, order=order()))


@rounds.post("/<int:number>/close")
@needs(Role.SCORE)
def close(key: str, number: int) -> Response:
    """Close the open round."""
    sent = RoundForm.sent().at(_table(), number)
    try:
        act.end_round(db.session(), g.game, sent.entered(), sent.confirmation(), current_actor())
    except NotApplied as reason:
        return _not_done(sent, reason, key)
    return _show_game(key)


@rounds.post("/<int:number>/undo")
@needs(Role.SCORE)
def undo(key: str, number: int) -> Response:
    """Open the round that was closed last again."""
    try:
        act.reopen_round(db.session(), g.game, number, current_actor())
    except StaleVersion:
        db.session.rollback()
        return _show_game(key, Outcome(stale=True), 409)
    return _show_game(key)


@rounds.get("/<int:number>")
@needs(Role.WATCH)
def show(key: str, number: int) -> Response:
    """A closed round, to be mended; the address may hold what a phone could not send in time."""
    loaded = _table()
    if not 1 <= number < loaded.game.open_number:
        abort(404)
    sent = RoundForm.asked().at(loaded, number)
    entries = sent.over_stored() if sent.is_sent else None
    return _mend_page(loaded, number, Outcome(entries=entries), 200)


@rounds.post("/<int:number>")
@needs(Role.SCORE)
def mend(key: str, number: int) -> Response:
    """Change a closed round."""
    loaded = _table()
    if not 1 <= number < loaded.game.open_number:
        abort(404)
    sent = RoundForm.sent().at(loaded, number)
    try:
        act.edit_round(db.session(), g.game, sent.entered(), sent.confirmation(), current_actor())
    except NotApplied as reason:
        db.session.rollback()
        return _mend_page(_table(), number, _outcome(sent, reason), _STATUS[type(reason)])
    return go_to(url_for("history.record", key=key) + f"#round-{number}")


def _table() -> LoadedGame:
    return load_game(db.session(), g.game)


def _show_game(key: str, outcome: Outcome | None = None, status: int = 200) -> Response:
    if not wants_fragment() and status == 200:
        return go_to(url_for("games.show", key=key, order=order()))
    with meaning_to_write(False):  # what was done is done: others may write while this is shown
        loaded = load_game(db.session(), g.game)
        page = game_page(loaded, viewer(since=seen()), outcome)
    return answer("games/game.html", "games/_update.html", status=status, cached=True, page=page)


def _not_done(sent: RoundForm, reason: NotApplied, key: str) -> Response:
    db.session.rollback()
    loaded = _table()
    is_open = loaded.game.open_number == sent.number
    if is_open and not isinstance(reason, StaleVersion):
        return _show_game(key, _outcome(sent, reason), _STATUS[type(reason)])
    entries = sent.merged_into(loaded) if is_open else None
    return _show_game(key, Outcome(entries=entries, stale=True), 409)


def _not_set(key: str, refused: Refused) -> Response:
    """Why a tap was not kept; a penalty that cannot be read was, and is shown with its fault."""
    db.session.rollback()
    fault = refused.faults[0]
    if fault.code == UNREADABLE_PENALTY or not wants_fragment():
        return _show_game(key, Outcome(faults=refused.faults), 422)
    return _not_taken(fault.message, 422)


def _not_taken(reason: Phrase, status: int) -> Response:
    """Why the table did not take a tap: the phone says it beside what was entered."""
    return make_response(render_template("rounds/_not_taken.html", reason=reason), status)


def _too_late(key: str, tap: TapForm, number: int, *, closed: bool) -> Response:
    """Both values, the table's and the phone's, for a person to choose between."""
    db.session.rollback()
    loaded = _table()
    tapped = RoundForm.sent().at(loaded, number).tapped(tap.changed.data)
    if not wants_fragment():
        return _show_game(key, Outcome(stale=True), 409)
    if tapped is None or number > loaded.game.open_number:
        return _not_taken(say("Round {number} isn’t open.", number=number), 410)
    fields: dict[str, Any] = dict(tapped.fields)
    body = render_template(
        "rounds/_unsent.html",
        number=number,
        closed=closed,
        now=tapped.now,
        mine=tapped.mine,
        mend=url_for("rounds.show", key=key, number=number, **fields),
    )
    return make_response(body, 409)


def _outcome(sent: RoundForm, reason: NotApplied) -> Outcome:
    return Outcome(
        entries=sent.entries,
        first_down=sent.first_seat,
        faults=reason.faults if isinstance(reason, Refused) else (),
        warnings=reason.warnings if isinstance(reason, ConfirmationNeeded) else (),
        stale=isinstance(reason, StaleVersion),
        nobody_out=sent.nobody_out,
        reason=sent.confirmation().reason,
    )


def _mend_page(loaded: LoadedGame, number: int, outcome: Outcome, status: int) -> Response:
    view = round_view(loaded, number, outcome)
    finished = loaded.finished_at is not None and not loaded.game.reopened
    return answer(
        "rounds/mend.html",
        "rounds/_mend.html",
        status=status,
        page=view,
        name=loaded.variant.name,
        finished=finished,
    )
