"""What the templates of a game and of its players are given."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from app.extensions import db
from app.rules.house_rules import aim_in_words
from app.rules.phrases import Phrase, join_names, join_phrases, say, say_plural
from app.scorebook.dealing import DealPlan, dealer_of, plan_deal, players_in
from app.scorebook.events.attendance import player_returned_event, usual_contracts, usual_scores
from app.scorebook.game import Entry, Game, Seat, Stop
from app.scorebook.marks import Mark
from app.scorebook.standings import game_status
from app.store.queries.games import LoadedGame, last_change_times, next_game_key
from app.web.activity import ChangeView, change_views
from app.web.game_parts.lengths import TimeLeft, is_idle, time_left_in_words
from app.web.game_parts.milestones import milestones_of
from app.web.game_parts.rows import RoundOverlay, RoundView, RowView, round_view
from app.web.game_parts.seating import PageLink, seats_link
from app.web.game_parts.standings import StandingView, standing_views, winners_in_words
from app.web.game_parts.viewer import Viewer
from app.web.game_parts.words import (
    house_rules_of_game,
    names_within,
    score_remarks,
    seat_words,
    stop_words,
)
from app.web.games.forms import JoinForm
from app.web.infrastructure.asker import asker

_ROOM = 40
"""So many characters of dealer and starter have room in two lines of a small phone."""


@dataclass(frozen=True, slots=True)
class GameBar:
    """What a game's bar and its menu show; no tap changes it."""

    key: str
    name: str
    round_number: int | None
    """Of the open round; None when the game is over."""
    deal_plan: DealPlan | None
    has_turn_up: bool
    aim: Phrase | None
    """In a game without contracts: which score wins, and when the game is over."""
    dealer: str
    """Who deals the round that is being played, or a rematch of a game that is over; empty where
    nobody deals, or the dealer or starter left in the round."""
    first_player: str
    """Who starts that round; empty where `dealer` is."""
    in_bar: tuple[str, ...]
    """Both names, as there is room for them in the bar of a phone."""
    i_deal: bool
    i_start: bool
    reopenable_round: int | None
    """The round that ended last and can be reopened."""
    may_score: bool
    keeps_score: bool
    may_switch_score: bool
    """Can the table begin to keep points, or stop?"""
    stop_words: Phrase
    seats: PageLink
    """Where seats and dealer are changed."""
    row_order: str | None
    """How the rows are sorted, as an address says it."""
    time_left: TimeLeft | None
    """How long the game goes on, as of the beginning of the open round."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game as it stands: the round that is being played, or the result."""

    bar: GameBar
    version: int
    started_at: datetime
    rounds_played: int
    next_dealer: str
    """Who deals the round after the one that is being played; empty where nobody does."""
    round: RoundView | None
    standings: tuple[StandingView, ...]
    over: bool
    next_game: str | None
    """Of a game that is over, the key of the one at which its players are by now."""
    winners: Phrase | None
    reason: Phrase | None
    news: tuple[ChangeView, ...]
    """What is news to this device (`Viewer.news`)."""
    stop_kind: Stop | None
    has_no_messages: bool
    """It shows nothing but how the game stands: no news, no question, no refusal."""
    remarks: tuple[Phrase, ...]
    """Who does not play in the open round, and what is to be known of the scores beside rounds."""
    milestones: tuple[Phrase, ...]
    """What was reached by the game, once it is over."""
    house_rules: tuple[Phrase, ...]
    """Those that it begins with, in its first round, or that hold in a rematch once it is over."""

    def row_of(self, seat: int) -> RowView | None:
        """What is entered for a seat in the open round; None where it does not play in it."""
        rows = self.round.rows if self.round else ()
        return next((row for row in rows if row.head.seat == seat), None)


