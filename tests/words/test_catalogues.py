"""Everything that the app says is marked, and each catalogue has all of it, places and all."""

import ast
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from app.web.infrastructure.localization import CATALOGUES
from tests.words.catalogues import (
    format_catalog,
    gather_texts,
    is_translated,
    read_catalog,
    update_catalog,
)
from tests.words.reading import unmarked

TOP = Path(__file__).parent.parent.parent
TEMPLATES = sorted((TOP / "templates").rglob("*.html"))
CODE = sorted(
    path
    for room in ("rules", "scorebook", "actions", "web")
    for path in (TOP / "app" / room).rglob("*.py")
)
FILES = sorted(CATALOGUES.glob("*.po"))
ALLOWED = {"Meldkeeper"}
PLACE = re.compile(r"\{\w+\}|%\(\w+\)s")
SPOKEN_FAULTS = ("FaultyRules", "UnreadableContract", "refuse", "ErrorPage")
"""What is called with a sentence for people."""

everywhere = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@pytest.fixture(scope="module")
def template() -> Catalog:
    return gather_texts()


def test_every_word_of_a_template_is_marked_for_translation() -> None:
    for path in TEMPLATES:
        assert {text.strip("· ") for text in unmarked(path.read_text())} <= ALLOWED, path


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("<p>Hello</p>", ["Hello"]),
        ('<p>{{ _("Hello") }}</p>', []),
        ('<a aria-label="To the game" class="big">→</a>', ["To the game"]),
        ('<input placeholder="{{ "your name" }}">', ["your name"]),
        ('{{ "Save" if page.closed else _("Close") }}', ["Save"]),
        ('<i class="{{ "on" if page.closed }}">{{ arranging("add", "", "", _("Add")) }}</i>', []),
        ("<p>{{ page.name }} (5H ★)</p>", []),
        ("<b>{{ page.name }}</b>: {{ page.words }}", [":"]),
    ],
)
def test_a_word_that_is_not_marked_is_found(said: str, words: list[str]) -> None:
    assert unmarked(said) == words


@pytest.fixture(scope="module")
def calls() -> list[ast.Call]:
    """Where the code calls something."""
    nodes = (node for path in CODE for node in ast.walk(ast.parse(path.read_text())))
    return [node for node in nodes if isinstance(node, ast.Call)]


def test_a_sentence_for_people_is_never_a_plain_text_in_the_code(calls: list[ast.Call]) -> None:
    named = [call for call in calls if getattr(call.func, "id", "") in SPOKEN_FAULTS]
    plain = [
        ast.unparse(call)
        for call in named
        for told in call.args[1:2]
        if isinstance(told, ast.JoinedStr)
        or (isinstance(told, ast.Constant) and isinstance(told.value, str))
    ]
    assert plain == []


def test_a_phrase_is_made_of_literal_words_that_can_be_gathered(calls: list[ast.Call]) -> None:
    """An f-string or a name would never reach the catalogues."""
    for call in calls:
        texts = {"say": 1, "say_plural": 2, "translatable": 1}.get(getattr(call.func, "id", ""), 0)
        for told in call.args[:texts]:
            assert isinstance(told, ast.Constant), ast.unparse(call)


@everywhere
def test_a_catalogue_is_up_to_date_with_what_the_app_says(file: Path, template: Catalog) -> None:
    """If not: `make words`, then translate what is new."""
    assert format_catalog(update_catalog(read_catalog(file), template)) + "\n" == file.read_text()


@everywhere
def test_nothing_is_left_untranslated(file: Path) -> None:
    assert [
        message.id for message in read_catalog(file) if message.id and not is_translated(message)
    ] == []


@everywhere
def test_a_translation_has_the_places_of_the_english(file: Path) -> None:
    for message in read_catalog(file):
        if message.id:
            least, most = _places_asked(message)
            for form in _forms(message):
                assert least <= set(PLACE.findall(str(form))) <= most, message.id
            assert set(PLACE.findall(_forms(message)[-1])) == most, message.id


@everywhere
def test_a_translation_can_be_filled(file: Path) -> None:
    for message in read_catalog(file):
        for form in _forms(message) if message.id else ():
            if "{" in form:
                form.format(**dict.fromkeys(re.findall(r"\{(\w+)\}", form), "x"))
            if "%(" in form:
                assert form % dict.fromkeys(re.findall(r"%\((\w+)\)s", form), "x")


def test_french_signs_stand_apart_from_the_word_before_them_and_never_alone_on_a_line() -> None:
    """A narrow blank before ? ! and ;, a whole one before a colon, both unbreakable."""
    for message in read_catalog(CATALOGUES / "fr.po"):
        for form in _forms(message) if message.id else ():
            assert not re.search(r"[^\u202f?!][?!;]", form), form
            assert not re.search(r"[^\u00a0]:(?!\S)|[^\u00a0]»|«[^\u00a0]", form), form
            assert "'" not in form, form


def _forms(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (str(message.string),)


def _places_asked(message: Message) -> tuple[set[str], set[str]]:
    """The places that each form must have, and all that it may have."""
    forms = message.id if isinstance(message.id, tuple) else (message.id,)
    places = [set(PLACE.findall(str(form))) for form in forms]
    return set.intersection(*places), set.union(*places)
