"""What a player's games came to, in figures and charts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from sqlalchemy.orm import Session

from app.rules.phrases import Phrase, say, say_plural
from app.scorebook.statistics import ContractStats, PlayerSums, percent, sums_by, total
from app.store.queries.players import (
    PlacedGame,
    PlayerDetails,
    Rival,
    WinStreaks,
    contract_stats,
    last_games_of,
    player_contract_stats,
    rivals_of,
    streaks_of,
)
from app.store.queries.selection import GameSelection
from app.store.queries.trends import Month, PlayedMonth, months_of, others_chosen, rivalry_by_month
from app.web.game_parts.charts import (
    BarChart,
    LineChart,
    Series,
    bar_chart,
    by_period,
    ends_in_words,
    line_chart,
)
from app.web.game_parts.selection import GameFilter
from app.web.infrastructure import localization
from app.web.infrastructure.localization import format_day

_LAST_GAMES = 20


@dataclass(frozen=True, slots=True)
class Tile:
    """A number with what it says."""

    value: Phrase | str
    label: Phrase
    share: Phrase | None = None
    """What part of the whole the number is, beside it."""
    detail: Phrase | None = None
    """What is to be known besides, below what it says."""


@dataclass(frozen=True)
class PlayerStatistics:
    """What the games selected came to for a player."""

    months: Sequence[PlayedMonth]
    contract_stats: dict[str, list[ContractStats]]
    streaks: WinStreaks
    recent_games: Sequence[PlacedGame]
    rivals: Sequence[Rival]

    @cached_property
    def sums_by_variant(self) -> dict[str, PlayerSums]:
        """The sums in each rule set, the one most played first."""
        sums = sums_by((one.variant, one.sums) for one in self.months)
        return dict(sorted(sums.items(), key=lambda one: (-one[1].games, one[0])))

    @property
    def tried_variants(self) -> list[str]:
        """The rule sets whose contracts were tried, the one most played first."""
        played = [one for one in self.sums_by_variant if one in self.contract_stats]
        return played + [one for one in self.contract_stats if one not in played]

    @property
    def sums_by_year(self) -> dict[int, PlayerSums]:
        """The sums in each year, the first year first."""
        return sums_by((one.month[0], one.sums) for one in self.months)

    @property
    def places_by_month(self) -> dict[Month, tuple[int, int]]:
        """In how many games of a month the player had a place, and the sum of these places."""
        by_month = sums_by((one.month, one.sums) for one in self.months)
        return {month: (one.placed, one.place_sum) for month, one in by_month.items() if one.placed}


def player_statistics(
    session: Session, group: int, player: int, selection: GameSelection
) -> PlayerStatistics:
    """What the games selected came to for a player."""
    return PlayerStatistics(
        months=months_of(session, player, selection, others_chosen(selection, player)),
        contract_stats=contract_stats(
            player_contract_stats(session, group, selection, player=player)
        ),
        streaks=streaks_of(session, player, selection),
        recent_games=last_games_of(session, player, _LAST_GAMES, selection),
        rivals=rivals_of(session, player, selection),
    )


def tiles(statistics: PlayerStatistics, names: Mapping[str, str]) -> Sequence[Tile]:
    """What a player's games came to; `names` are those of the rule sets."""
    if not statistics.months:
        return ()
    sums, streaks = total([one.sums for one in statistics.months]), statistics.streaks
    left = sums.games - sums.placed
    found = [
        Tile(
            str(sums.games),
            say_plural("game", "games", sums.games),
            detail=say("{count} left early", count=left) if left else None,
        ),
        Tile(str(sums.wins), say_plural("win", "wins", sums.wins), _percent(sums.win_rate)),
        Tile(localization.format_decimal(sums.average_place), say("average place")),
        Tile(
            str(streaks.most_wins),
            say("longest winning streak"),
            detail=say(
                "now {count}, since {day}", count=streaks.wins_now, day=format_day(streaks.since)
            )
            if streaks.since
            else None,
        ),
    ]
    if sums.contract_rounds:
        laid = say_plural("contract laid down", "contracts laid down", sums.times_met)
        found.append(Tile(localization.format_number(sums.times_met), laid))
        found.append(Tile(_percent(sums.went_out_rate), say("rounds ended by going out")))
    if sums.penalty_rounds:
        points, paid = say("points a round"), localization.format_decimal(sums.average_penalty)
        if sums.contract_rounds:
            points = say("points a round when not going out")
        found.append(Tile(paid, points))
    if sums.bonus_count:
        earned = say_plural("from {count} bonus", "from {count} bonuses", sums.bonus_count)
        found.append(
            Tile(localization.format_number(sums.bonus), say("bonus points"), detail=earned)
        )
    tried = [
        (variant, one) for variant, stats in statistics.contract_stats.items() for one in stats
    ]
    variant, stuck = max(tried, key=lambda one: one[1].most_rounds, default=("", None))
    if stuck is not None and stuck.most_rounds > 1:
        where = say(
            "contract {number}, {variant}",
            number=stuck.number,
            variant=Phrase(names.get(variant, variant)),
        )
        most = str(stuck.most_rounds)
        found.append(Tile(most, say("most rounds on one contract"), detail=where))
    return found


