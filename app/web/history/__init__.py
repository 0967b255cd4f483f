"""History: all games of a group, the record and result of one, and the group's records.

What is done to a game beside playing it (a name, the archive, the bin, sharing its result) is here
too; the record of a game is shown by `rounds`, whose rounds it lists.
"""
