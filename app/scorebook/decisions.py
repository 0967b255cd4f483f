"""What the table decided beside the cards: void deals, dealers, seats, corrected scores, notes.

Each decision names its round; one of dealers or seats also the deal from which it holds: 1 for the
first, one more after each void one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

from pydantic import TypeAdapter

from app.rules.field_types import ListOf, Text
from app.scorebook.limits import (
    LONGEST_DECISION,
    MOST_CORRECTIONS,
    MOST_DECISIONS,
    MOST_ROUNDS,
    CorrectedPoints,
    Deal,
    Decision,
    RoundNumber,
    SeatId,
    SeatOrder,
)


def read_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values from JSON, with tuples in place of their lists, but not of lists within these."""
    return {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}


@dataclass(frozen=True, slots=True)
class VoidDeal:
    """A deal of a round that counted nothing, so that the round was dealt again.

    `dealer` dealt it, or nobody did; `passed_on`: the next player was to deal then, not the same.
    """

    number: RoundNumber
    dealer: SeatId | None
    passed_on: bool = False
    reason: Decision = ""


@dataclass(frozen=True, slots=True)
class DealerChange:
    """Another dealer than the rotation says: for that round only if `once`, or from it on."""

    number: RoundNumber
    seat: SeatId
    once: bool = False
    deal: Deal = 1


@dataclass(frozen=True, slots=True)
class SeatChange:
    """Players changed seats before that deal; `before` is the order in which they sat."""

    number: RoundNumber
    before: SeatOrder
    deal: Deal = 1


@dataclass(frozen=True, slots=True, order=True)
class Correction:
    """Points added to a seat's score from that round on, beside its cards."""

    number: RoundNumber
    seat: SeatId
    points: CorrectedPoints
    reason: Decision = ""


@dataclass(frozen=True, slots=True, order=True)
class RoundNote:
    """A line that people wrote about a round, whichever of its deals it is about."""

    number: RoundNumber
    note: Annotated[str, Text(LONGEST_DECISION, least=1)]


@dataclass(frozen=True)
class TableDecisions:
    """All of these decisions of one game.

    They are in the order of their rounds and deals, so that it does not matter when they were made
    (those of a document are as it has them). Changes of seats are in the order in which they were
    made.
    """

    voids: Annotated[tuple[VoidDeal, ...], ListOf(MOST_DECISIONS)] = ()
    dealers: Annotated[tuple[DealerChange, ...], ListOf(MOST_DECISIONS)] = ()
    seat_changes: Annotated[tuple[SeatChange, ...], ListOf(MOST_DECISIONS)] = ()
    corrections: Annotated[tuple[Correction, ...], ListOf(MOST_CORRECTIONS)] = ()
    notes: Annotated[tuple[RoundNote, ...], ListOf(MOST_ROUNDS)] = ()
    """At most one of each round."""

    def voids_in(self, number: int) -> tuple[VoidDeal, ...]:
        return tuple(one for one in self.voids if one.number == number)

    def current_deal(self, number: int) -> int:
        """The deal of a round that counts, or is to count."""
        return len(self.voids_in(number)) + 1

    @cached_property
    def correction_sums(self) -> Mapping[tuple[int, int], int]:
        """The points by which scores were corrected, by round and seat."""
        found: dict[tuple[int, int], int] = {}
        for one in self.corrections:
            found[one.number, one.seat] = found.get((one.number, one.seat), 0) + one.points
        return found

    def with_corrections_up_to(self, number: int) -> "TableDecisions":
        """The same without the corrections of rounds after that one."""
        known = tuple(one for one in self.corrections if one.number <= number)
        return self if known == self.corrections else replace(self, corrections=known)

    def dealer_change(self, number: int, deal: int) -> DealerChange | None:
        """The other dealer of that deal, if the table chose one."""
        chosen = (one for one in self.dealers if (one.number, one.deal) == (number, deal))
        return next(chosen, None)

    def note_on(self, number: int) -> str:
        """What people wrote about that round; blank if nothing."""
        return next((one.note for one in self.notes if one.number == number), "")

    def order_at(self, number: int, deal: int) -> tuple[int, ...] | None:
        """The seats in order as they were at that deal; None where it is the order of today.

        Each change keeps the order before it. Of the changes whose deal has come the one made last
        holds, so the order at that deal is what the change made after it found.
        """
        order = None
        for change in reversed(self.seat_changes):
            if (change.number, change.deal) <= (number, deal):
                break
            order = change.before
        return order

    def mentions(self, seat: int) -> bool:
        """Is something decided of that seat itself?"""
        decided = (*self.voids, *self.dealers, *self.corrections)
        return any(seat == getattr(one, "dealer", getattr(one, "seat", None)) for one in decided)

    def without_seat(self, seat: int) -> "TableDecisions":
        """The same with that seat taken out of all orders of seats."""
        changes = (
            replace(one, before=tuple(other for other in one.before if other != seat))
            for one in self.seat_changes
        )
        return replace(self, seat_changes=tuple(changes))

    def with_seat_ids(self, ids: Mapping[int, int]) -> "TableDecisions":
        """The same with other ids for the seats, by those that they have here."""
        return replace(
            self,
            voids=tuple(replace(one, dealer=ids.get(one.dealer or 0)) for one in self.voids),
            dealers=tuple(replace(one, seat=ids[one.seat]) for one in self.dealers),
            seat_changes=tuple(
                replace(one, before=tuple(ids[seat] for seat in one.before))
                for one in self.seat_changes
            ),
            corrections=tuple(sorted(replace(one, seat=ids[one.seat]) for one in self.corrections)),
        )


_KINDS = {
    "voids": VoidDeal,
    "dealers": DealerChange,
    "seat_changes": SeatChange,
    "corrections": Correction,
    "notes": RoundNote,
}
_PLAIN = TypeAdapter(TableDecisions)


def plain_decisions(decisions: TableDecisions) -> dict[str, Any]:
    """The decisions as JSON holds them, without what has its default; empty for none."""
    plain: dict[str, Any] = _PLAIN.dump_python(decisions, mode="json", exclude_defaults=True)
    return plain


def read_decisions(plain: Mapping[str, Any] | None) -> TableDecisions:
    """The decisions that such JSON says; none where there is none."""
    values = plain or {}
    return TableDecisions(
        **{
            name: tuple(kind(**read_values(one)) for one in values.get(name, ()))
            for name, kind in _KINDS.items()
        }
    )
