"""What the log says of a row, in words."""

import pytest

from app.web.rounds.words import row_words


@pytest.mark.parametrize(
    ("before", "typed", "said"),
    [
        ("", "1", "Ben: 1 point"),
        ("", "25", "Ben: 25 points"),
        ("", "10+5", "Ben: 10+5 points"),
        ("10", "1", "Ben: 1 point (was 10)"),
    ],
)
def test_points_are_said_in_their_number(before: str, typed: str, said: str):
    assert str(row_words("Ben", {"typed": before}, {"typed": typed})) == said
