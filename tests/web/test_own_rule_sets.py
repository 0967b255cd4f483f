"""A table's own rule sets in a browser without scripts: made, changed, played, passed on."""

import base64
import io
import json
import random
import re
import zlib
from contextlib import suppress
from html import unescape

import pytest
from flask.testing import FlaskClient

from app.rules.contract_parser import ContractParser
from app.rules.house_rules import HOUSE_RULES
from app.rules.rule_set_drafts import RuleSetDraft
from app.rules.rule_set_transfer import to_code, to_json, to_toml
from app.rules.rule_sets import (
    FaultyRules,
    from_dict,
    rule_set_by_id,
    shipped_rule_sets,
    to_dict,
    with_house_rules,
)
from tests.french import french
from tests.web_table import PlainGame

READER = ContractParser([french])
HOSTILE = '<script>alert("x")</script>'


def form_of(base: str, **changes) -> dict[str, object]:
    """What the form of a copy sends, with some fields changed."""
    draft = RuleSetDraft.from_variant(rule_set_by_id(base))
    sent: dict[str, object] = {
        "base": base,
        "name": "Ours",
        "summary": "As we play it.",
        "contract": [str(one) for one in draft.contracts],
    }
    sent |= {f"rule-{name}": text for name, text in draft.rules.items()}
    sent |= {f"points-{rank}": text for rank, text in draft.points.items()}
    return sent | {name.replace("__", "-"): value for name, value in changes.items()}


def made(client: FlaskClient, base: str = "frustration", **changes) -> str:
    """The key of a rule set that was just made."""
    answer = client.post("/rules/custom/new", data=form_of(base, **changes))
    assert answer.status_code == 303, answer.get_data(as_text=True)
    return answer.location.rsplit("/", 1)[1]


def text_of(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    return answer.get_data(as_text=True)


def test_a_copy_is_made_and_stands_first_among_the_rules_to_play(client):
    key = made(client, contract=["2 sets of 3", "3x3", "r4 r4"])
    shown = text_of(client, "/games/new")
    assert shown.index("Custom rules") < shown.index(f"/games/new/{key}") < shown.index("Aggra")
    assert "The standard rules." not in text_of(client, f"/games/new/{key}")
    assert "2 runs of 4" in text_of(client, f"/rules/custom/{key}")


def test_the_form_of_a_copy_shows_everything_as_it_is(client):
    shown = text_of(client, "/rules/custom/new?base=garbage-rummy")
    assert 'value="Garbage Rummy (custom)"' in shown
    assert 'value="run of 11"' in shown
    assert re.search(r'id="points-JK"[^>]*value="20"', shown)
    assert "The standard rules" in shown


def test_checker_solver_q_and_a_sheet_and_game_work_for_it_at_once(client):
    key = made(client, contract=["set of 4 and pair", "run of 5"], rule__twos="natural")
    check = f"/check?variant={key}&ask=contract&contract=1"
    assert "Legal" in text_of(client, f"{check}&m=5H+5S+5D+5C&m=9H+9D")
    assert "Not legal" in text_of(client, f"{check}&m=5H+5S+5D+2C&m=9H+9D")
    hand = f"/check?variant={key}&ask=hand&contract=2&m=5H+6H+7H+8H+9H+KS"
    assert "You can lay it down" in text_of(client, hand)
    assert "No, and nothing else is wild." in text_of(client, f"/rules/{key}")
    assert "set of 4 and pair" in text_of(client, f"/rules/{key}/sheet").lower()
    game = PlainGame.started(client, key, "Anna Ben")
    assert game.close(1, out="Anna").status_code == 303
    assert game.close(2, out="Anna").status_code == 303
    assert "Anna wins!" in game.page


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"contract": ["2 sets of 3 and a hat"]}, "“a hat” isn’t a set or run"),
        ({"contract": ["", " "]}, "A rule set needs at least one contract."),
        ({"name": " "}, "Enter a name for the rules."),
        ({"name": "x" * 61}, "Use 60 characters or fewer."),
        ({"rule__deal": "many"}, "Enter a whole number from 3 to 30."),
        ({"rule__players_max": "0"}, "Enter a whole number from 1 to 12."),
        ({"points__A": "-5"}, "Enter a whole number from 0 to 500."),
        ({"rule__win": "lowest_score"}, "The lowest score can only win if you keep a score."),
        ({"rule__last_contract": "11"}, "11 of 10 contracts"),
        ({"rule__players_min": "5", "rule__deal": "30"}, "150 cards to deal"),
        ({"contract": ["run of 15"]}, "no run has more than 12 cards"),
    ],
)
def test_a_fault_stands_beside_its_field_and_everything_typed_is_kept(client, changes, said):
    sent = form_of("frustration", summary="Only ours.", **changes)
    answer = client.post("/rules/custom/new", data=sent)
    shown = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert said in shown
    assert 'value="Only ours."' in shown
    for text in changes.get("contract", ()):
        assert f'value="{text}"' in shown


