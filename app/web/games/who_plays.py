"""The names that are offered for a new game, whom those mean that are typed, and their marks."""

from collections.abc import Sequence, Set
from datetime import UTC, datetime
from typing import Any

from app.extensions import db
from app.rules.phrases import Phrase, join_names, say
from app.scorebook.game import Game
from app.scorebook.marks import Mark
from app.store.queries.evenings import PAUSE
from app.store.queries.games import (
    LoadedGame,
    active_player_names,
    active_players,
    load_game,
    load_games,
    running_games_changed,
)
from app.store.queries.players import marks_of_names
from app.web.game_parts.look_alikes import look_alikes, question_of
from app.web.game_parts.seating import Seating
from app.web.games.forms import NewGameForm
from app.web.infrastructure.access import scored_group
from app.web.infrastructure.asker import asker

_MOST_OFFERED = 60
_MOST_TABLES = 12


def names_to_add(loaded: LoadedGame, playing: Sequence[str]) -> dict[str, Any]:
    """The known names beside those playing in a game, and who of these is at another table, too."""
    group, others = asker.group, set[int]()
    if not loaded.status.over:
        others = _played_now(group) - {loaded.id}
    known = active_player_names(db.session(), group, _MOST_OFFERED)
    return {
        "elsewhere": _at_other_tables(playing, others),
        "offered": Seating(tuple(playing)).offered(known),
    }


def names_to_tap(form: NewGameForm, seating: Seating) -> dict[str, Any]:
    """The names that are offered, those of the last table, and who of the seated is at another.

    Those at tables that play now come last. Who was seated by the latest taps stays among them, so
    that no other name moves meanwhile.
    """
    group, pressed = scored_group(), form.arrange.data
    by_tap = pressed.startswith("add:")
    tapped = Seating((*form.tapped.data, pressed.removeprefix("add:")) if by_tap else ())
    people = active_players(db.session(), group, _MOST_OFFERED) if group else ()
    last = people[0].last_game if people else None
    sat_last = [one for one in people if last and one.last_game == last]
    last_table = [one.name for one in sat_last]
    if last and any(one.gave_up for one in sat_last):
        known = {one.name for one in people}
        last_table = [one for one in _names_at(load_game(db.session(), last).game) if one in known]
    busy = _played_now(group) if group else set()
    people = sorted(people, key=lambda one: one.last_game in busy)
    return {
        "elsewhere": _at_other_tables(seating.names, busy),
        "offered": [
            one.name for one in people if tapped.has(one.name) or not seating.has(one.name)
        ],
        "last_table": last_table,
    }


def _played_now(group: int) -> set[int]:
    """The ids of the games that go on and changed not long ago."""
    changed = running_games_changed(db.session(), group, _MOST_TABLES)
    return {one for one, at in changed.items() if datetime.now(UTC) - at < PAUSE}


def _names_at(game: Game) -> tuple[str, ...]:
    return tuple(one.name for one in game.seated.values())


def _at_other_tables(names: Sequence[str], others: Set[int]) -> Phrase | None:
    """Which of these players have a seat at other games, too, given by their ids; None for none."""
    if not (names and others):
        return None
    games = [one.game for one in load_games(db.session(), sorted(others))]
    there = Seating(tuple(name for game in games for name in _names_at(game)))
    both = [name for name in names if there.has(name)]
    return say("Also at another table now: {names}", names=join_names(both)) if both else None


def questions_of(
    seating: Seating, not_shown: Sequence[str] | None = None
) -> list[tuple[str, str, Phrase]]:
    """Whether players are meant whose names differ in little from new ones that are seated.

    Each question comes after the button that says yes, and that player's name. `not_shown` are the
    names about which none was seen yet, where those alone matter.
    """
    return [
        (f"is:{seating.names.index(name)}:{known}", known, question_of(name, known))
        for name, known in look_alikes(*(seating.names if not_shown is None else not_shown)).items()
        if not seating.has(known)
    ]


def marks_seated(seating: Seating) -> list[Mark]:
    """The marks of who is seated; in a group that is yet to be made all are new."""
    return marks_of_names(db.session(), scored_group() or 0, seating.names)
