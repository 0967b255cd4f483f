"""Rounds as they are entered and shown: forms, pages and words. Their addresses are the game's."""
