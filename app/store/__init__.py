"""What is kept: tables, the engine's settings, reads and migrations. Knows no web framework.

A game keeps its seats, a frozen copy of its rules, and its rounds with their rows; what follows
from them is the scorebook's and is not stored. The one exception is named where it stands
(`StoredGame.finished_at`).
"""
