"""How many examples a property test draws: as many as it says, in `make fuzz` many times that."""

import os

TIMES = int(os.environ.get("MELDKEEPER_DRAWS", "1"))


def drawn(count: int) -> int:
    """So many examples, times `MELDKEEPER_DRAWS`."""
    return count * TIMES
