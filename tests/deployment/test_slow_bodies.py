"""Behind the proxy that we ship, who sends a request slowly holds up nobody else.

Runs where Caddy is installed, with deploy/Caddyfile.
"""

import socket
from contextlib import closing
from pathlib import Path

from tests.deployment import proxies
from tests.servers import Http, Production
from tests.waiting import PATIENCE

SLOW = 24
"""More than two processes of four threads answer at a time."""


def slow_sender(port: int) -> socket.socket:
    """A request that says it has a body and sends one byte of it."""
    sender = socket.create_connection(("127.0.0.1", port))
    head = f"POST /join HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000\r\n"
    sender.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\nc".encode())
    return sender


@proxies.NEEDS["caddy"]
def test_slow_senders_hold_up_nobody_behind_the_proxy(tmp_path: Path) -> None:
    with (
        Production(tmp_path) as server,
        proxies.caddy([f"127.0.0.1:{server.port}"], tmp_path, BODY_TIME="10m") as port,
    ):
        slow = [slow_sender(port) for _ in range(SLOW)]
        for _ in range(20):  # without the proxy, many of these wait for a slow one
            assert Http(port).get("/games/new").status_code == 200
        for sender in slow:
            sender.close()


@proxies.NEEDS["caddy"]
def test_a_slow_sender_is_ended(tmp_path: Path) -> None:
    with (
        Production(tmp_path) as server,
        proxies.caddy([f"127.0.0.1:{server.port}"], tmp_path, BODY_TIME="1s") as port,
        closing(slow_sender(port)) as sender,
    ):
        sender.settimeout(PATIENCE)
        while sender.recv(4096):  # an error page at most, then the end
            pass
