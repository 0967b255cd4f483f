"""What the templates of a game are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.rules.house_rules import HouseRule
from app.rules.phrases import Phrase, join_phrases, say
from app.rules.variant import Variant
from app.scorebook.dealing import DealPlan, dealer_of, plan_deal
from app.scorebook.game import Stop
from app.scorebook.refusals import ConfirmationNeeded, NotApplied, Refused
from app.scorebook.standings import GameStatus, game_status
from app.store.queries.games import LoadedGame
from app.web.activity import ChangeView, change_views
from app.web.game_parts.rows import RejectedRound, RoundView, RowView, round_view
from app.web.game_parts.seating import Seating, badge_number, badge_numbers
from app.web.game_parts.viewer import Viewer
from app.web.game_parts.words import all_names_of, score_remarks
from app.web.infrastructure.forms import whole_number
from app.web.rulesets.house_rules import RULE_GROUPS, RulesComparison, standard_texts
from app.web.rulesets.lookup import RuleSetSection


@dataclass(frozen=True, slots=True)
class StandingView:
    """One player's line in the standings."""

    seat: int
    name: str
    badge_number: int
    place: int | None
    contracts_completed: int
    contract_count: int
    score: int | None
    won: bool
    present: bool


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
    stands = loaded.status
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
        standings=standing_views(loaded, stands),
        over=stands.over,
        is_reopened=loaded.game.is_reopened,
        winners=_winners(loaded, stands),
        reason=stands.reason,
        reopenable_round=None if stands.stopped else len(loaded.game.rounds) or None,
        news=change_views(loaded, viewer.news),
        stop_kind=stands.stopped,
        has_no_messages=rejected is None and not viewer.news,
        remarks=score_remarks(loaded.game, stands),
    )


def standing_views(loaded: LoadedGame, stands: GameStatus) -> tuple[StandingView, ...]:
    """The standings, best first."""
    game, badges = loaded.game, badge_numbers(loaded.game)
    return tuple(
        StandingView(
            seat=one.seat,
            name=all_names_of(game.seat(one.seat), stands.last_held)
            if stands.over
            else game.names[one.seat],
            badge_number=badges[one.seat],
            place=one.place,
            contracts_completed=one.contracts_completed,
            contract_count=loaded.variant.last_contract,
            score=one.score,
            won=one.seat in stands.winners,
            present=one.present,
        )
        for one in stands.by_place
    )


def _winners(loaded: LoadedGame, stands: GameStatus) -> Phrase | None:
    holders = loaded.game.names_in(stands.last_held)
    names = [say("{name}", name=holders[seat]) for seat in stands.winners]
    if not names:
        return None
    if len(names) == 1:
        return say("{name} wins!", name=names[0])
    return say("{names} tie for the win!", names=join_phrases(names))


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


@dataclass(frozen=True, slots=True)
class RunningGameView:
    """A game in a list: what, who, how far."""

    key: str
    name: str
    started_at: datetime
    round_number: int
    standings: tuple[StandingView, ...]
    idle_since: datetime | None
    """Since when nobody did anything, where that is long ago."""


def running_game_view(loaded: LoadedGame, idle_since: datetime | None = None) -> RunningGameView:
    """The card of a game in progress."""
    stands = loaded.status
    return RunningGameView(
        key=loaded.key,
        name=loaded.variant.name,
        started_at=loaded.started_at,
        round_number=stands.next_round,
        standings=standing_views(loaded, stands),
        idle_since=idle_since,
    )


@dataclass(frozen=True, slots=True)
class VariantSummary:
    """A rule set at a glance."""

    variant: Variant
    was_played_last: bool

    @property
    def wild_cards(self) -> Phrase:
        """Which cards are wild."""
        jokers = self.variant.joker_count(self.variant.decks) > 0
        if self.variant.twos_are_wild:
            return say("2s and jokers") if jokers else say("2s")
        return say("jokers") if jokers else say("none")

    @property
    def scoring(self) -> Phrase:
        """Whether a score is kept."""
        if self.variant.scores:
            return say("yes")
        return say("optional")

    @property
    def runs(self) -> Phrase:
        """Of which suits runs are."""
        return say("any suits") if self.variant.run_suit == "any" else say("one suit")


@dataclass(frozen=True, slots=True)
class VariantSection:
    """Rule sets to choose from, under one heading or none."""

    heading: Phrase | None
    variant_summaries: tuple[VariantSummary, ...]


def variant_sections(
    sections: Sequence[RuleSetSection], last: str | None
) -> tuple[VariantSection, ...]:
    """The rule sets to choose from; the one played last comes first in its section."""
    return tuple(
        VariantSection(
            section.heading,
            tuple(
                sorted(
                    (VariantSummary(one, one.id == last) for one in section.rule_sets),
                    key=lambda card: not card.was_played_last,
                )
            ),
        )
        for section in sections
    )


@dataclass(frozen=True, slots=True)
class NewGameSeat:
    """A player at the table of a new game."""

    name: str
    badge_number: int
    is_dealer: bool


@dataclass(frozen=True, slots=True)
class NewGamePage:
    """A new game before it starts."""

    variant: Variant
    seats: tuple[NewGameSeat, ...]
    offered: tuple[str, ...]
    typed: str
    was_drawn: bool
    deal_plan: DealPlan
    rule_groups: Sequence[tuple[Phrase, Sequence[HouseRule]]]
    standard_texts: Mapping[str, Phrase]
    """What the rule set says, by field."""
    chosen_house_rules: Mapping[str, str]
    """House rules as they were chosen, by field."""
    last_contract: int
    faults: dict[str, Phrase]
    warnings: tuple[tuple[str, Phrase], ...]
    comparison: RulesComparison
    may_save_rules: bool
    rules_saved: bool = False
    """The house rules were just kept as those of the group."""


def new_game_page(
    variant: Variant,
    seating: Seating,
    chosen: Mapping[str, str],
    known: Sequence[str],
    *,
    comparison: RulesComparison,
    may_save_rules: bool = False,
    reason: Refused | ConfirmationNeeded | None = None,
) -> NewGamePage:
    """The page of a new game, with what was sent kept; `chosen` has the house rules' texts."""
    return NewGamePage(
        variant=variant,
        seats=tuple(
            NewGameSeat(name, badge_number(place), is_dealer=place == seating.dealer)
            for place, name in enumerate(seating.names)
        ),
        offered=seating.offered(known),
        typed=seating.typed,
        was_drawn=seating.was_drawn,
        deal_plan=plan_deal(variant, max(2, len(seating.names))),
        rule_groups=RULE_GROUPS,
        standard_texts=standard_texts(variant),
        chosen_house_rules=chosen,
        last_contract=whole_number(chosen["last_contract"]) or variant.last_contract,
        faults=_fault_by_field(reason),
        warnings=tuple((one.mark, one.message) for one in reason.warnings)
        if isinstance(reason, ConfirmationNeeded)
        else (),
        comparison=comparison,
        may_save_rules=may_save_rules,
    )


def _fault_by_field(reason: NotApplied | None) -> dict[str, Phrase]:
    if not isinstance(reason, Refused):
        return {}
    return {fault.field: fault.message for fault in reversed(reason.faults)}
