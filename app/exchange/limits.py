"""How long texts and lists of a document may be.

Texts: as long as the columns that keep them (a test compares the two). Lists: longer than what the
app lets a group have, where it limits that at all; their bounds only keep a document's size sane.
How much a group and a game hold is said in `app.scorebook.limits`, for every way in.
"""

from app.scorebook.game import LONGEST_TYPED
from app.scorebook.limits import (
    MOST_LOG_ENTRIES,
    MOST_PLAYERS,
    MOST_ROUNDS,
    MOST_RULINGS,
    MOST_SEATS,
)
from app.scorebook.points import MOST_COUNTED_CARDS

__all__ = [
    "LONGEST_TYPED",
    "MOST_COUNTED_CARDS",
    "MOST_LOG_ENTRIES",
    "MOST_PLAYERS",
    "MOST_ROUNDS",
    "MOST_RULINGS",
    "MOST_SEATS",
]

LONGEST_GROUP_NAME = 80
LONGEST_NAME = 40
"""Of players, and of the devices that a log names."""
LONGEST_RULE_SET_ID = 60
LONGEST_TITLE = 80
LONGEST_NOTE = 1000
LONGEST_QUESTION = 2000
LONGEST_VERDICT = 400
LONGEST_DECISION = 200
"""Of what was decided, and of a reason."""

MOST_GAMES = 100_000
MOST_RULE_SETS = 100_000
"""Different rules of games: each has its own house rules."""
MOST_OWN_RULE_SETS = 1_000
MOST_USUAL_RULES = 2_000
LARGEST_SCORE = 2**31 - 1
"""As much as is stored: what a score comes to is never refused, unlike points that are typed."""
MOST_VERSIONS = 10_000_000
MOST_CLASSES = 20
"""Classes of cards that cost the same."""
MOST_PARTS = 100
"""Of what an event says."""
MOST_PARTS_OF_RULES = 200
