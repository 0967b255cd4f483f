"""Behind the proxy that we ship, who sends a request slowly holds up nobody else.

Runs where Caddy is installed, with deploy/Caddyfile.
"""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.servers import TOP, Http, Production, free_port
from tests.waiting import PATIENCE, wait_until

SLOW = 24
"""More than two processes of four threads answer at a time."""
CADDYFILE = TOP / "deploy/Caddyfile"


@contextmanager
def proxied(server: Production, folder: Path, body_time: str) -> Iterator[int]:
    """The port of a proxy in front of a server."""
    caddy = shutil.which("caddy")
    if caddy is None:
        pytest.skip("Caddy is not installed")
    port, file = free_port(), folder / "Caddyfile"
    text = "{\n\tadmin off\n" + CADDYFILE.read_text().split("{\n", 1)[1]
    told = subprocess.run([caddy, "version"], capture_output=True, text=True).stdout
    if tuple(map(int, re.findall(r"\d+", told)[:3])) < (2, 6, 3):
        text = text.replace("request_buffers 17MB", "buffer_requests")  # what it was called
    file.write_text(text)
    environment = {
        **os.environ,
        "SITE": f"http://127.0.0.1:{port}",
        "APP_HOST": "localhost",
        "APP_PORT": str(server.port),
        "BODY_TIME": body_time,
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    command = [caddy, "run", "--config", str(file), "--adapter", "caddyfile"]
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            wait_until(lambda: process.poll() is not None or _answers(port), "Caddy answers")
            assert process.poll() is None, (folder / "caddy.log").read_text()
            yield port
        finally:
            process.terminate()
            process.wait()


def _answers(port: int) -> bool:
    try:
        return Http(port).get("/healthz").status_code == 200
    except OSError:
        return False


def slow_sender(port: int) -> socket.socket:
    """A request that says it has a body and sends one byte of it."""
    sender = socket.create_connection(("127.0.0.1", port))
    head = f"POST /join HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000\r\n"
    sender.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\nc".encode())
    return sender


def test_slow_senders_hold_up_nobody_behind_the_proxy(tmp_path: Path) -> None:
    with Production(tmp_path) as server, proxied(server, tmp_path, "10m") as port:
        slow = [slow_sender(port) for _ in range(SLOW)]
        for _ in range(20):  # without the proxy, many of these wait for a slow one
            assert Http(port).get("/games/new").status_code == 200
        for sender in slow:
            sender.close()


def test_a_slow_sender_is_ended(tmp_path: Path) -> None:
    with (
        Production(tmp_path) as server,
        proxied(server, tmp_path, "1s") as port,
        closing(slow_sender(port)) as sender,
    ):
        sender.settimeout(PATIENCE)
        while sender.recv(4096):  # an error page at most, then the end
            pass
