"""Charts as plain geometry; `components/charts.html` draws them in the page's own colors.

A chart always comes with words that say what it shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby, pairwise
from math import ceil, floor

from app.rules.phrases import Phrase, join_phrases, say, say_plural
from app.scorebook.marks import Mark
from app.scorebook.statistics import ContractSums
from app.store.queries.trends import Month
from app.web.game_parts.words import short_names
from app.web.infrastructure import localization

WIDTH, HEIGHT = 340, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 14, 10, 24
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000)
_MARK = 11
"""Marks at the ends of lines that would hide each other stand so far beside each other."""
_ALONG = 9
"""How wide a mark is that stands on the way of a line."""
_MOST_ALONG = 4
"""Fewer marks than this stand on the way of what one player held of a line."""
_DASH = 4
"""Lines that go the same way are seen in turns, so much of each."""

Point = tuple[float, float]
Dashes = tuple[str, str, int]
"""A stretch of a line, and how SVG dashes it: how long, and from where."""


@dataclass(frozen=True, slots=True)
class Series:
    """What one line shows: whose, and its values."""

    name: str
    mark: Mark
    values: tuple[tuple[int, float], ...]
    """(round, value), first what it began with, at the round before.

    Of a chart with labels: (label from 0, value).
    """
    last_in_words: str = ""
    """The last value, where it is not said in digits."""
    handed_over: tuple[tuple[Mark, int], ...] = ()
    """Who played before another took over, and up to which of the values."""
    holders: tuple[tuple[Mark, str], ...] = ()
    """All whose line it was, in the order of time; empty where it is one person's alone."""

    @property
    def ended(self) -> str:
        """The last value as it is said."""
        return self.last_in_words or value_in_digits(self.values[-1][1])


@dataclass(frozen=True, slots=True)
class ChartLine:
    """Whose a line is, where its mark stands, the last value."""

    holders: Sequence[tuple[Mark, str]]
    """In the order of time; the mark of the last stands at the end."""
    end: Point
    value: str
    handed_over: Sequence[tuple[Mark, Point]] = ()
    """Whose line it was up to there, before another took over."""


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over rounds, or over what the labels say."""

    id: str
    title: Phrase
    description: Phrase
    lines: Sequence[ChartLine]
    stretches: Sequence[tuple[Mark, str, Sequence[Dashes], int]]
    """Each drawn line, or the part of one that one player held: mark, points, where it is drawn in
    turns with others that go the same way, and how many others came before it in its color."""
    along: Sequence[tuple[Mark, Point]]
    """Marks on the way, by which lines are told apart whatever their colors."""
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    """Where on an axis, and what stands there."""
    more: Phrase | None = None
    """How many have no line; None where all have one."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    bottom: int = HEIGHT - _BOTTOM


