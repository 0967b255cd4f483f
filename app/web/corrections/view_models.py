"""What the page of a game's score corrections is given."""

from dataclasses import dataclass

from app.scorebook.course import Correction
from app.store.queries.games import LoadedGame
from app.web.corrections.forms import CorrectionForm
from app.web.games.seat_badges import badges_of
from app.web.infrastructure import localization


@dataclass(frozen=True, slots=True)
class ScoreCorrectionView:
    """A correction: who, in which round, how many points with their sign, and why."""

    name: str
    correction: Correction
    points: str


@dataclass(frozen=True, slots=True)
class CorrectionsPage:
    """The corrections of a game, and a form for another one."""

    key: str
    name: str
    scores: bool
    seats: tuple[tuple[int, str, int], ...]
    """Id, name and mark of each."""
    corrections: tuple[ScoreCorrectionView, ...]
    form: CorrectionForm


def corrections_page(loaded: LoadedGame, form: CorrectionForm) -> CorrectionsPage:
    """The page, with what was sent kept."""
    badges, names = badges_of(loaded.game), loaded.game.names
    return CorrectionsPage(
        key=loaded.key,
        name=loaded.variant.name,
        scores=loaded.variant.scores,
        seats=tuple((seat, name, badges[seat]) for seat, name in names.items()),
        corrections=correction_views(loaded),
        form=form,
    )


def correction_views(loaded: LoadedGame) -> tuple[ScoreCorrectionView, ...]:
    """The corrections of a game, by round."""
    game = loaded.game
    return tuple(
        ScoreCorrectionView(
            game.names_in(one.number).get(one.seat, ""), one, localization.format_signed(one.points)
        )
        for one in game.course.corrections
    )
