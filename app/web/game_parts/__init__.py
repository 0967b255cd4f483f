"""What several features show of games (seats, rows, standings, charts), and who looks at one."""
