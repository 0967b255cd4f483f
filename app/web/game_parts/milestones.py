"""What is said of a milestone: one sentence for each kind."""

from collections.abc import Callable, Mapping

from app.extensions import db
from app.rules.phrases import Phrase, say, say_plural
from app.store.queries.access import tells_milestones
from app.store.queries.games import LoadedGame
from app.store.queries.milestones import Milestone, MilestoneKind, milestones_of_game
from app.web.infrastructure.asker import asker

MILESTONES: Mapping[MilestoneKind, Callable[[Milestone], Phrase]] = {
    "games": lambda one: say("{name}: game {count}!", name=one.player, count=one.count),
    "first_win": lambda one: say("{name}’s first win!", name=one.player),
    "wins_in_a_row": lambda one: say_plural(
        "{name}: {count} win in a row!",
        "{name}: {count} wins in a row!",
        one.count,
        name=one.player,
    ),
    "first_ahead": lambda one: say_plural(
        "{name} beats {rival} for the first time, after {count} game together!",
        "{name} beats {rival} for the first time, after {count} games together!",
        one.count,
        name=one.player,
        rival=one.rival,
    ),
    "contract": lambda one: say(
        "Contract {number}: everyone laid it down at the first try!", number=one.count
    ),
}


def milestone_in_words(milestone: Milestone) -> Phrase:
    """A milestone as a sentence."""
    return MILESTONES[milestone.kind](milestone)


def milestones_of(loaded: LoadedGame) -> tuple[Phrase, ...]:
    """What is told of a game that is over with a result, unless the group wants none of it."""
    session = db.session()
    if not loaded.status.has_result or not tells_milestones(session, asker.group):
        return ()
    return tuple(milestone_in_words(one) for one in milestones_of_game(session, loaded.id))
