"""With push, a change shows on other phones by the stream alone; without the engine they ask."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.browser.at_the_table import GameOnPhone, let_in
from tests.deployment.proxies import NEEDS_NCHAN, nginx
from tests.servers import Production, free_port

pytestmark = NEEDS_NCHAN


class Proxy:
    """nginx in front of the app, which can be stopped and come back with or without streams."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.engine = folder, free_port(), free_port()
        self.host = Production(folder, {"PUSH_URL": f"http://127.0.0.1:{self.engine}/announce"})
        self._running = ExitStack()

    def start(self, *, streams: bool = True) -> None:
        host, engine = f"127.0.0.1:{self.host.port}", self.engine if streams else 0
        self._running.enter_context(nginx([host], self.folder, port=self.port, engine=engine))

    def stop(self) -> None:
        self._running.close()


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    proxy = Proxy(tmp_path_factory.mktemp("push"))
    with proxy.host:
        yield proxy


@pytest.fixture
def server(proxy: Proxy) -> Iterator[str]:
    proxy.start()
    yield f"http://127.0.0.1:{proxy.port}"
    proxy.stop()


def test_a_change_shows_on_another_phone_though_no_clock_bids_it_ask(
    new_phone: Callable[..., Page], game: GameOnPhone
) -> None:
    page = new_phone()
    let_in(game.page, page, "score")
    page.clock.install(time="2030-01-01T20:00:00")
    with page.expect_response("**/stream?*"):
        page.reload()
    page.clock.pause_at("2030-01-01T21:00:00")  # from here on no timer of the page ends
    game.goes_out("Ben")
    expect(GameOnPhone(page).row("Ben").get_by_role("radio")).to_be_checked()
    game.has_left_over("Anna", 25)
    expect(page.get_by_label("Points for Anna")).to_have_value("25")


def is_refused(answer: Response) -> bool:
    """Was there no stream to be had?"""
    return "/stream?" in answer.url and answer.status == 404


@pytest.mark.provokes(404, cut_off=True)
def test_without_the_engine_phones_ask_and_nothing_that_was_entered_is_lost(
    two: tuple[GameOnPhone, GameOnPhone], proxy: Proxy
) -> None:
    one, other = two
    proxy.stop()
    one.goes_out("Ben")
    expect(one.page.locator("html.offline")).to_be_attached()
    with one.page.expect_response(is_refused), other.page.expect_response(is_refused):
        proxy.start(streams=False)
    expect(other.row("Ben").get_by_role("radio")).to_be_checked()
    other.has_left_over("Anna", 25)
    expect(one.page.get_by_label("Points for Anna")).to_have_value("25")


def test_after_a_stream_was_refused_comes_a_question_however_slow_answers_are(
    game: GameOnPhone,
) -> None:
    page = game.page
    asked: list[str] = []
    held: list[Route] = []

    def refuse(route: Route) -> None:
        asked.append("stream")
        route.fulfill(status=204)

    def hold(route: Route) -> None:
        asked.append("question")
        held.append(route)

    page.route("**/stream?*", refuse)
    page.route("**/live?*", hold)
    page.clock.install(time="2030-01-01T20:00:00")
    page.reload()
    while asked.count("stream") < 4:
        page.clock.run_for(500)
        while held:
            page.clock.run_for(5000)
            held.pop().continue_()
    assert "stream stream" not in " ".join(asked)
