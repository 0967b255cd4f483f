"""What is legal: cards, melds, contracts, rule sets, the judge and the hand solver. Pure Python."""
