"""What the templates of the history are given."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy.orm import Session

from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import SCORE_WINS
from app.rules.verdicts import RecordedVerdict
from app.scorebook.marks import Mark
from app.store.queries.group_records import (
    GameTally,
    GroupRecord,
    RecordQuery,
    RecordUnit,
    group_records,
)
from app.store.queries.history import ListedGame, ListedSeat
from app.store.queries.rulings import ListedRuling
from app.store.queries.search import TextKind
from app.store.queries.selection import GameSelection
from app.web.game_parts.standings import Figure, score_and_contracts, winners_in_words
from app.web.game_parts.words import asked_cards, shown_verdict, verdict_in_words


@dataclass(frozen=True, slots=True)
class ListedSeatView:
    """Somebody who sat in a listed game; `figures` stand beside the name."""

    name: str
    mark: Mark
    figures: Sequence[Figure]
    has_left: bool
    shared_with: Phrase | None
    """Who else played the seat, if anybody did."""


_STOPPED = {
    None: None,
    "result": say("stopped early"),
    "no_result": say("stopped without a result"),
}


_PLACES: Mapping[TextKind, str] = {
    "notes": "note-{number}",
    "voids": "dealing",
    "corrections": "score-corrections",
    "rulings": "ruling-{ruling}",
}
"""Where in a record the texts of each kind stand, by their round or ruling."""


@dataclass(frozen=True, slots=True)
class ListedGameView:
    """A game in a list, with who sat there and how it ended."""

    game: ListedGame

    @property
    def heading(self) -> Phrase | str:
        """The title, else who won, else the rule set."""
        return self.game.title or self.winners or self.game.variant_name

    @property
    def winners(self) -> Phrase | None:
        return winners_in_words(self.game.winners)

    @property
    def stop_in_words(self) -> Phrase | None:
        """How it was stopped; not said of a result where only the table could end the game."""
        if self.game.stopped == "result" and not self.game.has_end:
            return None
        return _STOPPED[self.game.stopped]

    @property
    def anchor(self) -> str:
        """Where in its record the text stands in which words were found."""
        found = self.game.found_text
        if found is None or not found.number:  # the game's own note stands at the top
            return ""
        return f"#{_PLACES[found.kind].format(number=found.number, ruling=found.ruling)}"

    @property
    def players(self) -> list[ListedSeatView]:
        """Who sat there, each with the points, where known; before them contracts that decided."""
        has_result = self.game.finished_at is not None and self.game.stopped != "no_result"
        return [
            ListedSeatView(
                one.name,
                one.mark,
                self._reached(one) if has_result else (),
                has_left=has_result and one.place is None,
                shared_with=_shared_with(one),
            )
            for one in self.game.seats
        ]

    def _reached(self, seat: ListedSeat) -> Sequence[Figure]:
        by_score = self.game.win in SCORE_WINS
        decides = 0 if self.game.results_only or by_score else self.game.last_contract
        return score_and_contracts(
            seat.score, seat.contracts_completed, decides, places_by_score=by_score
        )


def _shared_with(seat: ListedSeat) -> Phrase | None:
    names = ", ".join(seat.taken_over_from)
    if not names:
        return None
    if seat.has_own_seat:
        return say("stand-in: {names}", names=names)
    return say("took over from {names}", names=names)


@dataclass(frozen=True, slots=True)
class RulingView:
    """A recorded ruling: what was asked, and what the rules said."""

    recorded: ListedRuling

    @property
    def cards(self) -> Phrase | None:
        """Those that were asked about, if any were."""
        return asked_cards(self.recorded.question)

    @property
    def said(self) -> Phrase:
        """Whose verdict it was, and the verdict."""
        return verdict_in_words(self.recorded.question, self.verdict.message)

    @property
    def verdict(self) -> RecordedVerdict:
        return shown_verdict(self.recorded.recorded_verdict, self.recorded.verdict)


def round_anchor(number: int | None) -> str:
    """Where a round stands in the record of its game; empty for none."""
    return f"#round-{number}" if number else ""


@dataclass(frozen=True, slots=True)
class GroupRecordView:
    """A record of the group: which, the value that holds it, and the game."""

    title: Phrase
    sought: RecordQuery
    record: GroupRecord
    rule_set: str
    """By which that game was played."""

    @property
    def value(self) -> Phrase:
        """What it was held with, in its own unit."""
        return record_value(
            self.sought,
            self.record.value,
            self.record.points_apart,
            is_tie=len(self.record.winners) > 1,
        )

    @property
    def anchor(self) -> str:
        """Where in that game's record to look."""
        return round_anchor(self.record.round_number)

    @property
    def game_name(self) -> str:
        """The game that holds it."""
        return self.record.game_title or self.rule_set

    @property
    def winners(self) -> Phrase | None:
        return winners_in_words(self.record.winners)


