"""What people do: start a game, set a row, close a round, undo. Each verb is one transaction.

The database session is handed in, so the same verbs serve pages, commands and tests; a fault that
people cause is raised as one of `scorebook.refusals` and has changed nothing.
"""
