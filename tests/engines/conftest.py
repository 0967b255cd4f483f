"""Where the browsers of these tests come from, and what is said where one is missing."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from tests.browser.every_screen import Evening
from tests.engines import firefox, webkit
from tests.engines.engine import Engine
from tests.servers import Production


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here drive a browser. Firefox takes its time and runs in `make browsers` alone."""
    for item in items:
        if item.nodeid.startswith("tests/engines/"):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    """The app on pages that note what goes wrong in them."""
    folder = tmp_path_factory.mktemp("served")
    with Production(folder, module="tests.engines.served") as running:
        yield running


Started = Callable[[str], AbstractContextManager[Engine]]


@pytest.fixture(scope="session", params=os.environ.get("MELDKEEPER_ENGINES", "webkit").split())
def started(request: pytest.FixtureRequest) -> Started:
    """Opens a window of 390 pixels at an address, in one of the engines."""
    module = {"webkit": webkit, "firefox": firefox}[request.param]
    if missing := module.missing():
        # Who names the engines wants them; `make test` takes what there is.
        (pytest.fail if "MELDKEEPER_ENGINES" in os.environ else pytest.skip)(
            f"not installed: {missing}"
        )
    opens: Started = module.started
    return opens


@pytest.fixture(scope="session")
def window(started: Started, server: Production) -> Iterator[Engine]:
    """A window at the first page of the app."""
    with started(f"http://localhost:{server.port}") as engine:
        engine.open("/")
        yield engine


@pytest.fixture(scope="session")
def evening(server: Production) -> Evening:
    """A table after an evening."""
    return Evening.at(f"http://localhost:{server.port}")
