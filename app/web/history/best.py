"""The best players of the games chosen: a line for each figure by which players compare."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from app.rules.phrases import Phrase, say, say_plural
from app.scorebook.statistics import PlayerSums, percent
from app.store.queries.players import ListedPlayer
from app.web.infrastructure import localization

MOST_NEEDED = 5
"""So many games, at most, a player needs for an average to count."""
LEAST_ROUNDS = 10
"""So many rounds a figure of rounds must be of: else one lucky round is 100%."""


@dataclass(frozen=True, slots=True)
class Best:
    """Who is best at something, several where they are level, and with what figure."""

    title: Phrase
    players: Sequence[ListedPlayer]
    value: Phrase


def best_players(
    players: Sequence[ListedPlayer], most_in_a_row: int, holders: Sequence[int]
) -> tuple[list[Best], int]:
    """The best among these players, of whom the `holders` won most games in a row.

    With from how many games on an average counts.
    """
    played = [one for one in players if one.sums.games]
    least = min(MOST_NEEDED, max((one.sums.games for one in played), default=0))
    often = [one for one in played if one.sums.games >= least]
    return list(_lines(played, often, most_in_a_row, holders)), least


def _lines(
    played: Sequence[ListedPlayer],
    often: Sequence[ListedPlayer],
    most_in_a_row: int,
    holders: Sequence[int],
) -> Iterator[Best]:
    if len(played) < 2:  # nobody to compare with
        return
    wins = max(one.sums.wins for one in played)
    if wins:
        first = [one for one in played if one.sums.wins == wins]
        yield Best(say("Most wins"), first, say_plural("{count} win", "{count} wins", wins))
    if most_in_a_row > 1:
        in_a_row = say_plural("{count} win in a row", "{count} wins in a row", most_in_a_row)
        holding = [one for one in played if one.id in holders]
        yield Best(say("Longest winning streak"), holding, in_a_row)
    for title, figure, sign, in_words in _AVERAGES:
        values = [(sign * value, one) for one in often if (value := figure(one.sums)) is not None]
        if len(values) > 1:
            best = min(value for value, _one in values)
            level = [one for value, one in values if value == best]
            yield Best(title, level, in_words(sign * best))


def _decimal(value: float) -> Phrase:
    return Phrase(localization.format_decimal(value))


def _share_of_rounds(value: float) -> Phrase:
    return say("{rate}% of rounds", rate=percent(value))


def _of_rounds(
    rounds: Callable[[PlayerSums], int], figure: Callable[[PlayerSums], float | None]
) -> Callable[[PlayerSums], float | None]:
    return lambda sums: figure(sums) if rounds(sums) >= LEAST_ROUNDS else None


_LAID_DOWN = _of_rounds(lambda one: one.contract_rounds, lambda one: one.met_rate)
_WENT_OUT = _of_rounds(lambda one: one.contract_rounds, lambda one: one.went_out_rate)
_LEFT = _of_rounds(lambda one: one.penalty_rounds, lambda one: one.average_penalty)
_AVERAGES: Sequence[
    tuple[Phrase, Callable[[PlayerSums], float | None], int, Callable[[float], Phrase]]
] = (
    (say("Best average place"), lambda one: one.average_place, 1, _decimal),
    (say("Lays down most often"), _LAID_DOWN, -1, _share_of_rounds),
    (say("Goes out most often"), _WENT_OUT, -1, _share_of_rounds),
    (say("Fewest points a round when not going out"), _LEFT, 1, _decimal),
)
"""What averages are compared: the least (1) or the most (-1) of a figure, and its words."""
