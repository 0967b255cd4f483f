"""The shipped nginx with nchan: who listens hears of changes, and no longer than they may."""

import socket
from pathlib import Path

from tests.deployment.proxies import NEEDS_NCHAN, nginx
from tests.servers import Http, Production, free_port
from tests.waiting import PATIENCE
from tests.web_table import PlainGame


class Listener:
    """A stream of a game, opened as a page opens it."""

    def __init__(self, port: int, game: str, cookies: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._socket.sendall(
            f"GET /games/{game}/stream HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies}\r\n"
            "Accept: text/event-stream\r\n\r\n".encode()
        )
        self._lines = self._socket.makefile("r")
        self.status = int(self._lines.readline().split()[1])

    def read_to(self, line: str) -> None:
        assert f"{line}\n" in iter(self._lines.readline, "")

    def read_to_the_end(self) -> None:
        self._lines.read()
        self._lines.close()
        self._socket.close()


@NEEDS_NCHAN
def test_a_stream_tells_of_changes_until_the_device_is_removed_or_the_game_deleted(
    tmp_path: Path,
) -> None:
    engine = free_port()
    settings = {"PUSH_URL": f"http://127.0.0.1:{engine}/announce"}
    with (
        Production(tmp_path, settings) as host,
        nginx([f"127.0.0.1:{host.port}"], tmp_path, engine=engine) as port,
    ):
        manager, guest = Http(port), Http(port)
        game = PlainGame.started(manager, "aggravation-rummy", "Anna Ben Cleo")
        manager.post("/group/links/watch")
        link = manager.get("/group/links/watch").get_data(as_text=True).split("/join/")[1]
        assert guest.post(f"/join/{link[:43]}").status_code == 303

        def listen(phone: Http) -> Listener:
            return Listener(port, game.key, phone.cookies)

        def status_of(phone: Http) -> int:
            headers = {"Accept": "text/event-stream"}
            return phone.get(f"/games/{game.key}/stream", headers).status_code

        listeners = [listen(manager), listen(guest)]
        assert [one.status for one in listeners] == [200, 200]
        game.close(1, out="Anna", met="Ben", Ben="15", Cleo="30")
        version = game.page.split('name="seen" value="')[1].split('"')[0]
        for one in listeners:
            one.read_to(f"data: {game.key} {version}")

        manager.post("/group/devices/2/put-out")
        for one in listeners:
            one.read_to_the_end()  # and each asks anew
        assert status_of(guest) == 404
        stays = listen(manager)
        assert stays.status == 200
        manager.post(f"/games/{game.key}/bin")
        stays.read_to_the_end()
        assert status_of(manager) == 404

        for address in ("/push/1", "/announce/1"):
            assert manager.get(address).status_code == 404
            assert manager.post(address).status_code in (404, 405)
