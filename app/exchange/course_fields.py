"""What a document says of a game's course: `scorebook.course`, its seats by their numbers."""

from app.exchange import limits
from app.exchange.fields import ListOf, NestedObject, StrictSchema, Text, WholeNumber, YesNo
from app.scorebook.corrections import MOST_CORRECTED
from app.scorebook.limits import MOST_CORRECTIONS, MOST_DECISIONS


def _round() -> WholeNumber:
    return WholeNumber(1, limits.MOST_ROUNDS, required=True)


def _seat() -> WholeNumber:
    return WholeNumber(1, limits.MOST_SEATS, required=True)


def _deal() -> WholeNumber:
    return WholeNumber(1, MOST_DECISIONS + 1)


class VoidDealSchema(StrictSchema):
    """A deal that counted nothing; where it was passed on, the next player dealt again."""

    number = _round()
    dealer = WholeNumber(1, limits.MOST_SEATS, required=True, allow_none=True)
    passed_on = YesNo()
    reason = Text(limits.LONGEST_DECISION)


class DealerChangeSchema(StrictSchema):
    """Another dealer than the rotation says, from that deal on or for that round only."""

    number = _round()
    seat = _seat()
    once = YesNo()
    deal = _deal()


class SeatChangeSchema(StrictSchema):
    """Players changed seats before that deal; until then they sat in the order `before`."""

    number = _round()
    before = ListOf(_seat(), limits.MOST_SEATS, 2, required=True)
    deal = _deal()


class ScoreCorrectionSchema(StrictSchema):
    """Points added to a seat's score from that round on, beside its cards."""

    number = _round()
    seat = _seat()
    points = WholeNumber(-MOST_CORRECTED, MOST_CORRECTED, required=True)
    reason = Text(limits.LONGEST_DECISION)


class CourseSchema(StrictSchema):
    """What the table decided, by round and, where that was dealt again, by its deal, from 1."""

    voids = ListOf(NestedObject(VoidDealSchema), MOST_DECISIONS)
    dealers = ListOf(NestedObject(DealerChangeSchema), MOST_DECISIONS)
    seat_changes = ListOf(NestedObject(SeatChangeSchema), MOST_DECISIONS)
    corrections = ListOf(NestedObject(ScoreCorrectionSchema), MOST_CORRECTIONS)
