"""What happens to a game, as typed events.

An event says one thing that changed, and what it was before where it was something. It can be
applied to a game, told in words, stored in the log and undone. To add one: write its class in the
module of what it is about, with its `kind` (its name in the log and in documents), `apply`, its
`words` (or what `happened`) and, if it can be undone, `inverse_events`. What is entered for a round
has `undo_in_round` instead; how the end of a round is undone stands in `app/scorebook/undo.py`. A
field that the log and documents know by another name says so with `stored_as`. Beside the class
stands the function that is given a game and what was asked for, and answers the events or raises
what the table is told.
"""

from app.scorebook.events import (
    attendance,
    corrections,
    dealing,
    entries,
    games,
    notes,
    rounds,
    seats,
)

__all__ = [
    "attendance",
    "corrections",
    "dealing",
    "entries",
    "games",
    "notes",
    "rounds",
    "seats",
]  # or `EVENTS` would lack theirs
