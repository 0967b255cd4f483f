"""How the sets of one rank share the naturals and wild cards that were found for them together."""

from dataclasses import dataclass

from app.rules.cards import Card
from app.rules.solver.groups import Group, fewest_wilds_in_extra_set
from app.rules.solver.rules import UNLIMITED, Rules
from app.rules.solver.table_melds import TableSet


@dataclass(slots=True)
class Shares:
    """What each set gets.

    `own` are the player's new sets, each with the size that the contract asks for, or 0 for an
    extra set; `table` says what each set on the table takes.
    """

    own: list[tuple[tuple[Card, ...], int]]
    table: list[tuple[TableSet, tuple[Card, ...]]]


@dataclass(slots=True)
class _Share:
    """One set while it is being filled: its least size, its cards, and its room on the table."""

    size: int
    naturals: list[Card]
    wilds: list[Card]
    onto: TableSet | None = None

    @property
    def missing(self) -> int:
        """How many cards it still needs."""
        return self.size - len(self.naturals) - len(self.wilds)

    def room(self, rules: Rules) -> int:
        """How many wild cards more it can take."""
        if self.onto is None:
            return rules.most_wilds(len(self.naturals)) - len(self.wilds)
        if rules.free_wilds:
            return UNLIMITED
        return self.onto.room + len(self.naturals) - len(self.wilds)


def shared(
    rules: Rules, group: Group, naturals: list[Card], wilds: list[Card], table: list[TableSet]
) -> Shares:
    """The cards of a group, given to its sets so that each is legal."""
    own = [_Share(size, [], []) for size in group.sizes]
    own += [_Share(0, [], []) for _ in range(group.extras)]
    shares = own + [_Share(0, [], [], one) for one in table]
    if group.shares:
        for share, suits in zip(shares, group.shares, strict=True):
            share.naturals += [_pick(naturals, suit) for suit in suits]
    else:
        _share_naturals(rules, shares, list(naturals))
    for share in own[len(group.sizes) :]:
        fewest = fewest_wilds_in_extra_set(rules, len(share.naturals))
        share.size = len(share.naturals) + (fewest or 0)
    _share_wilds(rules, shares, list(wilds))
    sizes = [*group.sizes, *(0 for _ in range(group.extras))]
    return Shares(
        [((*share.naturals, *share.wilds), size) for share, size in zip(own, sizes, strict=True)],
        [
            (share.onto, (*share.naturals, *share.wilds))
            for share in shares
            if share.onto is not None
        ],
    )


def _pick(naturals: list[Card], suit: str) -> Card:
    return naturals.pop(next(at for at, card in enumerate(naturals) if card.suit == suit))


def _share_naturals(rules: Rules, shares: list[_Share], naturals: list[Card]) -> None:
    for share in shares:
        for _ in range(rules.fewest_naturals_in_set(share.size) if share.size else 0):
            share.naturals.append(naturals.pop())
    for share in shares:
        while naturals and share.missing > 0:
            share.naturals.append(naturals.pop())
    shares[0].naturals += naturals


def _share_wilds(rules: Rules, shares: list[_Share], wilds: list[Card]) -> None:
    for share in shares:
        while share.missing > 0:
            share.wilds.append(wilds.pop())
    for share in shares:
        while wilds and share.room(rules) > 0:
            share.wilds.append(wilds.pop())
