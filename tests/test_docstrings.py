"""What docstrings of the rules and the scorebook show is what comes of it."""

import ast
import doctest
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import app
import app.rules
import app.scorebook


def test_each_example_of_a_docstring_comes_to_what_it_says() -> None:
    """Those of tests would have every process of a run look through all of them."""
    tried = failed = 0
    for package in (app.rules, app.scorebook):
        below = walk_packages(package.__path__, f"{package.__name__}.")
        for name in (package.__name__, *(one.name for one in below)):
            found = doctest.testmod(import_module(name))
            tried, failed = tried + found.attempted, failed + found.failed
    assert tried > 15
    assert not failed


def test_no_docstring_of_a_module_says_the_same_without_a_name() -> None:
    """What stands before it may move: of which the same is said is named."""
    for path in Path(app.__path__[0]).rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            match node:
                case ast.FunctionDef() | ast.ClassDef():
                    said = ast.get_docstring(node)
                case ast.Expr(value=ast.Constant(value=str(text))):
                    said = text
                case _:
                    continue
            assert not re.match(r"(The same|Likewise)\b[^`]*$", said or ""), (path, said)