def test_a_contract_that_nobody_can_lay_is_pointed_out_and_may_stand(client):
    for above in (["s3"], ["s3", "a hat"], ["", "s3"]):  # the line says its number
        sent = form_of("frustration", contract=[*above, "4x4"]) | {"arrange": "look"}
        shown = client.post("/rules/custom/draft", data=sent).text
        assert f"Contract {len(above) + 1} takes 16 cards and one more for the discard" in shown
    key = made(client, contract=["s3", "4x4"])
    start = client.post("/games", data={"variant": key, "player": ["Anna", "Ben"]})
    assert (start.status_code, "No one can lay down this contract." in start.text) == (422, True)
    accepted = re.findall(r'name="accepted" value="([^"]+)"', start.text)
    sent = {"variant": key, "player": ["Anna", "Ben"], "accepted": accepted}
    assert client.post("/games", data=sent).status_code == 303


@pytest.mark.parametrize(
    ("how", "contracts"),
    [
        ("add", ["set of 3", "run of 4", ""]),
        ("up:1", ["run of 4", "set of 3"]),
        ("remove:0", ["run of 4"]),
        ("tap:0:r5", ["set of 3, run of 5", "run of 4"]),
        ("tap:9:r5", ["set of 3", "run of 4"]),
        ("tap:0:zz", ["set of 3", "run of 4"]),
        ("sing", ["set of 3", "run of 4"]),
    ],
)
def test_contracts_are_arranged_and_built_by_taps(client, how, contracts):
    sent = {**form_of("frustration", contract=["set of 3", "run of 4"]), "arrange": how}
    shown = client.post("/rules/custom/draft", data=sent).get_data(as_text=True)
    assert re.findall(r'name="contract" value="([^"]*)"', shown) == contracts


def test_while_somebody_types_only_what_is_said_comes_back(client):
    sent = form_of("frustration", rule__twos="natural", contract=["hat"])
    answer = client.post("/rules/custom/draft", data=sent, headers={"HX-Request": "true"})
    shown = answer.get_data(as_text=True)
    assert "<form" not in shown
    assert 'id="said-contract-0" hx-swap-oob="true"' in shown
    assert "“hat” isn’t a set or run" in shown


def test_a_change_keeps_the_key_and_alters_no_game_that_runs(client):
    key = made(client, contract=["s3", "r4"])
    game = PlainGame.started(client, key, "Anna Ben")
    before = game.page
    sent = {**form_of("frustration", contract=["s5"], rule__deal="13"), "own": key, "seen": "1"}
    assert client.post(f"/rules/custom/{key}/change", data=sent).status_code == 303
    assert "set of 5" in text_of(client, f"/rules/custom/{key}").lower()
    assert without_keys(game.page) == without_keys(before)
    checker = client.get(f"/games/{game.key}/check").location
    assert "set of 3" in text_of(client, checker).lower()
    answers = client.get(f"/games/{game.key}/rules").location
    assert "11 cards" in text_of(client, answers)


def without_keys(page: str) -> str:
    return re.sub(r'value="[\w.-]{20,}"|content="[\w.-]{20,}"', "", page)


