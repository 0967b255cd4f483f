"""A CSV of past results that is none: said before cells are made of it, which could take long."""

import pytest

from app.exchange.past_results import MOST_LINES, read_past_results
from app.exchange.schema import DocumentError

HEADING = b"date,rule set,player,place\n"


@pytest.mark.parametrize(
    "content",
    [b",", b",\n" + b"," * 20_000, HEADING + b"\n" * 2 * MOST_LINES, HEADING + b'"' * 20_000],
    ids=["no columns", "a long line", "many lines", "quotes"],
)
def test_what_is_no_table_is_refused(content: bytes) -> None:
    with pytest.raises(DocumentError):
        read_past_results(content)


@pytest.mark.parametrize("content", [b"," * 20_000, b"\n" * 3 * MOST_LINES])
def test_a_table_of_more_cells_than_results_have_is_not_read(content: bytes) -> None:
    with pytest.raises(DocumentError, match="neither"):
        read_past_results(content)
