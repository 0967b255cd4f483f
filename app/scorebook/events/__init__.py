"""What happens to a game, as typed events.

An event says one thing that changed, and what it was before where it was something. It can be
applied to a game, told in words, stored in the log and undone. To add one: write its class in the
module of what it is about, with its `kind` (its name in the log and in documents), `apply` and, if
it can be undone, `inverse_events`; its words belong to `app.web.activity`. A field that the log and
documents know by another name says so with `stored_as`. Beside the class stands the function that
is given a game and what was asked for, and answers the events or raises what the table is told.
"""

from app.scorebook.events import attendance, corrections, dealing, games, rounds, seats, voids

__all__ = [
    "attendance",
    "corrections",
    "dealing",
    "games",
    "rounds",
    "seats",
    "voids",
]  # or `EVENTS` would lack theirs
