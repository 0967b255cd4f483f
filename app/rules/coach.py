"""What a friend at the table would say of a hand: what is missing, and which card to throw."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.rules.cards import Card, cards_in_words, cards_phrase
from app.rules.phrases import Phrase, say, say_plural
from app.rules.solver import Solution, TableMeld
from app.rules.solver.missing import NearestWay, lacks_at_most, nearest_way, unseen_cards
from app.rules.solver.rules import rules_for
from app.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Coaching:
    """The nearest way to the contract, and the discard that harms least with what is kept then.

    `way` is none where the contract cannot be laid with any cards that are out there, or no way was
    found before the steps were spent. No wild card is thrown away while another card is left.
    """

    variant: Variant
    turn: Solution
    way: NearestWay | None
    discard: Card | None
    kept: tuple[Card, ...]

    @property
    def points_kept(self) -> int:
        """What the cards that are kept cost; 0 where no points are counted."""
        if self.variant.keep_score == "no":
            return 0
        return self.variant.penalties.total(self.kept)

    @property
    def sentences(self) -> list[Phrase]:
        """What there is to say; no rule stands behind it."""
        found = [] if self.way is None else _missing_sentences(self.way)
        if not self.turn.is_proven_best:
            found.append(say("This is the best found. There may be a better turn."))
        if self.turn.can_go_out:
            found.append(say("You can go out this turn."))
        if self.discard is not None:
            found.append(say("Discard {card}.", card=cards_in_words([self.discard])))
        if self.kept:
            found.append(self._keeping())
        if self.turn.discard is not None and self.turn.remaining_cost < self.points_kept:
            found.append(
                say_plural(
                    "Discarding {card} would leave {count} point.",
                    "Discarding {card} would leave {count} points.",
                    self.turn.remaining_cost,
                    card=cards_in_words([self.turn.discard]),
                )
            )
        return found

    def _keeping(self) -> Phrase:
        cards = cards_in_words(self.kept)
        if self.variant.keep_score == "no":
            return say("You keep {cards}.", cards=cards)
        return say_plural(
            "You keep {cards}: {count} point.",
            "You keep {cards}: {count} points.",
            self.points_kept,
            cards=cards,
        )


def coach(
    variant: Variant,
    number: int,
    hand: Sequence[Card],
    table: Sequence[TableMeld],
    turn: Solution,
    decks: int,
) -> Coaching:
    """What to say of a hand and its best turn."""
    seen = [*hand, *(card for meld in table for card in meld.cards)]
    unseen = unseen_cards(variant, decks, seen)
    kept = sorted([*turn.remaining, *([turn.discard] if turn.discard else [])])
    way = NearestWay(0) if turn.can_lay_down else nearest_way(variant, number, hand, unseen)
    if turn.discard is None:
        return Coaching(variant, turn, way, None, tuple(kept))
    rules, points = rules_for(variant, number), variant.penalties.of
    missing = way.missing if way else 0
    used = [card for meld in way.melds for card in meld.cards] if way else []

    def harm(card: Card) -> tuple[int, int, int, Card]:
        return -rules.weights[card.rank], _neighbours(variant, card, kept), -points(card.rank), card

    def is_spare(card: Card) -> bool:
        if not missing or kept.count(card) > used.count(card):
            return True
        rest = [one for at, one in enumerate(kept) if at != kept.index(card)]
        return lacks_at_most(rules, rest, missing, unseen)

    thrown = [card for card in kept if not variant.is_wild(card)] or kept
    order = sorted(set(thrown), key=harm)
    discard = next(filter(is_spare, order), order[0])
    kept.remove(discard)
    return Coaching(variant, turn, way, discard, tuple(kept))


def _neighbours(variant: Variant, card: Card, cards: Sequence[Card]) -> int:
    """How many natural cards have its rank or are near it in a run, an ace only as the high one.

    The card itself is one of them.
    """
    places = {rank: place for place, rank in enumerate(variant.run_ranks)}
    place = places.get(card.rank, 0)
    return sum(
        one.rank == card.rank
        or (
            abs(places.get(one.rank, 99) - place) <= 2
            and (variant.run_suit == "any" or one.suit == card.suit)
        )
        for one in cards
        if not variant.is_wild(one)
    )


def _missing_sentences(way: NearestWay) -> list[Phrase]:
    if not way.missing:
        return []
    if not way.is_exact:
        most = say_plural(
            "At most {count} card is missing: this is the nearest way found.",
            "At most {count} cards are missing: this is the nearest way found.",
            way.missing,
        )
        return [most]
    found = [say_plural("{count} card is missing.", "{count} cards are missing.", way.missing)]
    if way.completed_by:
        cards = cards_phrase(card for card, _ in way.completed_by)
        found.append(
            say_plural(
                "One of these would complete it: {cards}. At most {count} is out there.",
                "One of these would complete it: {cards}. At most {count} are out there.",
                sum(copies for _, copies in way.completed_by),
                cards=cards,
            )
        )
    return found
