"""Reads. Each answers frozen records, never rows that load more when touched."""
