"""A rule set as data: every fact that the judge, the scorebook and the pages ask of it.

One frozen `Variant` holds what a text says and what was decided where it is silent; its fields
have the names that house rules use, and its numbers their bounds. There is no code for a single
variant anywhere: what differs between rule sets is a field here. Reading and checking the files is
`rule_sets.py`.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from app.rules.cards import JOKER, RANKS, SUITS, Card
from app.rules.contracts import Contract
from app.rules.field_types import WholeNumber

AllowOrForbid = Literal["allow", "forbid"]
Family = Literal["core", "relative", "other"]
"""Of a shipped rule set: one of the nine of the Frustration family (`core`), a relative of them in
another tradition, or any other game, of which only points are kept. It says nothing of custom ones.
"""

NO_LIMIT = 1000
"""More cards than any hand holds."""

SCORE_WINS = frozenset({"lowest_score", "highest_score"})
"""How the score alone says who wins (`win`); by all others contracts count first."""
WITHOUT_CONTRACTS = frozenset(
    {"players_min", "players_max", "dealer_rotation", "contracts", "win", "score_limit"}
    | {"max_deals", "points_step", "below_zero", "joiner_score", "missed_round_points"}
)
"""The fields of a rule set that has no contracts: it knows no cards either, only points."""
ONLY_WITHOUT_CONTRACTS = frozenset({"score_limit", "points_step", "below_zero"})
"""Those of them that a rule set with contracts has not."""
_CHOICES_WITHOUT_CONTRACTS = frozenset({("win", "highest_score"), ("dealer_rotation", "none")})
"""What only a rule set without contracts can choose."""


@dataclass(frozen=True, slots=True)
class FieldSource:
    """Where the value of a field comes from: the source's place, our decision, or both."""

    source: str = ""
    decision: str = ""


