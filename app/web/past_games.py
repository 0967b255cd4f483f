"""A past game that is typed, at /data/past-game, or edited, at /data/past-game/<key>.

What is typed is read as a CSV of past results; a new one is imported at once.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from flask import Blueprint, Response, abort, url_for

from app.actions.groups import Role
from app.actions.importing import (
    NotImported,
    PlausibleDocument,
    import_into_group,
    imported_game_key,
    plan_import,
    read_file,
)
from app.actions.past_results import edit_past_result
from app.actions.requests import earlier_request_result
from app.exchange.past_results import doubt_of_places, typed_lines
from app.exchange.schema import DocumentError
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant
from app.scorebook.game import PastResult
from app.scorebook.limits import MOST_SEATS
from app.scorebook.refusals import StaleVersion
from app.store.engine import read_only
from app.store.groups import Player
from app.store.queries.games import LoadedGame, active_player_names
from app.store.queries.history import WantedGames, games_page
from app.web.game_parts.look_alikes import asks_who_is_meant
from app.web.infrastructure.access import (
    changes_nothing,
    current_actor,
    current_game,
    in_game,
    in_group,
    needs,
)
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import LineField, NumberField, PageForm, WordChoiceField
from app.web.infrastructure.htmx import go_to, render_page_or_fragment
from app.web.infrastructure.localization import today
from app.web.rulesets.lookup import rule_set_sections, rule_sets_to_choose


class PastGameForm(PageForm):
    """What the lines of a past game share. As cells of a CSV it is judged, not as fields."""

    date = LineField(20, default=lambda: today().isoformat())
    rules = LineField(80)
    copies = NumberField(default=1)
    """How many games of this very result there are."""
    arrange = LineField(80)
    """The button of a name to enter: `add:Anna`."""
    places = WordChoiceField(("", "typed", "points"), default="")
    """Which hold where they contradict each other, the places `typed` or those that `points` give;
    empty where that was not asked, or is not answered yet."""
    doubt: Phrase | None = None
    """What is asked of the places."""
    seen = NumberField()
    """Of a game that is edited, the version that the page showed."""


class PastSeatForm(PageForm):
    """A player of a past game: the rest of a line."""

    player, meant = LineField(Player.name), LineField(Player.name)
    place = LineField(10)
    score = LineField(10)


past_games = Blueprint("past_games", __name__, url_prefix="/data/past-game")

_MOST_OFFERED = 60
_MOST_COPIES = 50
_LINES_TO_TYPE_IN = 4
_STALE_RESULT = say("The game was changed meanwhile. Check the result, then save.")


@past_games.get("")
@needs(Role.MANAGE)
def new() -> Response:
    """A form for a game that was kept on paper, by its result alone."""
    return _past_game_page(PastGameForm.from_query(), _past_seats(), begins=True)


@past_games.get("/<key>")
@needs(Role.MANAGE)
def edit(key: str) -> Response:
    """The form of `new` for one that is here, with its result."""
    loaded, past = _past_game_or_404()
    form = PastGameForm(date=past["day"], rules=loaded.variant.id, seen=loaded.version)
    seats = _past_seats()
    for seat, line in zip(seats, typed_lines(loaded.variant, past["players"]), strict=False):
        for name, value in line.items():
            seat[name].data = value
    return _past_game_page(form, seats, edited=loaded)


@past_games.post("/players")
@past_games.post("/<key>/players")
@needs(Role.MANAGE)
@changes_nothing
def name_player(key: str | None = None) -> Response:
    """The form with a player of the group named in the first free line, or in none any more.

    Nothing is kept. Who is named again has again what was typed for them.
    """
    edited = _past_game_or_404()[0] if key else None
    form, seats, out = PastGameForm.from_body(), _past_seats(), _past_seats(_TAKEN_OUT)
    name = form.arrange.data.removeprefix("add:")
    if not name:  # a draft is shown again as it was
        pass
    elif line := _line_of(name, seats):
        _move(seats[line - 1], out)
    elif was := _line_of(name, out):
        _move(out[was - 1], seats)
    elif free := next((one for one in seats if not one.player.data), None):
        free.player.data = name
    return _past_game_page(form, seats, edited=edited, out=out)


def _move(moved: PastSeatForm, to: Sequence[PastSeatForm]) -> None:
    """What is typed in a line goes to the first of the others that names nobody, if there is one.

    Points typed there before a name stay, unless the line that comes has some.
    """
    if free := next((one for one in to if not one.player.data), None):
        for name, value in moved.data.items():
            free[name].data = value or free[name].data
    for field in moved:
        field.data = ""


@past_games.post("/<key>")
@needs(Role.MANAGE)
def save(key: str) -> Response:
    """Keep a past game as it was edited, by the rules chosen; those it had can stay chosen."""
    loaded, form, seats = _past_game_or_404()[0], PastGameForm.from_body(), _past_seats()
    typed = _filled_lines(seats)
    if typed is None:
        return _past_game_page(form, seats, edited=loaded, status=422)
    try:
        with read_only():
            rule_sets = rule_sets_to_choose() | {loaded.variant.id: loaded.variant}
            document = _read_past_game(form, typed, rule_sets)
            db.session.rollback()
        done = form.submit(lambda: in_game(edit_past_result, document, form.seen.data))
    except NotImported as refused:
        db.session.rollback()
        _show_faults(form, typed, refused)
        done = False
    except StaleVersion:
        db.session.rollback()
        form.fault, form.seen.data = _STALE_RESULT, current_game().version
        return _past_game_page(form, seats, edited=current_game(), status=409)
    if not done:
        return _past_game_page(form, seats, edited=current_game(), status=422)
    return go_to(url_for("history.record", key=key))


@past_games.post("")
@needs(Role.MANAGE)
def add() -> Response:
    """Import a past game as it was typed; one that was entered just so before, when asked again."""
    form, seats, actor = PastGameForm.from_body(), _past_seats(), current_actor()
    copies = min(max(form.copies.data or 1, 1), _MOST_COPIES)
    typed = _filled_lines(seats)
    if typed is None:
        return _past_game_page(form, seats, status=422)
    try:
        with read_only():
            earlier = earlier_request_result(db.session(), actor)
            document = _read_past_game(form, typed, rule_sets_to_choose(), copies)
            plan = plan_import(db.session(), asker.group, document)
            db.session.rollback()
        if earlier is None and not plan.new_game_count:
            form.copies.data = copies + 1
            return _past_game_page(form, seats, is_repeat=True, status=422)
        in_group(import_into_group, document)
    except NotImported as refused:
        db.session.rollback()
        _show_faults(form, typed, refused)
        return _past_game_page(form, seats, status=422)
    key = imported_game_key(db.session(), asker.group, document.games[-1].key)
    return go_to(url_for("history.record", key=key))


def _past_game_or_404() -> tuple[LoadedGame, PastResult]:
    loaded = current_game()
    return loaded, loaded.game.past_result or abort(404)


def _filled_lines(seats: Sequence[PastSeatForm]) -> Sequence[PastSeatForm] | None:
    """The lines that were typed in, the first at least; None where it is asked whom one names."""
    typed = [one for one in seats if any(one.data.values())] or seats[:1]
    asked = [asks_who_is_meant(one.player, one.meant) for one in typed]
    return None if any(asked) else typed


def _read_past_game(
    form: PastGameForm,
    typed: Sequence[PastSeatForm],
    rule_sets: Mapping[str, Variant],
    copies: int = 1,
) -> PlausibleDocument:
    """The past game as it was typed, so many times. Raises `NotImported`.

    Places that do not hold are emptied in the form, and what is asked of them stands in it.
    """
    if form.places.data == "points":
        for one in typed:
            one.place.data = ""
    cells = [{name: one[name].data for name in ("player", "place", "score")} for one in typed]
    if not any(one["place"] or one["score"] for one in cells):  # the first player won
        cells = [one | {"place": str(place)} for place, one in enumerate(cells, start=1)]
    lines = [(form.date.data, form.rules.data, *one.values()) for one in cells]
    table = io.StringIO()
    csv.writer(table).writerows([("date", "rules", *cells[0]), *lines * copies])
    document, past = read_file(table.getvalue().encode(), rule_sets, (), datetime.now(UTC))
    if past and len(past.games) > copies:
        name = past.games[1][0].player
        raise NotImported([DocumentError("", say("{name} is listed twice.", name=name))], past)
    for line in past.lines if past else ():
        if line.left_early:  # here it may be forgotten as well
            raise NotImported([DocumentError("", _place_of_who_left(line.player))], past)
    form.doubt = doubt_of_places(past.games[0]) if past and not form.places.data else None
    if form.doubt:
        raise NotImported([DocumentError("", form.doubt)], past)
    return document


_PLAYING, _TAKEN_OUT = "p", "out"


def _past_seats(kind: str = _PLAYING) -> list[PastSeatForm]:
    """As many as a game can have, with what was sent for them."""
    return [PastSeatForm.from_body(f"{kind}{place}-") for place in range(MOST_SEATS)]


def _line_of(name: str, seats: Sequence[PastSeatForm]) -> int:
    """The line in which that player stands, from 1; 0 for none."""
    names = [one.player.data.casefold() for one in seats]
    return names.index(name.casefold()) + 1 if name.casefold() in names else 0


def _show_faults(form: PastGameForm, typed: Sequence[PastSeatForm], refused: NotImported) -> None:
    """Put what is wrong with a past game beside the fields that its lines are made of."""
    past = refused.past_results
    if past is None:
        form.fault = refused.faults[0].message
        return
    lines = past.lines[: len(typed)]
    found = [(one.number, one.faulty_column, one.fault) for one in lines if one.fault]
    found += [
        (one.number, "place", _place_of_who_left(one.player)) for one in lines if one.left_early
    ]
    again = [game[0] for game in past.games[1:] if game[0] in lines]
    found += [
        (one.number, "player", say("{name} is listed twice.", name=one.player)) for one in again
    ]
    for number, name, message in found:
        seat = None if name in form else typed[number - 2]
        if seat and name == "place" and not seat.place.data:
            _ask_for_place(seat, typed)
            continue
        field: Any = (seat or form)[name]
        field.errors = (message,)
    if not (found or form.doubt):
        form.fault = refused.faults[0].message


def _ask_for_place(seat: PastSeatForm, typed: Sequence[PastSeatForm]) -> None:
    """Beside the field that is to be filled: points where some gave points alone, else the place.

    Who has points then is asked for nothing.
    """
    name, field = seat.player.data, cast("Any", seat.place)
    message = _place_of_who_left(name)
    if not any(one.place.data for one in typed):
        if seat.score.data:
            return
        field = seat.score
        message = say("Enter {name}’s points, or a place for each player.", name=name)
    field.errors = (message,)


def _place_of_who_left(name: str) -> Phrase:
    return say("Enter {name}’s place; if they left early, the last place.", name=name)


def _past_game_page(
    form: PastGameForm,
    seats: Sequence[PastSeatForm],
    *,
    edited: LoadedGame | None = None,
    begins: bool = False,
    is_repeat: bool = False,
    out: Sequence[PastSeatForm] | None = None,
    status: int = 200,
) -> Response:
    """The form, with as many lines to begin with as are filled, and enough to type in.

    Where names can be tapped each of them fills a line, so that two are enough. Who was taken `out`
    by a tap is kept in it, to be named again.
    """
    session = db.session()
    last = games_page(session, asker.group, WantedGames(), 1).games
    form.rules.data = form.rules.data or (last[0].variant if last else "")
    filled = [place for place, one in enumerate(seats, start=1) if any(one.data.values())]
    names = active_player_names(session, asker.group, _MOST_OFFERED)
    return render_page_or_fragment(
        "past_games/past_game.html",
        status=status,
        form=form,
        seats=seats,
        shown=max([2 if names else _LINES_TO_TYPE_IN, *filled]),
        offered=[(name, bool(_line_of(name, seats))) for name in names],
        sections=rule_set_sections(edited.variant if edited else None),
        edited=edited,
        begins=begins,
        is_repeat=is_repeat,
        out=[one for one in out or _past_seats(_TAKEN_OUT) if one.player.data],
    )
