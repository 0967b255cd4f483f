"""One judge: file, JSON interface and page give one whole answer to one question.

`ONE_JUDGE=5000` draws so many questions and asks the whole case book; by default there are fewer.
"""

import html
import json
import os
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from app.extensions import limiter
from app.rules.cards import RANKS, SUITS, Card, cards_in_words, cards_phrase
from app.rules.faq import faq_entries
from app.rules.house_rules import HOUSE_RULES
from app.rules.judge import UnreadableQuestion, answer
from app.rules.judge_questions import answer_question, read_question
from app.rules.rule_sets import FaultyRules, family_rule_sets, shipped_rule_sets, with_house_rules
from app.rules.variant import Variant
from app.web.checker.card_views import CardView
from tests.web.test_interface import token_for
from tests.web_table import PlainGame

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

DRAWN = int(os.environ.get("ONE_JUDGE", "40"))
BOOK = [
    json.loads(line)
    for file in sorted((Path(__file__).parents[1] / "cases").glob("*.jsonl"))
    for line in file.read_text("utf-8").splitlines()
]
EXAMPLES = [
    {"variant": variant.id, **entry.example.question}
    for variant in shipped_rule_sets().values()
    for entry in faq_entries(variant)
    if entry.example
]
_CARDS = {"meld": ["cards"], "score": ["cards"], "hand": ["hand"], "layoff": ["meld", "add"]}
_CARDS |= {"swap": ["meld", "card"]}
_TYPED = HOUSE_RULES.keys()
CHOSEN_RULES = [rule for rule in HOUSE_RULES.values() if rule.choices]
SWAP_RULES = [rule for rule in CHOSEN_RULES if rule.field == "wild_swap"]


def address(question: dict[str, Any]) -> dict[str, Any]:
    """The parts of the page's address that ask the same."""
    names = ("ask", "variant", "players", "contract", "kind", "size", "position", "owner")
    parts = {name: question[name] for name in names if name in question}
    rules = question.get("house_rules", {})
    parts |= {f"rule-{field}": str(value).lower() for field, value in rules.items()}
    if question["ask"] == "contract":
        return parts | {"m": question["melds"]}
    parts |= dict(
        zip(("m", "add"), (question[one] for one in _CARDS[question["ask"]]), strict=False)
    )
    table = question.get("table") or []
    return parts | {
        "table": [one["meld"] for one in table],
        "table-kind": [one["kind"] for one in table],
    }


def words(fragment: str) -> str:
    said = html.unescape(re.sub(r"<[^>]*>", " ", fragment))
    return " ".join(said.replace("\u2060", "").split())


def each(page: str, pattern: str) -> list[str]:
    return [words(one) for one in re.findall(pattern, page, re.DOTALL)]


def shown(client: FlaskClient, question: dict[str, Any]) -> dict[str, Any]:
    """What the page says, in the keys of the file's answer."""
    with client.application.test_request_context():
        asked = client.application.url_for("checker.verdict", **address(question))
    response = client.get(asked, headers={"HX-Request": "true"})
    assert response.status_code == 200, asked
    page = response.get_data(as_text=True)
    section = page[page.index('<section id="verdict"') : page.index("</section>")]
    section = re.sub(r"</?a\b[^>]*>", "", section)  # a link breaks no sentence
    faults = each(section, r'<p class="fault">(.*?)</p>')
    if faults:
        beside = each(page, r'<p class="fault said"[^>]*>(.*?)</p>')
        assert [one for one in beside if one] == faults, "told beside its field"
        return {"error": faults[0]}
    state = re.search(r'<section id="verdict" class="verdict (\w+)', section)[1]
    (head,) = each(section, r'<p class="verdict-word"[^>]*><span.*?</span>(.*?)</p>')
    return {
        # What is legal once a contract is down looks as what is not complete yet.
        "legal": state in ("legal", "points") or head == "Legal, once you have laid down",
        "messages": each(section, r'<p class="sentence">(.*?)</p>'),
        "already": each(section, r'<p class="already"><b.*?</b>(.*?)</p>'),
        "labels": each(section, r'<b class="basis (\w+)'),
        "grounds": each(section, r'<p class="grounds small"><b.*?</b>(.*?)</p>'),
        "advice": each(section, r'<p class="advice"><b>.*?</b>(.*?)</p>'),
        "notes": each(section, r'<p class="fact-line note">(.*?)</p>'),
        "head": head,
        "cards": [
            re.findall(r'playing-card[^>]*aria-label="([^"]*)"', laid)
            for laid in re.findall(r'<div class="laid-cards">(.*?)</div>', section, re.DOTALL)
        ],
        "other": each(section, r'<p class="hint">There (?:is|are) (\d+) other'),
        "facts": each(section, r'<p class="fact-line(?: note)?">(.*?)</p>'),
    }


