"""What is kept: tables, the engine's settings, reads and migrations. Knows no web framework.

A game keeps its seats, a frozen copy of its rules, and its rounds with their entries; what follows
from them is the scorebook's and is not stored, but for the points of an entry
(`StoredEntry.penalty`), two copies that lists and statistics ask: when a game was over
(`StoredGame.finished_at`) and the facts of its result (`statistics.py`), and what a season came to
once it was decided (`StoredSeason.decided`, `champions`).
"""
