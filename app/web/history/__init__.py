"""History: all games of a group, the record and result of one, and the group's records.

The record of a game is the page of all its rounds; the records of a group are the games that stand
out. What is done to a game beside playing it (a name, the archive, deleting, sharing its result) is
here too; its rounds are edited by `rounds`.
"""