def recent_games_chart(games: Sequence[PlacedGame]) -> BarChart | None:
    """The last games as bars, as high as the share of opponents who were not ahead.

    A game that was won has a full bar; last place, where nobody shares it, has the lowest, as has
    one that was left early.
    """
    if len(games) < 2:
        return None
    won = sum(one.won for one in games)
    bars = []
    for one in games:
        beaten = 0.0
        if one.place is not None and one.placed_count > 1:
            beaten = max(0, one.placed_count - one.place) / (one.placed_count - 1)
        bars.append((1.0 if one.won else beaten, one.won, placed_game_in_words(one)))
    places = [one.place for one in games if one.place is not None]
    words = say(
        "The last {count} games, the latest on the right: {won} won, average place {place}. "
        "The higher the bar, the fewer players were ahead.",
        count=len(games),
        won=won,
        place=localization.format_decimal(sum(places) / len(places) if places else None),
    )
    return bar_chart(words, bars)


def placed_game_in_words(game: PlacedGame) -> Phrase:
    """When a game ended, and on which place."""
    day = format_day(game.finished_at)
    if game.place is None:
        return say("{day}: left early", day=day)
    return say(
        "{day}: place {place} of {players}", day=day, place=game.place, players=game.placed_count
    )


def charts(
    details: PlayerDetails, game_filter: GameFilter, statistics: PlayerStatistics
) -> list[LineChart]:
    """How a player's place went over time, and how they stand with whom they are compared."""
    rivals = {one.id: one for one in statistics.rivals}
    against = (
        rivalry_chart(details, rivals[other], rivalry_by_month(statistics.months, number))
        for number, other in enumerate(others_chosen(game_filter.selection, details.id))
        if other in rivals
    )
    return [one for one in (places_chart(details, statistics.places_by_month), *against) if one]


def places_chart(
    details: PlayerDetails, months: Mapping[Month, tuple[int, int]]
) -> LineChart | None:
    """The average place month by month or year by year."""
    periods = by_period(months)
    if len(periods) < 2:
        return None
    averages = [places / games for games, places in periods.values()]
    words = say(
        "Average place, first on top: {first} in {start}, {last} in {end}.",
        first=localization.format_decimal(averages[0]),
        start=next(iter(periods)),
        last=localization.format_decimal(averages[-1]),
        end=list(periods)[-1],
    )
    series = [Series(details.name, details.mark, tuple(enumerate(averages)))]
    title = say("Place over time")
    return line_chart("places", title, words, series, labels=list(periods), of_places=True)


def rivalry_chart(
    details: PlayerDetails, rival: Rival, months: Mapping[Month, tuple[int, int]]
) -> LineChart | None:
    """How often each of two was ahead of the other, added up over time."""
    periods = by_period(months)
    if len(periods) < 2:
        return None
    ahead, behind = (
        tuple(enumerate(accumulate(counts))) for counts in zip(*periods.values(), strict=True)
    )
    series = [Series(details.name, details.mark, ahead), Series(rival.name, rival.mark, behind)]
    words = say("Games in which each finished ahead, added up: {ends}.", ends=ends_in_words(series))
    title = say("Head-to-head with {name}", name=rival.name)
    return line_chart(f"against-{rival.id}", title, words, series, labels=list(periods))


def _percent(share: float | None) -> Phrase:
    return say("{rate}%", rate=percent(share or 0))
