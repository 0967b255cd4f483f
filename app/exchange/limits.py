"""How long texts and lists of a document may be.

Texts: as long as the columns that keep them (a test compares the two). Lists: longer than what the
app lets a group have, where it limits that at all; their bounds only keep a document's size sane.
What the model of a game bounds itself is taken from there.
"""

from app.scorebook.game import LONGEST_TYPED
from app.scorebook.points import MOST_COUNTED_CARDS
from app.scorebook.seats import MOST_PLAYERS as MOST_SEATS

__all__ = ["LONGEST_TYPED", "MOST_COUNTED_CARDS", "MOST_SEATS"]

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
MOST_PLAYERS = 100_000
MOST_RULE_SETS = 100_000
"""Different rules of games: each has its own house rules."""
MOST_OWN_RULE_SETS = 1_000
MOST_USUAL_RULES = 2_000
MOST_ROUNDS = 500
MOST_RULINGS = 5_000
MOST_DECISIONS = 1_000
"""Of one kind about dealing, in a game."""
MOST_VERSIONS = 10_000_000
MOST_ENTRIES = MOST_VERSIONS
"""Of a log: each has a version of its own."""
MOST_CLASSES = 20
"""Classes of cards that cost the same."""
MOST_PARTS = 100
"""Of what an event says."""
MOST_PARTS_OF_RULES = 200
