"""What forms share: fields, most of them bounded as columns are, and their faults."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, Self

from flask import request
from sqlalchemy.orm import InstrumentedAttribute
from werkzeug.datastructures import CombinedMultiDict, FileStorage, MultiDict
from wtforms import BooleanField, Field, Form, IntegerField, SelectField, StringField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than types
from wtforms.meta import DefaultMeta
from wtforms.validators import ValidationError

from app.actions.groups import Role, role_of
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.rules.text import collapse_blanks, too_long
from app.scorebook.refusals import Notice, Refused
from app.store.base import max_length

NO_CHOICE = say("Choose one of the options.")


class FitsLength:
    """Validates that a text is no longer than a column holds, or than so many characters."""

    def __init__(self, most: InstrumentedAttribute[Any] | int) -> None:
        self.most = most if isinstance(most, int) else max_length(most)
        self.field_flags = {"maxlength": self.most}

    def __call__(self, _form: Form, field: Field) -> None:
        """Raise `ValidationError`, whose message is a phrase."""
        if len(field.data or "") > self.most:
            raise ValidationError(too_long(self.most))  # type: ignore[arg-type]


class TextField(StringField):
    """A text of bounded length, empty where nothing was sent."""

    data: str

    def __init__(self, most: InstrumentedAttribute[Any] | int, **named: Any) -> None:
        super().__init__(validators=[FitsLength(most)], **{"default": "", **named})


class LineField(TextField):
    """A text in one line, without blanks at its ends."""

    def __init__(self, most: InstrumentedAttribute[Any] | int, **named: Any) -> None:
        super().__init__(most, filters=[collapse_blanks], **named)


class ListField(Field):
    """All the texts that were sent under one name, in their order."""

    data: tuple[str, ...]

    def process_formdata(self, valuelist: Sequence[Any]) -> None:
        """Keep all of them."""
        self.data = tuple(valuelist)

    def __init__(self, **named: Any) -> None:
        super().__init__(default=(), **named)


class NumberField(IntegerField):
    """The number that a hidden field, a choice or a button carries; None where it is empty."""

    data: int | None

    def process_formdata(self, valuelist: Sequence[Any]) -> None:
        """Read the first. Raises `ValueError` for a text that `whole_number` does not read."""
        if valuelist:
            self.data = _read_number(valuelist[0])


class IdChoiceField(SelectField):
    """The id of one of the choices that the view gives it; None for the choice of none."""

    data: int | None

    def __init__(self, **named: Any) -> None:
        super().__init__(coerce=_read_number, choices=[], **named)

    def offer(self, choices: Iterable[tuple[int, str]], none: str | None = None) -> None:
        """Let one of these be chosen; `none` is what stands for none of them."""
        offered = [*([] if none is None else [("", none)]), *choices]
        self.choices = [SelectChoice(value, label) for value, label in offered]


class WordChoiceField(SelectField):
    """One of some words of ours."""

    def __init__(self, words: Iterable[str], **named: Any) -> None:
        super().__init__(choices=[SelectChoice(word, word) for word in words], **named)


class RoleField(WordChoiceField):
    """A role, chosen by its word."""

    data: Role

    def __init__(self, **named: Any) -> None:
        super().__init__([role.slug for role in Role], coerce=role_of, **named)


class YesField(BooleanField):
    """A box that is ticked, or a button that says yes or no."""

    data: bool
    false_values = (False, "false", "no", "")


class PageForm(Form):
    """A form of a page, or the question in a page's address."""

    fault: Phrase | None = None
    """What is wrong with the whole form and not with one of its fields."""
    result: Any = None
    """What `submit` came to."""

    class Meta(DefaultMeta):
        """How fields are drawn: as ours, and tied to the words that say what is wrong with them."""

        def render_field(self, field: Field, render_kw: Any) -> Any:
            """The field as HTML."""
            wrong = {"aria_invalid": "true", "aria_describedby": f"{field.id}-fault"}
            known = {"class_": "field", **(wrong if field.errors else {}), **render_kw}
            return super().render_field(field, known)

    @classmethod
    def from_body(cls, prefix: str = "") -> Self:
        """The form that was sent, nothing of it checked yet; its names begin with the `prefix`."""
        return cls(CombinedMultiDict((request.form, request.files)), prefix=prefix)

    @classmethod
    def from_query(cls) -> Self:
        """What the address asks for; a value that is not valid is taken as not sent."""
        form = cls(request.args)
        if not form.validate():
            for name in form.errors:
                form[name].process(None)
        return form

    def require_valid(self) -> None:
        """Raise `Refused` unless the form is valid."""
        if not self.validate():
            found = errors_of(self).items()
            raise Refused([Notice("invalid", None, words, name) for name, words in found])

    def submit(self, act: Callable[[], object]) -> bool:
        """Do what the form asks for; False if it is not valid or refused, which it then shows."""
        try:
            self.require_valid()
            self.result = act()
        except Refused as refused:
            db.session.rollback()
            self.show_faults(refused)
            return False
        return True

    def show_faults(self, refused: Refused) -> None:
        """Put faults beside their fields; of those without one here, the first is the form's."""
        for fault in refused.faults:
            if fault.field in self:
                field: Any = self[fault.field]
                field.errors = (fault.message,)
            else:
                self.fault = self.fault or fault.message


def asked_number(name: str) -> int | None:
    """The number sent under that name, in the address or the body; None for anything else."""
    return whole_number(request.values.get(name))


def sent_yes(name: str) -> bool:
    """Does the body say yes under that name, as a `YesField` reads it?"""
    return request.form.get(name, "") not in YesField.false_values


def asked_file(name: str) -> FileStorage | None:
    """The file sent under that name."""
    return request.files.get(name)


def asked_line(name: str, most: int = 80) -> str:
    """The text sent under that name, in the address or the body; empty where it is too long."""
    line = collapse_blanks(request.values.get(name, ""))
    return line if len(line) <= most else ""


def asked_values() -> MultiDict[str, str]:
    """All that was asked for, by name, for a question that reads and checks it itself."""
    return MultiDict(request.values)


def errors_of(form: Form) -> dict[str, Phrase]:
    """Why a form is not valid, by field: the first reason of each, or of what it lists."""
    found: dict[str, Any] = dict(form.errors)
    return {name: next(_phrases(reasons), NO_CHOICE) for name, reasons in found.items()}


def _phrases(reasons: Iterable[Any]) -> Iterator[Phrase]:
    for one in reasons:
        if isinstance(one, Phrase):
            yield one
        elif isinstance(one, (list, tuple)):
            yield from _phrases(one)


def whole_number(text: str | None) -> int | None:
    """The number that a text writes in up to nine digits; None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def _read_number(text: object) -> int | None:
    number = whole_number(str(text))
    if text and number is None:
        raise ValueError(NO_CHOICE)
    return number


def one_of(value: int | None, allowed: Container[int]) -> int | None:
    """The value if it is one of those allowed, else None."""
    return value if value in allowed else None
