"""Every question of the Q&A, from `topics.toml`, `answer_logic.py` and `examples.py`."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from app.rules.faq import examples
from app.rules.faq.answer_logic import ANSWERS, QUESTIONS, RELEVANCE
from app.rules.faq.topics import Topic, TopicAnswer
from app.rules.phrases import Phrase
from app.rules.variant import Variant

_FILE = Path(__file__).with_name("topics.toml")


def _topic(name: str, plain: Mapping[str, Any]) -> Topic:
    question, fields = Phrase(plain.get("question", "")), tuple(plain.get("fields", ()))
    return Topic(
        name,
        group=plain["group"],
        question=QUESTIONS.get(name) or (lambda _variant: question),
        answer=ANSWERS.get(name) or _answer_by_value(plain, fields),
        search_words=Phrase(plain["search"]),
        fields=fields,
        is_relevant=RELEVANCE.get(name, lambda _variant: True),
        example=getattr(examples, name.replace("-", "_") + "_example", None),
        on_sheet=plain.get("on_sheet", False),
    )


def _answer_by_value(
    plain: Mapping[str, Any], fields: tuple[str, ...]
) -> Callable[[Variant], TopicAnswer]:
    if "answers" not in plain:
        always = _answer(plain)
        return lambda _variant: always
    answers = {value: _answer(one) for value, one in plain["answers"].items()}
    return lambda variant: answers[str(getattr(variant, fields[0])).lower()]


def _answer(plain: str | Mapping[str, str]) -> TopicAnswer:
    texts = {"answer": plain} if isinstance(plain, str) else plain
    phrases = {name: Phrase(texts[name]) for name in ("answer", "reason") if name in texts}
    return TopicAnswer(**phrases)


TOPICS = tuple(
    _topic(name, plain) for name, plain in tomllib.loads(_FILE.read_text("utf-8")).items()
)
"""In the order of the page, group by group."""
