"""How much a group keeps, and a game of it: what people at a table need, with room to spare.

Every way in holds to these: forms, the JSON interface, and documents and tables that are imported.
What was stored before a limit came stays readable and comes out in exports; a document that holds
more than a limit is refused. The README tells server admins how much of each a group and a game
hold (a test compares the two).

Texts are as long as the columns that keep them (a test compares the two). The types at the end are
those of the fields that are bounded by this, for whatever declares one.
"""

from typing import Annotated

from app.rules.field_types import ListOf, Text, WholeNumber
from app.rules.rule_sets import MOST_CONTRACTS
from app.rules.verdicts import LONGEST_VERDICT

MOST_PLAYERS = 2_000
"""Of a group, those who are archived or merged with others among them."""
MOST_OWN_RULE_SETS = 100
"""Custom ones of a group, those that were removed among them."""

MOST_SEATS = 12
MOST_ROUNDS = 300
MOST_LOG_ENTRIES = 20_000
"""Events of a game: what is tapped, and what else happens to it."""
MOST_RULINGS = 200
MOST_SEASONS = 200
"""Of a group, years included."""
MOST_RULE_SETS_OF_SEASON = 200
YEARS = range(1900, 2201)
"""In which seasons and choices of games can be."""
MOST_RULE_CHANGES = 50
"""Of a game, on its way; whether points are kept is one, too."""
MOST_CORRECTIONS = 50
MOST_DECISIONS = 50
"""Of one kind about dealing: void deals, other dealers, changes of seats."""
MOST_STAND_INS = 20
"""Of one seat."""
MOST_ABSENCES = 20
"""Of one seat: how often its player was away and came back."""

MOST_POINTS = 1_000_000
"""What a round brings a seat, typed or counted, is no more, nor is the score of a past result."""
MOST_SCORE = 2 * MOST_ROUNDS * MOST_POINTS
"""Nobody begins with more, so that what a game comes to, and by how much, fits the database."""
MOST_CORRECTED = 10_000
"""No correction is of more points."""
LARGEST_NUMBER = 2**31 - 1
"""The largest PostgreSQL integer."""
MOST_COUNTED_CARDS = 60
"""Cards of a kind that can be counted."""
MOST_CLASSES = 20
"""Classes of cards that cost the same."""
MOST_BUYS = 99
"""So many buys of a seat in a round can be counted."""
MOST_VERSIONS = 10_000_000

LONGEST_GROUP_NAME = 80
LONGEST_NAME = 40
"""Of players, and of the devices and programs that a log names."""
LONGEST_TITLE = 80
LONGEST_NOTE = 1000
LONGEST_TYPED = 80
"""Characters that a penalty may have as it is typed."""
LONGEST_QUESTION = 2000
LONGEST_DECISION = 200
"""Of what was decided, of a reason, and of a note on a round."""

SeatId = Annotated[int, WholeNumber(1, LARGEST_NUMBER)]
"""In a document, the number of a seat in its game, from 1."""
Place = Annotated[int, WholeNumber(1, MOST_SEATS)]
RoundNumber = Annotated[int, WholeNumber(1, MOST_ROUNDS)]
LastRound = Annotated[int, WholeNumber(0, MOST_ROUNDS)]
"""The last round that who left may have played; 0 for none."""
Deal = Annotated[int, WholeNumber(1, MOST_DECISIONS + 1)]
ContractNumber = Annotated[int, WholeNumber(1, MOST_CONTRACTS)]
Version = Annotated[int, WholeNumber(1, MOST_VERSIONS)]
Points = Annotated[int, WholeNumber(-MOST_POINTS, MOST_POINTS)]
Score = Annotated[int, WholeNumber(-MOST_SCORE, MOST_SCORE)]
"""What a player begins with."""
CorrectedPoints = Annotated[int, WholeNumber(-MOST_CORRECTED, MOST_CORRECTED)]
CountedCards = Annotated[
    tuple[Annotated[int, WholeNumber(0, MOST_COUNTED_CARDS)], ...], ListOf(MOST_CLASSES)
]
"""The left-over cards of each class of cards that cost the same, cheapest first."""
SeatOrder = Annotated[tuple[SeatId, ...], ListOf(MOST_SEATS, 2)]
Buys = Annotated[int, WholeNumber(0, MOST_BUYS)]
Name = Annotated[str, Text(LONGEST_NAME)]
Title = Annotated[str, Text(LONGEST_TITLE)]
Note = Annotated[str, Text(LONGEST_NOTE)]
Typed = Annotated[str, Text(LONGEST_TYPED)]
Decision = Annotated[str, Text(LONGEST_DECISION)]
Question = Annotated[str, Text(LONGEST_QUESTION)]
VerdictText = Annotated[str, Text(LONGEST_VERDICT)]