def bare(source: str) -> str:
    """A citation without what parts its place from its reason."""
    return re.sub(r"[().]", "", source)


def spoken_card(text: str) -> str:
    return str(CardView(Card.read(text)).spoken)


def told(question: dict[str, Any]) -> dict[str, Any]:
    try:
        return answer_question(question)
    except UnreadableQuestion as fault:
        return {"error": str(fault.phrase), "field": fault.field}


def assert_one_answer(client: FlaskClient, token: str, question: dict[str, Any]) -> str:
    """All ways say the same; answers the kind of the question and what came of it."""
    limiter.reset()
    question = {k: v for k, v in question.items() if k not in ("id", "expect", "why", "source")}
    by_file = told(question)
    headers = {"Authorization": f"Bearer {token}"}
    response = client.post("/api/v1/judge", json=question, headers=headers)
    if "error" in by_file:
        assert response.status_code in (404, 422), question
    else:
        assert response.get_json() == by_file, question
    if not question.get("house_rules", {}).keys() <= _TYPED:
        return f"{question['ask']}, file and JSON alone"
    page = shown(client, question)
    if "error" in by_file:
        assert page.get("error", "").replace("’", "'") == by_file["error"].replace("’", "'"), (
            question,
            page,
        )
        return f"{question['ask']}, refused"
    assert "error" not in page, (question, page)
    assert page["legal"] is by_file["legal"], (question, page)
    facts = by_file.get("facts", [])
    reasons = facts if by_file["legal"] else by_file["reasons"]
    assert page["already"] == ([] if by_file["legal"] else [one["message"] for one in facts])
    of_house = by_file.get("decided_by", []) + [by_file[x] for x in ("otherwise",) if x in by_file]
    told_by_file = [*reasons, *of_house]  # on the page those of one source stand together
    assert sorted(page["messages"]) == sorted(one["message"] for one in told_by_file), question
    assert set(page["labels"]) == {one["label"] for one in told_by_file}, question
    for one in told_by_file:
        found = any(bare(one["source"]) in bare(grounds) for grounds in page["grounds"])
        assert one["label"] == "house" or found, (question, one)
    assert page["advice"] == ([by_file["advice"]] if "advice" in by_file else []), question
    assert page["notes"] == by_file.get("notes", []), question
    assert page["other"] == (
        [str(len(by_file["readings"]) - 1)] if "readings" in by_file else []
    ), question
    assert_same_cards(question, by_file, page["cards"])
    if "points" in by_file:
        assert page["head"].split()[0] == str(by_file["points"])
    if "out" in by_file:
        assert_one_coaching(question, by_file, page["facts"])
    return f"{question['ask']}, {'legal' if by_file['legal'] else 'not legal'}"


def assert_same_cards(question: dict[str, Any], by_file: dict[str, Any], shown: list[list[str]]):
    """The page draws the melds that the file names, card by card, and what is missing of them."""
    melds = by_file.get("reading", [])
    laid = melds if question["ask"] == "contract" else [melds] if melds else []
    drawn_melds = laid or by_file.get("nearest", []) + by_file.get("melds", [])
    assert len(shown) == len(drawn_melds), question
    for near, cards in zip(by_file.get("nearest", []), shown, strict=False):
        missing = sum(one.startswith("missing: ") for one in cards)
        assert (missing, len(cards)) == (len(near["lacks"].split()), near["size"]), question
    own = by_file.get("melds", [])
    for meld, cards in zip(own, shown[len(drawn_melds) - len(own) :], strict=True):
        names = [re.sub(" as .*", "", one) for one in cards]
        assert names == [spoken_card(one) for one in meld.split()], question
    for meld, cards in zip(laid, shown, strict=False):
        for one, spoken in zip(meld, cards, strict=True):
            card, meant = spoken_card(one["card"]), spoken_card(one["as"])
            assert spoken in (card, f"{card} as {meant}"), question


