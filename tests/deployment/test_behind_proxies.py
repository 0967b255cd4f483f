"""Both servers behind both proxies: who asks is told apart, and no log says what a link holds."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.deployment.proxies import EACH_PROXY, PROXIES
from tests.servers import Http, Production
from tests.web_table import PlainGame

SECRET = "abcDEF0123456789-the-secret-of-a-link-abcDE"
TRIES = 10
"""So many wrong links a minute are let through from one address."""


@pytest.mark.parametrize("proxy", EACH_PROXY)
@pytest.mark.parametrize("server", ["production", "local_server"])
def test_devices_are_told_apart_and_invited_to_the_address_of_the_proxy(
    tmp_path: Path, proxy: str, server: str
) -> None:
    # Each worker counts by itself, and the proxy chooses which of them it asks.
    settings = {"TRUSTED_PROXIES": "1", "WORKERS": "1"}
    host = Production(tmp_path, settings, f"app.commands.{server}")
    if server == "local_server":
        host.arguments = ("--port", str(host.port))
    with host, PROXIES[proxy]([f"127.0.0.1:{host.port}"], tmp_path) as port:
        phone = Http(port)
        PlainGame.started(phone, "frustration", "Anna Ben")
        phone.post("/group/links/score")
        invited = phone.get("/group/links/score").get_data(as_text=True)
        assert f"http://127.0.0.1:{port}/join/" in invited
        assert f":{host.port}" not in invited
        guesser, other = Http(port, client="127.0.0.2"), Http(port, client="127.0.0.3")
        told = [guesser.get("/join/wrong").status_code for _ in range(TRIES + 1)]
        assert told == [410] * TRIES + [429]
        assert other.get("/join/wrong").status_code == 410


@pytest.mark.parametrize("proxy", EACH_PROXY)
def test_no_log_of_a_proxy_says_which_link_was_opened_while_the_hosts_are_down(
    tmp_path: Path, proxy: str
) -> None:
    with ExitStack() as running:
        host = running.enter_context(Production(tmp_path))
        port = running.enter_context(PROXIES[proxy]([f"127.0.0.1:{host.port}"], tmp_path))
        for _ in range(2):
            referred = {"Referer": f"http://127.0.0.1/join/{SECRET}", "Cookie": f"m={SECRET}"}
            answer = Http(port).get(f"/join/{SECRET}?also={SECRET}", referred)
            assert host.process is not None
            assert answer.status_code == (410 if host.process.poll() is None else 502)
            if host.process.poll() is None:
                host.kill()
    logs = [file for file in tmp_path.iterdir() if file.suffix == ".log"]
    assert len(logs) >= 2
    assert [file.name for file in logs if SECRET in file.read_text()] == []
