"""Games, rounds and standings over the interface."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial, wraps
from typing import Any, cast

from flask import Response, abort

from app.actions import games as act
from app.actions import rounds
from app.actions.games import StartPlan
from app.actions.groups import Role
from app.actions.players import correct_holder, hand_over_seat, join_game, leave_game
from app.actions.rounds import Confirmation
from app.exchange.files import serialize
from app.extensions import db
from app.rules.judge_questions import Plain
from app.rules.rule_sets import to_dict, with_house_rules
from app.scorebook.decisions import Correction
from app.scorebook.events.dealing import events_to_change_seats, events_to_choose_dealer
from app.scorebook.events.entries import EntryFields, SetEntry
from app.scorebook.events.games import events_to_keep_points
from app.scorebook.events.rounds import events_to_void
from app.scorebook.game import Entry, Round, with_all_entries
from app.scorebook.limits import Decision, Name, SeatId, SeatOrder
from app.scorebook.round_results import RoundResult, round_results
from app.store.queries.games import LoadedGame, game_id_in_group
from app.store.queries.history import PageCursor, WantedGames, games_page
from app.web.api import schemas
from app.web.api.errors import json_blueprint
from app.web.api.operations import operation
from app.web.infrastructure.access import current_game, in_game, in_group
from app.web.infrastructure.asker import asker
from app.web.infrastructure.downloads import export_response
from app.web.infrastructure.rate_limits import limits_documents
from app.web.rulesets.lookup import rule_set_or_404

games = json_blueprint("games")

_MOST_LISTED = 100


def _changes_game(
    method: str, path: str, *, status: int = 200
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a view of what changes a game; how the game stands then is the answer.

    What is asked of a round, but for a note, is refused with 409 where it is not the open one (to
    edit: has not ended; to reopen: is not the one that ended last), and its end or edit also where
    the game has moved on since `seen`.
    """

    def register(change: Callable[..., None]) -> Callable[..., None]:
        @wraps(change)
        def change_and_answer(*args: Any, **kwargs: Any) -> Plain:
            change(*args, **kwargs)
            return _standings()

        faults = [409] if "<int:number>" in path and not path.endswith("/note") else []
        declared: Any = {"answer": schemas.StandingsAnswer, "status": status, "faults": faults}
        operation(games, method, path, Role.SCORE, **declared)(change_and_answer)
        return change

    return register


@operation(games, "GET", "/games", Role.WATCH, answer=schemas.GameListAnswer)
def all_games(query: schemas.GamesQuery) -> Any:
    """Games of the group, newest first; `older` of one answer asks for the next."""
    wanted = WantedGames(state=query.state, search_text=query.words)
    beyond = PageCursor.read(query.older)
    page = games_page(db.session(), asker.group, wanted, _MOST_LISTED, beyond=beyond)
    return {"games": page.games, "older": str(page.older) if page.older else None}


@operation(games, "POST", "/games", Role.SCORE, answer=schemas.GameAnswer, status=201)
def start(body: schemas.NewGameBody) -> Plain:
    """Start a game."""
    rules = with_house_rules(rule_set_or_404(body.rule_set), body.house_rules)
    plan = StartPlan(rules, body.players, body.first_dealer)
    key = in_group(act.start_game, plan, accepted=frozenset(body.accepted))
    asker.game_if_any = game_id_in_group(db.session(), asker.group, key) or abort(404)
    return _game()


@operation(games, "GET", "/games/<key>", Role.WATCH, answer=schemas.GameAnswer)
def one_game(key: str) -> Plain:
    """A game as it stands, with the rules that it is played by."""
    return _game()


@operation(games, "GET", "/games/<key>/standings", Role.WATCH, answer=schemas.StandingsAnswer)
def standings(key: str) -> Plain:
    """How a game stands."""
    return _standings()


@operation(games, "GET", "/games/<key>/rounds", Role.WATCH, answer=list[schemas.RoundAnswer])
def all_rounds(key: str) -> list[RoundResult]:
    """The result of each round that has ended and counts."""
    return list(round_results(_loaded().game))


@_changes_game("PUT", "/games/<key>/rounds/<int:number>/rows/<int:seat>")
def set_row(body: schemas.RowBody, key: str, number: int, seat: int) -> None:
    """Set one row of the open round, as a value."""
    in_game(rounds.apply_tap, SetEntry(number, seat, cast("EntryFields", asdict(body))))


@_changes_game("POST", "/games/<key>/rounds/<int:number>/close")
def end_round(body: schemas.RoundBody, key: str, number: int) -> None:
    """End the open round with these rows and what was entered for the other seats."""
    in_game(rounds.end_round, *_entered(body, number))


@_changes_game("PUT", "/games/<key>/rounds/<int:number>")
def edit_round(body: schemas.RoundBody, key: str, number: int) -> None:
    """Edit a round that has ended; all later scores follow."""
    in_game(rounds.edit_round, *_entered(body, number))


@_changes_game("POST", "/games/<key>/rounds/<int:number>/undo")
def reopen_round(key: str, number: int) -> None:
    """Reopen the round that ended last."""
    in_game(rounds.reopen_round, number)


@_changes_game("POST", "/games/<key>/rounds/<int:number>/void")
def void_round(key: str, number: int, *, passed_on: bool = False, reason: Decision = "") -> None:
    """Have the open round dealt again, by the next player if the deal is `passed_on`."""
    void = partial(events_to_void, passed_on=passed_on, reason=reason)
    in_game(rounds.apply_decision, number, void)


