"""`make words`: gather everything that the app says, and bring the catalogues up to date with it.

Gathered are the texts marked in templates (`_()`, `ngettext()`), the phrases of the code (`say()`,
`say_plural()`, `translatable()`) and the texts of the TOML files in `app/rules`. A new text enters
every catalogue untranslated; one that is said no more leaves it. `--new fr` begins a catalogue.
"""

import argparse
import io
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from app.config import TOP
from app.rules.grounds import cited_places
from app.web.infrastructure.localization import CATALOGUES

_CODE = {"say": None, "say_plural": (1, 2), "translatable": None}
_TEMPLATE = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
_NOT_SAID = ("group", "fields", "where")
"""Keys of the tables of house rules and of the Q&A whose values are no texts."""
_OF_A_FACT = ("decision", "answer", "reason")
_PERCENT = "python-format"
_WIDTH = 100
_NOT_KEPT = (
    '"Project-Id', '"Report-Msgid', '"Last-Translator', '"Language-Team', '"POT-Creation',
    '"PO-Revision', '"Generated-By',
)  # fmt: skip
"""Headings of a catalogue that would only change with the day and the tool."""


def gather_texts(top: Path = TOP) -> Catalog:
    """Everything that the app says, in the order of files."""
    found = Catalog(project="Meldkeeper", charset="utf-8")
    for file, text in _marked_texts(top):
        found.add(text, locations=[(str(file.relative_to(top)), 1)])
    for message in found:
        # Phrases have {places}, and a % in them is only a %.
        message.flags.discard(_PERCENT)
    return found


def _marked_texts(top: Path) -> Iterator[tuple[Path, str | tuple[str, ...]]]:
    for file in sorted((top / "app").rglob("*.py")):
        for _line, text, _notes, _context in extract_from_file("python", file, _CODE):
            yield file, text
    said: str | tuple[str, ...]
    for file in sorted((top / "app/rules/variants").glob("*.toml")):
        for said in _rule_set_texts(tomllib.loads(file.read_text(encoding="utf-8"))):
            yield file, said
    for name in ("house_rules.toml", "faq/topics.toml", "faq/search.toml"):
        file = top / "app/rules" / name
        for said in _strings(tomllib.loads(file.read_text(encoding="utf-8"))):
            yield file, said
    templates = top / "templates"
    for file in sorted([*templates.rglob("*.html"), *templates.rglob("*.svg")]):
        for _line, text, _notes, _context in extract_from_file("jinja2", file, _TEMPLATE):
            yield file, text


def _rule_set_texts(rule_set: Mapping[str, Any]) -> Iterator[str]:
    for heading in ("name", "summary", "source"):
        yield rule_set[heading]
    for fact in (*rule_set.values(), *rule_set.get("faq", {}).values()):
        if isinstance(fact, Mapping):
            for cited in cited_places(fact.get("source", "")):
                yield from filter(None, cited)
            yield from (fact[name] for name in _OF_A_FACT if isinstance(fact.get(name), str))


def _strings(plain: object) -> Iterator[str | tuple[str, ...]]:
    if isinstance(plain, Mapping) and "many" in plain:
        yield plain["one"], plain["many"]
    elif isinstance(plain, Mapping):
        for name, value in plain.items():
            text = value["caption"] if name == "example" else value
            yield from () if name in _NOT_SAID else _strings(text)
    elif isinstance(plain, list):
        for one in plain:
            yield from _strings(one)
    elif isinstance(plain, str):
        yield plain


def update_catalog(catalogue: Catalog, template: Catalog) -> Catalog:
    """The catalogue with what is new in it, and without what is said no more."""
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    return catalogue


def format_catalog(catalogue: Catalog) -> str:
    """The catalogue as its file has it; no line of it changes unless its words do."""
    catalogue.header_comment = f"# What Meldkeeper says, in {catalogue.locale_identifier}."
    catalogue.fuzzy = False
    file = io.BytesIO()
    write_po(file, catalogue, width=_WIDTH, include_lineno=False, include_previous=False)
    return "\n".join(
        line
        for line in file.getvalue().decode("utf-8").splitlines()
        if not line.startswith(_NOT_KEPT)
    )


def read_catalog(file: Path) -> Catalog:
    """The catalogue in a file."""
    with file.open("rb") as open_file:
        return read_po(open_file, locale=file.stem)


def main() -> int:
    """Update every catalogue; answers the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--new", metavar="LANGUAGE", help="begin a catalogue: fr, pt_BR")
    new = parser.parse_args().new
    if new and not (CATALOGUES / f"{new}.po").exists():
        begun = format_catalog(Catalog(locale=new, project="Meldkeeper"))
        (CATALOGUES / f"{new}.po").write_text(begun + "\n", encoding="utf-8")
    template = gather_texts()
    for file in sorted(CATALOGUES.glob("*.po")):
        catalogue = update_catalog(read_catalog(file), template)
        file.write_text(format_catalog(catalogue) + "\n", encoding="utf-8")
        missing = sum(not is_translated(message) for message in catalogue if message.id)
        print(f"{file.name}: {len(catalogue)} texts, {missing} to be translated")
    return 0


def is_translated(message: Message) -> bool:
    """Has a text all its forms in the catalogue's language, and none that no page shows?"""
    forms = message.string if isinstance(message.string, tuple | list) else [message.string]
    return all(forms) and not message.fuzzy


if __name__ == "__main__":
    sys.exit(main())
