"""Requests at full speed over kept-alive connections, by one light process.

It does as little as it can for each request, so that the server is measured and not the client;
still both share the machine's cores, for the yardstick as for what is measured beside it.
"""

import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

_BETWEEN = 0.01

Request = Callable[[], bytes]
"""Makes the next request; a repeat of a saved tap would be another thing."""


@dataclass
class Measured:
    """How long answers took, in seconds, over how long a time, and which statuses came."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.times) / self.seconds

    def within(self, share: float) -> float:
        """The time within which that share of the answers came, in milliseconds."""
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000

    def note(self, status: int, seconds: float) -> None:
        self.times.append(seconds)
        self.statuses[status] = self.statuses.get(status, 0) + 1


class Connection:
    """One kept-alive connection; at most one request is under way on it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._received = bytearray()
        self.begun = 0.0
        self.connect()

    def connect(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", self._port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: bytes, begun: float) -> None:
        self.begun = begun
        self._received.clear()
        self.socket.sendall(request)

    def receive(self) -> tuple[int, bytes] | None:
        """Status and body once the answer is whole. Raises `ConnectionError` if it never will."""
        part = self.socket.recv(262_144)
        if not part:
            raise ConnectionError
        self._received += part
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(self._received[:end]).lower()
        status = int(head[9:12])
        if status in (204, 304):
            return status, b""
        place = head.find(b"content-length:")
        length = int(head[place + 15 : head.find(b"\r", place) if b"\r" in head[place:] else end])
        if len(self._received) < end + 4 + length:
            return None
        return status, bytes(self._received[end + 4 :])

    def close(self) -> None:
        self.socket.close()


def at_full_speed(
    ports: int | Sequence[int], requests: Sequence[Request], *, connections: int, seconds: float
) -> Measured:
    """Each connection asks again as soon as it was answered.

    Ports and requests are handed out in turn: with a request for each, none waits for another's.
    """
    ports = [ports] if isinstance(ports, int) else ports
    measured, selector = Measured(), selectors.DefaultSelector()
    everyone: list[Connection] = []
    idle: deque[int] = deque()
    start = now = time.perf_counter()
    while now - start < seconds or len(idle) < len(everyone):
        # One after the other while the first are at work already, as phones come: those that
        # come at one moment are all taken by one of the server's processes.
        if len(everyone) < min(connections, 1 + (now - start) / _BETWEEN):
            idle.append(len(everyone))
            everyone.append(Connection(ports[len(everyone) % len(ports)]))
            selector.register(everyone[-1].socket, selectors.EVENT_READ, idle[-1])
        while idle and now - start < seconds:
            number = idle.popleft()
            everyone[number].send(requests[number % len(requests)](), now)
        for key, _events in selector.select(0.5):
            answer = everyone[key.data].receive()
            if answer is not None:
                measured.note(answer[0], time.perf_counter() - everyone[key.data].begun)
                idle.append(key.data)
        now = time.perf_counter()
        if now - start > seconds + 30:
            raise TimeoutError("answers did not come")
    measured.seconds = now - start
    for one in everyone:
        one.close()
    return measured
