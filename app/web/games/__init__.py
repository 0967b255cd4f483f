"""Games: a new one, its page, who plays, and the next one with the same table."""
