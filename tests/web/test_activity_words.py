"""What the log says of a row, in words."""

import pytest

from app.scorebook.events.entries import EntryFields, entry_words
from tests.web_table import PlainGame


@pytest.mark.parametrize(
    ("before", "typed", "said"),
    [
        ("", "1", "Ben: 1 point"),
        ("", "25", "Ben: 25 points"),
        ("", "10+5", "Ben: 15 points"),
        ("10", "1", "Ben: 1 point (was 10)"),
        ("10", "10+15", "Ben: 25 points (was 10)"),
        ("5+5", "-5", "Ben: -5 points (was 10)"),
        ("25", "10+15", "Ben: 25 points"),
        ("0", "10", "Ben: 10 points (was 0)"),
        ("10+", "10", "Ben: 10 points (was 10+)"),
        ("", "9" * 80, f"Ben: {'9' * 80} points"),
    ],
)
def test_points_are_said_in_their_number(before: str, typed: str, said: str):
    assert str(entry_words("Ben", {"typed": before}, {"typed": typed})) == said


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"counted": (0, 2)}, "Ben: cards counted"),
        ({"counted": ()}, "Ben: points typed"),
        ({"typed": "20", "counted": (0, 2)}, "Ben: 20 points"),
    ],
)
def test_another_count_of_the_same_points_is_said(fields: EntryFields, said: str):
    assert str(entry_words("Ben", {}, fields)) == said


@pytest.mark.parametrize("digits", [9, 10, 28, 80])
def test_points_of_any_number_of_digits_are_told(a_running_game: PlainGame, digits: int):
    """A phone that sends a key that was held down has it kept as it was typed."""
    game, field = a_running_game, f"{a_running_game.seats['Ben']}-typed"
    tap = {"changed": field, field: "9" * digits}
    row = f"/games/{game.key}/rounds/2/row"
    assert game.client.post(row, data=tap, headers={"HX-Request": "true"}).status_code == 422
    page = game.client.get(f"/games/{game.key}/activity").get_data(as_text=True)
    assert "9" * digits in page.replace(",", "")