def game_page(loaded: LoadedGame, viewer: Viewer, overlay: RoundOverlay | None = None) -> GamePage:
    game, status, standings = loaded.game, loaded.status, standing_views(loaded)
    number, names = game.open_number, game.names
    shown_round = None if status.over else round_view(loaded, number, overlay, viewer)
    roles = status.dealer, status.first_player
    if any(one and game.seat(one).left_after is not None for one in roles):
        roles = None, None  # the round goes on without them
    mine = [seat.id for seat in game.seats if seat.holder_in(number).player == viewer.player]
    their_names = [names.get(one or 0, "") for one in roles]
    dealer, first_player = their_names
    return GamePage(
        bar=GameBar(
            key=loaded.key,
            name=loaded.name,
            round_number=None if status.over else number,
            deal_plan=plan_deal(game.variant, len(players_in(game, status.next_round))),
            has_turn_up=loaded.variant.turn_up,
            aim=None if loaded.variant.contracts else aim_in_words(loaded.variant),
            dealer=dealer,
            first_player=first_player,
            in_bar=names_within(_ROOM, their_names, names.values()),
            i_deal=roles[0] in mine,
            i_start=roles[1] in mine,
            reopenable_round=None if status.stopped else len(game.rounds) or None,
            may_score=viewer.may_score,
            keeps_score=game.keeps_score,
            may_switch_score=game.variant.score_is_optional and not status.over,
            stop_words=stop_words(loaded.variant),
            seats=seats_link(loaded.key, loaded.variant),
            row_order="standing" if viewer.by_standing else None,
            time_left=time_left_in_words(loaded),
        ),
        version=loaded.version,
        started_at=loaded.started_at,
        rounds_played=len(game.rounds),
        next_dealer=names.get(dealer_of(game, number + 1) or 0, ""),
        round=shown_round,
        standings=standings,
        over=status.over,
        next_game=next_game_of(loaded) if status.over else None,
        winners=winners_in_words([one.name for one in standings if one.won]),
        reason=status.reason,
        news=change_views(loaded, viewer.news),
        stop_kind=status.stopped,
        has_no_messages=overlay is None and not viewer.news,
        remarks=(*_absent(game, over=status.over), *score_remarks(game, status)),
        milestones=milestones_of(loaded) if status.over else (),
        house_rules=(house_rules_of_game(game) if status.over or not game.rounds else ()),
    )


def _absent(game: Game, *, over: bool) -> tuple[Phrase, ...]:
    """Who has a seat and does not play in the open round; nothing of a game that is over."""
    number = game.open_number
    away = [game.names[one.id] for one in game.seats if not (over or one.plays_in(number))]
    return (say("Absent this round: {names}", names=join_names(away)),) if away else ()


def next_game_of(loaded: LoadedGame) -> str | None:
    """The key of the game at which the players of one that is over are by now."""
    return next_game_key(db.session(), asker.group, loaded) if loaded.finished_at else None


@dataclass(frozen=True, slots=True)
class StopPage:
    """A game in progress, to be stopped."""

    key: str
    heading: Phrase
    leaders: Phrase | None
    """Who would win, if a round has ended."""
    result_reason: Phrase | None
    half_entered: int | None
    """The round that is left unfinished, if something is entered for it."""
    fault: Phrase | None
    idle_since: datetime | None
    """Since when nobody did anything, on the page of a game that was left alone for long."""


def stop_page(
    loaded: LoadedGame, fault: Phrase | None = None, touched: datetime | None = None
) -> StopPage:
    """What stopping a game now would come to."""
    would = game_status(replace(loaded.game, stopped="result")) if loaded.game.rounds else None
    names = [loaded.game.names[seat] for seat in would.winners] if would else []
    number = loaded.game.open_number
    entered = loaded.game.round(number)
    is_begun = entered.nobody_out or any(one != Entry(one.seat) for one in entered.entries)
    return StopPage(
        key=loaded.key,
        heading=stop_words(loaded.variant),
        leaders=join_names(names) if names else None,
        result_reason=would.reason if would else None,
        half_entered=number if is_begun else None,
        fault=fault,
        idle_since=touched,
    )


@dataclass(frozen=True, slots=True)
class SeatMenuView:
    """A seat of the game, what happened to it, and what its menu offers."""

    seat: int
    player: int
    """Who plays it, or did last."""
    name: str
    mark: Mark
    is_playing: bool
    is_leaving: bool
    """Its player left in the open round or one after it, which `seat_changes` do not say."""
    seat_changes: tuple[Phrase, ...]
    has_gone_out: bool
    """It is entered as going out in the open round."""
    is_asked_about: bool
    """The page was opened about this seat."""
    stand_in: str
    """Who may play it on: the name that was sent, or who took it first where another plays it."""
    return_effect: Phrase | None
    """What the player comes back to, who left."""


@dataclass(frozen=True, slots=True)
class StartChoice:
    """A contract or a score that a late joiner may begin with, and where that leads."""

    value: str
    words: Phrase
    effect: Phrase | None
    chosen: bool


@dataclass(frozen=True, slots=True)
class JoinerStart:
    """What a late joiner can begin with; no choices where the game needs none."""

    contracts: tuple[StartChoice, ...]
    scores: tuple[StartChoice, ...]
    score_is_asked: bool
    """Must it be chosen, since the rules leave it to the table?"""

    @property
    def chosen(self) -> list[Phrase]:
        """What is chosen so far, at first what is usual; no score where it must be chosen."""
        scores = () if self.score_is_asked else self.scores
        return [
            *(one.words for one in self.contracts if one.chosen),
            *(say("score {score}", score=one.words) for one in scores if one.chosen),
        ]


