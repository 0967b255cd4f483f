"""How often one address may ask for what could be guessed, and for what costs the host much.

Generous, since a whole club may come in by one address: who plays never meets them. Who does is
answered 429. The counts are kept where `RATE_LIMIT_STORAGE` says. Questions to the judge are
counted in `judge_throttle.py`.
"""

from flask import Response, current_app

from app.extensions import limiter

_GUESSED_WRONG = (410, 422)


def _is_wrong(response: Response) -> bool:
    return response.status_code in _GUESSED_WRONG


guesses = limiter.shared_limit("10/minute;60/hour", scope="joining", deduct_when=_is_wrong)
"""Links and codes; only what is wrong counts."""

documents = limiter.shared_limit("30/hour", scope="documents")
"""A group's whole past, brought in or taken out."""

new_groups_of_all = limiter.shared_limit(
    lambda: f"{current_app.config['NEW_GROUPS_PER_HOUR']}/hour",
    scope="new groups",
    key_func=lambda: "everybody",
)
new_groups_of_one = limiter.shared_limit(
    lambda: f"{max(1, current_app.config['NEW_GROUPS_PER_HOUR'] // 10)}/hour",
    scope="new groups of one address",
)
"""Groups that strangers make: by one address, and by all together."""
