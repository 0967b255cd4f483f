"""Every question of the Q&A, from `topics.toml`, `facts.py` and `examples.py`."""

import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from string import Formatter
from typing import Any

from app.rules.faq import examples
from app.rules.faq.examples import NoExample
from app.rules.faq.facts import fact, holds
from app.rules.faq.topics import Example, Topic, TopicAnswer
from app.rules.phrases import Phrase
from app.rules.variant import Variant

FILE = Path(__file__).with_name("topics.toml")
_OF_THE_JUDGE = ("ask", "kind", "cards", "meld", "add", "card", "position", "owner", "contract")
"""The keys of an example that are fields of its question."""

Text = str | Mapping[str, Any] | list[Mapping[str, Any]]
"""A text with facts in braces; a table of `one`, `many` and the fact that is their `count`; or a
list of tables, of which the first holds whose condition (`where`) does, by its `text`."""


def _topic(name: str, plain: Mapping[str, Any]) -> Topic:
    fields = tuple(plain.get("fields", ()))
    built = getattr(examples, name.replace("-", "_") + "_example", None)
    return Topic(
        name,
        group=plain["group"],
        question=lambda variant: _phrase(variant, plain["question"]) or Phrase(name),
        answer=lambda variant: _answer(variant, _answer_texts(variant, plain, fields)),
        search_words=Phrase(plain["search"]),
        fields=fields,
        is_relevant=lambda variant: _is_relevant(variant, name, plain),
        example=partial(_example, plain["example"]) if "example" in plain else built,
        on_sheet=plain.get("on_sheet", False),
    )


def _is_relevant(variant: Variant, name: str, plain: Mapping[str, Any]) -> bool:
    in_file = plain.get("in_file", False)
    if in_file and variant.file_answer(name).answer:
        return True
    return holds(variant, plain.get("where", not in_file))


def _answer_texts(
    variant: Variant, plain: Mapping[str, Any], fields: tuple[str, ...]
) -> Mapping[str, Text]:
    """The texts of the answer: for every rule set, or by the value of the first field."""
    if "answers" not in plain:
        return plain
    texts = plain["answers"][str(getattr(variant, fields[0])).lower()]
    return texts if isinstance(texts, Mapping) else {"answer": texts}


def _answer(variant: Variant, texts: Mapping[str, Text]) -> TopicAnswer:
    reason = _phrase(variant, texts["reason"]) if "reason" in texts else None
    return TopicAnswer(_phrase(variant, texts["answer"]) or Phrase(""), reason)


def _phrase(variant: Variant, text: Text) -> Phrase | None:
    """What a text says under some rules; None where none of its conditions holds."""
    if isinstance(text, list):
        chosen = (one["text"] for one in text if holds(variant, one.get("where", True)))
        return next((_phrase(variant, one) for one in chosen), None)
    if isinstance(text, str):
        return Phrase(text, _values(variant, text))
    count = abs(fact(variant, text["count"]))
    values = (("count", count), *_values(variant, text["one"].replace("{count}", "")))
    return Phrase(text["one"], values, plural=text["many"], count=count)


def _values(variant: Variant, text: str) -> tuple[tuple[str, Any], ...]:
    names = dict.fromkeys(name for _text, name, _spec, _conversion in Formatter().parse(text))
    return tuple((name, fact(variant, name)) for name in names if name)


def _example(plain: Mapping[str, Any], variant: Variant) -> Example:
    """The example for some rules. Raises `NoExample` where it has no effect or no wild cards."""
    caption = _phrase(variant, plain["caption"])
    if caption is None or not holds(variant, plain.get("where", True)):
        raise NoExample
    question: dict[str, object] = {
        name: _cards(variant, plain[name]) for name in _OF_THE_JUDGE if name in plain
    }
    if question["ask"] == "meld" and "contract" not in question:
        question["size"] = len(str(question["cards"]).split())
    return Example(question, caption, {"legal": holds(variant, plain["legal"])})


def _cards(variant: Variant, value: object) -> object:
    if isinstance(value, list):
        return next(one["text"] for one in value if holds(variant, one.get("where", True)))
    if not isinstance(value, str):
        return value
    try:
        return value.format_map(_Facts(variant))
    except IndexError:
        raise NoExample from None


class _Facts(dict[str, Any]):
    """The facts of a rule set by their names, worked out when they are asked for."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    def __missing__(self, name: str) -> Any:
        return fact(self._variant, name)


TOPICS = tuple(
    _topic(name, plain) for name, plain in tomllib.loads(FILE.read_text("utf-8")).items()
)
"""In the order of the page, group by group."""
