"""A group's games as a document: written for other places, and read again.

    fields       the types of fields, and the schema of a dataclass annotated with them
    documents    each part of a document, declared once: a dataclass that is its schema
    events       the events of a game's log, a schema for each kind
    rule_fields  fields that the rules read: rule sets, house rules, verdicts
    reading      a document read by its schemas; every fault with its place
    writing      a document written, game by game
    json_schema  the same schemas described for other programs
    judging      games that could not have been played
    tables       the rounds as CSV for a spreadsheet
    paper        past results from somebody's CSV

Pure: no web, no database; who keeps and finds the games is `app.store` and `app.actions`.
"""
