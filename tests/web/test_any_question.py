"""Whatever an address of the checker says, it is answered: a verdict or what is wrong, never a 500.

`ANY_QUESTION=2000` draws so many addresses; by default there are fewer.
"""

import os
import random

import pytest
from flask.testing import FlaskClient

from app.extensions import limiter
from app.rules.house_rules import HOUSE_RULES
from tests.web_table import PlainGame

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

DRAWN = int(os.environ.get("ANY_QUESTION", "120"))
ASKS = ("contract", "meld", "hand", "layoff", "swap", "score")
ODD = (
    "",
    " ",
    "0",
    "-1",
    "1.5",
    "²",
    "٣",
    "99999999999999999999",
    "guess",
    "\x00",
    "{x}",
    "%s",
    "é" * 300,
)
CARDS = ("5H 5D 5C", "5H 6H JK 8H", "5", "JK JK JK", "ZZ", "5H " * 61, "5H" * 300, "R♥ D V")
USUAL = {
    "ask": ASKS,
    "variant": ("frustration", "frustration-nineteen", "twelve-step-rummy", "carioca"),
    "players": ("1", "4", "12"),
    "contract": ("1", "2", "7"),
    "kind": ("set", "run"),
    "size": ("1", "3", "60"),
    "position": ("1", "2", "60"),
    "owner": ("self", "other"),
    "m": CARDS,
    "add": CARDS,
    "table": CARDS,
    "table-kind": ("set", "run"),
    "game": ("nobody",),
    "whose": ("1", ""),
    "aside": CARDS,
    "at": ("0", "1", "60"),
    "rule-nothing": ("1",),
    **{
        f"rule-{field}": tuple(str(one.value) for one in rule.choices)
        for field, rule in HOUSE_RULES.items()
    },
}
"""The parameters of the checker's address, each with what it usually says."""
SEVERAL = ("m", "add", "table", "table-kind", "aside")
FRAGMENT = {"HX-Request": "true"}


def assert_answered(client: FlaskClient, question: dict[str, list[str]], *, alone: bool) -> None:
    """The question has an answer, as a page or as the verdict alone."""
    limiter.reset()
    address, headers = ("/check/verdict", FRAGMENT) if alone else ("/check", None)
    response = client.get(address, query_string=question, headers=headers)
    if any("\0" in text for texts in question.values() for text in texts):
        assert response.status_code == 400, "a NUL is no text"
        return
    assert response.status_code == 200, question
    assert '<section id="verdict"' in response.get_data(as_text=True), question


@pytest.mark.parametrize(("turn", "ask"), [*enumerate([*ASKS, "guess", None])])
def test_each_parameter_may_be_missing_unknown_or_strange(
    client: FlaskClient, turn: int, ask: str | None
):
    """Each question is asked with a third of what is strange, so that two ask with each of it.

    House rules are read before it is looked at what is asked: of them each asks with an eighth.
    """
    for place, name in enumerate(USUAL):
        odd = ODD if name in ("players", "contract", "m") else ODD[:9]
        values = (None, *odd[turn % 3 :: 3])
        if name.startswith("rule-"):
            values = (None, *odd)[(turn + place) % 8 :: 8]
        for value in values:
            question = {"contract": ["1"], "m": ["5H 5D 5C", "9H 9D 9C"], "add": ["5S"]}
            question |= {} if ask is None else {"ask": [ask]}
            question.pop(name, None) if value is None else question.update({name: [value]})
            assert_answered(client, question, alone=name != "ask" and value != "²")


def test_drawn_addresses_are_answered(a_running_game: PlainGame):
    rng = random.Random(31)
    client = a_running_game.client
    for _ in range(DRAWN):
        question = drawn(rng)
        if rng.random() < 0.3:
            question["game"] = [a_running_game.key]
        assert_answered(client, question, alone=rng.random() < 0.7)


def drawn(rng: random.Random) -> dict[str, list[str]]:
    """Some of the parameters, in no order, most with usual values."""
    names = rng.sample(list(USUAL), rng.randint(1, len(USUAL)))
    common = ["ask", "variant", "kind", "m", "add"]
    question = {}
    for name in dict.fromkeys(
        [*rng.sample(common, rng.randint(2, 5)), *names[: rng.randint(0, 9)]]
    ):
        usual = USUAL[name] or ODD
        count = rng.randint(1, 4) if name in SEVERAL else 1
        question[name] = [rng.choice(usual if rng.random() < 0.85 else ODD) for _ in range(count)]
    return question
