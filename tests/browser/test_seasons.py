"""The form of a season asks for what its measure counts, and its table stands in even rows."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, sent
from tests.browser.phones import LONGER_WORDS
from tests.browser.test_at_a_glance import SMALL


@pytest.mark.parametrize("scripts", [True, False])
def test_points_for_places_are_asked_for_only_where_they_count(
    new_phone: Callable[..., Page], scripts: bool
) -> None:
    phone = new_phone(java_script_enabled=scripts)
    GameOnPhone(phone).start("Frustration Rummy", "Anna Ben")
    phone.goto("/seasons/new")
    points = phone.get_by_label("Points from the first place down")
    expect(points).to_be_hidden()
    leads = phone.get_by_label("Who leads")
    leads.select_option("points")
    points.fill("10, 6")
    leads.select_option("wins")
    expect(points).to_be_hidden()
    leads.select_option("points")
    expect(points).to_be_visible()
    expect(points).to_have_value("10, 6")
    wide = phone.locator("#season-form .field").evaluate_all("all => all.map((o) => o.offsetWidth)")
    assert len(set(wide)) == 1  # on a phone none shares its line


def test_all_rows_of_a_seasons_table_are_as_high_though_names_are_long(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]}, locale=LONGER_WORDS)
    game = GameOnPhone(phone)
    names = "Grandma-Josephine-Elisabeth Jean-Sébastien-Alexandre Marie-Christine-Bernadette Anna"
    game.start("Aggravation Rummy", names)
    game.plain.close_anyway(1, out="Anna", **dict.fromkeys(names.split()[:3], "75"))
    sent(phone, f"/games/{game.plain.key}/stop", {"result": "yes"})
    season = {"name": "All", "since": "2025-08-01", "evenings": 20, "measure": "wins"}
    season["place_points"] = "5 3 1"
    phone.goto(sent(phone, "/seasons/new", season).headers["location"])
    rows = phone.locator(".season-table tbody tr")
    expect(rows).to_have_count(4)
    heights = rows.evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert max(heights) - min(heights) <= 4
