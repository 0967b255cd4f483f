"""API tokens: the page on which a manager makes and revokes them."""
