"""What people do: start a game, set an entry, end a round, undo a change.

Each verb is one transaction, but that a group is removed game by game; what is only a part of one
is committed by its caller. The database session is handed in, so the same verbs serve pages,
commands and tests. A fault that people cause is raised as one of `scorebook.refusals`,
`NotImported` for a document, `KeyReused` for a request's key. Nothing of a game has changed then,
with the one exception that `NotApplied` names.
"""
