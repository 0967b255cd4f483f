"""Adding a rule set is adding a file: no code and no template speaks of a single one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from app.rules.rule_sets import VARIANTS, family_rule_sets, load, rule_set_by_id

ROOT = Path(__file__).parents[2]


def spoken_texts(path: Path) -> Iterator[str]:
    """The texts that a module works with: its strings, but not its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    statements = (node for node in ast.walk(tree) if isinstance(node, ast.Expr))
    docstrings = {id(statement.value) for statement in statements}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield str(node.value)


def ids_named_in(text: str) -> set[str]:
    return {one for one in family_rule_sets() if re.search(rf"(?<![\w-]){one}(?![\w-])", text)}


def test_no_module_names_a_rule_set() -> None:
    naming = {
        (path.relative_to(ROOT).as_posix(), one)
        for path in (ROOT / "app").rglob("*.py")
        for text in spoken_texts(path)
        for one in ids_named_in(text)
    }
    assert naming == set()


def test_no_template_names_a_rule_set() -> None:
    naming = {
        (path.relative_to(ROOT).as_posix(), one)
        for path in (ROOT / "templates").rglob("*.*")
        for one in ids_named_in(path.read_text(encoding="utf-8"))
    }
    assert naming == set()


def test_the_search_for_named_rule_sets_finds_one(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text('"""On frustration."""\nodd = variant.id == "frustration-rummy"\n')
    assert [ids_named_in(text) for text in spoken_texts(path)] == [{"frustration-rummy"}]


def test_a_tenth_rule_set_is_one_more_file(tmp_path: Path) -> None:
    text = (VARIANTS / "garbage-rummy.toml").read_text(encoding="utf-8")
    text = text.replace('id = "garbage-rummy"', 'id = "attic-rummy"')
    text = text.replace('name = "Garbage Rummy"', 'name = "Attic Rummy"')
    text = text.replace("deal = { value = 10", "deal = { value = 12")
    text = text.replace('    "r11",\n', '    "r11",\n    "s6 r6",\n')
    path = tmp_path / "attic-rummy.toml"
    path.write_text(text, encoding="utf-8")
    attic = load(path)
    assert (attic.id, attic.name, attic.deal) == ("attic-rummy", "Attic Rummy", 12)
    assert (attic.last_contract, str(attic.contract(12))) == (12, "s6 r6")
    assert attic.field_source("deal") == rule_set_by_id("garbage-rummy").field_source("deal")
