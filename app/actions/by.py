"""Who does something, when, and under which request key."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class By:
    """The device that asks (None: the shell), the moment, and the key that a repeat would bear."""

    device: int | None
    at: datetime
    key: str = ""
    device_name: str = ""
    """What the device is called now; the log keeps it as it was."""
