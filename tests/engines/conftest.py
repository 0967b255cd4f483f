"""Where the browsers of these tests come from, and what is said where one is missing."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines import firefox, webkit
from tests.engines.engine import Engine
from tests.servers import Production


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here drive a browser. Firefox takes its time and runs in `make browsers` alone."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    folder = tmp_path_factory.mktemp("served")
    with Production(folder, module="tests.engines.served") as running:
        yield running


@pytest.fixture(scope="module", params=os.environ.get("MELDKEEPER_ENGINES", "webkit").split())
def window(request: pytest.FixtureRequest, server: Production) -> Iterator[Engine]:
    """A window of 390 pixels, at the first page of the app."""
    module = {"webkit": webkit, "firefox": firefox}[request.param]
    if missing := module.missing():
        # Who names the engines wants them; `make test` takes what there is.
        (pytest.fail if "MELDKEEPER_ENGINES" in os.environ else pytest.skip)(
            f"not installed: {missing}"
        )
    with module.started(f"http://localhost:{server.port}") as engine:
        engine.open("/")
        yield engine
