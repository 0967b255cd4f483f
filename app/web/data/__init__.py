"""Data: everything of a group out as JSON or CSV, and in again after a look at it."""
