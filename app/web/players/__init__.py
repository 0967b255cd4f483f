"""The players of the group, what their games came to, and what is done to them."""
