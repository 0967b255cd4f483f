"""Small ES modules put together into one script, so that a device asks once and not for each.

Our modules use three forms of import and export, and no others: `import "./x.js"`,
`import { a, b } from "./x.js"`, and `export` before a const, let or function. Each module becomes a
function of its own, called once, after those that it imports. Any other form is refused, loudly.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

_IMPORT = re.compile(r'^import (?:\{ ([\w$, ]+) \} from )?"\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|let|(?:async )?function) ([\w$]+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class UnknownModuleForm(ValueError):
    """A module imports or exports in a way that is not put together here."""


def bundle(folder: Path, entries: Sequence[str]) -> str:
    """One script that does what these modules and those they import do, in their order.

    Raises `UnknownModuleForm`, also for modules that import each other in a circle.
    """
    done: dict[str, str] = {}
    for entry in entries:
        _add(folder, entry, done, ())
    return f'(() => {{\n"use strict";\n{"".join(done.values())}}})();\n'


def _add(folder: Path, name: str, done: dict[str, str], waiting: tuple[str, ...]) -> None:
    if name in waiting:
        raise UnknownModuleForm(f"{name}.js imports itself by way of {waiting}")
    if name in done:
        return
    text = (folder / f"{name}.js").read_text("utf-8")
    for _names, other in _IMPORT.findall(text):
        _add(folder, other, done, (*waiting, name))
    held = {one: f"m{number}" for number, one in enumerate(done)}
    body = _IMPORT.sub(partial(_taken_from, held), text)
    exported = _EXPORT.findall(body)
    body = _EXPORT.sub("", body)
    other_form = _OTHER.search(body)
    if other_form:
        raise UnknownModuleForm(f"{name}.js: {other_form[0]}")
    given = f"return {{ {', '.join(exported)} }};\n" if exported else ""
    done[name] = f"const m{len(done)} = (() => {{\n{body}{given}}})();\n"


def _taken_from(held: Mapping[str, str], match: re.Match[str]) -> str:
    names, module = match.groups()
    return f"const {{ {names} }} = {held[module]};\n" if names else ""
