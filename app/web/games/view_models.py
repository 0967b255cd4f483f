"""What the templates of a game are given."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.rules.phrases import Phrase, join_phrases, say
from app.scorebook.dealing import DealPlan, dealer_of
from app.scorebook.game import Stop
from app.scorebook.standings import game_status
from app.store.queries.games import LoadedGame
from app.web.activity import ChangeView, change_views
from app.web.game_parts.rows import RejectedRound, RoundView, RowView, round_view
from app.web.game_parts.standings import StandingView, standing_views, winners_in_words
from app.web.game_parts.viewer import Viewer
from app.web.game_parts.words import score_remarks


@dataclass(frozen=True, slots=True)
class GameBar:
    """What a game's bar shows; the same until a round ends."""

    key: str
    name: str
    round_number: int | None
    """Of the open round; None when the game is over."""
    deal_plan: DealPlan
    has_turn_up: bool
    dealer: str
    first_player: str
    reopenable_round: int | None
    """The round that ended last and can be reopened."""
    may_score: bool
    row_order: str | None


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game as it stands: the round that is being played, or the result."""

    key: str
    name: str
    version: int
    by_standing: bool
    may_score: bool
    rounds_played: int
    deal_plan: DealPlan
    has_turn_up: bool
    dealer: str
    first_player: str
    next_dealer: str
    """Who deals the round after the one that is being played."""
    round: RoundView | None
    standings: tuple[StandingView, ...]
    over: bool
    is_reopened: bool
    winners: Phrase | None
    reason: Phrase | None
    reopenable_round: int | None
    """The round that ended last and can be reopened."""
    news: tuple[ChangeView, ...]
    """What other phones changed since this one showed the game last."""
    stop_kind: Stop | None
    has_no_messages: bool
    """It shows nothing but how the game stands: no news, no fault, no refusal."""
    remarks: tuple[Phrase, ...]
    """What is to be known of the scores beside the rounds."""

    def row_of(self, seat: int) -> RowView | None:
        """What is entered for a seat in the open round; None where it plays in none."""
        rows = self.round.rows if self.round else ()
        return next((row for row in rows if row.seat == seat), None)

    @property
    def bar(self) -> GameBar:
        """What its bar shows."""
        return GameBar(
            key=self.key,
            name=self.name,
            round_number=self.round.number if self.round else None,
            deal_plan=self.deal_plan,
            has_turn_up=self.has_turn_up,
            dealer=self.dealer,
            first_player=self.first_player,
            reopenable_round=self.reopenable_round,
            may_score=self.may_score,
            row_order=self.row_order,
        )

    @property
    def row_order(self) -> str | None:
        """How the rows are sorted, as an address says it."""
        return "standing" if self.by_standing else None


def game_page(
    loaded: LoadedGame, viewer: Viewer, rejected: RejectedRound | None = None
) -> GamePage:
    """The page of a game."""
    stands, standings = loaded.status, standing_views(loaded)
    number = loaded.game.open_number
    view = None if stands.over else round_view(loaded, number, rejected, viewer)
    return GamePage(
        key=loaded.key,
        name=loaded.variant.name,
        version=loaded.version,
        by_standing=viewer.by_standing,
        may_score=viewer.may_score,
        rounds_played=len(loaded.game.rounds),
        deal_plan=stands.deal_plan,
        has_turn_up=loaded.variant.turn_up,
        dealer=loaded.game.names.get(stands.dealer or 0, ""),
        first_player=loaded.game.names.get(stands.first_player or 0, ""),
        next_dealer=loaded.game.names.get(dealer_of(loaded.game, number + 1) or 0, ""),
        round=view,
        standings=standings,
        over=stands.over,
        is_reopened=loaded.game.is_reopened,
        winners=winners_in_words([one.name for one in standings if one.won]),
        reason=stands.reason,
        reopenable_round=None if stands.stopped else len(loaded.game.rounds) or None,
        news=change_views(loaded, viewer.news),
        stop_kind=stands.stopped,
        has_no_messages=rejected is None and not viewer.news,
        remarks=score_remarks(loaded.game, stands),
    )


@dataclass(frozen=True, slots=True)
class StopPage:
    """A game in progress, to be stopped before its end."""

    key: str
    name: str
    leaders: Phrase | None
    """Who would win, if a round has ended."""
    result_reason: Phrase | None
    fault: Phrase | None
    idle_since: datetime | None
    """Since when nobody did anything, where that is long ago."""


_IDLE = timedelta(days=7)


def is_idle(touched: datetime, now: datetime) -> bool:
    """Was a game in progress left alone for so long that it may never be played on?"""
    return now - touched >= _IDLE


def stop_page(
    loaded: LoadedGame, fault: Phrase | None = None, touched: datetime | None = None
) -> StopPage:
    """What stopping a game now would come to."""
    would = game_status(replace(loaded.game, stopped="result")) if loaded.game.rounds else None
    names = [say("{name}", name=loaded.game.names[seat]) for seat in would.winners] if would else []
    return StopPage(
        key=loaded.key,
        name=loaded.variant.name,
        leaders=join_phrases(names) if names else None,
        result_reason=would.reason if would else None,
        fault=fault,
        idle_since=touched,
    )
