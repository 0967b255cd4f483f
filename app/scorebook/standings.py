"""How a game stands: each seat's contract, score and place, the next deal, the end.

A game runs on until a round ends it, even if all but one have left: others may still join, and a
win against nobody is for the table to declare.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.rules.phrases import Phrase, say
from app.scorebook.dealing import DealPlan, dealer_of, first_player_after, plan_deal, players_in
from app.scorebook.game import Game, Seat, Stop
from app.scorebook.history import EntryResult, RoundResult, round_results
from app.scorebook.progress import contract_tried
from app.scorebook.winning import Victory, victory, victory_if_stopped


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat stands.

    `contract` is the number it tries next, None if it finished all or left; `contracts_completed`
    how many it has completed; `score` None where none is kept; `place` 1 for the best, shared by
    ties, None for a seat that is not `present` (it left, or has not joined yet).
    """

    seat: int
    contract: int | None
    contracts_completed: int
    score: int | None
    place: int | None
    present: bool


@dataclass(frozen=True, slots=True)
class GameStatus:
    """How a game stands: a standing for each seat in dealing order, and what comes next.

    `dealer` and `first_player` are those of the next round, None if nobody is left to play it;
    in a game that is over they are those of a rematch. `reason` says by which rule the
    `winners` won, or that nobody did, since the game `stopped` without a result; it is None while
    the game runs. `not_counted` names round and seat of each penalty
    that nobody knew any more: the scores rest on that.
    """

    standings: tuple[Standing, ...]
    next_round: int
    dealer: int | None
    first_player: int | None
    deal_plan: DealPlan
    over: bool
    winners: tuple[int, ...]
    reason: Phrase | None
    not_counted: tuple[tuple[int, int], ...] = ()
    stopped: Stop | None = None
    corrections: tuple[tuple[int, int, int], ...] = ()
    """Round, seat and points of what the scores hold beside the rounds."""

    @property
    def has_result(self) -> bool:
        """Is the game over, and does what it came to count?"""
        return self.over and self.stopped != "no_result"

    def standing(self, seat: int) -> Standing:
        """The standing of a seat. Raises `KeyError` for a seat that is not in the game."""
        return {standing.seat: standing for standing in self.standings}[seat]

    @property
    def by_place(self) -> tuple[Standing, ...]:
        """The standings, best first; ties in dealing order, who is not present at the end."""
        return tuple(sorted(self.standings, key=lambda one: (one.place is None, one.place or 0)))


def game_status(game: Game) -> GameStatus:
    """How the game stands after its rounds."""
    records = round_results(game)
    next_round = len(records) + 1
    rows = [(record.number, row) for record in records for row in record.rows]
    last_rows = {row.seat: row for _number, row in rows}
    scores = {seat: score for record in records for seat, score in record.scores_after.items()}
    won = _victory(game, records)
    winners = won.winners if won else ()
    # Who played the round that ended the game belongs to the result, even if gone since.
    reference = next_round - 1 if won and records else next_round
    standings = tuple(
        _standing(game, seat, last_rows.get(seat.id), scores, reference, next_round)
        for seat in game.seats
    )
    dealer = dealer_of(game, next_round)
    return GameStatus(
        standings=_placed(game, standings, winners),
        next_round=next_round,
        dealer=dealer,
        first_player=first_player_after(game, dealer, next_round),
        deal_plan=plan_deal(game.variant, len(players_in(game, next_round))),
        over=won is not None,
        winners=winners,
        reason=won.reason if won else None,
        not_counted=tuple((number, row.seat) for number, row in rows if row.not_counted),
        stopped=game.stopped,
        corrections=tuple(
            (number, row.seat, row.correction) for number, row in rows if row.correction
        ),
    )


def _victory(game: Game, records: Sequence[RoundResult]) -> Victory | None:
    """Who won, if anybody can have; None while the game runs."""
    if game.stopped == "no_result":
        return Victory((), say("stopped without a result"))
    if not records:
        return None
    if records[-1].ends_game:
        return victory(game.variant, records[-1])
    return victory_if_stopped(game.variant, records[-1]) if game.stopped else None


def _standing(
    game: Game,
    seat: Seat,
    last: EntryResult | None,
    scores: Mapping[int, int | None],
    reference: int,
    next_round: int,
) -> Standing:
    """The standing of a seat, its place still open."""
    completed = last.contracts_completed if last else seat.starting_contract - 1
    score = scores.get(seat.id, seat.starting_score)
    next_tried = contract_tried(game.variant, completed, max(next_round, seat.joined_in))
    return Standing(
        seat=seat.id,
        contract=None if seat.has_left_by(reference) else next_tried,
        contracts_completed=completed,
        score=score if game.variant.scores else None,
        place=None,
        present=seat.plays_in(reference),
    )


def _placed(
    game: Game, standings: tuple[Standing, ...], winners: tuple[int, ...]
) -> tuple[Standing, ...]:
    ranks = {one.seat: _rank(game, one, winners) for one in standings if one.present}
    places = {
        seat: 1 + sum(better < rank for better in ranks.values()) for seat, rank in ranks.items()
    }
    return tuple(replace(one, place=places.get(one.seat)) for one in standings)


def _rank(game: Game, standing: Standing, winners: tuple[int, ...]) -> tuple[int, ...]:
    """What a place goes by, the lower the better; equal for a tie.

    Winners come first and share their place, whatever a score says that does not decide.
    """
    if standing.seat in winners:
        return (0,)
    score = standing.score or 0
    if game.variant.win == "lowest_score":
        return (1, score)
    return (1, -standing.contracts_completed, score)
