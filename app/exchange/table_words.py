"""What the app says in its tables (CSV): their headings, and the words of some cells.

An export says them in the language of who asks for it; an import reads the headings of every
language. In English they are a contract with other programs, whatever words the screens use, so a
word is changed here in translations alone.
"""

from app.rules.phrases import say

_WORDS = (
    # of the rounds and of past results
    say("date"), say("game"), say("title"), say("rule set"), say("round"), say("player"),
    say("dealt"), say("contract"), say("contract in words"), say("met"), say("went out"),
    say("penalty"), say("bonus"), say("points"), say("score"), say("place in the end"), say("won"),
    say("buys"), say("correction"), say("note"), say("place"),
    # of players
    say("games"), say("wins"), say("placed"), say("place_sum"), say("rounds"),
    say("contract_rounds"), say("times_met"), say("times_went_out"), say("penalty_rounds"),
    say("bonus_count"), say("average_place"), say("completed"), say("rival"), say("ahead"),
    say("level"), say("behind"), say("now"), say("since"), say("most"), say("milestone"),
    say("ended"),
    # of evenings, seasons and records
    say("began"), say("winners"), say("average place"), say("moment"), say("value"), say("unit"),
    say("words"), say("season"), say("until"), say("leaders"), say("record"), say("evenings"),
    say("evenings counted"),
    # in cells
    say("yes"), say("no"), say("missed"), say("not counted"), say("seconds"), say("contracts"),
)  # fmt: skip
TABLE_WORDS = {one.text: one for one in _WORDS}
"""By the names that the columns have in the code."""