def test_a_change_that_nobody_saw_is_not_overwritten_unasked(client):
    key = made(client)
    first = {**form_of("frustration", name="First"), "own": key, "seen": "1"}
    second = {**form_of("frustration", name="Second"), "own": key, "seen": "1"}
    assert client.post(f"/rules/custom/{key}/change", data=first).status_code == 303
    answer = client.post(f"/rules/custom/{key}/change", data=second)
    assert answer.status_code == 409
    shown = answer.get_data(as_text=True)
    assert "These rules were changed meanwhile" in shown
    assert 'value="Second"' in shown
    assert 'name="seen" value="2"' in shown


def test_a_repeated_request_makes_no_second_rule_set_and_no_second_change(client):
    sent = {**form_of("frustration"), "request_key": "once"}
    places = [client.post("/rules/custom/new", data=sent).location for _ in range(2)]
    assert places[0] == places[1]
    key = places[0].rsplit("/", 1)[1]
    change = {**form_of("frustration", name="New"), "seen": "1", "request_key": "twice"}
    for _ in range(2):
        assert client.post(f"/rules/custom/{key}/change", data=change).status_code == 303


def test_a_removed_rule_set_can_be_brought_back_and_its_games_go_on(client):
    key = made(client)
    game = PlainGame.started(client, key, "Anna Ben")
    assert client.post(f"/rules/custom/{key}/remove").status_code == 303
    assert client.get(f"/games/new/{key}").status_code == 404
    assert client.get(f"/rules/custom/{key}").status_code == 404
    assert game.close(1, out="Anna").status_code == 303
    assert "Ours" in text_of(client, client.get(f"/games/{game.key}/check").location)
    assert client.get(client.get(f"/games/{game.key}/rules").location).status_code == 200
    assert client.post(f"/rules/custom/{key}/bring-back").status_code == 303
    assert client.get(f"/games/new/{key}").status_code == 200


def test_another_group_learns_nothing_of_a_tables_own_rules(app, client):
    key = made(client)
    stranger = app.test_client()
    PlainGame.started(stranger, "frustration", "Dora Emil")
    for address in (
        f"/rules/custom/{key}",
        f"/rules/custom/{key}/change",
        f"/rules/custom/{key}/file.toml",
        f"/rules/{key}",
        f"/rules/{key}/sheet",
        f"/games/new/{key}",
        f"/rules/custom/new?base={key}",
    ):
        assert stranger.get(address).status_code == 404, address
    for address in (f"/rules/custom/{key}/change", f"/rules/custom/{key}/remove"):
        assert stranger.post(address, data=form_of("frustration")).status_code == 404
    assert stranger.post("/games", data={"variant": key, "player": ["A", "B"]}).status_code == 404
    asked = text_of(stranger, f"/check?variant={key}&ask=contract&contract=1&m=5H+5S+5D")
    assert "These rules aren’t known here." in asked
    assert "verdict-word" not in asked
    assert key not in text_of(stranger, "/games/new")


# Passing on


def test_a_file_and_a_link_bring_the_same_rules_to_another_table(app, client):
    key = made(client, contract=["s3 s3", "s4 r6"], rule__deal="13", points__A="25")
    stranger = app.test_client()
    for kind in ("toml", "json"):
        file = client.get(f"/rules/custom/{key}/file.{kind}")
        assert file.headers["Content-Disposition"] == f'attachment; filename="ours.{kind}"'
        sent = {"file": (io.BytesIO(file.data), f"ours.{kind}")}
        kept_at_another_table(stranger, stranger.post("/rules/custom/bring", data=sent))
    shown = text_of(client, f"/rules/custom/{key}")
    assert "<svg viewBox" in shown
    link = re.search(r'value="(http[^"]+bring\?r=[^"]+)"', shown)[1]
    kept_at_another_table(stranger, stranger.get(link))
    kept_at_another_table(stranger, stranger.post("/rules/custom/bring", data={"link": link}))


