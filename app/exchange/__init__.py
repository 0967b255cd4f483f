"""Import and export: a group's games as a JSON document or CSV.

    days         on which day a moment lies, and which one stands for a day alone
    documents    each part of a document, declared once, and what describes it to other programs
    schema       reads and writes what is declared; every fault with its place
    files        reads a document, checks what holds between its parts; writes one, game by game
    games        the scorebook's game of a document
    keys         the keys by which games are known
    plausibility finds games that could not have been played
    round_csv    the rounds as CSV for a spreadsheet
    table_words  their headings and words, in any language
    past_results reads past results from a CSV with known column names

Pure: no web, no database. `app.store` and `app.actions` load and save the games.
"""
