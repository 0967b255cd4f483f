"""How a group's games are written down for other places, and read again.

    records    what such a document holds, as plain records
    writing    the records as one JSON document, game by game
    reading    such a document read strictly; every fault with its place (fields, logs)
    judging    games that could not have been played
    tables     the rounds as CSV for a spreadsheet
    paper      past results from somebody's CSV

`meldkeeper-1.schema.json` describes the document for other programs. Pure: no web, no database; who
keeps and finds the records is `app.store` and `app.actions`.
"""
