"""The addresses of what the table decides about dealing."""

from collections.abc import Callable, Iterable
from functools import partial
from random import SystemRandom

from flask import Blueprint, Response, url_for

from app.actions import rounds as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.scorebook.events.dealing import events_to_change_seats, events_to_choose_dealer
from app.scorebook.events.event import Event
from app.scorebook.events.voids import events_to_void
from app.scorebook.game import Game
from app.scorebook.refusals import Refused, StaleVersion
from app.store.queries.games import load_game
from app.web.dealing.forms import DealerForm, SeatsForm, VoidForm
from app.web.dealing.view_models import dealing_page, seat_ids
from app.web.games.forms import Seating
from app.web.infrastructure.access import changes_nothing, current_actor, needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import PageForm
from app.web.infrastructure.htmx import go_to, render_page_or_fragment

dealing = Blueprint("dealing", __name__, url_prefix="/games/<key>/dealing")


@dealing.get("")
@needs(Role.SCORE)
def show(key: str) -> Response:
    """Who deals the open round, and what may be decided about it."""
    return _page()


@dealing.post("/<int:number>/void")
@needs(Role.SCORE)
def void_round(key: str, number: int) -> Response:
    """The round is void and dealt again."""
    form = VoidForm.from_body()
    decision = partial(events_to_void, passed_on=form.passed_on.data, reason=form.reason.data or "")
    return _decide(key, number, form, decision)


@dealing.post("/<int:number>/dealer")
@needs(Role.SCORE)
def choose_dealer(key: str, number: int) -> Response:
    """Another player deals the round."""
    form = DealerForm.from_body()
    decision = partial(events_to_choose_dealer, seat=form.seat.data or 0, once=form.once.data)
    return _decide(key, number, form, decision)


@dealing.post("/<int:number>/seats")
@needs(Role.SCORE)
def change_seats(key: str, number: int) -> Response:
    """The players sit in another order."""
    form = SeatsForm.from_body()
    seating = form.seating
    return _decide(
        key,
        number,
        form,
        lambda game: events_to_change_seats(game, seat_ids(game, seating)),
        seating,
    )


@dealing.post("/<int:number>/seats/arrange")
@needs(Role.SCORE)
@changes_nothing
def arrange(key: str, number: int) -> Response:
    """The seats arranged anew, nothing changed."""
    form = SeatsForm.from_body()
    return _page(form.seating.after_button(form.arrange.data, SystemRandom()))


def _decide(
    key: str,
    number: int,
    form: PageForm,
    decision: Callable[[Game], Iterable[Event]],
    seating: Seating | None = None,
) -> Response:
    actor = current_actor()
    try:
        form.require_valid()
        act.apply_decision(db.session(), actor, asker.game, number, decision)
    except Refused as refused:
        return _page(seating, refused.faults[0].message, 422)
    except StaleVersion:
        return _page(seating, say("Round {number} isn’t open.", number=number), 409)
    return go_to(url_for("games.show", key=key))


def _page(
    seating: Seating | None = None, fault: Phrase | None = None, status: int = 200
) -> Response:
    db.session.rollback()
    loaded = load_game(db.session(), asker.game)
    if loaded.status.over:
        return go_to(url_for("games.show", key=loaded.key))
    page = dealing_page(loaded, seating, fault)
    return render_page_or_fragment(
        "dealing/dealing.html", "dealing/_dealing.html", status=status, page=page
    )
