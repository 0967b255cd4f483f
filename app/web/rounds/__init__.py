"""Rounds: how they are entered, ended, edited and noted."""
