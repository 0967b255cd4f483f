"""How a game stands: contract, score and place of each seat, the next deal, the end; who won, why.

A game runs on until a round ends it or the table stops it, however many have left. Stopping it
changes no place of who has played: what the table shows at that moment is the result.

Only who plays in the last round can win, or in the open one of a game that stopped. Whoever joined
for that one, which never came, has played nothing and has no place. Ties share the win. Where
contracts say who wins, a score that is kept only orders those who completed as many: behind the
winners, and at the top of a game that stopped, where whoever stands first has won. Where the table
has stopped keeping a score, none is shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.rules.phrases import Phrase, join_names, say, say_plural
from app.rules.variant import Variant
from app.scorebook.dealing import dealer_of, first_player_after, rematch_roles
from app.scorebook.game import Game, Seat, Stop
from app.scorebook.progress import contract_tried
from app.scorebook.round_results import (
    EntryResult,
    RoundResult,
    played_nothing,
    round_results,
    scores_now,
)

Victory = tuple[tuple[int, ...], Phrase | None]
"""The seats that won, in seating order, and why, or why none did; None while the game runs."""


def victory(variant: Variant, last: RoundResult, scores: Mapping[int, int]) -> Victory:
    """Who won a game that this round ended, by the scores as they are now."""
    if variant.places_by_score or variant.win == "lowest_finisher":
        entries = last.entries if variant.places_by_score else _furthest(last)
        ranks = {entry.seat: variant.score_rank(scores[entry.seat]) for entry in entries}
        best = min(ranks.values(), default=0)
        winners = tuple(seat for seat, rank in ranks.items() if rank == best)
    elif last.first_finisher is not None:
        winners = (last.first_finisher,)
    else:
        winners = last.finishers or tuple(entry.seat for entry in _furthest(last))
    reason = _finish_reason(variant, last) if last.finishers else _lead_reason(variant)
    return winners, reason


def _furthest(last: RoundResult) -> list[EntryResult]:
    most = max((entry.contracts_completed for entry in last.entries), default=0)
    return [entry for entry in last.entries if entry.contracts_completed == most]


def _lead_reason(variant: Variant, *, decides_among_equals: bool = False) -> Phrase:
    """Why those who lead do; the score may be what decides among equals."""
    if variant.places_by_score:
        return say("highest score") if variant.win == "highest_score" else say("lowest score")
    if decides_among_equals or variant.win == "lowest_finisher":
        return say("most contracts completed, then the lowest score")
    return say("most contracts completed")


def _finish_reason(variant: Variant, last: RoundResult) -> Phrase:
    """Why those won who did, where somebody completed the last contract in this round."""
    number = variant.last_contract
    if variant.places_by_score:
        by_contract = say("lowest score when contract {number} was laid down", number=number)
        return by_contract if variant.progress == "individual" else _lead_reason(variant)
    if variant.win == "lowest_finisher":
        return say("lowest score of those who completed contract {number}", number=number)
    if last.first_finisher is None:
        return say("completed contract {number} in the same round", number=number)
    if variant.win == "first_out_on_last":
        return say("first to go out on contract {number}", number=number)
    if number < len(variant.contracts):
        return say("first to complete contract {number}", number=number)
    return say_plural(
        "first to complete the contract", "first to complete all {count} contracts", number
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat stands.

    `contract` is the number it tries next, or would if the game went on, None if there is none, for
    who has left and, once the game is over, for a seat that is not `present`; `contracts_completed`
    how many it has behind it; `score` None where none is kept; `place` 1 for the best, shared by
    ties, None for a seat that is not `present`: that does not play the open round, did not play the
    one that ended the game, or joined one that stopped and played nothing.
    """

    seat: int
    contract: int | None
    contracts_completed: int
    score: int | None
    place: int | None
    present: bool


@dataclass(frozen=True, slots=True)
class GameStatus:
    """How a game stands: a standing for each seat in seating order, and what comes next.

    `dealer` and `first_player` are those of the next round, None if nobody is left to play it or
    nobody deals by these rules; in a game that is over they are those of a rematch. `reason` says
    by which rule the `winners` won, or that nobody did, since the game `stopped` without a result;
    it is None while the game runs. `not_counted` names round and seat of each penalty that the
    scores lack, since nobody knew it any more.
    """

    standings: tuple[Standing, ...]
    next_round: int
    dealer: int | None
    first_player: int | None
    over: bool
    winners: tuple[int, ...]
    reason: Phrase | None
    not_counted: tuple[tuple[int, int], ...] = ()
    stopped: Stop | None = None

    @property
    def has_result(self) -> bool:
        """Is the game over, and does what it came to count?"""
        return self.over and self.stopped != "no_result"

    def standing(self, seat: int) -> Standing:
        """The standing of a seat. Raises `KeyError` for a seat that is not in the game."""
        return {standing.seat: standing for standing in self.standings}[seat]

    @property
    def last_held(self) -> int:
        """The round whose holders give the seats their names in the standings.

        The open one, also where the table stopped, as the table saw it; else the one that ended
        the game.
        """
        ended = self.over and not self.stopped
        return max(1, self.next_round - 1) if ended else self.next_round

    @property
    def by_place(self) -> tuple[Standing, ...]:
        """The standings, best first; ties in seating order; last who is not present."""
        return tuple(sorted(self.standings, key=lambda one: (one.place is None, one.place or 0)))


