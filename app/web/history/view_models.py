"""What the templates of the history are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.rules.phrases import Phrase, join_phrases, say, say_plural
from app.rules.rule_sets import family_rule_sets
from app.scorebook.statistics import ContractStats, hardest
from app.store.queries.history import GameListPage, ListedGame, ListedSeat
from app.store.queries.players import GroupRecord, ListedPlayer, RecordQuery
from app.web.games.seat_badges import badge_of
from app.web.history.forms import GameListQuery
from app.web.infrastructure import localization


@dataclass(frozen=True, slots=True)
class GameListPlayer:
    """Somebody who sat in a listed game."""

    name: str
    badge: int
    figure: int | None
    won: bool
    left: bool


@dataclass(frozen=True, slots=True)
class GameListItem:
    """A game in a list: what it is called, when it was, who sat there and how it ended."""

    key: str
    heading: Phrase | str
    variant: str
    titled: bool
    day: datetime
    rounds: int
    finished: bool
    archived: bool
    on_paper: bool
    players: tuple[GameListPlayer, ...]
    winners: Phrase | None
    stopped: Phrase | None
    deleted_at: datetime | None


def _figure(line: ListedGame, one: ListedSeat) -> int | None:
    """What stands beside a name: the score, or where none is kept the contracts completed."""
    if line.finished_at is None or line.stopped == "no_result":
        return None
    return one.completed if one.score is None and not line.on_paper else one.score


_STOPPED = {
    None: None,
    "result": say("stopped early"),
    "no_result": say("stopped without a result"),
}


def game_list_item(line: ListedGame) -> GameListItem:
    """A game in a list. The title is its heading, else who won, else the rule set."""
    finished = line.finished_at is not None
    won = winners_in_words(line.winners)
    return GameListItem(
        key=line.key,
        heading=line.title or won or line.variant_name,
        variant=line.variant_name,
        titled=bool(line.title),
        day=line.started_at,
        rounds=line.rounds,
        finished=finished,
        archived=line.archived,
        on_paper=line.on_paper,
        players=tuple(
            GameListPlayer(
                name=one.name,
                badge=badge_of(one.position),
                figure=_figure(line, one),
                won=one.won,
                left=finished and one.place is None and line.stopped != "no_result",
            )
            for one in line.sitters
        ),
        winners=won,
        stopped=_STOPPED[line.stopped],
        deleted_at=line.deleted_at,
    )


def winners_in_words(names: Sequence[str]) -> Phrase | None:
    """Who won; None where nobody did yet."""
    if not names:
        return None
    if len(names) == 1:
        return say("{name} wins!", name=names[0])
    return say(
        "{names} tie for the win!", names=join_phrases([say("{name}", name=one) for one in names])
    )


def variant_name(variant_id: str) -> str:
    """A rule set's name; its id where the app does not ship it any more."""
    found = family_rule_sets().get(variant_id)
    return found.name if found else variant_id


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of the history."""

    lines: tuple[GameListItem, ...]
    query: GameListQuery
    newer: str
    older: str
    """Marks of the pages beside this one; empty where there is none."""
    variants: tuple[tuple[str, str], ...]
    players: Sequence[ListedPlayer]

    @property
    def filtered(self) -> bool:
        """Does it show less than all games?"""
        return bool(self.query.address)


def history_page(
    query: GameListQuery, page: GameListPage, played: Sequence[str], people: Sequence[ListedPlayer]
) -> HistoryPage:
    """A page of the history, with what it can be narrowed to."""
    names = {one: variant_name(one) for one in played}
    if query.filter.variant:
        names.setdefault(query.filter.variant, variant_name(query.filter.variant))
    return HistoryPage(
        lines=tuple(game_list_item(one) for one in page.lines),
        query=query,
        newer=str(page.newer or ""),
        older=str(page.older or ""),
        variants=tuple(sorted(names.items(), key=lambda pair: pair[1])),
        players=people,
    )


@dataclass(frozen=True, slots=True)
class GroupRecordView:
    """A record of the group: which, the value that holds it, and the game."""

    title: Phrase
    value: Phrase
    key: str
    game: str
    day: datetime
    winners: Phrase | None


def group_record_view(title: Phrase, value: Phrase, record: GroupRecord) -> GroupRecordView:
    """A record with the game that holds it."""
    return GroupRecordView(
        title=title,
        value=value,
        key=record.key,
        game=record.title or variant_name(record.variant),
        day=record.finished_at,
        winners=winners_in_words(record.winners),
    )


def record_value(sought: RecordQuery, value: int) -> Phrase:
    """What a record was held with, in its own unit."""
    if sought.field == "seconds":
        return duration_in_words(value)
    if sought.field == "rounds":
        return say_plural("{count} round", "{count} rounds", value)
    if sought.by_points:
        return say_plural("{count} point", "{count} points", value)
    return say_plural("{count} contract", "{count} contracts", value)


def duration_in_words(seconds: int) -> Phrase:
    """How long something took: "47 minutes", "2 h 5 min", "3 days"."""
    minutes = seconds // 60
    if minutes < 60:
        return say_plural("{count} minute", "{count} minutes", max(1, minutes))
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return say("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return say_plural("{count} day", "{count} days", hours // 24)


@dataclass(frozen=True, slots=True)
class ContractView:
    """A contract's line in a table of how hard it is."""

    number: int
    words: Phrase | None
    kind: Phrase
    rounds: int
    rounds_each: str
    success: int | None
    """In percent."""
    hardest: bool


_KINDS = {"sets": say("sets"), "runs": say("runs"), "mixed": say("sets and runs")}


def kind_in_words(kind: str) -> Phrase:
    """What a kind of contract asks for."""
    return _KINDS[kind]


def contract_views(variant_id: str, records: Sequence[ContractStats]) -> tuple[ContractView, ...]:
    """The contracts of a rule set and what tries at them came to."""
    worst = hardest(records)
    found = family_rule_sets().get(variant_id)
    numbers = {one.number: one for one in found.contracts} if found else {}
    return tuple(
        ContractView(
            number=one.number,
            words=numbers[one.number].words if one.number in numbers else None,
            kind=kind_in_words(one.kind),
            rounds=one.sums.rounds,
            rounds_each=localization.format_decimal(one.sums.rounds_each),
            success=percent(one.sums.success_rate),
            hardest=one is worst and len(records) > 1,
        )
        for one in records
    )


def percent(share: float | None) -> int | None:
    """A share in whole percent."""
    return None if share is None else round(100 * share)


@dataclass(frozen=True, slots=True)
class RecordsPage:
    """The group's records and its hardest contracts, for one rule set or all."""

    games: int
    variant: str
    variants: Mapping[str, str]
    records: tuple[GroupRecordView, ...]
    contracts_of: str
    """The rule set that the contracts are of."""
    contracts: tuple[ContractView, ...]
