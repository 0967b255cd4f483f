"""What an undo, a late tap and the record read of a log does not grow with the rest of it."""

from sqlalchemy.orm import Session

from app.actions.games import undo_change
from app.scorebook.events.entries import SetEntry
from app.store.queries.log import round_edits_of
from tests.actions.table import KeptTable, somebody
from tests.counting import instructions_of, steps_of

FEW, MANY = 40, 80


def played(session: Session, taps: int) -> KeptTable:
    """A table whose log holds so many taps on the first round, which was ended and edited."""
    table = KeptTable.started(session, "aggravation-rummy", "Anna Ben Cleo")
    for number in range(taps):
        table.set(1, "Ben", typed=str(5 * (number % 2)))
    table.close(1, out="Anna", Ben="10", Cleo="20")
    table.edit(1, out="Anna", Ben="15", Cleo="25")
    table.set(2, "Ben", typed="5")
    return table


def undo(table: KeptTable) -> None:
    undo_change(table.session, somebody(), table.id, table.now.version)


def tap_late(table: KeptTable) -> None:
    tap = SetEntry(2, table.seat("Cleo"), {"typed": "20"})
    table.enter(tap, seen_version=0)


def show_record(table: KeptTable) -> None:
    (edit,) = round_edits_of(table.session, table.id)
    assert [one.after.get("typed") for one in edit.changes] == ["15", "25"]


def test_the_rest_of_the_log_is_not_loaded(session: Session):
    for what in (undo, tap_late, show_record):
        what(played(session, 2))  # statements are made once
        few, many = (played(session, taps) for taps in (FEW, MANY))
        steps, more = steps_of(lambda: what(few)), steps_of(lambda: what(many))  # noqa: B023
        assert more < 1.05 * steps, what


def test_an_undo_does_not_look_through_the_rest_of_the_log(session: Session):
    undo(played(session, 2))
    few, many = (played(session, taps) for taps in (FEW, MANY))
    less = instructions_of(session, lambda: undo(few))
    assert 0 < instructions_of(session, lambda: undo(many)) < 1.05 * less
