"""The big screen: large, whole and in columns, whatever stands on it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, sent
from tests.browser.test_at_a_glance import SIX, not_in_view

_COLUMNS = """() => [".place", ".mark", ".screen-name", ".score"].map((column) => {
  const edge = column === ".score" ? "right" : "left";
  const rows = [...document.querySelectorAll(`.screen-row ${column}`)];
  return new Set(rows.map((one) => Math.round(one.getBoundingClientRect()[edge]))).size;
})"""


_RUNS_OVER = """() => [...document.querySelectorAll(".screen-row *, .screen > p")].filter((one) => {
  const row = one.closest(".screen-row")?.getBoundingClientRect();
  const rows = document.querySelector(".screen-rows").getBoundingClientRect();
  const { top, bottom } = one.getBoundingClientRect();
  return row ? top < row.top - 0.5 || bottom > row.bottom + 0.5 : top < rows.bottom;
}).map((one) => one.className)"""
"""What runs over the edge of its row, or lies under the rows."""


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1920, 1080), (3840, 2160)])
def test_the_big_screen_is_large_whole_and_in_columns(
    new_phone: Callable[..., Page], width: int, height: int
) -> None:
    page = new_phone(viewport={"width": width, "height": height})
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", SIX)
    plain = game.plain
    typed = {name: "25" for name in SIX.split() if name != "Anna"}
    assert plain.close(1, out="Anna", **typed).status_code == 303
    extra = {"seat": str(plain.seats["Anna"]), "points": "20", "reason": "a misdeal", "number": "1"}
    sent(page, f"/games/{plain.key}/corrections", extra)
    page.goto(f"/games/{plain.key}/screen")
    expect(page.locator(".screen > p")).to_contain_text("Anna")
    assert page.evaluate(_RUNS_OVER) == []
    assert page.evaluate(_COLUMNS) == [1, 1, 1, 1]
    assert not_in_view(page, ".screen-head, .screen-row, .screen-name, .screen-row .score") == []
    size = page.locator(".screen-name").first.evaluate("one => getComputedStyle(one).fontSize")
    assert float(size.removesuffix("px")) >= width / 40
