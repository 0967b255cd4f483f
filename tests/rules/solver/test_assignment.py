"""Cards are shared out as well as can be, whoever comes first."""

from itertools import product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.rules.solver.feasibility import Assignment, CardSlot
from tests.draws import drawn

KINDS = 3

slots = st.lists(
    st.builds(
        CardSlot,
        st.integers(0, 2),
        st.lists(st.integers(0, KINDS - 1), max_size=2, unique=True).map(tuple),
        st.just(1),
        st.just(1),
    ),
    min_size=1,
    max_size=6,
)


def ways(counts: list[int], places: list[CardSlot], needs: list[int]) -> list[int]:
    """How many cards each way to share them gives out in which every group gets what it needs."""
    return [
        sum(kind is not None for kind in held)
        for held in product(*((None, *place.kinds) for place in places))
        if all(held.count(kind) <= count for kind, count in enumerate(counts))
        and all(
            sum(
                kind is not None and place.group == group
                for kind, place in zip(held, places, strict=True)
            )
            >= need
            for group, need in enumerate(needs)
        )
    ]


@settings(max_examples=drawn(120))
@given(
    counts=st.lists(st.integers(0, 2), min_size=KINDS, max_size=KINDS),
    places=slots,
    needs=st.lists(st.integers(0, 2), min_size=3, max_size=3),
)
@example(
    counts=[2, 2, 0],
    places=[CardSlot(0, (0,)), CardSlot(0, (0, 1)), CardSlot(0, (0, 1))],
    needs=[0, 0, 0],
)
def test_groups_get_what_they_need_if_that_can_be_and_then_all_that_can_be_given(
    counts: list[int], places: list[CardSlot], needs: list[int]
) -> None:
    possible = ways(counts, places, needs)
    assignment = Assignment(counts, places)
    enough = all(assignment.give(group) for group, need in enumerate(needs) for _ in range(need))
    assignment.give_all()
    assert enough == bool(possible)
    if enough:
        assert sum(map(len, assignment.held)) == max(possible)
