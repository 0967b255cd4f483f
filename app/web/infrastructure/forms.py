"""What all forms share: reading the numbers and choices that a browser sends, and their bounds."""

from collections.abc import Iterable
from typing import Any

from flask import abort
from sqlalchemy.orm import InstrumentedAttribute
from wtforms import Field, Form
from wtforms.validators import ValidationError

from app.actions.texts import too_long
from app.rules.wording import Phrase, say
from app.store.base import longest


class Fits:
    """Validates that a column holds all that was typed."""

    def __init__(self, column: InstrumentedAttribute[Any]) -> None:
        self.most = longest(column)

    def __call__(self, _form: Form, field: Field) -> None:
        """Raise `ValidationError`, whose message is a phrase."""
        if len(field.data or "") > self.most:
            raise ValidationError(too_long(self.most))  # type: ignore[arg-type]


def errors_of(form: Form) -> dict[str, Phrase]:
    """Why a form is not valid, by field: the first reason of each."""
    found: dict[str, Any] = dict(form.errors)
    other = say("Choose one of the options.")
    return {
        name: first if isinstance(first, Phrase) else other
        for name, (first, *_rest) in found.items()
    }


def whole_number(text: str | None) -> int | None:
    """The number that a hidden field or button carries; None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def chosen_id(text: str | None) -> int | None:
    """The id that a choice of a form stands for; None for the choice of none.

    Anything else is no choice of ours: the request is refused.
    """
    if not text:
        return None
    number = whole_number(text)
    return abort(400) if number is None else number


def one_of(value: int | None, allowed: Iterable[int]) -> int | None:
    """The value if it is one of those allowed, else None."""
    return value if value in set(allowed) else None
