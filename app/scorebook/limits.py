"""How much a group keeps, and a game of it: what people at a table need, with room to spare.

Every way in holds to these: forms, the JSON interface, and documents and tables that are imported.
What was stored before a limit came stays readable and comes out in exports; a document that holds
more than a limit is refused with the limit's number. The README tells hosts the same numbers.
"""

MOST_PLAYERS = 2_000
"""Of a group, those who are archived or merged with others among them."""

MOST_SEATS = 12
MOST_ROUNDS = 300
MOST_LOG_ENTRIES = 20_000
"""Events of a game: what is tapped, and what else happens to it."""
MOST_RULINGS = 200
MOST_RULE_CHANGES = 50
"""House rules that a game switches on its way."""
MOST_CORRECTIONS = 50
MOST_DECISIONS = 50
"""Of one kind about dealing: void deals, other dealers, changes of seats."""
MOST_STAND_INS = 20
"""Of one seat."""
MOST_ABSENCES = 20
"""Of one seat: how often its player was away and came back."""
