"""What a page or a template says to people: its texts, and the attributes that are read out."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from jinja2 import Environment, nodes

PROSE = re.compile(r"[^\W\d_]{2,}")
"""Two letters in a row are a word; a single one is a card or a sign."""

_ATTRIBUTES = re.compile(r'[\w-]="|^"')
"""A macro may hold attributes without their tag."""

_NEEDS_MARKING = re.compile(rf"{PROSE.pattern}|^\s*[:;?!]")
"""French sets these signs apart from the word before them, so they belong to the sentence."""

_CLASS_BLOCK = re.compile(r"{% block \w+_class %}.*?{% endblock %}")
_READ_OUT = ("aria-label", "aria-description", "placeholder", "title", "alt", "label")
_UNSEEN = ("script", "style", "svg")


class Reader(HTMLParser):
    """Collects the texts of HTML, each with the tag that it stands in."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        self.found += [value for name, value in attrs if name in _READ_OUT and value]
        of = dict(attrs)
        if tag == "meta" and (of.get("name") or "") == "description":
            self.found.append(of.get("content") or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN

    def handle_data(self, data: str) -> None:
        if not self._unseen and data.strip():
            self.found.append(data.strip())


def texts_of(html: str) -> list[str]:
    """What HTML says to those who see it or have it read out."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader.found


def unmarked(template: str) -> list[str]:
    """The words of a template that no catalogue can translate."""
    environment = Environment(extensions=["jinja2.ext.i18n"])
    template = _CLASS_BLOCK.sub("", template)
    html, expressions = _taken_apart(environment, template)
    found = []
    for text in texts_of(html):
        for part in re.split(r"(\x00\d+\x00)", text):
            if part.startswith("\x00"):
                found += _literal_words(environment, expressions[int(part.strip("\x00"))])
            elif _NEEDS_MARKING.search(part) and not _ATTRIBUTES.search(part):
                found.append(part.strip())
    return found


def _taken_apart(environment: Environment, template: str) -> tuple[str, list[str]]:
    """The template's HTML with a mark for each expression, and the expressions."""
    html: list[str] = []
    expressions: list[str] = []
    written: list[str] = []
    inside = ""
    for _line, kind, value in environment.lex(template):
        if kind.endswith("_begin"):
            inside = kind
            written = []
        elif kind.endswith("_end"):
            if kind == "variable_end":
                html.append(f"\x00{len(expressions)}\x00")
                expressions.append("".join(written))
            inside = ""
        elif inside:
            written.append(value)
        else:
            html.append(value)
    return "".join(html), expressions


def _literal_words(environment: Environment, expression: str) -> list[str]:
    [output] = environment.parse("{{ " + expression + " }}").body
    assert isinstance(output, nodes.Output)
    return [text for node in output.nodes for text in _shown(node) if PROSE.search(text)]


def _shown(node: nodes.Node) -> Iterator[str]:
    """The literal texts that an expression may come to; those of calls are the callee's matter."""
    match node:
        case nodes.TemplateData() | nodes.Const():
            yield str(node.data if isinstance(node, nodes.TemplateData) else node.value)
        case nodes.CondExpr():
            yield from _shown(node.expr1)
            if node.expr2:
                yield from _shown(node.expr2)
        case nodes.Concat():
            for part in node.nodes:
                yield from _shown(part)
        case nodes.Or() | nodes.And():
            yield from _shown(node.left)
            yield from _shown(node.right)
        case nodes.Filter() if node.name != "words" and node.node is not None:
            yield from _shown(node.node)
