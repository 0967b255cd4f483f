"""What is kept: tables, the engine's settings, reads, copies and migrations.

Knows no web framework, but for `migrations/env.py`. What follows from what was played is the
scorebook's and is not stored, but for the points of an entry (`StoredEntry.penalty`), what lists
and statistics ask of a game (the id and name of its rules, when it was over, and the facts of its
result, `statistics.py`), and what a season came to once it was decided (`StoredSeason.decided`,
`champions`).
"""
