"""A game of the scorebook as a document and back, without a database: what an export holds."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from app.exchange.documents import (
    EventDocument,
    GameDocument,
    GroupDocument,
    MissedDocument,
    PlayerDocument,
    RoundDocument,
    SeatDocument,
    StandInDocument,
)
from app.exchange.files import name_of_rules, read_document, serialize
from app.rules.rule_sets import to_dict
from app.rules.variant import Variant
from app.scorebook.events.event import Event, LogFields, event_of, renumber_seats
from app.scorebook.game import Entry, Game, Round, Seat
from app.scorebook.round_results import is_over

MOMENT = datetime(2026, 1, 2, 18, 0, tzinfo=UTC)


def game_document(game: Game, events: Sequence[Event] = (), key: str = "a") -> GameDocument:
    """The document of a game, its log these events."""
    numbers = seat_numbers(game)
    game = numbered(game)
    last = max([len(game.rounds), *(one.number for one in game.drafts)])
    return GameDocument(
        key=key,
        rules=_rules_key(game.variant),
        version=max(1, len(events)),
        started_at=MOMENT,
        finished_at=MOMENT if is_over(game) else None,
        left_out=game.left_out,
        stopped=game.stopped,
        seats=tuple(_seat(one, deals_first=one.id == game.first_dealer) for one in game.seats),
        rounds=tuple(
            _round(game.round(number), ended=game.is_round_ended(number))
            for number in range(1, last + 1)
        ),
        rule_changes=game.rule_changes,
        course=game.decisions,
        log=tuple(_logged(n, one, numbers) for n, one in enumerate(events, start=1)),
    )


def sent_elsewhere(
    documents: Sequence[GameDocument], games: Sequence[Game]
) -> tuple[GameDocument, ...]:
    """The documents of these games as another installation reads them, all in one file."""
    names = sorted({name for one in documents for name in one.players}, key=str.casefold)
    players = [PlayerDocument(name, MOMENT) for name in names]
    rules = {one.rules: to_dict(game.variant) for one, game in zip(documents, games, strict=True)}
    keyed = [replace(one, key=f"a{place}") for place, one in enumerate(documents)]
    group = GroupDocument("Test", players, rules, keyed)
    read = read_document(json.loads("".join(serialize(group)))).games
    return tuple(replace(one, key=asked.key) for one, asked in zip(read, documents, strict=True))


def events_in(document: GameDocument) -> Iterator[Event]:
    """The events of a document's log, oldest first."""
    for one in document.log:
        said = LogFields(one.kind, one.round_number, one.seat, one.before, one.after, one.reason)
        yield event_of(said)


@cache
def _rules_key(variant: Variant) -> str:
    return name_of_rules(to_dict(variant))


def seat_numbers(game: Game) -> dict[int, int]:
    return {seat.id: number for number, seat in enumerate(game.seats, start=1)}


def numbered(game: Game) -> Game:
    """The game with its seats numbered in their order, and no id of a player.

    Rounds hold their entries by seat, and nothing of a round is kept for which nothing was entered.
    """
    numbers = seat_numbers(game)

    def of_round(played: Round) -> Round:
        entries = [replace(one, seat=numbers[one.seat]) for one in played.entries]
        first_down = played.first_down and numbers[played.first_down]
        return replace(played, entries=tuple(sorted(entries, key=_by_seat)), first_down=first_down)

    drafts = (of_round(one) for one in game.drafts)
    return replace(
        game,
        seats=tuple(
            replace(
                one,
                id=numbers[one.id],
                player=0,
                stand_ins=tuple(replace(person, player=0) for person in one.stand_ins),
            )
            for one in game.seats
        ),
        first_dealer=numbers[game.first_dealer],
        rounds=tuple(of_round(one) for one in game.rounds),
        drafts=tuple(one for one in drafts if one != Round(one.number)),
        decisions=game.decisions.with_seat_ids(numbers),
    )


def _by_seat(entry: Entry) -> int:
    return entry.seat


def _seat(seat: Seat, *, deals_first: bool) -> SeatDocument:
    return SeatDocument(
        player=seat.name,
        deals_first=deals_first,
        joined_in=seat.joined_in,
        starting_score=seat.starting_score,
        left_after=seat.left_after,
        starting_contract=seat.starting_contract,
        missed=tuple(MissedDocument(*one) for one in seat.missed),
        stand_ins=tuple(StandInDocument(one.from_round, one.name) for one in seat.stand_ins),
    )


def _round(played: Round, *, ended: bool) -> RoundDocument:
    return RoundDocument(
        number=played.number,
        closed_at=MOMENT if ended else None,
        first_down=played.first_down,
        nobody_out=played.nobody_out,
        rows=played.entries,
    )


def _logged(version: int, event: Event, numbers: dict[int, int]) -> EventDocument:
    said = event.to_log()
    return EventDocument(
        version,
        MOMENT,
        said.kind,
        round_number=said.round_number,
        seat=numbers.get(said.seat_id or 0),
        before=renumber_seats(said.before, numbers),
        after=renumber_seats(said.after, numbers),
        reason=said.reason,
    )
