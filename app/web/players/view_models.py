"""What the templates of people are given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.rules.phrases import Phrase, say, say_plural
from app.scorebook.statistics import ContractStats, PlayerSums, total
from app.store.queries.players import PlacedGame, PlayerStreaks, Rival
from app.web.history.charts import BarChart, bar_chart
from app.web.history.view_models import (
    variant_name,
)
from app.web.infrastructure import localization
from app.web.infrastructure.localization import format_day

K = TypeVar("K", str, int)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it says."""

    value: Phrase | str
    label: Phrase
    note: Phrase | None = None


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """All that is read of a player."""

    sums: Mapping[tuple[str, int], PlayerSums]
    """By rule set and year."""
    contract_stats: dict[str, list[ContractStats]]
    streaks: PlayerStreaks
    recent_games: Sequence[PlacedGame]
    rivals: Sequence[Rival]

    @property
    def sums_by_variant(self) -> dict[str, PlayerSums]:
        """The sums in each rule set, the one most played first."""
        sums = self._grouped_sums(lambda variant, _year: variant)
        return dict(sorted(sums.items(), key=lambda one: (-one[1].games, one[0])))

    @property
    def tried_variants(self) -> list[str]:
        """The rule sets whose contracts were tried, the one most played first."""
        played = [one for one in self.sums_by_variant if one in self.contract_stats]
        return played + [one for one in self.contract_stats if one not in played]

    @property
    def sums_by_year(self) -> dict[int, PlayerSums]:
        """The sums in each year, the first year first."""
        return self._grouped_sums(lambda _variant, year: year)

    def _grouped_sums(self, key: Callable[[str, int], K]) -> dict[K, PlayerSums]:
        parts: dict[K, list[PlayerSums]] = {}
        for place, sums in self.sums.items():
            parts.setdefault(key(*place), []).append(sums)
        return {one: total(of) for one, of in parts.items()}


def figures(facts: PlayerFacts) -> Sequence[Figure]:
    """What a player's games came to, in figures."""
    sums = total(facts.sums_by_variant.values())
    if not sums.games:
        return ()
    streaks = facts.streaks
    found = [
        Figure(str(sums.games), say("game") if sums.games == 1 else say("games")),
        Figure(
            str(sums.wins),
            say("win") if sums.wins == 1 else say("wins"),
            _percent(sums.win_rate),
        ),
        Figure(localization.format_decimal(sums.average_place), say("average place")),
        Figure(
            str(streaks.most_wins),
            say("longest winning streak"),
            say("now {count}", count=streaks.wins_now),
        ),
    ]
    if sums.rounds:
        found.append(Figure(_percent(sums.went_out_rate), say("of rounds gone out")))
    if sums.penalty_rounds:
        found.append(
            Figure(
                localization.format_decimal(sums.average_penalty),
                say("points a round when not out"),
            )
        )
    if sums.bonus_count:
        earned = say_plural("from {count} bonus", "from {count} bonuses", sums.bonus_count)
        found.append(Figure(localization.format_number(sums.bonus), say("bonus points"), earned))
    tried = [(variant, one) for variant, stats in facts.contract_stats.items() for one in stats]
    variant, stuck = max(tried, key=lambda one: one[1].most_rounds, default=("", None))
    if stuck is not None and stuck.most_rounds > 1:
        where = say(
            "contract {number}, {variant}",
            number=stuck.number,
            variant=Phrase(variant_name(variant)),
        )
        found.append(Figure(str(stuck.most_rounds), say("most rounds on one contract"), where))
    return found


def recent_games_chart(games: Sequence[PlacedGame]) -> BarChart | None:
    """The last games as bars: as high as the share of opponents that were left behind."""
    if len(games) < 2:
        return None
    won = sum(one.won for one in games)
    bars = []
    for one in games:
        beaten = 0.0
        if one.place is None:
            label = say("{day}: left early", day=format_day(one.finished_at))
        else:
            if one.player_count > 1:
                beaten = max(0, one.player_count - one.place) / (one.player_count - 1)
            label = say(
                "{day}: place {place} of {players}",
                day=format_day(one.finished_at),
                place=one.place,
                players=one.player_count,
            )
        bars.append((1.0 if one.won else beaten, one.won, label))
    places = [one.place for one in games if one.place is not None]
    says = say(
        "The last {count} games, the latest on the right: {won} won, average place {place}. "
        "The higher the bar, the more players were left behind.",
        count=len(games),
        won=won,
        place=localization.format_decimal(sum(places) / len(places) if places else None),
    )
    return bar_chart("form", say("Form"), says, bars)


def _percent(share: float | None) -> Phrase:
    return say("{rate}%", rate=round(100 * (share or 0)))
