"""The addresses of games: a new one, its page, who plays, the next one."""

from dataclasses import replace
from random import SystemRandom
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    g,
    make_response,
    render_template,
    request,
    url_for,
)
from werkzeug.datastructures import MultiDict

from app.actions import games as act
from app.actions.faults import Doubted, Refused, refuse
from app.actions.games import StartPlan
from app.actions.groups import Role, let_in_first_device
from app.actions.people import join_game, leave_game
from app.extensions import db
from app.rules.house_rules import HOUSE_RULES, house_rule, read_house_rule
from app.rules.loading import FIELDS, FaultyRules, variants, with_house_rules
from app.rules.variant import Variant
from app.rules.wording import Phrase, say
from app.store.queries.games import Table, known_players, last_variant, table_of
from app.web.access import asker, asking, may, needs, open_to_all, remember_device
from app.web.forms import whole_number
from app.web.games.forms import JoinForm, Seating
from app.web.games.pages import (
    NewGamePage,
    PlayersPage,
    game_page,
    new_game_page,
    players_page,
    variant_cards,
)
from app.web.htmx import answer, go_to
from app.web.viewing import viewer

_ASKED = {rule.field for rule in HOUSE_RULES}

games = Blueprint("games", __name__, url_prefix="/games")


@games.get("/new")
@open_to_all
def choose() -> str:
    """The rule sets to choose from; the one that this group played last comes first."""
    last = last_variant(db.session(), g.group) if g.group else None
    return render_template("games/choose.html", cards=variant_cards(last))


@games.get("/new/<variant_id>")
@open_to_all
def new(variant_id: str) -> Response:
    """Who plays, who deals, and by which house rules."""
    page = _new_page(_variant(variant_id), Seating())
    return answer("games/new.html", "games/_new.html", page=page)


@games.post("/new/<variant_id>")
@open_to_all
def arrange(variant_id: str) -> Response:
    """The table arranged anew, nothing started."""
    seating = Seating.sent(request.form)
    seating = seating.arranged(request.form.get("arrange", ""), SystemRandom())
    page = _new_page(_variant(variant_id), seating, sent=request.form)
    return answer("games/new.html", "games/_new.html", page=page)


@games.post("")
@open_to_all
def start() -> Response:
    """Start the game; on a fresh browser this makes its group, quietly."""
    variant = _variant(request.form.get("variant", ""))
    seating = Seating.sent(request.form).with_typed()
    secret = ""
    try:
        plan = StartPlan(_with_sent_rules(variant), seating.names, seating.dealer)
        act.checked_names(plan.names)
        group, by = g.group, asking()
        if group is None or not may(Role.SCORE):
            if not current_app.config["NEW_GROUPS"]:
                abort(403)
            joined = let_in_first_device(db.session(), asker(), by.at)
            group, secret = joined.group, joined.secret
            by = replace(by, device=joined.device, device_name=asker().name)
        accepted = frozenset(request.form.getlist("accepted"))
        key = act.start_game(db.session(), group, plan, by, accepted=accepted)
    except (Refused, Doubted) as reason:
        db.session.rollback()
        page = _new_page(variant, seating, sent=request.form, reason=reason)
        return answer("games/new.html", "games/_new.html", status=422, page=page)
    response = go_to(url_for("games.show", key=key))
    return remember_device(response, secret)


@games.get("/<key>")
@needs(Role.WATCH)
def show(key: str) -> Response:
    """The game: the round that is being played, or the result."""
    return answer("games/game.html", "games/_game.html", page=game_page(_table(), viewer()))


@games.get("/<key>/live")
@needs(Role.WATCH)
def live(key: str) -> Response:
    """Nothing where the phone shows the game as it is, else the part of the page that changed."""
    version = whole_number(request.args.get("v"))
    if version == g.let.version:
        return make_response("", 204)
    page = game_page(_table(), viewer(since=version))
    part = "games/_screen.html" if request.args.get("view") == "screen" else "games/_game.html"
    return make_response(render_template(part, page=page))


