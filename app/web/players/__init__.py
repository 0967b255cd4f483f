"""The group's players, what their games came to, and what is done to them."""
