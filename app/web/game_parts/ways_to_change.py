"""Where what the log says can be done otherwise, once it can no longer be undone alone."""

from collections.abc import Mapping

from flask import url_for

from app.rules.phrases import Phrase, say
from app.scorebook.events.event import Event
from app.scorebook.game import Game
from app.web.game_parts.seating import PageLink, seats_link
from app.web.game_parts.words import stop_words

_PAGES: Mapping[str, tuple[str, Phrase]] = {
    **dict.fromkeys(
        (
            "joined",
            "left",
            "returned",
            "unjoined",
            "handed_over",
            "hand_over_undone",
            "renamed",
            "holder_corrected",
        ),
        ("games.players", say("Who plays")),
    ),
    **dict.fromkeys(("stopped", "resumed"), ("games.ask_stop", say("Stop here"))),
    **dict.fromkeys(
        ("described", "archived", "unarchived", "shared", "unshared", "started", "evening"),
        ("history.record", say("Rounds")),
    ),
    "reopened": ("history.record", say("Rounds")),
    "left_out": ("evenings.show", say("Evening")),
    "result_edited": ("past_games.edit", say("Edit result")),
    "void": ("dealing.show", say("Misdeal: start the round again")),
    "corrected": ("corrections.show", say("Add or subtract points")),
    "rule_changed": ("checker.from_game", say("Check")),
    "ruling": ("checker.from_game", say("Check")),
    "ruling_edited": ("history.record", say("Rounds")),
}
"""By the kind of an event the page that does what it says; its address names the game alone."""

_OF_ROUNDS = {"row", "nobody_out", "first_down", "closed", "opened_again", "mended", "noted"}
_OF_SEATS = {"dealer", "seats"}


def way_to_change(key: str, game: Game, event: Event) -> PageLink | None:
    """Where what an event says can be said otherwise; None for what no page does."""
    if event.kind in _OF_ROUNDS:
        number = event.to_log().round_number or 0
        if game.is_round_ended(number):
            address = url_for("rounds.show", key=key, number=number)
            return PageLink(address, say("Edit round {number}", number=number))
        return PageLink(url_for("games.show", key=key), say("Round {number}", number=number))
    if event.kind in _OF_SEATS:
        return seats_link(key, game.variant)
    if event.kind not in _PAGES:
        return None
    endpoint, words = _PAGES[event.kind]
    if endpoint == "games.ask_stop":
        words = stop_words(game.variant)
    return PageLink(url_for(endpoint, key=key), words)
