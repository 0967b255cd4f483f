"""The language that a device chose."""
