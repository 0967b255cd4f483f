"""What people meet when one of two hosts behind the shipped proxy is stopped or killed."""

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from tests.deployment import proxies
from tests.servers import Http, Production
from tests.web_table import PlainGame

PHONES = 12
ASKS_EVERY = 0.08
SECONDS = 10.0
"""How long is measured before what happens, and after it."""


@dataclass
class Measured:
    """The answers of one stretch of time: how long each took, and how many were none."""

    seconds: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)

    def add(self, took: float, told: str) -> None:
        self.seconds.append(took)
        if told not in ("200", "204"):
            self.faults[told] += 1

    def __str__(self) -> str:
        ordered = sorted(self.seconds)
        p95, worst = (1000 * ordered[round(part * (len(ordered) - 1))] for part in (0.95, 1))
        faults = ", ".join(f"{count} × {told}" for told, count in self.faults.items()) or "none"
        return (
            f"{len(ordered):5} answers, 95 % in {p95:5.0f} ms, last {worst:5.0f} ms, lost: {faults}"
        )


def print_table() -> None:
    """Measure each case and print a line for it."""
    cases: dict[str, Callable[[Production], object]] = {
        "nothing happens": lambda _host: None,
        "gently stopped": Production.stop,
        "killed": Production.kill,
    }
    for name, act in cases.items():
        print(f"{name:16} {measured(act)}", flush=True)


def measured(act: Callable[[Production], object]) -> Measured:
    """What the phones meet from when it happens to one host of two."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        hosts = []
        for name in ("one", "other"):
            (folder / name).mkdir()
            settings = {
                "DATABASE_URL": f"sqlite:///{folder / 'scores.sqlite'}",
                "DRAIN_SECONDS": "3",
                "LOG_LEVEL": "error",
            }
            hosts.append(Production(folder / name, settings, anew=True))
        addresses = [f"127.0.0.1:{host.port}" for host in hosts]
        with hosts[0], hosts[1], proxies.caddy(addresses, folder) as port:
            return _watched(port, lambda: act(hosts[0]))


def _watched(port: int, act: Callable[[], object]) -> Measured:
    host = Http(port)
    game = PlainGame.started(host, "frustration", "Anna Ben Cleo", **{"rule-keep_score": "yes"})
    stop, after = threading.Event(), Measured()
    began: list[float] = []

    def ask(number: int) -> None:
        seat, asked = list(game.seats.values())[number % 3], 0
        phone = Http(port).like(host)
        while not stop.wait(ASKS_EVERY):
            asked += 1
            at = time.perf_counter()
            try:
                if asked % 4 == 0:
                    sent = {"changed": f"{seat}-typed", f"{seat}-typed": str(asked % 90)}
                    page = f"/games/{game.key}/rounds/1/row"
                    told = str(phone.post(page, sent, {"HX-Request": "true"}).status_code)
                else:
                    told = str(phone.get(f"/games/{game.key}/live?v=1").status_code)
            except (OSError, HTTPException) as fault:
                told, phone = type(fault).__name__, Http(port).like(host)
            if began and at > began[0]:
                after.add(time.perf_counter() - at, told)

    phones = [threading.Thread(target=ask, args=(number,)) for number in range(PHONES)]
    for phone in phones:
        phone.start()
    time.sleep(SECONDS)
    began.append(time.perf_counter())
    act()
    time.sleep(SECONDS)
    stop.set()
    for phone in phones:
        phone.join()
    return after
