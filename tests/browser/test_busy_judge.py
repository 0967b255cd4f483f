"""A phone whose hand has to wait for another asks again by itself."""

from collections.abc import Iterator
from threading import Thread

import pytest
from flask_migrate import upgrade
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server

from app import create_app
from tests.browser.at_the_table import GameOnPhone
from tests.web.test_judging import another_hand

HAND = "ask=hand&variant=frustration&contract=1&m=3H+3D+3C+5S+5D+5C+9H"
WAITS = "Another hand is being checked"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app in this very process, where another hand can be searched."""
    folder = str(tmp_path_factory.mktemp("busy"))
    app = create_app({"INSTANCE_PATH": folder, "SECRET_KEY": "only for these tests"})
    with app.app_context():
        upgrade()
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


@pytest.mark.provokes(503)
def test_a_page_that_met_another_hand_asks_again_by_itself(phone: Page) -> None:
    with another_hand():
        phone.goto(f"/check?{HAND}")
        expect(phone.locator("#verdict")).to_contain_text(WAITS)
    expect(phone.locator("#verdict")).to_contain_text("You can lay it down")


@pytest.mark.provokes(503)
def test_cards_that_are_entered_meanwhile_are_those_that_are_asked_about(phone: Page) -> None:
    phone.goto(f"/check?{HAND}")
    expect(phone.locator("#verdict")).to_contain_text("You can lay it down")
    with another_hand():
        phone.locator("#tray-1").fill("3H 3D 3C 5S 5D 9H KD")
        expect(phone.locator("#verdict")).to_contain_text(WAITS)
        expect(phone.locator("#notice")).to_be_hidden()
    expect(phone.locator("#verdict")).to_contain_text("Not from this hand")
    assert "9H+KD" in phone.url


@pytest.mark.provokes(503)
def test_a_ruling_is_recorded_as_soon_as_the_judge_is_free(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    phone.goto(f"/check?{HAND}&game={phone.url.rsplit('/', 1)[1]}")
    phone.get_by_text("Record a ruling").tap()
    phone.get_by_label("What did the group decide?").fill("it counts")
    with another_hand():
        phone.get_by_role("button", name="Record ruling").tap()
        expect(phone.locator("main")).to_contain_text(WAITS)
    expect(phone.locator("#verdict .ruled")).to_contain_text("it counts")
