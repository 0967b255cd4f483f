"""Whether a game keeps points; points that no cards made; a seat kept under another player."""

from functools import partial

from flask import Blueprint, Response, abort, make_response, render_template, url_for
from wtforms import IntegerField

from app.actions import players
from app.actions import rounds as act
from app.actions.groups import Role
from app.scorebook.decisions import Correction
from app.scorebook.events.corrections import points_refusal
from app.scorebook.events.event import rounds_begun
from app.scorebook.events.games import events_to_keep_points
from app.scorebook.limits import MOST_CORRECTED
from app.store.games import LogEntry
from app.store.groups import Player
from app.store.queries.games import LoadedGame
from app.web.game_parts.look_alikes import NamedPlayerForm
from app.web.game_parts.words import all_holders_of, named_corrections
from app.web.games.who_plays import names_to_add
from app.web.infrastructure.access import current_game, in_game, needs, submit_decision
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import (
    IdChoiceField,
    LineField,
    NumberField,
    PageForm,
    WordChoiceField,
    asked_line,
    asked_number,
    sent_yes,
)
from app.web.infrastructure.htmx import go_to


class CorrectionForm(PageForm):
    """Whose score is corrected, from which round on, by how many points, and why."""

    seat = IdChoiceField()
    number = IdChoiceField()
    points = IntegerField()
    direction = WordChoiceField(("add", "take_off"), default="add")
    reason = LineField(LogEntry.reason)

    def require_valid(self) -> None:
        """Raise `Refused` unless the form is valid."""
        if not 0 < (self.points.data or 0) <= MOST_CORRECTED:
            raise points_refusal()
        super().require_valid()

    @property
    def added(self) -> int:
        """The points as they are added to the score."""
        points: int = self.points.data or 0
        return -points if self.direction.data == "take_off" else points


class RemoveCorrectionForm(PageForm):
    """A correction that is to be removed, as its button carries it."""

    seat = NumberField()
    number = NumberField()
    points = IntegerField()
    reason = LineField(LogEntry.reason)


class HolderForm(NamedPlayerForm):
    """Who held a seat all along, and instead of whom."""

    instead_of = LineField(Player.name)


corrections = Blueprint("corrections", __name__, url_prefix="/games/<key>/corrections")


@corrections.get("")
@needs(Role.SCORE)
def show(key: str) -> Response:
    """The corrections of a game, and a form for another one."""
    loaded = current_game()
    last = max(1, len(loaded.game.rounds))
    return _page(loaded, _offered(CorrectionForm(number=last, seat=asked_number("seat")), loaded))


@corrections.post("")
@needs(Role.SCORE)
def correct_score(key: str) -> Response:
    loaded = current_game()
    form = _offered(CorrectionForm.from_body(), loaded)
    seat, number, reason = form.seat.data or 0, form.number.data or 0, form.reason.data
    done = form.submit(
        lambda: in_game(act.correct_score, Correction(number, seat, form.added, reason))
    )
    return _shown_anew(key) if done else _page(loaded, form, 422)


@corrections.post("/remove")
@needs(Role.SCORE)
def remove_correction(key: str) -> Response:
    form = RemoveCorrectionForm.from_body()
    points = form.points.data or 0
    removed = Correction(form.number.data or 0, form.seat.data or 0, points, form.reason.data)
    if form.submit(lambda: in_game(act.remove_correction, removed)):
        return _shown_anew(key)
    loaded = current_game()
    again = _offered(CorrectionForm(number=len(loaded.game.rounds)), loaded)
    again.fault = form.fault
    return _page(loaded, again, 422)


@corrections.post("/keep")
@corrections.post("/keep/<int:number>")
@needs(Role.SCORE)
def keep_points(key: str, number: int | None = None) -> Response:
    """Keep points from the open round on, or none any more; a menu names no round."""
    form, decision = PageForm(), partial(events_to_keep_points, keep=sent_yes("keep"))
    loaded = current_game()
    status = submit_decision(form, number or loaded.game.open_number, decision)
    if status is None:
        return go_to(url_for("games.show", key=key))
    loaded = current_game()
    again = _offered(CorrectionForm(), loaded)
    again.fault = form.fault
    return _page(loaded, again, status)


@corrections.get("/seat/<int:seat>")
@needs(Role.SCORE)
def show_holder(key: str, seat: int) -> Response:
    """Who held a seat, of a game that is over, too; and a form for who it was instead."""
    return _holder_page(HolderForm(), seat)


@corrections.post("/seat/<int:seat>")
@needs(Role.SCORE)
def correct_holder(key: str, seat: int) -> Response:
    """Let the game count for who held a seat all along."""
    form = HolderForm.from_body()
    if not form.submit(
        lambda: in_game(players.correct_holder, seat, form.name.data, form.instead_of.data)
    ):
        return _holder_page(form, seat, 422)
    return go_to(url_for("games.show", key=key))


def _shown_anew(key: str) -> Response:
    return go_to(url_for("corrections.show", key=key, done="yes"))


def _holder_page(form: HolderForm, seat_id: int, status: int = 200) -> Response:
    loaded = current_game()
    seats = {one.id: one for one in loaded.game.seats}
    seat = seats.pop(seat_id, None) or abort(404)
    holders = {one.name: one.mark for one in all_holders_of(seat, loaded.game.open_number)}
    others = [loaded.game.names[one] for one in seats]
    seated = holders if len(holders) == 1 else ()
    page = render_template(
        "corrections/holder.html",
        key=loaded.key,
        seat=seat.id,
        form=form,
        holders=holders,
        chosen=form.instead_of.data or loaded.game.names[seat.id],
        offered=names_to_add(loaded, [*others, *seated])["offered"],
    )
    return make_response(page, status)


def _offered(form: CorrectionForm, loaded: LoadedGame) -> CorrectionForm:
    """The form with the game's players, and its rounds with points, to choose from."""
    form.seat.offer(loaded.game.names.items())
    game = loaded.game
    rounds = rounds_begun(game)
    form.number.offer((one, str(one)) for one in rounds if game.rules_in(one).keeps_score)
    return form


def _page(loaded: LoadedGame, form: CorrectionForm, status: int = 200) -> Response:
    game, number = loaded.game, loaded.game.open_number
    holders = [
        (one.id, one.holder_in(number))
        for one in game.order_at(number, game.decisions.current_deal(number))
    ]
    holders.sort(key=lambda one: one[1].player != asker.permission.player)  # as the round's rows
    page = render_template(
        "corrections/corrections.html",
        loaded=loaded,
        players=[(seat, game.names[seat], holder.mark) for seat, holder in holders],
        corrections=named_corrections(loaded.game),
        form=form,
        done=asked_line("done"),
    )
    return make_response(page, status)
