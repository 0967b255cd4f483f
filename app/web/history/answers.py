"""Putting the record and the result of one game together from what is read of it."""

from flask import g, render_template
from sqlalchemy.orm import Session

from app.actions.groups import Role
from app.store.queries.games import load_game
from app.store.queries.record import GameDetails, game_details, paper_seats_of, round_edits_of
from app.store.queries.rulings import rulings_of
from app.web.history.forms import DescriptionForm
from app.web.history.record import GameRecordPage, RecordSources, game_record_page, past_result_page
from app.web.history.result import ResultView, result_of_game, result_on_paper


def render_game_record(session: Session, game_id: int, form: DescriptionForm | None = None) -> str:
    """The record as this device may see and change it; `form` is one that was refused."""
    about = game_details(session, game_id)
    return render_template(
        "history/record.html",
        page=_record(session, about),
        form=form or DescriptionForm(title=about.title, note=about.note),
        scores_games=g.role >= Role.SCORE,
        manages=g.role >= Role.MANAGE,
    )


def _record(session: Session, about: GameDetails) -> GameRecordPage:
    if about.on_paper:
        return past_result_page(about, paper_seats_of(session, about.id))
    sources = RecordSources(
        load_game(session, about.id),
        round_edits_of(session, about.id),
        rulings_of(session, about.id),
    )
    return game_record_page(about, sources)


def read_result(session: Session, about: GameDetails) -> ResultView:
    """The final table of a game."""
    if about.on_paper:
        return result_on_paper(about, paper_seats_of(session, about.id))
    return result_of_game(about, load_game(session, about.id))
