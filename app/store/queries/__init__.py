"""Reads. Each answers rows or frozen records, never objects that load more when touched."""