def _sought(point_rule_sets: Sequence[str]) -> Iterator[tuple[Phrase, RecordQuery]]:
    yield say("Fastest game"), RecordQuery("seconds", "seconds")
    yield say("Longest game"), RecordQuery("seconds", "seconds", is_maximum=True)
    yield say("Longest round"), RecordQuery("longest_round", "seconds", is_maximum=True)
    yield say("Fewest rounds"), RecordQuery("rounds", "rounds")
    yield say("Most rounds"), RecordQuery("rounds", "rounds", is_maximum=True)
    for field, title in EXTREMES.items():
        for variant in (*point_rule_sets, None):
            yield title, extreme_sought(field, variant)


Extreme = Literal["margin", "comeback"]
EXTREMES: Mapping[Extreme, Phrase] = {
    "margin": say("Closest finish"),
    "comeback": say("Biggest comeback"),
}
"""The records in points or contracts, by the fields that hold them."""


def extreme_sought(field: Extreme, variant: str | None) -> RecordQuery:
    """The closest finish or the biggest comeback, in points of a rule set, or in contracts."""
    unit: RecordUnit = "points" if variant else "contracts"
    return RecordQuery(field, unit, field == "comeback", variant)


def group_record_views(
    session: Session,
    group: int,
    selection: GameSelection,
    names: Mapping[str, str],
    tallies: Sequence[GameTally],
) -> list[GroupRecordView]:
    """The records of the games selected, of which these are the tallies; of those that are held.

    The longest game is not called the fastest, too, nor is what has the most rounds said to have
    the fewest. `names` are of the rule sets.
    """
    by_points = sorted((one for one in tallies if one.places_by_score), key=lambda one: -one.games)
    sought = list(_sought([one.variant for one in by_points]))
    queries = [one for _title, one in sought]
    held = group_records(session, group, queries, tallies, selection)
    fields = [
        (one.field, record.game_key) for one, record in zip(queries, held, strict=True) if record
    ]
    return [
        GroupRecordView(title, one, record, names[record.variant_id])
        for (title, one), record in zip(sought, held, strict=True)
        if record is not None and (one.field != "comeback" or record.value > 0)
        if one.is_maximum or fields.count((one.field, record.game_key)) == 1
    ]


def record_value(
    sought: RecordQuery, value: int, points_apart: int | None, *, is_tie: bool
) -> Phrase:
    """What a record was held with, in its own unit; `is_tie` says whether several won that game."""
    if sought.field == "margin" and is_tie:
        return say("tie")
    if sought.is_level(value):
        return _level_in_words(points_apart)
    if sought.unit == "seconds":
        return duration_in_words(value)
    if sought.unit == "rounds":
        return say_plural("{count} round", "{count} rounds", value)
    if sought.unit == "points":
        return say_plural("{count} point", "{count} points", value)
    return say_plural("{count} contract", "{count} contracts", value)


def _level_in_words(points_apart: int | None) -> Phrase:
    if points_apart is None:
        return say("level on contracts")
    return say_plural(
        "level on contracts, {count} point apart",
        "level on contracts, {count} points apart",
        points_apart,
    )


def duration_in_words(seconds: int) -> Phrase:
    """How long something took: "47 minutes", "2 h 5 min", "3 days"."""
    minutes = seconds // 60
    if minutes < 60:
        return say_plural("{count} minute", "{count} minutes", max(1, minutes))
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return say("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return say_plural("{count} day", "{count} days", hours // 24)
