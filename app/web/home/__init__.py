"""The first page: the group's running games, the last results, and the way to a new game."""