@games.get("/<key>/screen")
@needs(Role.WATCH)
def screen(key: str) -> str:
    """The board for a screen that everybody at the table sees."""
    return render_template("games/screen.html", page=game_page(_table(), viewer()))


@games.post("/<key>/reopen")
@needs(Role.SCORE)
def reopen(key: str) -> Response:
    """Allow a finished game to be mended."""
    act.reopen_game(db.session(), g.game, asking())
    return go_to(url_for("rounds.show_all", key=key))


@games.post("/<key>/rematch")
@needs(Role.SCORE)
def rematch(key: str) -> Response:
    """Start the next game with the same table; the deal passes on."""
    try:
        started = act.start_rematch(db.session(), g.group, g.game, asking())
    except Refused as refused:
        db.session.rollback()
        page = players_page(_table(), _offered(), faults=refused.faults)
        return _players_answer(page, 422)
    return go_to(url_for("games.show", key=started))


@games.get("/<key>/players")
@needs(Role.WATCH)
def players(key: str) -> Response:
    """Who plays; somebody may join or leave."""
    return _players_answer(players_page(_table(), _offered()))


@games.post("/<key>/players")
@needs(Role.SCORE)
def join(key: str) -> Response:
    """Give somebody a seat from the next round on."""
    form = JoinForm(request.form)
    try:
        if not form.validate():
            raise refuse("score", say("The score to start with is a whole number."))
        join_game(
            db.session(),
            g.game,
            form.name.data or "",
            asking(),
            after=form.after.data,
            score=form.score.data or 0,
        )
    except Refused as refused:
        db.session.rollback()
        page = players_page(_table(), _offered(), form=request.form, faults=refused.faults)
        return _players_answer(page, 422)
    return go_to(url_for("games.players", key=key))


@games.post("/<key>/players/<int:seat>/leave")
@needs(Role.SCORE)
def leave(key: str, seat: int) -> Response:
    """Let somebody go before the next round."""
    try:
        leave_game(db.session(), g.game, seat, asking())
    except Refused as refused:
        db.session.rollback()
        page = players_page(_table(), _offered(), faults=refused.faults)
        return _players_answer(page, 422)
    return go_to(url_for("games.players", key=key))


def _table() -> Table:
    return table_of(db.session(), g.game)


def _offered() -> list[str]:
    return list(known_players(db.session(), g.group)) if g.group else []


def _variant(variant_id: str) -> Variant:
    return variants().get(variant_id) or abort(404)


def _with_sent_rules(variant: Variant) -> Variant:
    """The rule set with the house rules that the form sent. Raises `Refused`."""
    try:
        return with_house_rules(variant, _sent_rules(variant))
    except FaultyRules as fault:
        raise refuse("rules", _words_of(fault)) from None


def _words_of(fault: FaultyRules) -> Phrase:
    if fault.field not in _ASKED:
        return say("{field}: {reason}", field=fault.field.replace("_", " "), reason=fault.reason)
    return say(
        "{question} {reason}", question=house_rule(fault.field).question, reason=fault.reason
    )


def _sent_rules(variant: Variant) -> dict[str, Any]:
    sent = {}
    for field in FIELDS:
        text = request.form.get(f"rule-{field}", "")
        if text:
            value = read_house_rule(field, text)
            if value != getattr(variant, field):
                sent[field] = value
    return sent


def _new_page(
    variant: Variant,
    seating: Seating,
    *,
    sent: MultiDict[str, str] | None = None,
    reason: Refused | Doubted | None = None,
) -> NewGamePage:
    return new_game_page(variant, seating, _offered(), sent=sent, reason=reason)


def _players_answer(page: PlayersPage, status: int = 200) -> Response:
    return answer("games/players.html", "games/_players.html", status=status, page=page)
