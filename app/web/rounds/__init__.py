"""Rounds: what is tapped and typed for each row, closing, undoing, mending, and the list."""
