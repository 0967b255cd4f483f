"""Which finished games count: the one value by which every statistic is narrowed."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Select, bindparam, exists, or_, select
from sqlalchemy.orm import Session, aliased

from app.exchange.days import late_noon
from app.store.base import UtcDateTime
from app.store.games import StoredGame
from app.store.statistics import StoredPlayerResult, StoredResult

_there = aliased(StoredPlayerResult)  # to make one takes longer than what is asked with it


@dataclass(frozen=True, slots=True)
class GameSelection:
    """Which finished games count: of these rule sets, or of all if none is named, in a period.

    The period begins at `since` and ends before `until`; without one it is open on that side. All
    of the `players` took part.
    """

    variants: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    players: tuple[int, ...] = ()
    of_seasons: int | None = None
    """The group of which the games that count for no season are left out."""
    few_lacking_players: tuple[int, ...] | None = None
    """The games of the period and the rule sets in which players were missing; None where these are
    many, or not known (`with_few_lacking_players`)."""

    def conditions(self, facts: Any, *, lazily: bool = False) -> list[ColumnElement[bool]]:
        """What has to hold for a row of results, of games or of seats, or of an alias of them.

        The players are looked for row by row, `lazily`, where few rows are read.
        """
        found = self.conditions_of_row(facts)
        if self.of_seasons is not None:
            found.append(facts.game_id.not_in(self.left_out_of_seasons()))
        if self.few_lacking_players is not None:
            return (
                [*found, facts.game_id.not_in(self.few_lacking_players)]
                if self.few_lacking_players
                else found
            )
        for player in self.players:
            shared = select(_there.game_id).where(_there.player_id == player)
            if lazily:
                found.append(shared.where(_there.game_id == facts.game_id).exists())
            else:
                found.append(facts.game_id.in_(shared.where(*self.in_period(_there.finished_at))))
        return found

    def left_out_of_seasons(self) -> Select[int]:
        """The games that do not count since they are left out of seasons."""
        ours = StoredGame.group_id == self.of_seasons, StoredGame.left_out
        return select(StoredGame.id).where(*ours)

    def conditions_of_row(self, facts: Any) -> list[ColumnElement[bool]]:
        """What has to hold of a row of any table of facts by its moment and its rule set alone.

        It says nothing of the players, nor of what is left out of seasons.
        """
        found = self.in_period(facts.finished_at)
        if self.variants:
            found.append(facts.variant_id.in_(self.variants))
        return found

    def lacking_players(self, group: int) -> Select[int]:
        """The games of a group in which players were missing, of the period and the rule sets."""
        missing = (
            ~exists().where(_there.game_id == StoredResult.game_id, _there.player_id == player)
            for player in self.players
        )
        ours = StoredResult.group_id == group, *self.conditions_of_row(StoredResult)
        return select(StoredResult.game_id).where(*ours, or_(*missing))

    def in_period(self, moment: Any) -> list[ColumnElement[bool]]:
        """What has to hold for a moment to lie in the period.

        A past result goes by the day that it stands for, as in `days.is_before`.
        """
        found = between(moment, self.since)
        if self.since is not None and (late := late_noon(self.since)):
            found.append(moment != _in_statement(late))
        ends = between(moment, until=self.until)
        if self.until is not None and (late := late_noon(self.until)):
            there = _in_statement(late)
            ends = [moment <= there, or_(moment == there, *ends)]
        return found + ends


def between(
    moment: Any, since: datetime | None = None, until: datetime | None = None
) -> list[ColumnElement[bool]]:
    """What has to hold for a moment from `since` on and before `until`.

    The bounds stand in the statement itself: PostgreSQL plans one that it was asked several
    times without them for a short period, which takes a player's page half as long again.
    """
    found: list[ColumnElement[bool]] = []
    if since is not None:
        found.append(moment >= _in_statement(since))
    if until is not None:
        found.append(moment < _in_statement(until))
    return found


def _in_statement(moment: datetime) -> BindParameter[datetime]:
    return bindparam(None, moment, UtcDateTime, literal_execute=True)


ALL_GAMES = GameSelection()
_FEW = 200


def with_few_lacking_players(
    session: Session, group: int, selection: GameSelection
) -> GameSelection:
    """The selection with the games that players were missing in, if they are few.

    Mostly the same people play: then to leave these games out costs each statement nothing, and to
    find those with all of them a third of its time for each player.
    """
    if not selection.players:
        return selection
    found = session.scalars(selection.lacking_players(group).limit(_FEW + 1)).all()
    return selection if len(found) > _FEW else replace(selection, few_lacking_players=tuple(found))
