"""Rounds: how they are entered, ended and edited. Each answer shows the game they belong to."""
