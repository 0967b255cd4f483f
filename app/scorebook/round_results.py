"""What each round of one game came to: contracts tried, points, and the state after it.

A game's rounds are gone through once, in order, up to the one that ends the game. Ended rounds
after that one (an edited round ended the game earlier) do not count. Where there are
contracts points count against a player, so a bonus is negative; without them the highest score may
win, and there are no bonuses.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from app.rules.variant import Variant
from app.scorebook.dealing import round_dealers
from app.scorebook.game import Game, Round, Seat
from app.scorebook.progress import (
    Attempt,
    attempts_by_round,
    attempts_in,
    finishers_among,
    first_finisher,
    is_finisher_exempt,
    round_ends_game,
)

BonusKind = Literal["go_out", "completion", "exact_deal"]


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points that a seat got for something, as they are added to its score (so -25 helps)."""

    kind: BonusKind
    points: int


def penalty_payers(variant: Variant, played: Round, tried: tuple[Attempt, ...]) -> tuple[int, ...]:
    """The seats for which the table must say points in this round, or that nobody knows them.

    Empty where no score is kept; without the seats that do not play, went out, or need not pay for
    the cards they still hold because they were first to lay down the last contract. Where several
    laid it and nobody has said yet who was first, all of them must.
    """
    if not variant.keeps_score:
        return ()
    finisher = first_finisher(played, finishers_among(variant, tried))
    exempt = exempt_seats(variant, tried, finisher)
    return tuple(attempt.seat for attempt in tried if attempt.seat not in exempt)


def exempt_seats(
    variant: Variant, tried: tuple[Attempt, ...], finisher: int | None
) -> frozenset[int | None]:
    """The seats that pay nothing: who went out and, where `is_finisher_exempt`, the finisher."""
    out = {attempt.seat for attempt in tried if attempt.entry.went_out}
    return frozenset(out | ({finisher} if is_finisher_exempt(variant, tried) else set()))


@dataclass(frozen=True, slots=True)
class EntryResult:
    """What a round came to for one seat.

    `contract` is the one tried (None if there was none), `laid_down` whether the seat laid it down
    (as `Entry.laid_down` says), `completed_contract` whether it was completed;
    `contracts_completed` how many are behind it after the round. `penalty` is what counts: 0 for
    who pays nothing, None for a blank; `not_counted` where the table let the blank stand. `points`
    are penalty, bonuses and what the seat's `buys` cost; `correction` those that were added to its
    score beside the round; `score_after` is the score with all of these. Where none are kept,
    penalty, points and score are None and `correction` is 0.
    """

    seat: int
    contract: int | None
    laid_down: bool
    completed_contract: bool
    went_out: bool
    penalty: int | None
    bonuses: tuple[Bonus, ...]
    points: int | None
    score_after: int | None
    contracts_completed: int
    not_counted: bool = False
    buys: int = 0
    correction: int = 0


