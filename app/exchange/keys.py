"""The keys by which games are known wherever they are imported."""

import re

KEY_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike
ANY_KEY = re.compile("[0-9A-Za-z-]{1,40}")
OUR_KEY = re.compile(f"[{KEY_LETTERS}]{{12}}|p[0-9a-f]{{15}}")
"""A game's key as this app makes them (the second kind for past results)."""