def line_chart(
    id_: str,
    title: Phrase,
    description: Phrase,
    series: Sequence[Series],
    *,
    labels: Sequence[str] = (),
    of_places: bool = False,
    more: int = 0,
) -> LineChart:
    """Lines over rounds, or over what the `labels` say; `of_places` has the first place on top.

    So many `more` players have no line.
    """
    farthest = max((number for one in series for number, _value in one.values), default=1) or 1
    values = [value for one in series for _number, value in one.values] or [0]
    low, high, step = _scale(floor(min(*values, 0)), ceil(max(*values, 1)))
    if of_places:
        low, high, step = 1, max(2, ceil(max(values))), 1
    upward = (HEIGHT - _BOTTOM - _TOP) / (high - low)

    def height(value: float) -> float:
        return round(HEIGHT - _BOTTOM - (high - value if of_places else value - low) * upward, 1)

    ends = [one.values[-1] for one in series]
    beside = _beside([(number, height(value)) for number, value in ends])
    right = WIDTH - _RIGHT - _MARK * max(beside, default=0)
    across = (right - _LEFT) / farthest

    def point(at: tuple[int, float]) -> Point:
        return round(_LEFT + at[0] * across, 1), height(at[1])

    drawn = [[point(at) for at in one.values] for one in series]
    lines = [
        ChartLine(
            one.holders or ((one.mark, one.name),),
            (round(points[-1][0] + _MARK * column, 1), points[-1][1]),
            one.ended,
            [(mark, points[last]) for mark, last in one.handed_over],
        )
        for one, points, column in zip(series, drawn, beside, strict=True)
    ]
    held = [
        (mark, points[first : last + 1])
        for one, points in zip(series, drawn, strict=True)
        for (_before, first), (mark, last) in pairwise(
            [(one.mark, 0), *one.handed_over, (one.mark, len(points) - 1)]
        )
    ]
    dashes = _dashes([points for _mark, points in held])
    marks = list(dict.fromkeys(mark for mark, _points in held))
    stretches = [
        (
            mark,
            _joined(points),
            turns,
            sum(one.color == mark.color for one in marks[: marks.index(mark)]),
        )
        for (mark, points), turns in zip(held, dashes, strict=True)
    ]
    every = max(1, -(-farthest // (5 if labels else 7)))
    marked = range(0, farthest + 1, every) if labels else range(every, farthest + 1, every)
    return LineChart(
        id=id_,
        title=title,
        description=description,
        lines=lines,
        stretches=stretches,
        along=_along(held, [one.end for one in lines]),
        x_ticks=[
            (round(_LEFT + number * across, 1), labels[number] if labels else str(number))
            for number in marked
            if not labels or number < len(labels)
        ],
        y_ticks=[
            (height(value), localization.format_number(value))
            for value in range(low, high + 1, step)
        ],
        more=more_players(more),
        right=right,
    )


def more_players(number: int) -> Phrase | None:
    """How many players a list or a chart leaves out; None where it shows all."""
    if number <= 0:
        return None
    return say_plural("and {count} more player", "and {count} more players", number)


def _beside(ends: Sequence[tuple[int, float]]) -> list[int]:
    """How many widths each mark is moved right, so that none of the same round hides another."""
    found: list[int] = []
    for number, down in ends:
        taken = {
            column
            for (at, other), column in zip(ends, found, strict=False)
            if at == number and abs(other - down) < _MARK
        }
        found.append(next(one for one in count() if one not in taken))
    return found


def _along(
    held: Sequence[tuple[Mark, Sequence[Point]]], ends: Sequence[Point]
) -> list[tuple[Mark, Point]]:
    """A few marks on each line between its ends, where none hides another."""
    found: list[tuple[Mark, Point]] = []
    taken = list(ends)
    ways = []
    for place, (_mark, points) in enumerate(held):
        every = -(-len(points) // _MOST_ALONG)
        # Lines that go the same way have theirs at different points, spread over them.
        ways.append(
            [at for first in range(every) for at in points[1:-1][(place + first) % every :: every]]
        )
    for _turn in range(_MOST_ALONG - 1):
        for (mark, _points), way in zip(held, ways, strict=True):
            free = next((at for at in way if not any(_hides(at, one) for one in taken)), None)
            if free:
                found.append((mark, free))
                taken.append(free)
    return found


def _hides(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) < _ALONG and abs(one[1] - other[1]) < _ALONG


def _dashes(lines: Sequence[Sequence[Point]]) -> list[list[Dashes]]:
    """What each line shows in turns with those that go the same way and are drawn over it."""
    ways: dict[tuple[Point, Point], list[int]] = {}
    for place, points in enumerate(lines):
        for way in pairwise(points):
            ways.setdefault(way, []).append(place)
    found: list[list[Dashes]] = []
    for place, points in enumerate(lines):
        found.append([])
        for those, of in groupby(pairwise(points), key=lambda way: ways[way]):
            stretch = list(of)
            if place != those[-1]:
                turns = f"{_DASH} {_DASH * (len(those) - 1)}"
                shown = _joined([stretch[0][0], *(end for _start, end in stretch)])
                found[-1].append((shown, turns, -_DASH * those.index(place)))
    return found


def _joined(points: Sequence[Point]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def ends_in_words(series: Sequence[Series]) -> Phrase:
    """Who ended at what: "Anna 120, Ben 95 and Cleo 310"."""
    return join_phrases([say("{name} {value}", name=one.name, value=one.ended) for one in series])


def value_in_digits(value: float) -> str:
    """A value as the language writes it; a `float` with one digit after the point."""
    if isinstance(value, int):
        return localization.format_number(value)
    return localization.format_decimal(value)


_MOST_MONTHS = 24


def by_period(months: Mapping[Month, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Pairs of counts by month, with what to call it; by year where there are many months."""
    if len(months) <= _MOST_MONTHS:
        return {localization.format_month(*month): counts for month, counts in months.items()}
    years: dict[str, tuple[int, int]] = {}
    for (year, _month), (one, other) in months.items():
        before = years.get(str(year), (0, 0))
        years[str(year)] = before[0] + one, before[1] + other
    return years


def _scale(least: int, most: int) -> tuple[int, int, int]:
    """Round ends of an axis (beyond 50,000 any), and the step between its seven ticks at most."""
    span = max(1, most - least)
    step = next((one for one in _STEPS if span / one <= 5), -(-span // 5))
    return (least // step) * step, -(-most // step) * step, step


@dataclass(frozen=True, slots=True)
class BarChart:
    """How somebody did, game after game: the higher the bar, the fewer opponents were ahead."""

    title: Phrase
    description: Phrase
    bars: Sequence[tuple[float, float, bool, Phrase]]
    """Of each game: where, how high, was it won, and its label."""
    bar_width: float
    id: str = "form"
    width: int = WIDTH
    height: int = 96
    bottom: int = 80


def bar_chart(description: Phrase, shares: Sequence[tuple[float, bool, Phrase]]) -> BarChart:
    """Bars from the first game to the last: (share of opponents not ahead, won, label)."""
    slots = max(len(shares), 8)
    each = (WIDTH - 8) / slots
    bars = [
        (round(4 + place * each, 1), round(6 + 66 * share, 1), won, label)
        for place, (share, won, label) in enumerate(shares)
    ]
    return BarChart(say("Form"), description, bars, round(each * 0.72, 1))


HeatCell = tuple[float, str, int, Phrase]
"""A field of a heat map: where, what stands in it, how much of the color (0 to 5), its label."""


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Who needs how many rounds for which contract: the stronger the color, the more."""

    title: Phrase
    description: Phrase
    columns: Sequence[tuple[float, int]]
    rows: Sequence[tuple[float, str, str, Sequence[HeatCell]]]
    """How far down, whose, that name as it has room, and their fields."""
    cell_width: float
    height: int
    id: str = "heat"
    width: int = WIDTH
    row_height: int = 26


_NAMES_WIDTH = 92
_LEVELS = 5


def heat_map(description: Phrase, sums_of: Mapping[str, Mapping[int, ContractSums]]) -> HeatMap:
    """How many rounds a completion took, by player and contract."""
    contracts = sorted({number for of in sums_of.values() for number in of})
    across = (WIDTH - _NAMES_WIDTH) / max(1, len(contracts))
    each = [sums.rounds_each for of in sums_of.values() for sums in of.values()]
    known = [one for one in each if one is not None]
    least, most = min(known, default=0), max(known, default=0)

    def cell(name: str, number: int) -> HeatCell:
        x = round(_NAMES_WIDTH + contracts.index(number) * across, 1)
        sums = sums_of[name].get(number)
        if sums is None:
            return x, "", 0, say("{name}, contract {number}: –", name=name, number=number)
        value = sums.rounds_each
        if value is None:
            never = say("{name}, contract {number}: never completed", name=name, number=number)
            return x, "–", 0, never
        level = 1 + round((_LEVELS - 1) * (value - least) / ((most - least) or 1))
        text = localization.format_decimal(value)
        label = say(
            "{name}, contract {number}: average rounds {rounds}",
            name=name,
            number=number,
            rounds=text,
        )
        return x, text if across >= 18 else "", level, label

    rows = [
        (22 + 26 * place, name, short, [cell(name, number) for number in contracts])
        for place, (name, short) in enumerate(short_names(sums_of).items())
    ]
    columns = [
        (round(_NAMES_WIDTH + (place + 0.5) * across, 1), number)
        for place, number in enumerate(contracts)
    ]
    title, width, height = say("Who is stuck where"), round(across - 2, 1), 24 + 26 * len(rows)
    return HeatMap(title, description, columns, rows, width, height)
