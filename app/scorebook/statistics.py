"""What a finished game came to, and what sums over many say of a player or a contract.

The facts of each game are stored and summed up when asked for. Where there is nothing to divide by,
there is no rate: None.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Literal, TypeVar

from app.rules.contracts import Contract
from app.rules.variant import Variant
from app.scorebook.game import Game, PastLine
from app.scorebook.round_results import EntryResult, RoundResult, round_results
from app.scorebook.standings import GameStatus, Standing, game_status

K = TypeVar("K")
ContractKind = Literal["sets", "runs", "mixed"]


def percent(share: float | Fraction) -> int:
    """A share in whole percent, halves rounded up: 5 of 8 are 63. Exact for parts up to 10,000."""
    return int(100 * Fraction(share).limit_denominator(10_000) + Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class ContractAttempts:
    """One player's rounds on one contract, on any seat, and whether one of them completed it."""

    contract: int
    kind: ContractKind
    rounds: int
    was_completed: bool


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """What a game came to for one player; `seat` is the one held at the end, or else last.

    `place` is None for who did not play to the end of a game with rounds (in a past result they are
    last), `score` where none is known; `won` where the result is another's, who took over: then it
    is no game of theirs, though what they played is. `penalty` adds up
    the points of the `penalty_rounds`: those by rules with contracts in which the player did not go
    out and the points are known, 0 for who need not pay; `bonus` the points of `bonus_count`
    bonuses, as they are added to the score (so -25 helps).
    """

    seat: int
    player: int
    place: int | None
    won: bool | None
    score: int | None
    contracts_completed: int = 0
    rounds: int = 0
    contract_rounds: int = 0
    """Those by rules with contracts."""
    times_met: int = 0
    times_went_out: int = 0
    penalty: int = 0
    penalty_rounds: int = 0
    bonus: int = 0
    bonus_count: int = 0
    contract_attempts: tuple[ContractAttempts, ...] = ()


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a game came to as a whole, and for each player.

    `margin` is by how much the winner was ahead of the next best, 0 where several won, `comeback`
    the farthest that the winner had been behind the best after some round: in points where they
    decide (`places_by_score`), else in contracts. None where there is nothing to compare with.
    `laid_at_once` are the contracts that everyone completed at the first attempt.
    """

    rounds: int
    places_by_score: bool
    margin: int | None
    comeback: int | None
    players: tuple[PlayerResult, ...]
    laid_at_once: tuple[int, ...] = ()


def kind_of(contract: Contract) -> ContractKind:
    """What a contract asks for: sets, runs, or both. A pair is a set."""
    kinds = {part.kind for part in contract.parts}
    if len(kinds) > 1:
        return "mixed"
    return "sets" if kinds == {"set"} else "runs"


def result_of(game: Game) -> GameResult | None:
    """What a game came to; None while it is not over, or where it stopped without a result.

    Places and winners are those of the standings; who neither played nor has a place is left out.
    What a stand-in played is the stand-in's; the result is of who holds the seat at the end.
    """
    if game.past_result is not None:
        return _past_result(game, game.past_result["players"])
    stands = game_status(game)
    if not stands.has_result:
        return None
    results = round_results(game)
    places_by_score = game.variant.places_by_score
    entries, held = _entries_by_player(game, results), _places_by_player(game, stands)
    players = tuple(
        _player_result(game, stands, player, entries.get(player, []), held.get(player))
        for player in sorted({*entries, *held})
    )
    return GameResult(
        rounds=len(results),
        places_by_score=places_by_score,
        margin=_margin(
            (one.seat in stands.winners, _rank(game.variant, one.score, one.contracts_completed))
            for one in stands.standings
            if one.present
        ),
        comeback=_comeback(game.variant, results, stands.winners),
        players=players,
        laid_at_once=_laid_at_once(players),
    )


def _laid_at_once(players: Sequence[PlayerResult]) -> tuple[int, ...]:
    at_once = (
        {one.contract for one in player.contract_attempts if one.rounds == 1 and one.was_completed}
        for player in players
    )
    return tuple(sorted(set.intersection(*at_once))) if players else ()


def _places_by_player(game: Game, stands: GameStatus) -> dict[int, Standing]:
    """The standing that each player who has a place holds at the end."""
    return {
        game.seat(one.seat).holder_in(stands.last_held).player: one
        for one in stands.standings
        if one.place is not None
    }


def _entries_by_player(game: Game, results: Sequence[RoundResult]) -> dict[int, list[EntryResult]]:
    """What each player played, round after round, on whichever seat."""
    seats = {seat.id: seat for seat in game.seats}
    found: dict[int, list[EntryResult]] = {}
    for played in results:
        for entry in played.entries:
            player = seats[entry.seat].holder_in(played.number).player
            found.setdefault(player, []).append(entry)
    return found


def _past_result(game: Game, lines: Sequence[PastLine]) -> GameResult:
    """What a game with results only came to. Place 1 has won."""
    results = tuple(
        PlayerResult(seat.id, seat.player, line["place"], line["place"] == 1, line["score"])
        for seat, line in zip(game.seats, lines, strict=True)
    )
    by_score = game.variant.places_by_score
    is_known = by_score and all(one.score is not None for one in results)
    is_tie = sum(one.place == 1 for one in results) > 1
    margin = _margin((one.place == 1, _rank(game.variant, one.score, 0)) for one in results)
    return GameResult(
        rounds=0,
        places_by_score=by_score,
        margin=margin if is_known or is_tie else None,
        comeback=None,
        players=results,
    )


def _player_result(
    game: Game,
    stands: GameStatus,
    player: int,
    entries: Sequence[EntryResult],
    held: Standing | None,
) -> PlayerResult:
    """What a player came to, by entries and the standing that they hold at the end, if any."""
    seat = held.seat if held else entries[-1].seat
    with_contracts = entries if game.variant.contracts else ()
    paid = [
        entry.penalty
        for entry in with_contracts
        if not entry.went_out and entry.penalty is not None
    ]
    bonuses = [bonus.points for entry in entries for bonus in entry.bonuses]
    standing = held or _standing_of_who_left(game, stands, player, entries[-1])
    return PlayerResult(
        seat=seat,
        player=player,
        place=held.place if held else None,
        won=(held is not None and seat in stands.winners) if standing else None,
        score=standing.score if standing else entries[-1].score_after,
        contracts_completed=(standing or entries[-1]).contracts_completed,
        rounds=len(entries),
        contract_rounds=len(with_contracts),
        times_met=sum(entry.laid_down for entry in entries),
        times_went_out=sum(entry.went_out for entry in entries),
        penalty=sum(paid),
        penalty_rounds=len(paid),
        bonus=sum(bonuses),
        bonus_count=len(bonuses),
        contract_attempts=_attempts(game.variant, entries),
    )


def _standing_of_who_left(
    game: Game, stands: GameStatus, player: int, last: EntryResult
) -> Standing | None:
    """The standing of the seat that a player was the last to play; None where another went on."""
    seat = game.seat(last.seat)
    last_holder = seat.holder_in(stands.last_held)
    return stands.standing(seat.id) if last_holder.player == player else None


def _attempts(variant: Variant, entries: Sequence[EntryResult]) -> tuple[ContractAttempts, ...]:
    rounds = Counter(entry.contract for entry in entries if entry.contract is not None)
    completed = {entry.contract for entry in entries if entry.completed_contract}
    return tuple(
        ContractAttempts(number, kind_of(variant.contract(number)), count, number in completed)
        for number, count in sorted(rounds.items())
    )


def _rank(variant: Variant, score: int | None, contracts_completed: int) -> int:
    """What is compared of who plays, the lower the better: points where they decide."""
    return variant.score_rank(score or 0) if variant.places_by_score else -contracts_completed


def _margin(ranks: Iterable[tuple[bool, int]]) -> int | None:
    """By how much the winner was ahead, of players who won or not and their ranks."""
    won, others = list[int](), list[int]()
    for has_won, rank in ranks:
        (won if has_won else others).append(rank)
    if len(won) > 1:
        return 0
    return max(0, min(others) - won[0]) if won and others else None


def _comeback(
    variant: Variant, results: Sequence[RoundResult], winners: tuple[int, ...]
) -> int | None:
    behind = list[int]()
    for played in results:
        ranks = {
            entry.seat: _rank(variant, entry.score_after, entry.contracts_completed)
            for entry in played.entries
        }
        behind += [ranks[seat] - min(ranks.values()) for seat in winners if seat in ranks]
    return max(behind, default=None)


@dataclass(frozen=True, slots=True)
class PlayerSums:
    """A player's finished games, summed up; of `games` only those with a result of theirs."""

    games: int = 0
    wins: int = 0
    placed: int = 0
    place_sum: int = 0
    rounds: int = 0
    contract_rounds: int = 0
    times_met: int = 0
    times_went_out: int = 0
    penalty: int = 0
    penalty_rounds: int = 0
    bonus: int = 0
    bonus_count: int = 0

    @property
    def win_rate(self) -> float | None:
        """Wins of all finished games; a shared win is a win."""
        return _share(self.wins, self.games)

    @property
    def average_place(self) -> float | None:
        """The mean place in the games played to their end."""
        return _share(self.place_sum, self.placed)

    @property
    def went_out_rate(self) -> float | None:
        """Rounds in which the player went out, of those with contracts."""
        return _share(self.times_went_out, self.contract_rounds)

    @property
    def met_rate(self) -> float | None:
        """Rounds in which the player laid down the contract, of those with contracts."""
        return _share(self.times_met, self.contract_rounds)

    @property
    def average_penalty(self) -> float | None:
        """The mean of `penalty` in the `penalty_rounds` (as in `PlayerResult`)."""
        return _share(self.penalty, self.penalty_rounds)


