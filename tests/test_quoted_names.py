"""What documentation names between backticks exists: a module, a function, a file, a command.

So does what the docstring of a package lists as its modules; and none of them is left out.
"""

import ast
import builtins
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
CODE = sorted((TOP / "app").rglob("*.py"))
PAGES = [TOP / "README.md", *sorted((TOP / ".github").glob("*.md"))]
FOREIGN = {
    "AS", "th", "jk",  # cards as they are typed
    "flask", "pg_dump", "client_body_timeout",  # other programs, and a setting of one
    "instance/backups/", "js/app.js",  # files that the app makes
}  # fmt: skip
FILE = re.compile(r"[\w.*<>{}-]*(/[\w.*<>{}-]*)+|[\w-]+\.(py|toml|html|js|css|md|yaml|po|svg)")
WORD = re.compile(r"[A-Za-z_]\w*")
LISTED = re.compile(r"^    ((?:\w+/?, )*\w+/?)(?: |$)", re.MULTILINE)
"""The names at the start of a line of a package's list of modules."""


def quoted_names(text: str) -> list[str]:
    """What stands between single backticks, on one line; blocks of code are left out."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", prose)


def comments_of(path: Path) -> Iterator[str]:
    """The docstrings and comments of a module, also those below its constants and fields."""
    source = path.read_text()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


@cache
def defined_names() -> frozenset[str]:
    """Whatever has a name in the code of the app: also parameters, fields and single words."""
    found = {*dir(builtins), *FOREIGN}
    for path in CODE:
        found.update((path.stem, path.parent.name))
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                    found.add(name)
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                    found.add(name)
                case ast.alias(name=name):
                    found.update(name.split("."))
                case ast.Constant(value=str(text)) if re.fullmatch(r"[\w-]+", text):
                    found.add(text)
    return frozenset(found)


def is_known(quoted: str, beside: Path) -> bool:
    """Does what is quoted exist, seen from a file? Whole commands and examples count as known."""
    if quoted in defined_names() or re.search(r"[ =:…]|^[-/<]", quoted):
        return True
    if FILE.fullmatch(quoted):
        within = str(beside.parent.relative_to(TOP)) if beside.suffix == ".py" else ""
        return any(
            f"/{path}".endswith(f"/{quoted.rstrip('/')}")
            for path in all_paths()
            if "/" in quoted or path.startswith((within, "app/translations"))
        )
    owner, _dot, member = quoted.partition(".")
    if WORD.fullmatch(member) and owner in members_of_classes():
        return member in members_of_classes()[owner]
    return all(word in defined_names() for word in WORD.findall(quoted))


@cache
def members_of_classes() -> dict[str, set[str]]:
    """The names in the body of each class of the app whose bases are the app's own, too."""
    bodies = {
        node.name: node
        for path in CODE
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    }

    def bases_of(node: ast.ClassDef) -> list[str]:
        return [ast.unparse(base).partition("[")[0] for base in node.bases]

    def is_ours(node: ast.ClassDef) -> bool:
        return all(base in bodies and is_ours(bodies[base]) for base in bases_of(node))

    def names_of(node: ast.ClassDef) -> set[str]:
        found = set(dir(object))
        for one in ast.walk(node):
            match one:
                case ast.FunctionDef(name=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                    found.add(name)
        return found.union(*(names_of(bodies[base]) for base in bases_of(node)))

    return {name: names_of(node) for name, node in bodies.items() if is_ours(node)}


@cache
def all_paths() -> tuple[str, ...]:
    """Every file and folder of the project, seen from its top."""
    tops = (
        "app",
        "static",
        "templates",
        "tests",
        "deploy",
        "instance",
        ".github",
        ".ci",
        ".javascript",
    )
    found = (path for top in tops for path in (TOP / top, *(TOP / top).rglob("*")))
    ours = [str(one.relative_to(TOP)) for one in found if "node_modules" not in one.parts]
    return (*ours, "pyproject.toml")


def test_what_a_docstring_or_a_comment_names_exists() -> None:
    for path in CODE:
        quoted = (one for text in comments_of(path) for one in quoted_names(text))
        assert [one for one in quoted if not is_known(one, path)] == [], path


def test_what_a_page_for_developers_and_hosts_names_exists() -> None:
    for path in PAGES:
        quoted = quoted_names(path.read_text())
        assert [one for one in quoted if not is_known(one, path)] == [], path


def listed_modules(package: Path) -> set[str]:
    """The modules and folders that the docstring of a package lists, in lines of their own."""
    docstring = ast.get_docstring(ast.parse(package.read_text()), clean=False) or ""
    return {name.rstrip("/") for line in LISTED.findall(docstring) for name in line.split(", ")}


MAPS = [path for path in CODE if path.name == "__init__.py" and listed_modules(path)]


@pytest.mark.parametrize("path", MAPS, ids=lambda path: str(path.relative_to(TOP)))
def test_what_lists_the_modules_of_a_package_names_each_of_them_and_no_other(path: Path) -> None:
    listed, folder = listed_modules(path), path.parent
    modules = {one.stem for one in folder.glob("*.py")} - {"__init__"}
    packages = {one.parent.name for one in folder.glob("*/__init__.py")}
    folders = {one.name for one in folder.iterdir() if one.is_dir()}
    in_prose = {quoted.removesuffix(".py") for quoted in quoted_names(path.read_text())}
    assert listed - modules - folders == set()
    assert modules | packages <= listed | in_prose


def test_the_lists_of_modules_are_found() -> None:
    assert {"rules", "scorebook", "exchange"} <= {path.parent.name for path in MAPS}


@pytest.mark.parametrize(
    "quoted", ["Variant.line", "note_finish", "queries/absent.py", "Game.a_b_c_d"]
)
def test_a_name_of_nothing_is_found(quoted: str) -> None:
    assert not is_known(quoted, TOP / "app/store/games.py")
