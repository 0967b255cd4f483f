"""What happens to a game, as typed events.

An event says one thing that changed. It can be applied to a game, told in words, stored in the log
and mostly undone. How one is added stands in CONTRIBUTING, “An event”.
"""

from app.scorebook.events import (
    attendance,
    corrections,
    dealing,
    entries,
    games,
    rounds,
    rulings,
    seats,
)

# Or `EVENTS` would lack theirs.
__all__ = ["attendance", "corrections", "dealing", "entries", "games", "rounds", "rulings", "seats"]
