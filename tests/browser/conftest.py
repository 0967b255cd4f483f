"""A real server as a child process and real phones in a real browser."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

TOP = Path(__file__).parent.parent.parent

ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
]

# A refused form or a missing page is an answer, and a test may take the network away.
EXPECTED = (
    "status of 404",
    "status of 409",
    "status of 422",
    "ERR_INTERNET_DISCONNECTED",
    "htmx:afterRequest",
    "htmx:sendError",
)

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in this folder drives a browser; without one it is skipped, and that is said."""
    missing = pytest.mark.skip(reason="no browser: MELDKEEPER_BROWSER is not set")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            if not os.environ.get("MELDKEEPER_BROWSER"):
                item.add_marker(missing)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, started as `make run` starts it."""
    port = _free_port()
    folder = tmp_path_factory.mktemp("server")
    log = (folder / "log.txt").open("w+")
    process = subprocess.Popen(
        [sys.executable, "-m", "app.commands.serve", "--port", str(port)],
        cwd=TOP,
        env={**os.environ, "INSTANCE_PATH": str(folder)},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    address = f"http://localhost:{port}"
    try:
        _wait_for(address, process, log)
        yield address
    finally:
        process.terminate()
        process.wait(10)
        log.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["MELDKEEPER_BROWSER"], args=ARGUMENTS
        )
        yield browser
        browser.close()


@pytest.fixture
def new_phone(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    """Makes phones: fresh browsers of 360x740 with touch; a fault in the console fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(known in message.text for known in EXPECTED):
            faults.append(message.text)

    def make(**options: object) -> Page:
        context = browser.new_context(base_url=server, **{**PHONE, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", heard)
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def phone(new_phone: Callable[..., Page]) -> Page:
    return new_phone()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(address: str, process: subprocess.Popen[bytes], log) -> None:
    for _attempt in range(150):
        if process.poll() is not None:
            log.seek(0)
            pytest.fail(f"the server stopped:\n{log.read()}")
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the server did not answer")
