"""TOML of strangers is read as Python reads it, but for what takes the square of its length."""

import tomllib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.rule_set_transfer import NestedTooDeeply, load_toml
from tests.counting import calls_of, most_bytes_of

SHALLOW = "\n".join(
    [
        r"""name = "a.b.c.d.e.f.g.h [[[[[[[[[[" # a.b.c.d.e.f.g.h " """,
        r"""quoted = { "a.b" = [1.5, 'C:\', "\\\""], summary = "it's" }""",
        r"""long = """ + "'''",
        r"""it's "quoted" [[[[[[[[[[[ a.b.c.d.e.f""",
        "'" * 4,
        'more = """ "two" \\\\ """""',
        '[table.of."a.b"]',
        "x = [[[1]]]",
    ]
)


def test_dots_and_brackets_in_strings_and_comments_are_text():
    assert load_toml(SHALLOW) == tomllib.loads(SHALLOW)


@pytest.mark.parametrize(
    "hidden",
    [
        "{} = 1",
        "[{}]",
        "[[{}]]",
        "x = {{ {} = 1 }}",
        "# it's\n{} = 1",
        "x = '\"'\n{} = 1\ny = '\"'",
        'x = "\'\\""\n{} = 1',
        "x = '''\"'''\n{} = 1\ny = \"\"",
        'x = """\\"""""\n{} = 1\ny = """\n"""',
        "x = '''a'''''\n{} = 1",
    ],
)
@pytest.mark.parametrize("key", ["a.a", "a . a", "'a'.\"a\"", '"a.\\"".b'])
def test_no_quotes_hide_a_key_of_many_parts(hidden: str, key: str):
    few, many = (hidden.format(".".join([key] * count)) for count in (2, 20))
    assert load_toml(few) == tomllib.loads(few)
    with pytest.raises(NestedTooDeeply):
        load_toml(many)


SIGNS = "\\ ' \" \"\"\" ''' # . a = \n [ ] { } , 1"


@given(st.lists(st.sampled_from(SIGNS.split(" ")), max_size=40))
def test_what_is_read_is_what_python_reads(signs: list[str]):
    text = "".join(signs).replace("\\n", "\n")
    expected, found = outcome(tomllib.loads, text), outcome(load_toml, text)
    assert found in (expected, NestedTooDeeply)


def outcome(load: Callable[[str], dict[str, Any]], text: str) -> object:
    try:
        return load(text)
    except ValueError as fault:
        return NestedTooDeeply if isinstance(fault, NestedTooDeeply) else ValueError


WORST: dict[str, Callable[[int], str]] = {
    "parts of a key": lambda size: "a." * size + "a = 1",
    "quoted parts of a key": lambda size: "'a'." * size + "a = 1",
    "parts of a table": lambda size: "[" + "a." * size + "a]",
    "keys of four parts": lambda size: "\n".join(f"a.b.c.d{n} = 1" for n in range(size // 12)),
    "tables": lambda size: "\n".join(f"[t.t{n}]" for n in range(size // 8)),
    "tables of a list": lambda size: "[[a.b]]\n" * (size // 8),
    "arrays": lambda size: "a = [" + "[1]," * (size // 4) + "]",
    "open brackets": lambda size: "a = " + "[" * size,
    "open braces": lambda size: "a = " + "{a=" * (size // 3),
    "escapes": lambda size: 'a = "' + '\\"' * (size // 2) + '"',
    "quotes": lambda size: "a = '''" + "'" * size,
    "strings that do not end": lambda size: '"\\' * (size // 2),
    "comments": lambda size: "#\n" * (size // 2),
    "blanks": lambda size: "a = [" + " \n" * (size // 2) + "]",
    "digits": lambda size: "a = " + "1" * size,
}


@pytest.mark.parametrize("text", WORST.values(), ids=list(WORST))
def test_a_text_of_twice_the_length_takes_twice_as_much(text: Callable[[int], str]):
    def read(size: int) -> None:
        with suppress(ValueError):
            load_toml(text(size))

    read(100)
    for measured in (calls_of, most_bytes_of):
        half, full = (measured(partial(read, size)) for size in (6_000, 12_000))
        assert full <= 2.3 * half