@dataclass(frozen=True, slots=True)
class MissedRound:
    """A round that a seat missed between leaving and coming back, and the points for that.

    `correction` is in the score, as in `EntryResult`. Points and score are None where none is kept.
    """

    seat: int
    points: int | None
    score_after: int | None
    correction: int = 0


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a round came to, with the seats that played in seating order, and who missed it.

    `finishers` are the seats that have all contracts behind them, the last of them in this round,
    `first_finisher` the first of those (None if there is none, or nobody knows which);
    `ends_game` says that it ended the game.
    """

    number: int
    dealer: int | None
    entries: tuple[EntryResult, ...]
    finishers: tuple[int, ...]
    first_finisher: int | None
    ends_game: bool
    missed: tuple[MissedRound, ...] = ()

    @property
    def scores_after(self) -> dict[int, int | None]:
        """The score of each seat that played in it or missed it."""
        played = {row.seat: row.score_after for row in self.entries}
        return played | {one.seat: one.score_after for one in self.missed}


def round_results(game: Game) -> tuple[RoundResult, ...]:
    """What each round came to, in order, up to the one that ends the game."""
    if game.known_results is None:
        game.remember_results(_all_results(game))
    return game.known_results or ()


def before_round(game: Game, number: int) -> Game:
    """The game without the rounds from that number on; itself where there are none.

    With them go the corrections of rounds after that one, and that the game stopped.
    """
    rounds = game.rounds[: max(0, number - 1)]
    if len(rounds) == len(game.rounds):
        return game
    decisions = game.decisions.with_corrections_up_to(number)
    earlier = replace(game, rounds=rounds, stopped=None, decisions=decisions)
    earlier.remember_results(round_results(game)[: len(rounds)])
    return earlier


def round_attempts(game: Game, played: Round) -> tuple[Attempt, ...]:
    """What each seat of a round tried, in seating order, by the ended rounds before it."""
    earlier = before_round(game, played.number)
    results = round_results(earlier)
    completed = {row.seat: row.contracts_completed for one in results for row in one.entries}
    if len(results) < len(earlier.rounds):  # some were played after the game was over
        completed = {
            one.seat: one.completed_after for tried in attempts_by_round(earlier) for one in tried
        }
    return attempts_in(game, played, completed)


def _all_results(game: Game) -> tuple[RoundResult, ...]:
    completed: dict[int, int] = {}
    scores = {seat.id: seat.starting_score for seat in game.seats}
    corrections = game.decisions.correction_sums
    results: list[RoundResult] = []
    for played, dealer in zip(game.rounds, round_dealers(game), strict=False):
        tried = attempts_in(game, played, completed)
        added = {seat: corrections.get((played.number, seat), 0) for seat in scores}
        result = _round_result(game, played, tried, dealer, scores, added)
        results.append(result)
        if result.ends_game:
            break
        completed |= {row.seat: row.contracts_completed for row in result.entries}
        after = result.scores_after
        scores = {
            seat: score + added[seat] if known is None else known
            for seat, score in scores.items()
            for known in (after.get(seat),)
        }
    return tuple(results)


def rounds_after_end(game: Game) -> tuple[Round, ...]:
    """The ended rounds that do not count, since an earlier round ended the game."""
    return game.rounds[len(round_results(game)) :]


def is_over(game: Game) -> bool:
    """Has one of the rounds ended the game, or did the table stop?"""
    return game.stopped is not None or is_ended_by_round(game)


def played_nothing(game: Game, seat: Seat) -> bool:
    """Is the game over, and had rounds, but none that the seat played?"""
    results = round_results(game)
    entries = (entry for one in results for entry in one.entries)
    return bool(results) and is_over(game) and all(one.seat != seat.id for one in entries)


def is_ended_by_round(game: Game) -> bool:
    """Has one of the rounds ended the game, whether or not the table stopped?"""
    return any(one.ends_game for one in round_results(game)[-1:])


def _round_result(
    game: Game,
    played: Round,
    tried: tuple[Attempt, ...],
    dealer: int | None,
    scores: Mapping[int, int],
    corrections: Mapping[int, int],
) -> RoundResult:
    rules = game.rules_in(played.number)
    finishers = finishers_among(rules, tried)
    finisher = first_finisher(played, finishers)
    exempt = exempt_seats(rules, tried, finisher)
    entries = tuple(
        _entry_result(
            rules,
            attempt,
            score=scores[attempt.seat],
            correction=corrections[attempt.seat],
            is_exempt=attempt.seat in exempt,
            bonuses=_bonuses(rules, attempt, dealer, finisher),
        )
        for attempt in tried
    )
    result = RoundResult(
        number=played.number,
        dealer=dealer,
        entries=entries,
        finishers=finishers,
        first_finisher=finisher,
        ends_game=round_ends_game(rules, played.number, tried),
        missed=tuple(
            _missed_round(rules, seat.id, scores[seat.id], corrections[seat.id])
            for seat in game.seats
            if seat.misses(played.number)
        ),
    )
    return replace(result, ends_game=True) if _reaches_limit(rules, result) else result


def _reaches_limit(rules: Variant, result: RoundResult) -> bool:
    """Has a score come to the points at which the game ends?"""
    limit = rules.score_limit
    return limit > 0 and any((one or 0) >= limit for one in result.scores_after.values())


def scores_now(game: Game) -> Mapping[int, int]:
    """Each seat's score, with corrections of reopened rounds, too; unscored ones add nothing."""
    scores = {seat.id: (0, seat.starting_score) for seat in game.seats}
    for result in round_results(game):
        known = {seat: one for seat, one in result.scores_after.items() if one is not None}
        scores |= {seat: (result.number, one) for seat, one in known.items()}
    later = dict.fromkeys(scores, 0)
    for (number, seat), points in game.decisions.correction_sums.items():
        if seat in scores and number > scores[seat][0]:
            later[seat] += points
    return {seat: score + later[seat] for seat, (_number, score) in scores.items()}


def _missed_round(variant: Variant, seat: int, score: int, correction: int) -> MissedRound:
    points = variant.missed_round_points
    if not variant.keeps_score:
        return MissedRound(seat, None, None)
    return MissedRound(seat, points, score + points + correction, correction)


def _bonuses(
    rules: Variant, attempt: Attempt, dealer: int | None, finisher: int | None
) -> tuple[Bonus, ...]:
    """The bonuses of a seat in a round; they add up. Empty where no score is kept."""
    entry, seat = attempt.entry, attempt.seat
    offered: tuple[tuple[BonusKind, bool, int], ...] = (
        ("go_out", entry.went_out, rules.go_out_bonus),
        ("completion", seat == finisher, rules.completion_bonus),
        ("exact_deal", entry.exact_deal and seat == dealer, rules.exact_deal_bonus),
    )
    earned = (Bonus(kind, points) for kind, is_earned, points in offered if is_earned and points)
    return tuple(earned) if rules.keeps_score else ()


def _entry_result(
    rules: Variant,
    attempt: Attempt,
    *,
    score: int,
    correction: int,
    is_exempt: bool,
    bonuses: tuple[Bonus, ...],
) -> EntryResult:
    entry, is_scored = attempt.entry, rules.keeps_score
    penalty = (0 if is_exempt else entry.penalty) if is_scored else None
    bought = entry.buys * rules.buy_points
    points = (penalty or 0) + bought + sum(bonus.points for bonus in bonuses)
    return EntryResult(
        seat=attempt.seat,
        contract=attempt.contract,
        laid_down=entry.laid_down,
        completed_contract=attempt.completes_contract,
        went_out=entry.went_out,
        penalty=penalty,
        bonuses=bonuses,
        points=points if is_scored else None,
        score_after=score + points + correction if is_scored else None,
        contracts_completed=attempt.completed_after,
        not_counted=is_scored and penalty is None and entry.not_counted,
        buys=entry.buys,
        correction=correction if is_scored else 0,
    )
