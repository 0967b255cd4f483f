"""A cached fragment shows what it is given, and nothing of the request, the clock or the database.

Its arguments are its key. Whatever else it read would be shown to others for as long as it is kept.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, render_template, url_for
from jinja2 import DictLoader, Environment, meta, nodes
from jinja2.filters import FILTERS as STANDARD_FILTERS

from app.web.infrastructure.fragment_cache import cached_fragment

TOP = Path(__file__).parents[2]
TEMPLATES = TOP / "templates"
SAME_FOR_ALL = {
    "_",
    "ngettext",
    "current_language",
    "languages",
    "static",
    "symbol",
    "tap_words",
    "version",
    "url_for",
    "fragment",
}
"""Globals that, within a fragment, say the same in every request of one language and one root."""
FILLED_IN_LATER = {"csrf_token", "request_key"}
FILTERS = {*STANDARD_FILTERS, "words", "number", "signed", "percent"} - {"random"}
BY_THE_HOSTS_CLOCK = {"day", "moment", "short_moment"}
"""Of a moment that is given, in the zone of the host: the same until it is started anew."""
CACHES = {
    (
        "api/operations.py",
        "_adapter",
    ): "of a type that is declared",
    ("api/operations.py", "openapi"): "of the operations that are declared",
    ("checker/cited.py", "_judged_question"): "up to 4 ms, for each of 100 rulings",
    ("checker/cited.py", "_said_of"): "up to 10 ms for the judge, for each of 100 rulings alike",
    (
        "checker/cited.py",
        "_explaining_topic_id",
    ): "about 1 ms for the judge, for each of 100 rulings",
    ("faq.py", "judge_examples"): "25 to 50 ms for the judge, on every page of a Q&A",
    ("infrastructure/fragment_cache.py", "_rendered"): "the cache of fragments",
    ("infrastructure/assets.py", "_read_kept"): "of files named by their content, at most 64",
    ("infrastructure/assets.py", "_address"): "of the files on disk, which change with a release",
    ("infrastructure/assets.py", "assets_version"): "of the files on disk",
    ("infrastructure/assets.py", "all_assets"): "of the files on disk",
    ("infrastructure/localization.py", "catalogue"): "of the files on disk",
    ("infrastructure/localization.py", "_languages_in"): "of the files on disk",
    ("infrastructure/localization.py", "_written"): "of a number, a pattern and a language",
}


def fragments_of_templates(environment: Environment) -> Iterator[tuple[str, set[str]]]:
    for file in sorted(TEMPLATES.rglob("*.html")):
        for call in environment.parse(file.read_text()).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "fragment":
                assert isinstance(call.args[0], nodes.Const), file
                yield call.args[0].value, {one.key for one in call.kwargs}


def fragments_of_views() -> Iterator[tuple[str, set[str]]]:
    for file in sorted((TOP / "app/web").rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                named = {one.arg or "" for one in call.keywords}
                if call.func.id == "fragment" or "cached" in named:
                    template = call.args[-1]
                    assert isinstance(template, ast.Constant), file
                    yield str(template.value), named - {"cached", "status"}


def with_all_that_it_includes(environment: Environment, name: str) -> dict[str, nodes.Template]:
    found: dict[str, nodes.Template] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found[one] = environment.parse((TEMPLATES / one).read_text())
            referred = list(meta.find_referenced_templates(found[one]))
            assert None not in referred, f"{one} includes what only the request decides"
            waiting += [str(name) for name in referred]
    return found


def what_it_reads(environment: Environment, name: str, given: set[str]) -> set[str]:
    """What a fragment reads beside its arguments and what is the same for all."""
    trees = with_all_that_it_includes(environment, name).values()
    names = [one for tree in trees for one in tree.find_all(nodes.Name)]
    macros = {one.name for tree in trees for one in tree.find_all(nodes.Macro)}
    made = macros | {one.name for one in names if one.ctx != "load"}
    free = {one for tree in trees for one in meta.find_undeclared_variables(tree)}
    used = {one.name for one in names if one.ctx == "load"} & environment.globals.keys()
    filters = {one.name for tree in trees for one in tree.find_all(nodes.Filter)}
    whole_addresses = {
        "_external"
        for tree in trees
        for call in tree.find_all(nodes.Call)
        if any(one.key == "_external" for one in call.kwargs)
    }
    return (
        (free - made - given)
        | (used - made - SAME_FOR_ALL - FILLED_IN_LATER)
        | (filters - FILTERS - BY_THE_HOSTS_CLOCK)
        | whole_addresses
    )


def test_a_cached_fragment_reads_nothing_but_its_arguments(app: Flask):
    found = [*fragments_of_templates(app.jinja_env), *fragments_of_views()]
    assert len(found) > 10
    for name, given in found:
        assert what_it_reads(app.jinja_env, name, given) == set(), name


@pytest.mark.parametrize(
    ("template", "read"),
    [
        ("{{ page.name }} {{ g.group }}", {"g"}),
        ("{{ page.name }} {{ request.path }}", {"request"}),
        ("{{ page.at|ago }}", {"ago"}),
        ("{{ [1, 2]|random }}", {"random"}),
        ("{{ other }}", {"other"}),
        ("{{ url_for('home.index', _external=True) }}", {"_external"}),
        ("{% set name = page.name %}{{ name|words }} {{ csrf_token() }}", set()),
    ],
)
def test_what_a_fragment_reads_of_the_request_is_found(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, template: str, read: set[str]
):
    (tmp_path / "_made_up.html").write_text(template)
    monkeypatch.setitem(globals(), "TEMPLATES", tmp_path)
    assert what_it_reads(app.jinja_env, "_made_up.html", {"page"}) == read


def test_an_address_in_a_cached_fragment_has_nothing_of_the_request(
    app: Flask, monkeypatch: pytest.MonkeyPatch
):
    pages = [
        one.endpoint
        for one in app.url_map.iter_rules()
        if not one.arguments and "GET" in (one.methods or ())
    ]
    listed = {"_addresses.html": "{% for one in pages %}{{ url_for(one) }} {% endfor %}"}
    monkeypatch.setattr(app.jinja_env, "loader", DictLoader(listed))
    adding = set()
    for asked in pages:
        with app.test_request_context():
            address = url_for(asked, year=2026, game="abc")
        with app.test_request_context(address):
            if "?" in render_template("_addresses.html", pages=pages):
                adding.add(asked.partition(".")[0])
            assert "?" not in cached_fragment("_addresses.html", pages=tuple(pages), of=asked)
    assert adding > {"history", "groups"}


def test_every_other_cache_of_the_pages_has_its_reason_here():
    cached = {
        (file.relative_to(TOP / "app/web").as_posix(), function.name)
        for file in (TOP / "app/web").rglob("*.py")
        for function in ast.walk(ast.parse(file.read_text()))
        if isinstance(function, ast.FunctionDef)
        and any(
            ast.unparse(one).partition("(")[0] in ("cache", "lru_cache")
            for one in function.decorator_list
        )
    }
    assert cached == set(CACHES)