def test_rules_too_long_for_a_qr_code_go_by_link_and_file(app, client):
    chance = random.Random(1)
    letters = [chr(one) for one in range(0x20000, 0x2A000)]
    rules = json.loads(to_json(rule_set_by_id("carioca")))
    rules["name"], rules["summary"] = ("".join(chance.choices(letters, k=n)) for n in (60, 200))
    rules["contracts"]["value"] = [
        " ".join(f"{chance.choice('sr')}{chance.randint(3, 8)}" for _meld in range(8))
        for _contract in range(40)
    ]
    rules["last_contract"] = {"value": 40, "source": "x"}
    rules["penalties"]["value"] = {
        rank: chance.randint(0, 500) for rank in rules["penalties"]["value"]
    }
    rules["decks"]["value"] = 6
    longest = from_dict(rules)
    for rule in HOUSE_RULES.values():
        for value in (*(one.value for one in rule.choices), rule.least, rule.most):
            with suppress(FaultyRules):
                longer = with_house_rules(longest, {rule.field: value})
                longest = max(longest, longer, key=lambda one: len(to_code(one)))
    kept = client.post("/rules/custom/keep", data={"document": to_json(longest)})
    assert kept.status_code == 303, kept.get_data(as_text=True)
    shown = text_of(client, kept.location)
    assert "<svg viewBox" not in shown
    assert "too long for a QR code" in shown
    link = re.search(r'value="(http[^"]+bring\?r=[^"]+)"', shown)[1]
    assert longest.name in text_of(app.test_client(), link)
    file = client.get(f"{kept.location}/file.json")
    assert longest.name in file.get_data(as_text=True)


def kept_at_another_table(stranger: FlaskClient, preview) -> None:
    assert preview.status_code == 200
    shown = preview.get_data(as_text=True)
    assert "set of 4 and run of 6" in shown.lower()
    document = json.loads(unescape(re.search(r'name="document" value="([^"]*)"', shown)[1]))
    kept = stranger.post("/rules/custom/keep", data={"document": json.dumps(document)})
    assert kept.status_code == 303
    card = text_of(stranger, kept.location)
    assert "set of 4 and run of 6" in card.lower()
    assert "13 cards" in text_of(stranger, kept.location.replace("/custom/", "/"))


def test_looking_at_rules_keeps_nothing(client):
    assert (
        client.get(f"/rules/custom/bring?r={to_code(rule_set_by_id('carioca'))}").status_code == 200
    )
    assert "Carioca</span>" not in text_of(client, "/rules/custom")


def broken(**changes) -> bytes:
    return json.dumps({**json.loads(to_json(rule_set_by_id("frustration"))), **changes}).encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "id: a short text is needed"),
        (b"{", "file: isn’t JSON"),
        (b"\xff\xfe", "file: isn’t a text in UTF-8"),
        (b"name = ", "file: is neither TOML nor JSON"),
        (b"[" * 60_000, "file: is nested too deeply"),
        (b"a." * 32_000 + b"a = 1", "file: is nested too deeply"),
        (b"'a' . \"a\"." * 5_000 + b"a = 1", "file: is nested too deeply"),
        (b"name = '", "file: is neither TOML nor JSON"),
        (b'{"a":' * 9_000, "file: isn’t JSON"),
        (b"x" * 70_000, "file: is larger than 64 kilobytes"),
        (broken(deal={"value": 99, "source": "x"}), "99 isn’t between 3 and 30"),
        (broken(sing=1), "sing: there is no such field"),
        (broken(name="x" * 61), "name: a short text is needed"),
        (broken(name="a\u202eb"), "name: a text has characters that can’t be shown"),
        (broken(contracts={"value": ["s3"] * 41, "source": "x"}), "contracts: a list of 1 to 40"),
    ],
)
def test_a_file_that_is_no_rule_set_is_refused_with_the_place(client, content, said):
    answer = client.post("/rules/custom/bring", data={"file": (io.BytesIO(content), "odd.toml")})
    assert answer.status_code == 422
    assert said in answer.get_data(as_text=True)
    kept = client.post("/rules/custom/keep", data={"document": content.decode("latin-1")})
    assert kept.status_code in (413, 422)


