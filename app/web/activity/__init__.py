"""A game's activity: every change in plain words, and the way to undo one of the last."""
