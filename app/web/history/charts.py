"""Charts as plain geometry; `components/charts.html` draws them in the page's own colours.

A chart always comes with words that say what it shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.rules.phrases import Phrase, join_phrases, say
from app.web.infrastructure import localization

WIDTH, HEIGHT = 340, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 14, 10, 24
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000)
_APART = 2.0
"""Lines that would hide each other are drawn so far apart."""


@dataclass(frozen=True, slots=True)
class Series:
    """What one line shows: whose, and a value before the first round and after each."""

    name: str
    badge_number: int
    values_by_round: tuple[tuple[int, int], ...]
    """(round, value); round 0 is the start."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A drawn line, its end, and the last value."""

    name: str
    badge_number: int
    points: str
    end: tuple[float, float]
    value: int


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over rounds."""

    id: str
    title: Phrase
    description: Phrase
    lines: Sequence[ChartLine]
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    """Where on an axis, and what stands there."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    bottom: int = HEIGHT - _BOTTOM


def line_chart(
    id_: str, title: Phrase, description: Phrase, series: Sequence[Series], *, apart: bool = False
) -> LineChart:
    """Lines over rounds; `apart` draws them a little beside each other, where values coincide."""
    rounds = (
        max((number for one in series for number, _value in one.values_by_round), default=1) or 1
    )
    values = [value for one in series for _number, value in one.values_by_round] or [0]
    low, high, step = _scale(min(*values, 0), max(*values, 1))
    across = (WIDTH - _RIGHT - _LEFT) / rounds
    upward = (HEIGHT - _BOTTOM - _TOP) / (high - low)

    def point(number: int, value: int, shift: float) -> tuple[float, float]:
        x = _LEFT + number * across
        y = HEIGHT - _BOTTOM - (value - low) * upward + shift
        return round(x, 1), round(y, 1)

    lines = []
    for place, one in enumerate(series):
        shift = (place - (len(series) - 1) / 2) * _APART if apart else 0.0
        points = [point(number, value, shift) for number, value in one.values_by_round]
        text = " ".join(f"{x},{y}" for x, y in points)
        lines.append(
            ChartLine(one.name, one.badge_number, text, points[-1], one.values_by_round[-1][1])
        )
    every = max(1, -(-rounds // 7))
    return LineChart(
        id=id_,
        title=title,
        description=description,
        lines=lines,
        x_ticks=[
            (round(_LEFT + number * across, 1), str(number))
            for number in range(every, rounds + 1, every)
        ],
        y_ticks=[
            (point(0, value, 0)[1], localization.format_number(value))
            for value in range(low, high + 1, step)
        ],
    )


def ends_in_words(series: Sequence[Series]) -> Phrase:
    """Who ended at what: "Anna 120, Ben 95 and Cleo 310"."""
    return join_phrases(
        [say("{name} {value}", name=one.name, value=one.values_by_round[-1][1]) for one in series]
    )


def _scale(least: int, most: int) -> tuple[int, int, int]:
    """Round ends of an axis, and the step between its marks, four to six of them."""
    span = max(1, most - least)
    step = next((one for one in _STEPS if span / one <= 5), -(-span // 5))
    return (least // step) * step, -(-most // step) * step, step


@dataclass(frozen=True, slots=True)
class Bar:
    """A game in a chart of form: how high."""

    x: float
    height: float
    won: bool
    label: Phrase


@dataclass(frozen=True, slots=True)
class BarChart:
    """How somebody did, game after game: the higher the bar, the more opponents were beaten."""

    id: str
    title: Phrase
    description: Phrase
    bars: tuple[Bar, ...]
    bar_width: float
    width: int = WIDTH
    height: int = 96
    bottom: int = 80


def bar_chart(
    id_: str, title: Phrase, description: Phrase, shares: Sequence[tuple[float, bool, Phrase]]
) -> BarChart:
    """Bars from the first game to the last: (share of opponents beaten, won, label)."""
    slots = max(len(shares), 8)
    each = (WIDTH - 8) / slots
    bars = tuple(
        Bar(round(4 + place * each, 1), round(6 + 66 * share, 1), won, label)
        for place, (share, won, label) in enumerate(shares)
    )
    return BarChart(id_, title, description, bars, round(each * 0.72, 1))
