"""A CSV of past results: which rule sets it may name, and one that is none, told at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exchange.past_results import MOST_LINES, places_told, read_past_results
from app.exchange.schema import DocumentError
from app.rules.rule_sets import shipped_rule_sets
from app.rules.variant import Variant
from tests.any_rules import EVERY

HEADING = b"date,rule set,player,place\n"


@pytest.mark.parametrize(
    "content",
    [b",", b",\n" + b"," * 20_000, HEADING + b"\n" * 2 * MOST_LINES, HEADING + b'"' * 20_000],
    ids=["no columns", "a long line", "many lines", "quotes"],
)
def test_what_is_no_table_is_refused(content: bytes) -> None:
    with pytest.raises(DocumentError):
        read_past_results(content, shipped_rule_sets())


@pytest.mark.parametrize("content", [b"," * 20_000, b"\n" * 3 * MOST_LINES])
def test_a_table_of_more_cells_than_results_have_is_not_read(content: bytes) -> None:
    with pytest.raises(DocumentError, match="neither"):
        read_past_results(content, shipped_rule_sets())


@pytest.mark.parametrize("variant", shipped_rule_sets().values(), ids=lambda one: one.id)
def test_a_result_by_any_rule_set_of_the_app_is_understood(variant: Variant) -> None:
    for said in (variant.name, variant.id):
        lines = f'place,player,rule set,date\n1,Ann,"{said}",2025-12-31\n'.encode()
        (line,) = read_past_results(lines, shipped_rule_sets()).lines
        assert (line.variant, line.fault) == (variant, None)


@given(st.sampled_from(EVERY), st.lists(st.integers(-50, 500), min_size=2, max_size=12))
def test_places_that_nobody_entered_are_the_order_of_the_points(
    rules: Variant, scores: list[int]
) -> None:
    best_first = sorted(scores, reverse=rules.win == "highest_score")
    places = [*places_told(rules, [str(one) for one in scores])]
    assert places == [1 + best_first.index(one) for one in scores]
