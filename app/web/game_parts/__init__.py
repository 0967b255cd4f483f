"""What several features show of a game: its seats, the rows of a round, and both in words."""
