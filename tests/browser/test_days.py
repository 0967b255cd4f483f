"""A game that began late in the evening is listed under the day that it was at the table."""

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone


def test_a_day_is_that_of_the_phone_and_not_of_the_host(new_phone: Callable[..., Page]) -> None:
    now = datetime.now(UTC)
    zone = "Etc/GMT+12" if now.hour < 12 else "Pacific/Kiritimati"
    there = now.astimezone(ZoneInfo(zone))
    assert there.day != now.day
    phone = new_phone(timezone_id=zone)
    GameOnPhone(phone).start("Frustration Rummy", "Anna Ben")
    phone.goto("/history")
    expect(phone.locator(".game-card-round")).to_have_text(f"{there:%b} {there.day}, {there.year}")


COUNTS_FORMATTERS = """
    const Formatter = Intl.DateTimeFormat;
    globalThis.formatters = 0;
    Intl.DateTimeFormat = class extends Formatter {
        constructor(...options) { super(...options); formatters += 1; }
    };
"""


def test_a_day_that_the_host_wrote_right_is_not_formatted_again(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone()
    phone.add_init_script(COUNTS_FORMATTERS)
    GameOnPhone(phone).start("Frustration Rummy", "Anna Ben")
    phone.goto("/history")
    expect(phone.locator(".game-card-round time:not([data-local])")).to_have_count(1)
    assert phone.evaluate("formatters") == 0
