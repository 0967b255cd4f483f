"""How often one address may ask for what could be guessed, and for what costs the host much.

Generous, since a whole club may come in by one address: who plays never meets them. Who does is
answered 429. The counts are kept where `RATE_LIMIT_STORAGE` says.
"""

from flask import Response, request

from app.extensions import limiter

_GUESSED_WRONG = (410, 422)
_HAND_COSTS = 10
"""The hand solver tries many ways where the other questions look at one."""


def _is_wrong(response: Response) -> bool:
    return response.status_code in _GUESSED_WRONG


def _cost_of_question() -> int:
    document = request.get_json(silent=True) if request.is_json else None
    sent = document if isinstance(document, dict) else request.args
    return _HAND_COSTS if sent.get("ask") == "hand" else 1


guesses = limiter.shared_limit("10/minute;60/hour", scope="joining", deduct_when=_is_wrong)
"""Links and codes; only what is wrong counts."""

judging = limiter.shared_limit("1200/minute", scope="judging", cost=_cost_of_question)
"""Questions to the judge, in all their forms together."""

documents = limiter.shared_limit("30/hour", scope="documents")
"""A group's whole past, brought in or taken out."""
