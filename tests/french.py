"""The French of the app, for tests of the layers that know no web framework."""

from gettext import c2py

from babel.messages.pofile import read_po

from app.config import TOP

with (TOP / "app/translations/fr.po").open("rb") as _file:
    _CATALOGUE = read_po(_file)
_form_of = c2py(_CATALOGUE.plural_expr)
"""Which form of a text is said of a number: French has 0 and 1 in the singular."""


def french(text: str, plural: str | None, count: int | None) -> str:
    said = _CATALOGUE[text].string if text in _CATALOGUE else ""
    if isinstance(said, tuple | list):
        said = said[_form_of(2 if count is None else count)]
    return str(said) or text
