"""How long a game takes and goes on, in words: a range of minutes, and its middle."""

from collections.abc import Callable
from datetime import datetime, timedelta
from math import ceil, floor
from typing import NamedTuple

from app.extensions import db
from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant
from app.scorebook.lengths import Span, game_length, length_left
from app.store.queries.games import LoadedGame, known_lengths
from app.web.infrastructure.asker import asker

_USUAL_PLAYERS = 4
_IDLE = timedelta(days=7)


def is_idle(touched: datetime, now: datetime) -> bool:
    """Was a game in progress left alone for so long that it may never be played on?"""
    return now - touched >= _IDLE


def length_in_words(rules: Variant, seated: int) -> Phrase | None:
    """How long a game by these rules takes those who are seated, or as many as usually play.

    None where nobody knows.
    """
    usual = min(max(rules.players_min, _USUAL_PLAYERS), rules.players_max)
    players = seated if seated > 1 else usual
    group = asker.group_if_any
    known = known_lengths(db.session(), group, rules.id) if group else ()
    length = game_length(rules, players, known)
    if length is None:
        return None
    return say(
        "About {rounds} and {middle} for {players} ({time})",
        rounds=_rounds_in_words(length.rounds),
        middle=_time_in_words(length.minutes.middle),
        time=minutes_in_words(length.minutes),
        players=say_plural("{count} player", "{count} players", players),
    )


class TimeLeft(NamedTuple):
    """How long a game goes on, about."""

    about: Phrase
    likely: Phrase
    """The range that holds in eight of ten games."""


def time_left_in_words(loaded: LoadedGame) -> TimeLeft | None:
    """How long a game goes on from the beginning of the open round.

    None if it is over, or nobody knows.
    """
    if loaded.status.over:
        return None
    known = known_lengths(db.session(), asker.group, loaded.variant.id)
    left = length_left(loaded.game, loaded.status, known, loaded.round_seconds)
    if left is None:
        return None
    about = say("about {time} left", time=_time_in_words(left.minutes.middle))
    return TimeLeft(about, say("{time} left", time=minutes_in_words(left.minutes)))


def _rounds_in_words(rounds: Span) -> Phrase:
    low, high = int(rounds.low), int(rounds.high)
    if low == high:
        return say_plural("{count} round", "{count} rounds", high)
    return say("{low}–{high} rounds", low=low, high=high)


def _time_in_words(minutes: float) -> Phrase:
    """A time, rounded: "40 min", "2½ h"."""
    middle = max(5, _rounded(minutes, round))
    if middle < 60:
        return say("{count} min", count=middle)
    return say("{count} h", count=_hours(middle))


def minutes_in_words(minutes: Span) -> Phrase:
    """A range of time: "25–40 min", "45 min–1¼ h", "1¾–2 h"."""
    low, high = max(5, _rounded(minutes.low, floor)), max(10, _rounded(minutes.high, ceil))
    if high < 60:
        return say("{low}–{high} min", low=low, high=high)
    if low < 60:
        return say("{low} min–{high} h", low=low, high=_hours(high))
    return say("{low}–{high} h", low=_hours(low), high=_hours(high))


def _rounded(minutes: float, to_whole: Callable[[float], int]) -> int:
    """In steps of 5 minutes, of a quarter of an hour from an hour on, of half an hour from four."""
    step = 5 if minutes < 60 else 15 if minutes < 240 else 30
    return step * to_whole(minutes / step)


def _hours(minutes: int) -> Phrase:
    """So many hours: "2¼". A translation may say the unit here, "2 h 15", and not behind it."""
    hours, rest = divmod(minutes, 60)
    quarters = (
        say("{hours}", hours=hours),
        say("{hours}¼", hours=hours),
        say("{hours}½", hours=hours),
        say("{hours}¾", hours=hours),
    )
    return quarters[rest // 15]