def assert_one_coaching(question: dict[str, Any], by_file: dict[str, Any], facts: list[str]):
    """What the page says of a hand is what the file says in figures and cards."""
    house_rules = question.get("house_rules", {})
    rules = with_house_rules(shipped_rule_sets()[question["variant"]], house_rules)
    coaching = answer(read_question(rules, question)).coaching
    assert facts == [str(one) for one in (*coaching.sentences, *by_file.get("notes", []))], question
    said, missing = " ".join(facts), by_file["missing"]
    assert ("You can go out this turn." in said) is by_file["out"], question
    assert (f"{missing} card" in said and "missing" in said) or not missing, question
    assert ("nearest way found" in said) is (bool(missing) and not by_file["decided"]), question
    discard = Card.read(by_file["discard"]) if "discard" in by_file else None
    assert (f"Discard {discard and cards_in_words([discard])}." in facts) is bool(discard), question
    out = by_file.get("completed_by", [])
    cards = cards_phrase(Card.read(one["card"]) for one in out)
    many = f"{cards}. At most {sum(one['out'] for one in out)} "
    assert (f"One of these would complete it: {many}" in said) is bool(out), question


@pytest.fixture
def token(a_running_game: PlainGame) -> str:
    return token_for(a_running_game.client, "watch")


def test_the_case_book_is_answered_alike_in_all_ways(a_running_game: PlainGame, token: str):
    every = max(1, len(BOOK) // DRAWN) if DRAWN < 5000 else 1
    for question in BOOK[::every]:
        assert_one_answer(a_running_game.client, token, question)


def test_each_example_of_the_q_and_a_is_answered_alike_in_all_ways(
    a_running_game: PlainGame, token: str
):
    every = max(1, len(EXAMPLES) // DRAWN)
    for question in EXAMPLES[::every]:
        assert_one_answer(a_running_game.client, token, question)


def test_the_link_behind_an_example_asks_what_the_example_asks(client: FlaskClient):
    limiter.reset()
    page = client.get("/rules/frustration-rummy").get_data(as_text=True)
    links = re.findall(
        r'<p class="example-verdict (\w+)">.*?<a href="(/check[^"]*)"', page, re.DOTALL
    )
    assert len(links) >= 20
    for state, link in links:
        section = client.get(html.unescape(link)).get_data(as_text=True)
        seen = re.search(r'<section id="verdict" class="verdict (\w+)', section)[1]
        # A hand may be laid and yet not go out; an unfinished contract is shown as one.
        if "ask=hand" not in link:
            means = "legal" if "Legal, once you have laid down" in section else seen
            assert means == state or (means, state) == ("pending", "illegal"), link


def test_drawn_questions_are_answered_alike_in_all_ways(a_running_game: PlainGame, token: str):
    rng, counts = random.Random(27), {}
    for question in islice(drawn(rng), DRAWN):
        came = assert_one_answer(a_running_game.client, token, question)
        counts[came] = counts.get(came, 0) + 1
    print(json.dumps(counts, indent=1, sort_keys=True))


@pytest.mark.usefixtures("client")
def test_about_half_of_the_drawn_lay_offs_and_swaps_are_legal():
    legal: dict[str, list[bool]] = {"layoff": [], "swap": []}
    for question in islice(drawn(random.Random(27)), 600):
        if question["ask"] in legal:
            legal[question["ask"]].append(told(question).get("legal", False))
    for answers in legal.values():
        assert 0.35 < sum(answers) / len(answers) < 0.65


def drawn(rng: random.Random) -> Iterator[dict[str, Any]]:
    """Questions of all kinds, good and bad."""
    rule_sets = list(family_rule_sets().values())
    while True:
        rules = rng.choice(rule_sets)
        question: dict[str, Any] = {"variant": rules.id}
        ask = rng.choice(["contract", "meld", "hand", "layoff", "swap", "score"])
        if rng.random() < (0.8 if ask == "swap" else 0.4):
            rule = rng.choice(SWAP_RULES if ask == "swap" else CHOSEN_RULES)
            changes = {rule.field: rng.choice(rule.choices).value}
            try:
                rules = with_house_rules(rules, changes)
            except FaultyRules:
                continue
            question["house_rules"] = changes
        if rng.random() < 0.3:
            question["players"] = rng.choice([1, 2, 4, 6, 8, 12, 13, 99])
        yield {**question, "ask": ask, **_fields(rng, rules, ask)}


def _fields(rng: random.Random, rules: Variant, ask: str) -> dict[str, Any]:
    contract = rng.choice(rules.contracts)
    number = contract.number if rng.random() < 0.95 else rng.choice([99, len(rules.contracts) + 1])
    kind = rng.choice(["set", "run"]) if rng.random() < 0.97 else "flush"
    melds = [_meld(rng, rules, part.kind, part.size) for part in contract.parts]
    if ask == "contract":
        if rng.random() < 0.2:
            melds = rng.choice([melds[:-1], [*melds, melds[0]], [*melds[:-1], ""], melds * 11])
        return {"contract": number, "melds": melds if any(melds) else ["5H"]}
    if ask == "hand":
        more = " ".join(_card(rng, rules) for _ in range(rng.choice([0, 0, 1, 2, 4])))
        fields = {"contract": number, "hand": " ".join([*melds, more]).strip()}
        if rng.random() < 0.4:
            on_table = [(one, _meld(rng, rules, one, rng.randint(3, 5))) for one in ("set", "run")]
            fields["table"] = [{"kind": one, "meld": cards} for one, cards in on_table]
        return fields
    if ask == "score":
        return {"cards": " ".join(_card(rng, rules) for _ in range(rng.choice([1, 5, 60, 61])))}
    fields = {"kind": kind, "contract": number}
    melds_kind = "run" if kind == "run" else "set"
    if ask == "meld":
        sized = {"size": rng.randint(0, 8)} if rng.random() < 0.5 else {}
        return {**fields, "cards": _meld(rng, rules, melds_kind, rng.randint(1, 7)), **sized}
    fits = rng.random() < (0.6 if ask == "layoff" else 0.85)
    return {**fields, **(_fitting if fits else _careless)(rng, rules, ask, melds_kind)}


def _careless(rng: random.Random, rules: Variant, ask: str, kind: str) -> dict[str, Any]:
    """Any meld, good or bad, and any cards that are added to it or offered."""
    size = rng.randint(1, 7)
    meld = _meld(rng, rules, kind, size)
    if ask == "layoff":
        added = " ".join(_card(rng, rules) for _ in range(rng.randint(1, 3)))
        return {"meld": meld, "add": added}
    owner = rng.choice(["self", "other", "other", "self", "nobody"])
    position = rng.randint(0, size + 1)
    return {"meld": meld, "position": position, "card": _card(rng, rules), "owner": owner}


def _fitting(rng: random.Random, rules: Variant, ask: str, kind: str) -> dict[str, Any]:
    """A meld as it lies on the table and what fits it, if the rules allow it at all."""
    whole = _natural_meld(rng, rules, kind, rng.randint(4, 6))
    if ask == "layoff":
        start = rng.randint(0, len(whole) - 3)
        end = rng.randint(start + 3, len(whole))
        meld, added = whole[start:end], [*whole[:start], *whole[end:]] or ["JK"]
        return {"meld": " ".join(meld), "add": " ".join(rng.sample(added, len(added)))}
    position = rng.randint(1, len(whole))
    card, whole[position - 1] = whole[position - 1], "JK" if rules.jokers else "2H"
    card = card if rng.random() < 0.9 else _card(rng, rules)
    owner = "other" if rules.wild_swap == "others" else "self"
    return {"meld": " ".join(whole), "position": position, "card": card, "owner": owner}


def _natural_meld(rng: random.Random, rules: Variant, kind: str, size: int) -> list[str]:
    if kind == "set":
        rank = rng.choice([one for one in RANKS if not rules.is_wild(Card(one, "S"))])
        return [rank + suit for suit in rng.sample(SUITS * (2 + size // 9), size)]
    line, suit = rules.run_ranks, rng.choice(SUITS)
    start = rng.randint(0, max(0, len(line) - size))
    return [rank + suit for rank in line[start : start + size]]


def _card(rng: random.Random, rules: Variant) -> str:
    if rng.random() < 0.02:
        return rng.choice(["XX", "11H", "7"])
    return "JK" if rng.random() < 0.1 else str(Card(rng.choice(RANKS), rng.choice(SUITS)))


def _meld(rng: random.Random, rules: Variant, kind: str, size: int) -> str:
    """A meld of natural cards, some of them replaced by wild ones or others."""
    return " ".join(
        rng.choice(["JK", "2S", "2C", _card(rng, rules)]) if rng.random() < 0.2 else card
        for card in _natural_meld(rng, rules, kind, size)
    )
