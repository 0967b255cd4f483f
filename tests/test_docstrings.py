"""What docstrings of the rules and the scorebook show is what comes of it."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

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
