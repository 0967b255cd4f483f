"""Measurements against the yardsticks that the project names; run by `python -m tests.bench`."""
