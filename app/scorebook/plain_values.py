"""Values as JSON holds them, and as the scorebook does: in tuples, which cannot be altered."""

from collections.abc import Mapping
from typing import Any


def plain_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as JSON holds them."""
    return {name: list(one) if isinstance(one, tuple) else one for name, one in values.items()}


def read_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as the scorebook holds them."""
    return {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}
