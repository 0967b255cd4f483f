"""Our styles and scripts need nothing newer than the browsers that the README promises.

`browsers.toml` names what they use: what every browser has had for years, and what is newer with
the version in which each browser began. What is on neither list is looked up and added first.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
LISTS = tomllib.loads(Path(__file__).with_name("browsers.toml").read_text(encoding="utf-8"))
SUPPORTED: Mapping[str, float] = LISTS["supported"]

_SYNTAX = {
    "??=": r"\?\?=|\|\|=|&&=",
    "?.": r"\?\.[\w(\[]",
    "??": r"\?\?(?!=)",
    "private fields": r"[{;\s.]#\w",
    "static blocks": r"\bstatic\s*\{",
    "regular expressions with v": r"/[gimsuy]*v[gimsuy]*[.,;)\s]",
    "using": r"\busing\s+\w+\s*=",
}


def used_by_styles(text: str) -> Iterator[str]:
    """What a style sheet uses, outside of `@supports`."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r'"[^"]*"', '""', _without_supports(text))
    yield from (f"@{name}" for name in re.findall(r"@([\w-]+)", text))
    yield from (f"({name}" for name in re.findall(r"\(([a-z-]+): ?[^()]*\)", text))
    yield from (f"{name}()" for name in re.findall(r"(?<![:\w-])([a-z-]+)\(", text))
    yield from re.findall(r"::?[a-z-]+", re.sub(r":\s+[^;{}]*[;}]", ";", text))
    yield from (name for name in re.findall(r"[{;]\s*([a-z-]+):", text) if name[:2] != "--")
    yield from (f"1{unit}" for unit in re.findall(r"(?<![\w#-])\d*\.?\d+([a-z]+)", text))
    yield from (f"{word} as a value" for word in re.findall(r"\b(anywhere|subgrid)\b", text))
    if "&" in text:
        yield "&"


def _without_supports(text: str) -> str:
    while (start := text.find("@supports")) >= 0:
        end = text.index("{", start) + 1
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[:start] + text[end:]
    return text


def used_by_scripts(text: str) -> Iterator[str]:
    """What a script uses of the language and the browser, without what it names itself."""
    code = _code_alone(text)
    yield from (name for name, pattern in _SYNTAX.items() if re.search(pattern, code))
    code = re.sub(r"dataset\??\.\w+", "dataset", code)
    keys = set(re.findall(r"\b(\w+):", code))
    ours = set(re.findall(r"\b(?:function\*?|const|let) (\w+)", code)) | keys
    members = set(re.findall(r"(?<=[\w)\]\"'`?])\.([A-Za-z_$][\w$]*)", code))
    yield from (f".{name}" for name in members - keys)
    yield from set(re.findall(r"(?<![\w.$])[A-Z][A-Za-z]+\b", code)) - ours
    for names in re.findall(r"\bimport \{([^}]*)\}", code):
        ours.update(re.findall(r"\w+", names))
    called = set(re.findall(r"(?<![\w.$])([a-z]\w*)\(", code))
    yield from (f"{name}()" for name in called - ours)


def _code_alone(text: str) -> str:
    """A script without its comments and without the text of its strings."""
    tokens = re.compile(
        r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'"
        r"|(?<=[(,=:?&|] )/(?:\\.|[^/\\\n])+/[a-z]*|(?<=\()/(?:\\.|[^/\\\n])+/[a-z]*",
        re.DOTALL,
    )
    code = tokens.sub(lambda found: '""' if found[0][0] in "\"'" else "", text)
    parts = re.split(r"(?<!\\)`", code)
    for place in range(1, len(parts), 2):
        parts[place] = " ".join(re.findall(r"\$\{([^}]*)\}", parts[place]))
    return '""'.join(parts)


FILES = {
    **dict.fromkeys(sorted((TOP / "static/css").glob("*.css")), ("css", used_by_styles)),
    **dict.fromkeys(sorted((TOP / "static/js").glob("*.js")), ("js", used_by_scripts)),
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_uses_nothing_that_a_supported_browser_lacks(path: Path) -> None:
    kind, used = FILES[path]
    names = set(used(path.read_text(encoding="utf-8")))
    new = LISTS[kind]["new"]
    known = {*LISTS[kind]["old"].split(), *LISTS[kind]["asked_first"].split(), *new}
    assert names - known == set(), "look up since when browsers know these, and list them"
    assert {name: since for name in names & new.keys() if (since := _too_new(new[name]))} == {}


def _too_new(since: Mapping[str, float]) -> Mapping[str, float]:
    return {name: since[name] for name in SUPPORTED if since[name] > SUPPORTED[name]}


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("css", ".a { color: oklch(50% 0 0); }", "oklch()"),
        ("css", ".a { text-wrap: balance; }", "text-wrap"),
        ("css", ".a:has(b) { color: red; }", ":has"),
        ("css", ".a { height: 3cqw; }", "1cqw"),
        ("css", "@layer a { .a { color: red; } }", "@layer"),
        ("css", ".a { & b { color: red; } }", "&"),
        ("js", "const a = b.toSorted();", ".toSorted"),
        ("js", "structuredClone(a);", "structuredClone()"),
        ("js", "const a = new ViewTransition();", "ViewTransition"),
        ("js", "class A { #b = 1; }", "private fields"),
        ("js", "document.title = `${a.withResolvers()}`;", ".withResolvers"),
    ],
)
def test_the_check_finds_what_is_new(kind: str, text: str, found: str) -> None:
    used = used_by_styles if kind == "css" else used_by_scripts
    assert found in set(used(text))
    assert found not in LISTS[kind]["old"].split()


def test_the_readme_promises_what_is_checked() -> None:
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    promise = "Safari and iOS {safari:g}, Chrome {chrome:g}, Firefox {firefox:g} and newer"
    assert promise.format(**SUPPORTED) in readme


def test_nothing_has_both_a_sign_before_it_and_a_large_first_letter() -> None:
    """Safari takes the sign for the letter."""
    files = (TOP / "static/css").glob("*.css")
    style = "\n".join(file.read_text(encoding="utf-8") for file in files)
    large, signed = (
        set(re.findall(rf"\.([\w-]+)::{one}", style)) for one in ("first-letter", "before")
    )
    assert large
    for path in (TOP / "templates").rglob("*.html"):
        for names in re.findall(r'class="([^"]*)"', path.read_text(encoding="utf-8")):
            classes = set(re.findall(r"[\w-]+", names))
            assert not (classes & large and classes & signed), (path.name, names)
