"""The network of the browser tests hands on what it was given."""

import threading
from contextlib import closing
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests import bad_network
from tests.waiting import wait_until


class Doubling(bad_network.BadNetwork):
    """Doubles one request."""

    def fate(self, path: str) -> str:
        return "doubled" if path == "/first" else ""


def test_a_copy_arrives_as_it_was_sent_whatever_its_connection_has_carried_since(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bad_network, "LATE", 0.2)
    arrived: list[tuple[str, bytes]] = []

    class Server(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            arrived.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response_only(204)
            self.end_headers()

    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with (
            Doubling(server.server_port, "") as network,
            closing(HTTPConnection("127.0.0.1", network.server_port)) as phone,
        ):
            for path, body in (("/first", b"what was said first"), ("/second", b"then")):
                phone.request("POST", path, body)
                phone.getresponse().read()
            wait_until(lambda: len(arrived) == 3, "the copy arrives")
        server.shutdown()
    assert arrived.count(("/first", b"what was said first")) == 2
