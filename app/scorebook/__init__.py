"""A game being played, what can happen to it, and what follows: score, place, dealer, winner.

What is recorded of a game, and how it changes:

    game       the rule set, seats, rounds and entries
    decisions  what the table decided beside the cards
    events     everything that can happen: when, what it changes, how it is stored and undone
    points     points as they are typed or counted, and what hands can cost
    limits     how much a game and a group hold at most
    marks      the color, shape and sign by which a player is told apart
    undo       how a change is undone
    effects    what a change came to: what was, and what is
    refusals   what a table is told or asked instead

What is derived from it (of a finished game the facts for statistics are stored, too):

    dealing    who plays, who deals, who plays first, what is dealt
    progress   which contract each seat tries, who moves on, and when a game ends
    round_results
               what each round came to: penalties, bonuses, scores
    standings  how the game stands, who won and by which rule, why a seat has its place
    statistics what a finished game came to, and rates and averages over many
    seasons    the table of a season or an evening
    lengths    how long a game takes, and what is left of it
    faults     what cannot be recorded without contradiction
    warnings   what only looks wrong

Pure: no web, no database, no clock, no chance. What is legal in play is decided in `app.rules`.
"""