@pytest.mark.parametrize("escaped", ["\\ud800", "\\u0000"])
def test_what_no_database_stores_comes_in_by_no_file_and_no_link(client, escaped):
    plain = to_dict(rule_set_by_id("frustration"))
    for place in ("name", "summary", "faq", "X"):
        document = {**plain, place: {"X": {"source": "X"}} if place == "faq" else "X"}
        written = json.dumps(document).replace('"X"', f'"{escaped}"')
        answer = client.post("/rules/custom/keep", data={"document": written})
        assert answer.status_code == 422
        assert "file: has a character that can’t be stored" in answer.get_data(as_text=True)
        packed = json.dumps({"base": "frustration", **document}).replace('"X"', f'"{escaped}"')
        code = base64.urlsafe_b64encode(zlib.compress(packed.encode(), 9)).decode().rstrip("=")
        assert client.get("/rules/custom/bring", query_string={"r": code}).status_code == 422
    assert client.get("/data/export.json").status_code == 404  # nothing made a group


@pytest.mark.parametrize("code", ["x", "AAAA", "é", "=" * 50, "A" * 5000, "http://[x", ""])
def test_a_link_that_is_cut_off_or_made_up_is_refused(client, code):
    answer = client.post("/rules/custom/bring", data={"link": code})
    assert answer.status_code == 422
    assert 'class="fault"' in answer.get_data(as_text=True)


def test_a_code_that_unpacks_to_too_much_is_refused(client):
    code = base64.urlsafe_b64encode(zlib.compress(b"{" + b" " * 3_000_000, 9)).decode()
    answer = client.get(f"/rules/custom/bring?r={code}")
    assert answer.status_code == 422


def test_hostile_rules_that_are_brought_in_are_shown_as_text(client):
    plain = json.loads(to_json(rule_set_by_id("frustration")))
    plain |= {"id": HOSTILE, "name": HOSTILE, "summary": HOSTILE + "{name} %s", "source": HOSTILE}
    plain["deal"] = {"value": 11, "source": HOSTILE, "decision": HOSTILE}
    content = json.dumps(plain).encode()
    answers = [client.post("/rules/custom/bring", data={"file": (io.BytesIO(content), "x.json")})]
    answers.append(client.post("/rules/custom/keep", data={"document": content.decode()}))
    key = answers[1].location.rsplit("/", 1)[1]
    answers += [
        client.get(address)
        for address in (
            f"/rules/custom/{key}",
            f"/rules/custom/{key}/change",
            f"/rules/{key}",
            f"/rules/{key}/sheet",
            f"/check?variant={key}&ask=hand&contract=1&m=3H",
            f"/games/new/{key}",
            f"/rules/custom/new?base={key}",
            "/rules/custom",
            "/rules",
            "/games/new",
        )
    ]
    game = PlainGame.started(client, key, "Anna Ben")
    answers.append(client.get(f"/games/{game.key}"))
    for answer in answers:
        assert answer.status_code < 400
        shown = answer.get_data(as_text=True).lower()
        assert "<script>" not in shown
        assert 'alert("' not in shown
    name = client.get(f"/rules/custom/{key}/file.toml").headers["Content-Disposition"]
    assert name == 'attachment; filename="script-alert-x-script.toml"'


# House rules


def test_the_effect_of_house_rules_is_shown_at_once(client):
    sent = {"rule-twos": "natural", "rule-deal": "9", "rule-last_contract": "10"}
    answer = client.post("/games/new/frustration/effect", data=sent, headers={"HX-Request": "true"})
    shown = answer.get_data(as_text=True)
    assert "no, 2s are ordinary cards" in shown
    assert "Contract 10 takes 10 cards and one more for the discard" in shown
    assert "<form" not in shown


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"rule-win": "lowest_score"}, "The lowest score can only win if you keep a score."),
        ({"rule-progress": "common"}, "with common contracts the lowest score wins"),
        ({"rule-deal": "99"}, "Enter a whole number from 3 to 30."),
        ({"rule-decks": "1", "rule-jokers": "0"}, "no set has more"),
        ({"rule-third_deck_from": "2"}, "would hold for every number of players"),
    ],
)
def test_house_rules_that_cannot_be_are_refused_with_the_reason(client, rules, said):
    if "rule-decks" in rules:
        rules = {**rules, "rule-twos": "natural"}
    answer = client.post("/games/new/frustration/effect", data=rules)
    assert said in answer.get_data(as_text=True)
    start = client.post("/games", data={"variant": "frustration", "player": ["A", "B"], **rules})
    assert start.status_code == 422
    assert said in start.get_data(as_text=True)


