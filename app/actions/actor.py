"""The actor: who does something, when, and the request that asks for it."""

import hashlib
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request that bears an idempotency key.

    `sender` is the hash of the device's or token's secret: a key belongs to whoever sends it.
    `content` stands for all that is asked for: method, address and body.
    """

    sender: str
    key: str
    content: str
    group: int | None

    @property
    def fingerprint(self) -> str:
        """What two requests share if they ask for the same, in the same group."""
        return hashlib.sha256(f"{self.group} {self.content}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Actor:
    """The device that asks (None: the shell or a program), the moment, and the keyed request.

    `request` is None where no key was sent, or nobody known sent it: then nothing is a repeat.
    """

    device: int | None
    at: datetime
    request: KeyedRequest | None = None
    device_name: str = ""
    """What the device is called now; the log keeps it as it was."""
