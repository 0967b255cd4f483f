"""Reads. They answer values, rows or frozen records, never objects that load more when touched."""