def game_status(game: Game) -> GameStatus:
    """How the game stands after its rounds, up to the one that ends it."""
    results = round_results(game)
    next_round = len(results) + 1
    entries = [(one.number, entry) for one in results for entry in one.entries]
    last_entries = {entry.seat: entry for _number, entry in entries}
    scores = scores_now(game)
    ended = bool(results) and results[-1].ends_game
    over = ended or game.stopped is not None
    # Who played the round that ended the game belongs to the result, even if gone since.
    reference = next_round - 1 if ended else next_round
    standings = tuple(
        _standing(game, seat, last_entries.get(seat.id), scores[seat.id], reference, over=over)
        for seat in game.seats
    )
    winners, reason = victory(game.variant, results[-1], scores) if ended else ((), None)
    placed = _placed(game, standings, winners)
    if game.stopped:
        winners, reason = _stopped(game, placed, len(results))
    dealer = dealer_of(game, next_round)
    roles = dealer, first_player_after(game, dealer, next_round)
    if over:
        roles = rematch_roles(game, next_round)
    return GameStatus(
        standings=placed,
        next_round=next_round,
        dealer=roles[0],
        first_player=roles[1],
        over=over,
        winners=winners,
        reason=reason,
        not_counted=tuple(
            (number, entry.seat)
            for number, entry in entries
            if entry.not_counted and game.keeps_score
        ),
        stopped=game.stopped,
    )


def _stopped(game: Game, placed: tuple[Standing, ...], rounds: int) -> Victory:
    """Who won a game that stopped: who leads by the standings, unless it has no result."""
    if game.stopped == "no_result" or not rounds:
        return (), say("stopped without a result")
    ahead = [one for one in placed if one.place == 1]
    most = max((one.contracts_completed for one in placed if one.present), default=0)
    level = [one for one in placed if one.present and one.contracts_completed == most]
    reason = _lead_reason(game.variant, decides_among_equals=len(level) > len(ahead))
    if game.variant.has_end:
        reason = say("stopped early: {reason}", reason=reason)
    return tuple(one.seat for one in ahead), reason


def _standing(
    game: Game, seat: Seat, last: EntryResult | None, score: int, reference: int, *, over: bool
) -> Standing:
    """The standing of a seat by its last entry, its place still open."""
    completed = last.contracts_completed if last else seat.starting_contract - 1
    present = seat.plays_in(reference) and not played_nothing(game, seat)
    next_number = max(len(round_results(game)) + 1, seat.joined_in)
    gone = seat.has_left_by(reference) or (over and not present)
    return Standing(
        seat=seat.id,
        contract=None if gone else contract_tried(game.variant, completed, next_number),
        contracts_completed=completed,
        score=score if game.keeps_score else None,
        place=None,
        present=present,
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
    """What a place goes by, the lower the better; winners share the first, whatever they score."""
    if standing.seat in winners:
        return (0,)
    score = standing.score or 0
    if game.variant.places_by_score:
        return (1, game.variant.score_rank(score))
    return (1, -standing.contracts_completed, score)


def place_in_words(
    game: Game, status: GameStatus, seat: int, names: Mapping[int, str]
) -> Phrase | None:
    """A seat's place, who shares it, and what sets it apart from the next.

    None for a seat without a place, and where nobody else has one.
    """
    own = status.standing(seat)
    others = [one for one in status.by_place if one.place and one.seat != seat]
    if own.place is None or not others:
        return None
    shared = [names[one.seat] for one in others if one.place == own.place]
    why = _why(game, status, own, others, names)
    if not shared:
        return why and say("Place {place}: {why}.", place=own.place, why=why)
    with_whom = join_names(shared)
    if why is None:
        return say("Place {place}, tied with {names}.", place=own.place, names=with_whom)
    return say(
        "Place {place}, tied with {names}: {why}.", place=own.place, names=with_whom, why=why
    )


def _why(
    game: Game,
    status: GameStatus,
    own: Standing,
    others: list[Standing],
    names: Mapping[int, str],
) -> Phrase | None:
    """By which rule a seat won, unless the game stopped; else what parts it from another place.

    That is the next better one or, without one, the next behind; None where there is neither.
    """
    winners = () if game.stopped else status.winners
    if own.seat in winners:
        return status.reason
    apart = [one for one in others if one.place != own.place]
    if not apart:
        return None
    better = [one for one in apart if (one.place or 0) < (own.place or 0)]
    other = better[-1] if better else apart[0]
    level = other.contracts_completed == own.contracts_completed
    if other.seat in winners and level and game.variant.score_is_optional:
        return say("as many contracts as {name}, who won", name=names[other.seat])
    return _compared(own, other, names[other.seat], places_by_score=game.variant.places_by_score)


def _compared(own: Standing, other: Standing, name: str, *, places_by_score: bool) -> Phrase:
    """What a seat has more or less of than another, which has another place."""
    points = (own.score or 0) - (other.score or 0)
    contracts = 0 if places_by_score else own.contracts_completed - other.contracts_completed
    if contracts > 0:
        return say("more contracts than {name}", name=name)
    if contracts < 0:
        return say("fewer contracts than {name}", name=name)
    if not places_by_score:
        more = say("as many contracts as {name}, more points", name=name)
        return more if points > 0 else say("as many contracts as {name}, fewer points", name=name)
    more = say("more points than {name}", name=name)
    return more if points > 0 else say("fewer points than {name}", name=name)
