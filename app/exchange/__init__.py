"""Import and export: a group's games as a JSON document or CSV.

    fields       the types of fields, and the schema of a dataclass annotated with them
    documents    each part of a document, declared once: a dataclass that is its schema
    events       the events of a game's log, a schema for each kind
    rule_fields  fields that the rules read: rule sets, house rules, verdicts
    reader       reads a document by its schemas; every fault with its place
    writer       writes a document, game by game
    json_schema  the same schemas described for other programs
    plausibility finds games that could not have been played
    round_csv    the rounds as CSV for a spreadsheet
    past_results imports past results from a CSV of any layout

Pure: no web, no database. `app.store` and `app.actions` load and save the games.
"""
