"""Points for or against a player that no cards made."""
