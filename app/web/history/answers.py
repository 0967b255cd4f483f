"""Putting the record and the result of one game together from what is read of it."""

from collections.abc import Mapping, Sequence

from flask import g, render_template
from sqlalchemy.orm import Session

from app.actions.groups import Role
from app.scorebook import Fault
from app.store.queries.games import table_of
from app.store.queries.record import Particulars, corrections_of, paper_of, particulars_of
from app.store.queries.rulings import changed_rules_of, disputes_of
from app.web.history.record import RecordPage, Sources, paper_page, record_page
from app.web.history.result import ResultView, result_of_table, result_on_paper


def read_record(session: Session, game_id: int, faults: Sequence[Fault] = ()) -> RecordPage:
    """The record of a game, with what was wrong about the last request."""
    about = particulars_of(session, game_id)
    messages = {one.field: one.message for one in faults}
    if about.on_paper:
        return paper_page(about, paper_of(session, game_id), messages)
    sources = Sources(
        table_of(session, game_id),
        corrections_of(session, game_id),
        disputes_of(session, game_id),
        changed_rules_of(session, game_id),
    )
    return record_page(about, sources, messages)


def record_answer(page: RecordPage, typed: Mapping[str, str] | None = None) -> str:
    """The record as this device may see and change it, with what was typed and refused."""
    return render_template(
        "history/record.html",
        page=page,
        typed=typed or {},
        scores_games=g.role >= Role.SCORE,
        manages=g.role >= Role.MANAGE,
    )


def read_result(session: Session, about: Particulars) -> ResultView:
    """The final table of a game."""
    if about.on_paper:
        return result_on_paper(about, paper_of(session, about.id))
    return result_of_table(about, table_of(session, about.id))