@_changes_game("PUT", "/games/<key>/rounds/<int:number>/dealer")
def choose_dealer(key: str, number: int, *, seat: SeatId, once: bool = False) -> None:
    """Have another player deal the open round; it goes on from there unless it is for `once`."""
    dealer = partial(events_to_choose_dealer, seat=seat, once=once)
    in_game(rounds.apply_decision, number, dealer)


@_changes_game("PUT", "/games/<key>/rounds/<int:number>/seats")
def change_seats(key: str, number: int, *, order: SeatOrder) -> None:
    """Change the seats from the open round on; `order` has all who play, clockwise."""
    in_game(rounds.apply_decision, number, partial(events_to_change_seats, order=order))


@_changes_game("PUT", "/games/<key>/rounds/<int:number>/points")
def keep_points(key: str, number: int, *, keep: bool) -> None:
    """Keep points from the open round on, or none any more."""
    in_game(rounds.apply_decision, number, partial(events_to_keep_points, keep=keep))


@_changes_game("POST", "/games/<key>/reopen")
def reopen(key: str) -> None:
    """Let a game that was stopped go on; any other stays as it is, and is edited as it is."""
    in_game(act.play_on)


@_changes_game("POST", "/games/<key>/stop")
def stop(key: str, *, result: bool) -> None:
    """Stop a game before its end, with a result or without one."""
    in_game(act.stop_game, result=result)


@_changes_game("POST", "/games/<key>/players", status=201)
def join(body: schemas.PlayerBody, key: str) -> None:
    """Add a player from the open round on, or bring one back."""
    in_game(
        join_game,
        body.name,
        after=body.after,
        contract=body.usual_contract or body.contract,
        score=body.score if body.usual_score is None else body.usual_score,
    )


@_changes_game("PUT", "/games/<key>/players/<int:seat>")
def stand_in(key: str, seat: int, *, name: Name) -> None:
    """Let another player play a seat on from the open round."""
    in_game(hand_over_seat, seat, name)


@_changes_game("PUT", "/games/<key>/players/<int:seat>/holder")
def correct_holder_of(key: str, seat: int, *, name: Name, instead_of: Name = "") -> None:
    """Say who held a seat all along, `instead_of` who is said to, or holds it now."""
    in_game(correct_holder, seat, name, instead_of)


@_changes_game("DELETE", "/games/<key>/players/<int:seat>")
def leave(query: schemas.LeaveQuery, key: str, seat: int) -> None:
    """Let a player leave before the open round, or in the middle of it."""
    in_game(leave_game, seat, cards=query.cards)


@_changes_game("POST", "/games/<key>/corrections")
def correct_score(body: schemas.CorrectionBody, key: str) -> None:
    """Add points to a player's score from a round on, beside what was entered for it."""
    in_game(rounds.correct_score, Correction(**asdict(body)))


@_changes_game("DELETE", "/games/<key>/corrections")
def remove_correction(body: schemas.CorrectionBody, key: str) -> None:
    """Remove a correction."""
    in_game(rounds.remove_correction, Correction(**asdict(body)))


@_changes_game("PUT", "/games/<key>/rounds/<int:number>/note")
def note_round(key: str, number: int, *, note: Decision) -> None:
    """Write a line about a round, the open one or one before; a blank one removes it."""
    in_game(rounds.note_round, number, note)


@operation(games, "GET", "/export", Role.MANAGE, faults=[429])
@limits_documents
def export() -> Response:
    """The full backup of the group: the document that `flask export` writes."""
    return export_response(serialize, "application/json")


def _loaded() -> LoadedGame:
    """The game; 404 for one that was kept on paper, of which nothing but the result is known."""
    loaded = current_game()
    return abort(404) if loaded.results_only else loaded


def _standings() -> Plain:
    loaded = _loaded()
    status = loaded.status
    return {
        "version": loaded.version,
        "next_round": status.next_round,
        "dealer": status.dealer,
        "over": status.over,
        "stopped": status.stopped,
        "winners": status.winners,
        "reason": None if status.reason is None else str(status.reason),
        "standings": [asdict(one) | _holders(loaded, one.seat) for one in status.standings],
        "voids": loaded.game.decisions.voids,
        "not_counted": [{"round": number, "seat": seat} for number, seat in status.not_counted],
        "corrections": loaded.game.decisions.corrections,
        "notes": loaded.game.decisions.notes,
    }


def _holders(loaded: LoadedGame, seat_id: int) -> Plain:
    seat, last = loaded.game.seat(seat_id), loaded.status.last_held
    return {
        "player": loaded.game.names_in(last)[seat_id],
        "mark": seat.holder_in(last).mark,
        "taken_by": seat.name,
        "stand_ins": seat.stand_ins,
    }


def _game() -> Plain:
    loaded = _loaded()
    rules = to_dict(loaded.game.rules_now)
    return {"key": loaded.key, "started_at": loaded.started_at, "rules": rules, **_standings()}


def _entered(sent: schemas.RoundBody, number: int) -> tuple[Round, Confirmation]:
    """The round that was sent, the rows of other seats as they were entered; what is accepted."""
    rows = [Entry(**asdict(row)) for row in sent.rows]
    game = _loaded().game
    named = {entry.seat for entry in rows}
    others = [
        one for one in with_all_entries(game, game.round(number)).entries if one.seat not in named
    ]
    entered = Round(number, (*others, *rows), sent.first_down, sent.nobody_out)
    return entered, Confirmation(sent.seen, frozenset(sent.accepted), sent.reason)