@dataclass(frozen=True, slots=True)
class RuleSetAnswer(FieldSource):
    """What a rule set's file says itself on a question of the Q&A; empty leaves the usual words.

    `answer` and `reason` are sentences for players.
    """

    answer: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Penalties:
    """What each card left in a hand costs its holder, in points."""

    by_rank: tuple[tuple[str, int], ...]

    def of(self, rank: str) -> int:
        """The points of a rank (or of JOKER); 0 where the table does not name it."""
        return dict(self.by_rank).get(rank, 0)

    def total(self, cards: Iterable[Card]) -> int:
        """What some cards cost together; also where the rule set keeps no score."""
        return sum(self.of(card.rank) for card in cards)

    @cached_property
    def classes(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """The classes of cards that cost the same, cheapest first: (points, ranks)."""
        ranks_by_points = defaultdict(list)
        for rank, points in self.by_rank:
            ranks_by_points[points].append(rank)
        return tuple(sorted((points, tuple(ranks)) for points, ranks in ranks_by_points.items()))


@dataclass(frozen=True)
class Variant:
    """One rule set. Fields stand in the order of a game: table, deal, melds, play, score, end."""

    id: str
    name: str
    summary: str
    source: str
    """The document of the places in field sources that name no other."""

    # The table and the deal
    players_min: Annotated[int, WholeNumber(1, 12)]
    players_max: Annotated[int, WholeNumber(1, 12)]
    decks: Annotated[int, WholeNumber(1, 6)]
    third_deck_from: Annotated[int, WholeNumber(0, 12)]
    """From this many players on there is one deck more (of two the third, as the name has it); 0:
    never."""
    jokers: Annotated[int, WholeNumber(0, 24)]
    """In two decks."""
    jokers_per_extra_deck: Annotated[int, WholeNumber(0, 8)]
    deal: Annotated[int, WholeNumber(3, 30)]
    """Cards for each player."""
    first_player_extra_card: bool
    """The first player gets one card more and does not draw in the first turn."""
    turn_up: bool
    """A card is turned up to start the discard pile."""
    dealer_rotation: Literal["left", "right", "first_player", "none"]
    """Who deals next: the player on that side of the dealer, or who played first; or nobody does.
    """

    # Contracts and melds
    contracts: tuple[Contract, ...]
    """Empty where the rule set knows points alone."""
    contract_size: Literal["exact_core", "exact"]
    twos: Literal["wild", "natural"]
    run_suit: Literal["same", "any"]
    run_order: Literal["ace_high", "ace_before_three", "two_slot"]
    run_both_aces: AllowOrForbid
    wild_limit: Literal["at_most_naturals", "fewer_than_naturals", "none"]
    wild_limit_scope: Literal["always", "initial_only"]
    wilds_adjacent: bool
    """Wild cards may stand side by side in a run."""
    two_natural_in_own_slot: bool
    pair_with_wild: AllowOrForbid
    identical_cards_in_set: AllowOrForbid
    two_sets_same_rank: AllowOrForbid
    """Two sets of one rank in one contract."""
    touching_runs: AllowOrForbid
    """Runs of one contract that continue each other, in one suit where runs keep to one."""

    # After the contract
    extra_melds: Literal["any", "contract_parts", "none"]
    extra_set_min: Annotated[int, WholeNumber(2, 12)]
    extra_run_min: Annotated[int, WholeNumber(2, 14)]
    extras_same_turn: bool
    """Extra melds and lay-offs already in the turn in which the contract is laid."""
    layoff_on_others: bool
    layoff_check: Literal["end_state", "each_card"]
    wild_swap: Literal["none", "others", "own", "any"]
    swap_in_sets: Literal["any_suit", "no"]
    swap_wild_twos: bool

    # The turn
    must_discard_to_go_out: bool
    discard_draw: Literal["top_card", "buy_pile"]
    buying: Literal["none", "one_more_card"]
    """May a player take the top discard out of turn, and one card of the stock with it?"""
    most_buys: Annotated[int, WholeNumber(0, 20)]
    """So often in a round; 0: no limit."""
    stock_exhausted: Literal["reshuffle", "end_round"]
    knock: bool

    # The score
    keep_score: Literal["yes", "no", "optional"]
    penalties: Penalties
    go_out_bonus: Annotated[int, WholeNumber(-1000, 0)]
    """Points added to the score (so -25 helps) of who goes out, each round."""
    completion_bonus: Annotated[int, WholeNumber(-1000, 0)]
    """Points added to the score of who is first to complete all contracts."""
    exact_deal_bonus: Annotated[int, WholeNumber(-1000, 0)]
    """Points added to the score of a dealer who lifts exactly the cards for the deal."""
    buy_points: Annotated[int, WholeNumber(0, 100)]
    """Points added to the score for each buy."""
    finisher_pays: bool
    """Who lays the last contract without going out pays for the cards still held."""
    finisher_pays_after_out: bool
    """As `finisher_pays`, where another player goes out after that."""
    points_step: Annotated[int, WholeNumber(1, 1000)]
    """The points of a round are so many, or a multiple."""
    below_zero: bool
    """The points of a round may be less than 0."""

    # The end
    win: Literal[
        "first_to_complete", "first_out_on_last", "lowest_score", "lowest_finisher", "highest_score"
    ]
    score_limit: Annotated[int, WholeNumber(0, 1_000_000)]
    """The game ends after the round in which a score comes to so many points; 0: no such limit."""
    last_contract: Annotated[int, WholeNumber(1, 40)]
    max_deals: Annotated[int, WholeNumber(0, 100)]
    """The game ends after this many rounds at the latest; 0: no such limit."""
    progress: Literal["individual", "common"]

    # Players who come and go
    joiner_contract: Literal["first", "lowest"]
    """The contract that a late joiner begins on: the first, or the lowest that anybody is on."""
    joiner_score: Literal["ask", "zero", "average", "highest"]
    """The score that a late joiner begins with; by `ask` the table says it each time."""
    missed_round_points: Annotated[int, WholeNumber(0, 1000)]
    """Points added to the score of who comes back for each round missed since leaving."""

    field_sources: tuple[tuple[str, FieldSource], ...] = ()
    """Of each field that it has, the name and where its value comes from."""
    family: Family = "core"
    edition_of: str = field(default="", compare=False)
    """The shipped rule set of whose game this is another edition: where it stands in a list.

    No rule of a game, so neither a game's frozen copy nor a file that is passed on has it.
    """
    faq: tuple[tuple[str, RuleSetAnswer], ...] = ()
    """The id of a question of the Q&A and what this rule set's file says itself on it."""

    def field_source(self, field: str) -> FieldSource:
        """Where the value of a field comes from. Raises `KeyError` for one that it has not."""
        return dict(self.field_sources)[field]

    def file_answer(self, question: str) -> RuleSetAnswer:
        """What the file says itself on a question of the Q&A; empty where it says nothing."""
        return dict(self.faq).get(question) or RuleSetAnswer()

    def has_field(self, field: str) -> bool:
        """Does a rule set like this one say anything by that field?"""
        return field not in ONLY_WITHOUT_CONTRACTS if self.contracts else field in WITHOUT_CONTRACTS

    def can_choose(self, field: str, value: object) -> bool:
        """Is a value of a field one that a rule set like this one can have?"""
        if self.contracts:
            return (field, value) not in _CHOICES_WITHOUT_CONTRACTS
        return field != "win" or value in SCORE_WINS

    # What the cards are

    @property
    def twos_are_wild(self) -> bool:
        return self.twos == "wild"

    def is_wild(self, card: Card) -> bool:
        """Is this card wild here, whatever its place? Jokers are, and 2s where twos are wild."""
        return card.is_joker or (card.rank == "2" and self.twos_are_wild)

    @cached_property
    def run_ranks(self) -> tuple[str, ...]:
        """The places of a run from low to high; a 2's place takes only wild cards if twos are wild.

        Natural twos have their place in every order: a table that makes them natural means them
        to be laid before the 3 (ours: no source names such a case).
        """
        upper = (*RANKS[2:], "A")
        low = {"ace_high": (), "ace_before_three": ("A",), "two_slot": ("A", "2")}[self.run_order]
        if not self.twos_are_wild and "2" not in low:
            low = (*low, "2")
        return (*low, *upper)

    # How many cards there are

    def decks_for(self, players: int) -> int:
        """How many decks that many players use."""
        return self.decks + (1 if 0 < self.third_deck_from <= players else 0)

    def joker_count(self, decks: int) -> int:
        """How many jokers belong to that many decks; none where the variant has none in two."""
        if self.jokers == 0:
            return 0
        return max(0, self.jokers + self.jokers_per_extra_deck * (decks - 2))

    @property
    def has_jokers(self) -> bool:
        """Is there a joker in the decks of any number of players?"""
        usual, most = self.decks, self.decks_for(self.players_max)
        return self.joker_count(usual) > 0 or self.joker_count(most) > 0

    @property
    def card_values(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """The classes of the penalties with those ranks alone that the decks have.

        Each keeps its place, though one of jokers alone may be empty: cards are counted by place.
        """
        return tuple(
            (points, tuple(rank for rank in ranks if rank != JOKER or self.has_jokers))
            for points, ranks in self.penalties.classes
        )

    def copies_in(self, decks: int, card: Card) -> int:
        """How many copies of a card those decks hold; for a bare rank, those of all four suits."""
        if card.is_joker:
            return self.joker_count(decks)
        return decks if card.suit else decks * len(SUITS)

    @property
    def max_hand_size(self) -> int:
        """The most cards that a hand can come to before anything is laid: deal, draw, buys."""
        if self.discard_draw == "buy_pile" or (self.buying != "none" and not self.most_buys):
            return NO_LIMIT
        bought = 0 if self.buying == "none" else 2 * self.most_buys
        return self.deal + 1 + bought

    # Contracts

    def laid_from(self, contract: Contract) -> Literal["drawn", "bought", "never"]:
        """From which cards a contract can be laid: those after a draw, bought ones, or none."""
        needed = contract.size + self.must_discard_to_go_out
        if needed <= self.deal + 1:
            return "drawn"
        return "bought" if needed <= self.max_hand_size else "never"

    @property
    def contracts_played(self) -> tuple[Contract, ...]:
        """The contracts up to the last one that is played."""
        return self.contracts[: self.last_contract]

    def contract(self, number: int) -> Contract:
        """The contract of that number, from 1. Raises `IndexError` where there is none."""
        if not 1 <= number <= len(self.contracts):
            raise IndexError(number)
        return self.contracts[number - 1]

    @property
    def counts_buys(self) -> bool:
        """Are buys out of turn limited or priced, so that they are worth counting?"""
        priced = self.keeps_score and self.buy_points != 0
        return self.buying != "none" and (self.most_buys != 0 or priced)

    @property
    def score_is_optional(self) -> bool:
        """Does no score decide who wins, so that a table can keep one or none?

        One that is kept parts those who are level where the table stops the game.
        """
        return self.win != "lowest_finisher" and not self.places_by_score

    @property
    def places_by_score(self) -> bool:
        """Is it the score alone that says who wins?"""
        return self.win in SCORE_WINS

    def score_rank(self, score: int) -> int:
        """What a score is worth beside others, the lower the better."""
        return -score if self.win == "highest_score" else score

    @property
    def has_end(self) -> bool:
        """Does the game come to its end by itself, and not only where the table stops?"""
        return bool(self.contracts or self.score_limit or self.max_deals)

    @property
    def keeps_score(self) -> bool:
        """Is a score kept? Where the rule set leaves it open, not until a house rule says so."""
        return self.keep_score == "yes"