def seat_menu(
    game: Game, seat: Seat, asked: int | None, stand_in: str | None = None
) -> SeatMenuView:
    """What the page of who plays says of a seat; it was opened about the one `asked` for.

    `stand_in` is the name that was sent for that one.
    """
    number = game.open_number
    player, name = seat.holder_in(number).player, seat.holder_in(number).name
    there = seat.left_after is None
    first_holder = seat.name if seat.name != name else ""
    return SeatMenuView(
        seat=seat.id,
        player=player,
        name=name,
        mark=seat.holder_in(number).mark,
        is_playing=there,
        is_leaving=not there and not seat.has_left_by(number),
        seat_changes=tuple(seat_words(game, seat, number)),
        has_gone_out=game.round(number).entry_of(seat.id).went_out,
        is_asked_about=seat.id == asked,
        stand_in=first_holder if stand_in is None or seat.id != asked else stand_in,
        return_effect=None if there else _return(game, seat),
    )


def _return(game: Game, seat: Seat) -> Phrase | None:
    """What a player comes back to; None for who never played and begins like a late joiner."""
    number = game.open_number
    if seat.joined_in < number and not seat.has_played_before(number):
        return None
    event = player_returned_event(game, seat)
    standing = game_status(event.apply(game)).standing(seat.id)
    missed = say_plural("{count} missed round", "{count} missed rounds", event.rounds_missed)
    parts = []
    if standing.contract:
        parts.append(say("contract {number}", number=standing.contract))
    if standing.score is not None:
        parts.append(say("score {score}", score=standing.score))
    return join_phrases([missed, *parts] if event.rounds_missed or not parts else parts)


def joiner_start(game: Game, form: JoinForm) -> JoinerStart:
    """The contracts and scores that are offered to a late joiner.

    Of those that come to the same one is offered. Each says the place that it leads to beside what
    is chosen of the other.
    """
    rules = game.rules_now
    contracts, scores = usual_contracts(game), usual_scores(game)
    first = contracts[rules.joiner_contract]
    words = {
        "first": say("Contract {number}", number=contracts["first"]),
        "lowest": say("Contract {number}, the lowest", number=contracts["lowest"]),
        "zero": say("0"),
        "average": say("{score}, the average", score=scores["average"]),
        "highest": say("{score}, the highest", score=scores["highest"]),
    }
    usual_score = rules.joiner_score
    if usual_score == "ask" and (game.variant.score_is_optional or not game.rounds):
        usual_score = "zero"
    contract = form.chosen_start("contract") or rules.joiner_contract
    score = form.chosen_start("score")
    score = usual_score if score is None else score
    started = _number(contract, contracts, first), _number(score, scores, 0)
    return JoinerStart(
        tuple(
            StartChoice(name, words[name], _place(game, number, started[1]), name == contract)
            for name, number in _each_once(contracts, contract)
            if game.variant.progress == "individual"
        ),
        tuple(
            StartChoice(name, words[name], _place(game, started[0], number), name == score)
            for name, number in _each_once(scores, score)
            if rules.keeps_score
        ),
        score_is_asked=usual_score == "ask" and rules.keeps_score,
    )


def _each_once(usual: Mapping[str, int], chosen: int | str) -> list[tuple[str, int]]:
    """The usual ones without those that come to the same as what is chosen, or else as another."""
    names: dict[int, str] = {}
    for name in sorted(usual, key=lambda one: one != chosen):
        names.setdefault(usual[name], name)
    return [(name, number) for name, number in usual.items() if names[number] == name]


def _number(chosen: int | str, usual: Mapping[str, int], otherwise: int) -> int:
    """What a choice comes to; `otherwise` where it is none yet."""
    return chosen if isinstance(chosen, int) else usual.get(chosen, otherwise)


def _place(game: Game, contract: int, score: int) -> Phrase | None:
    """Where a late joiner would stand; None before any round was played."""
    if not game.rounds:
        return None
    seat = Seat(0, joined_in=game.open_number, starting_contract=contract, starting_score=score)
    status = game_status(replace(game, seats=(*game.seats, seat)))
    return say("place {place}", place=status.standing(0).place or 0)


def idle_page(loaded: LoadedGame) -> StopPage | None:
    """How the page offers to stop a game in progress that nobody has touched for long.

    None for any other game, and for who may not score.
    """
    now = datetime.now(UTC)
    if not asker.may_score or loaded.status.over or not is_idle(loaded.started_at, now):
        return None
    touched = last_change_times(db.session(), [loaded.id])[loaded.id]
    return stop_page(loaded, touched=touched) if is_idle(touched, now) else None
