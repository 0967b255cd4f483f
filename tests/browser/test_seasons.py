"""The form of a season asks for what its measure counts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone


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
