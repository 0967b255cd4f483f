"""Keys that name things in addresses."""

import secrets

from app.exchange.keys import KEY_LETTERS


def new_key() -> str:
    """A key that names something in addresses, such as a game."""
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(12))
