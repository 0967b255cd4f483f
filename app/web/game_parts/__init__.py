"""What several features show of a game (seats, rows, standings, words), and who looks at it."""