@dataclass(frozen=True, slots=True)
class ContractSums:
    """Attempts at one contract, or at one kind of contract, summed up.

    `games` counts how often somebody began it, `rounds` the rounds in which it was tried.
    """

    games: int = 0
    rounds: int = 0
    completed: int = 0

    @property
    def success_rate(self) -> float | None:
        """How many of the rounds tried completed it."""
        return _share(self.completed, self.rounds)

    @property
    def rounds_each(self) -> float | None:
        """How many rounds one completion took."""
        return _share(self.rounds, self.completed)


@dataclass(frozen=True, slots=True)
class ContractStats:
    """What the attempts at a numbered contract of a rule set came to."""

    number: int
    kind: ContractKind
    sums: ContractSums
    most_rounds: int = 0
    """The most rounds that somebody tried it in one game, completed or not."""


Sums = TypeVar("Sums", PlayerSums, ContractSums)


def sums_by(parts: Iterable[tuple[K, Sums]]) -> dict[K, Sums]:
    """The sums that stand with the same key, added up."""
    found: dict[K, list[Sums]] = {}
    for key, sums in parts:
        found.setdefault(key, []).append(sums)
    return {key: total(of) for key, of in found.items()}


def total(parts: Sequence[Sums]) -> Sums:
    """Several sums in one."""
    names = [one.name for one in fields(parts[0])]
    return type(parts[0])(*(sum(getattr(one, name) for one in parts) for name in names))


def hardest(stats: Iterable[ContractStats]) -> ContractStats | None:
    """The contract that takes the most rounds for each completion; None on a tie.

    One that nobody completed yet is harder than all others. What was begun only once, or cannot be
    compared with another, says nothing of that.
    """
    ordered = sorted((one for one in stats if one.sums.games > 1), key=_hardness)
    hardnesses = {_hardness(one) for one in ordered[-2:]}
    return ordered[-1] if len(hardnesses) > 1 else None


def hardest_first(stats: Iterable[ContractStats]) -> list[ContractStats]:
    """By the rounds that each completion takes, the most first; last what was begun only once."""
    return sorted(stats, key=lambda one: (one.sums.games > 1, _hardness(one)), reverse=True)


def _hardness(stats: ContractStats) -> tuple[float, int]:
    each = stats.sums.rounds_each
    return (float("inf"), stats.sums.rounds) if each is None else (each, 0)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
