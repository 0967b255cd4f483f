"""What the table decides about dealing: a void deal, another dealer, other seats."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import SystemRandom

from flask import Blueprint, Response, url_for

from app.actions.groups import Role
from app.rules.phrases import Phrase, say
from app.scorebook.dealing import dealer_of, first_player_after, players_in
from app.scorebook.events.dealing import events_to_change_seats, events_to_choose_dealer
from app.scorebook.events.event import Event, apply_all
from app.scorebook.events.rounds import DealVoided, events_to_void
from app.scorebook.game import Game
from app.scorebook.refusals import Refused
from app.store.games import LogEntry
from app.web.game_parts.seating import Seating, SeatView, seats_link
from app.web.game_parts.words import with_short_names
from app.web.infrastructure.access import changes_nothing, current_game, needs, submit_decision
from app.web.infrastructure.forms import (
    LineField,
    ListField,
    NumberField,
    PageForm,
    YesField,
    asked_line,
)
from app.web.infrastructure.htmx import announce, go_to, render_page_or_fragment


class VoidForm(PageForm):
    """A round that is dealt again, by the next player if it is `passed_on`."""

    passed_on = YesField()
    reason = LineField(LogEntry.reason)


class DealerForm(PageForm):
    """Another dealer, for this round only or from now on."""

    seat = NumberField()
    once = YesField()


class SeatsForm(PageForm):
    """The players' names in the order in which they sit."""

    player = ListField()
    arrange = LineField(80)
    """The button that was pressed, if it only arranges the seats."""


def _seating_effect(game: Game, seats: Sequence[SeatView]) -> Phrase | None:
    try:
        moved = apply_all(game, events_to_change_seats(game, [one.seat for one in seats]))
    except Refused:
        return None
    names, number = moved.names, moved.open_number
    dealer = dealer_of(moved, number)
    if dealer is None:
        return None
    return say(
        "With these seats, {dealer} deals round {number} and {first} starts.",
        dealer=names.get(dealer or 0, ""),
        number=number,
        first=names.get(first_player_after(moved, dealer, number) or 0, ""),
    )


dealing = Blueprint("dealing", __name__, url_prefix="/games/<key>/dealing")


@dealing.get("")
@needs(Role.SCORE)
def show(key: str) -> Response:
    """Who deals the open round, and what may be decided about it."""
    return _page()


@dealing.post("/<int:number>/void")
@needs(Role.SCORE)
def void_deal(key: str, number: int) -> Response:
    """The deal is void, and the round is dealt again."""
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
    seating = Seating(form.player.data)

    def decide(game: Game) -> Sequence[Event]:
        ids = {game.names[seat.id]: seat.id for seat in players_in(game, game.open_number)}
        return events_to_change_seats(game, [ids.get(name, 0) for name in seating.names])

    return _decide(key, number, form, decide, seating)


@dealing.post("/<int:number>/seats/arrange")
@needs(Role.SCORE)
@changes_nothing
def arrange(key: str, number: int) -> Response:
    """The seats arranged anew, nothing changed."""
    form = SeatsForm.from_body()
    seating = Seating(form.player.data).after_button(form.arrange.data, SystemRandom())
    if seating.names:
        announce(seating.order_in_words)
    return _page(seating)


def _decide(
    key: str,
    number: int,
    form: PageForm,
    decision: Callable[[Game], Iterable[Event]],
    seating: Seating | None = None,
) -> Response:
    status = submit_decision(form, number, decision)
    if status is None:
        return go_to(url_for("games.show", key=key))
    return _page(seating, form, status)


def _page(
    seating: Seating | None = None, sent: PageForm | None = None, status: int = 200
) -> Response:
    """The page about dealing, or the way to a game that is over.

    `seating` is the order that is being arranged, `sent` was refused.
    """
    loaded = current_game()
    if loaded.status.over:
        return go_to(url_for("games.show", key=loaded.key))
    game, number = loaded.game, loaded.game.open_number
    dealer, marks = dealer_of(game, number), game.marks_in(number)
    players = [
        SeatView(seat.id, game.names[seat.id], marks[seat.id], seat.id == dealer)
        for seat in players_in(game, number)
    ]
    order = [one.name for one in players] if seating is None else seating.names
    seats = sorted(players, key=lambda one: order.index(one.name) if one.name in order else 99)
    passed_on = DealVoided(number, dealer, passed_on=True).apply(game)
    [named] = with_short_names(game)
    again_first = isinstance(sent, VoidForm) or bool(asked_line("again"))
    return render_page_or_fragment(
        "dealing/dealing.html",
        status=status,
        key=loaded.key,
        title=say("Misdeal: start the round again")
        if again_first
        else seats_link(loaded.key, loaded.variant).words,
        again_first=again_first,
        round_number=number,
        dealer=named.names.get(dealer or 0, ""),
        passes_to=named.names.get(dealer_of(passed_on, number) or 0, ""),
        players=players,
        seats=seats,
        seating_effect=_seating_effect(game, seats) if seats != players else None,
        void=sent if isinstance(sent, VoidForm) else VoidForm(),
        chosen=sent if isinstance(sent, DealerForm) else DealerForm(seat=dealer, once=True),
        refusal=sent.fault if sent else None,
    )