def test_a_groups_house_rules_begin_its_games_and_alter_no_game_that_runs(client):
    game = PlainGame.started(client, "frustration", "Anna Ben")
    before = game.page
    sent = {"rule-deal": "10", "rule-go_out_bonus": "25", "player": ["Anna", "Ben"]}
    answer = client.post("/games/new/frustration/rules", data=sent)
    shown = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert "Saved. New games start with these house rules." in shown
    assert 'name="player" value="Ben"' in shown
    fresh = text_of(client, "/games/new/frustration")
    assert re.search(r'id="rule-deal"[^>]*value="10"', fresh)
    assert re.search(r'id="rule-go_out_bonus"[^>]*value="25"', fresh)
    assert "25 points off" in fresh
    assert re.search(r'id="rule-deal"[^>]*value=""', text_of(client, "/games/new/garbage-rummy"))
    assert without_keys(game.page) == without_keys(before)
    assert "11 cards each" in game.page


def test_house_rules_that_cannot_be_never_begin_a_game(client):
    PlainGame.started(client, "frustration", "Anna Ben")
    answer = client.post("/games/new/frustration/rules", data={"rule-win": "lowest_score"})
    assert answer.status_code == 422
    assert "lowest score" not in text_of(client, "/games/new/frustration").split("Who wins?")[0]


def test_a_group_has_room_for_a_hundred_rule_sets(app, client):
    key = made(client)
    document = text_of(client, f"/rules/custom/{key}/file.json")
    for _ in range(99):
        assert client.post("/rules/custom/keep", data={"document": document}).status_code == 303
    answer = client.post("/rules/custom/keep", data={"document": document})
    assert answer.status_code == 422
    assert "up to 100 custom rule sets" in answer.get_data(as_text=True)


def test_relatives_are_offered_in_a_section_of_their_own(client):
    shown = text_of(client, "/games/new")
    section = shown.split("More contract rummy")[1]
    for relative in (one for one in shipped_rule_sets().values() if one.family == "relative"):
        assert relative.name in section
        assert f"/games/new/{relative.id}" in section


def test_every_shipped_rule_set_goes_out_as_toml_and_comes_back_the_same(client):
    for one in shipped_rule_sets().values():
        sent = {"file": (io.BytesIO(to_toml(one).encode()), "x.toml")}
        answer = client.post("/rules/custom/bring", data=sent)
        assert answer.status_code == 200
        assert "How they differ" not in answer.get_data(as_text=True)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_contracts_of_the_form_can_be_read_in_every_language(client, language):
    for one in shipped_rule_sets().values():
        answer = client.get(
            f"/rules/custom/new?base={one.id}", headers={"Accept-Language": language}
        )
        texts = re.findall(r'name="contract" value="([^"]*)"', answer.get_data(as_text=True))
        read = [sorted(READER.read(1, unescape(text)).parts) for text in texts]
        assert read == [sorted(contract.parts) for contract in one.contracts]


def test_a_french_table_makes_its_rules_in_french(client):
    wished = {"Accept-Language": "fr"}
    sent = form_of("frustration", contract=["2 jeux de 3 et une suite de 4", "un chat"])
    answer = client.post("/rules/custom/draft", data={**sent, "arrange": "look"}, headers=wished)
    shown = unescape(answer.get_data(as_text=True)).replace("\N{NO-BREAK SPACE}", " ")
    assert "2 brelans et suite de 4" in shown
    assert "« un chat »" in shown.replace("\u202f", " ")
    assert ">Enregistrer<" in shown
