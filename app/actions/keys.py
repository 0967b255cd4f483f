"""Keys that name things in addresses."""

import secrets

KEY_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike


def new_key() -> str:
    """A key that names something in addresses, such as a game."""
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(12))
