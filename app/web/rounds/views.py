"""The addresses of a game's rounds."""

from flask import Blueprint, Response, abort, g, make_response, render_template, request, url_for

from app.actions import rounds as act
from app.actions.faults import Doubted, NotDone, Refused, Stale
from app.actions.groups import Role
from app.extensions import db
from app.store.queries.games import Table, table_of
from app.web.access import asking, needs
from app.web.forms import whole_number
from app.web.games.pages import game_page
from app.web.history.reads import read_record, record_answer
from app.web.htmx import answer, go_to, wants_fragment
from app.web.rounds.forms import NOBODY, SentRound
from app.web.rounds.pages import Outcome, live_doubts, round_view

rounds = Blueprint("rounds", __name__, url_prefix="/games/<key>/rounds")

_STATUS = {Stale: 409, Refused: 422, Doubted: 422}


@rounds.get("")
@needs(Role.WATCH)
def show_all(key: str) -> str:
    """The record: every round that was played, and what it came to."""
    return record_answer(read_record(db.session(), g.game))


@rounds.post("/<int:number>/row")
@needs(Role.SCORE)
def set_row(key: str, number: int) -> Response:
    """Keep what was tapped or typed just now; `changed` names the field."""
    before = _table()
    sent, changed = SentRound(request.form, before, number), request.form.get("changed", "")
    faults: Refused | None = None
    try:
        _set_changed(sent, changed, number)
    except Refused as refused:
        faults = refused
    except Stale:
        return go_to(url_for("games.show", key=key))
    if not wants_fragment():
        return go_to(url_for("games.show", key=key))
    return _changes(before, number, changed, faults)


@rounds.post("/<int:number>/save")
@needs(Role.SCORE)
def save(key: str, number: int) -> Response:
    """Keep the whole open round as it is, without closing it (for browsers without scripts)."""
    sent = SentRound(request.form, _table(), number)
    try:
        act.save_round(db.session(), g.game, number, sent.filled(), asking())
    except NotDone as reason:
        return _not_done(sent, reason)
    return go_to(url_for("games.show", key=key))


@rounds.post("/<int:number>/close")
@needs(Role.SCORE)
def close(key: str, number: int) -> Response:
    """Close the open round."""
    sent = SentRound(request.form, _table(), number)
    try:
        act.close_round(db.session(), g.game, number, sent.filled(), sent.terms(), asking())
    except NotDone as reason:
        return _not_done(sent, reason)
    return _show_game(key)


@rounds.post("/<int:number>/undo")
@needs(Role.SCORE)
def undo(key: str, number: int) -> Response:
    """Open the round that was closed last again."""
    try:
        act.undo_close(db.session(), g.game, number, asking())
    except Stale:
        db.session.rollback()
        page = game_page(_table(), outcome=Outcome(stale=True))
        return answer("games/game.html", "games/_game.html", page=page, status=409)
    return _show_game(key)


@rounds.get("/<int:number>")
@needs(Role.WATCH)
def show(key: str, number: int) -> Response:
    """A closed round, to be mended."""
    table = _table()
    if not 1 <= number < table.open_number:
        abort(404)
    return _mend_page(table, number, Outcome(), 200)


@rounds.post("/<int:number>")
@needs(Role.SCORE)
def mend(key: str, number: int) -> Response:
    """Change a closed round."""
    table = _table()
    if not 1 <= number < table.open_number:
        abort(404)
    sent = SentRound(request.form, table, number)
    try:
        act.mend_round(db.session(), g.game, number, sent.filled(), sent.terms(), asking())
    except NotDone as reason:
        db.session.rollback()
        return _mend_page(_table(), number, _outcome(sent, reason), _STATUS[type(reason)])
    return go_to(url_for("rounds.show_all", key=key) + f"#round-{number}")


def _table() -> Table:
    return table_of(db.session(), g.game)


def _show_game(key: str) -> Response:
    if wants_fragment():
        return answer("games/game.html", "games/_game.html", page=game_page(_table()))
    return go_to(url_for("games.show", key=key))


def _not_done(sent: SentRound, reason: NotDone) -> Response:
    db.session.rollback()
    table = _table()
    outcome = _outcome(sent, reason)
    if isinstance(reason, Stale):
        entries = sent.beside(table) if table.open_number == sent.number else None
        outcome = Outcome(entries=entries, stale=True)
    page = game_page(table, outcome=outcome)
    return answer("games/game.html", "games/_game.html", page=page, status=_STATUS[type(reason)])


def _outcome(sent: SentRound, reason: NotDone) -> Outcome:
    return Outcome(
        entries=sent.entries,
        first_down=sent.first_down,
        faults=reason.faults if isinstance(reason, Refused) else (),
        doubts=reason.oddities if isinstance(reason, Doubted) else (),
        stale=isinstance(reason, Stale),
        nobody_out=sent.nobody_out,
        reason=sent.terms().reason,
    )


def _mend_page(table: Table, number: int, outcome: Outcome, status: int) -> Response:
    view = round_view(table, number, outcome)
    finished = table.finished_at is not None and not table.reopened
    return answer(
        "rounds/mend.html",
        "rounds/_mend.html",
        status=status,
        page=view,
        name=table.variant.name,
        finished=finished,
    )


def _set_changed(sent: SentRound, changed: str, number: int) -> None:
    """Set the one field that was changed."""
    session, by = db.session(), asking()
    seat_text, _, field = changed.partition("-")
    seat = whole_number(seat_text)
    if changed == "out" and sent.nobody_out:
        act.set_nobody_out(session, g.game, number, by)
    elif changed == "out" and sent.out is not None:
        act.set_entry(session, g.game, number, sent.out, by, went_out=True)
    elif changed == "first_down" and sent.first_down is not None:
        act.set_first_down(session, g.game, number, sent.first_down, by)
    elif seat in sent.seats and field in ("met", "typed", "counted", "exact_deal"):
        value = getattr(sent.entry(seat), field)
        act.set_entry(session, g.game, number, seat, by, **{field: value})
    else:
        abort(400)


def _changes(before: Table, number: int, changed: str, refused: Refused | None) -> Response:
    """What a phone does not know yet after its own tap: words, sums, and the foot of the round."""
    db.session.rollback()
    table = _table()
    outcome = Outcome(
        faults=refused.faults if refused else (),
        hints=live_doubts(table, number),
        nobody_out=request.form.get("out") == NOBODY,
    )
    view, earlier = round_view(table, number, outcome), round_view(before, number)
    body = render_template(
        "rounds/_changes.html",
        round=view,
        exempted=[row for row in view.rows if row.exempt != earlier.row(row.seat).exempt],
        counted=[row for row in view.rows if changed == f"{row.seat}-counted"],
        said=[row for row in view.rows if changed.startswith(f"{row.seat}-")],
    )
    return make_response(body)
