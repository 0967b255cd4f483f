"""Which rules are meant where nothing says so: those of the game that is played."""

import html
import re
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from app.rules.house_rules import house_rules_of
from app.rules.rule_sets import FaultyRules, shipped_rule_sets, with_house_rules
from app.rules.variant import Variant
from app.web.rulesets.house_rules import to_form_values
from tests.web.test_checker import shown
from tests.web_table import PlainGame, fields_of

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def meant(client: FlaskClient) -> dict[str, str]:
    """What the checker asks about that is opened from Home, without a word of rules."""
    answer = client.get("/check", follow_redirects=True)
    page = html.unescape(answer.get_data(as_text=True))
    return {"page": page, **fields_of(page, "question")}


def claimed(game: PlainGame, name: str) -> None:
    """The device is that player's."""
    players = re.findall(r'form="claim" name="player" value="(\d+)".*?</button>', game.page)
    game.client.post(f"/games/{game.key}/mine", data={"player": players[[*game.seats].index(name)]})


def test_without_a_word_the_rules_of_the_game_that_is_played_are_meant(client: FlaskClient) -> None:
    assert "game" not in meant(client)
    game = PlainGame.started(client, "frustration-rummy", "Anna Ben")
    rules = meant(client)
    assert (rules["variant"], rules["game"]) == ("frustration-rummy", game.key)
    assert "<summary>By this game’s rules: Frustration Rummy</summary>" in rules["page"]
    assert "game" not in fields_of(shown(client, "/check?variant=aggravation-rummy"), "question")


def test_house_rules_of_the_game_that_is_played_are_meant_too(client: FlaskClient) -> None:
    PlainGame.started(client, "frustration", "Anna Ben", **{"rule-twos": "natural"})
    rules = meant(client)
    assert rules["rule-twos"] == "natural"
    assert "By this game’s rules: Frustration, 1 house rule<" in rules["page"]
    others = {**rules, "rule-twos": "wild"}
    del others["page"]
    assert "Frustration, not this game’s rules" in shown(client, f"/check?{urlencode(others)}")


def test_that_points_are_kept_is_no_house_rule_on_any_page_of_the_game(client: FlaskClient) -> None:
    game = PlainGame.started(client, "frustration-rummy", "Anna Ben", **{"rule-keep_score": "yes"})
    rules = meant(client)
    assert rules["rule-keep_score"] == "yes"
    assert "<summary>By this game’s rules: Frustration Rummy</summary>" in rules["page"]
    for address in (f"/games/{game.key}", f"/games/{game.key}/faq", f"/games/{game.key}/rounds"):
        page = client.get(address, follow_redirects=True).get_data(as_text=True)
        assert not re.search(r"\d house rule", page), address


def test_house_rules_of_the_game_stay_with_its_own_rule_set(client: FlaskClient) -> None:
    PlainGame.started(client, "frustration", "Anna Ben", **{"rule-twos": "natural"})
    asked = meant(client)
    del asked["page"]
    other = shown(client, f"/check?{urlencode({**asked, 'variant': 'frustration-rummy'})}")
    fields = fields_of(other, "question")
    assert fields["variant"] == "frustration-rummy"
    assert not {name for name, value in fields.items() if name.startswith("rule-") and value}
    kept = shown(client, f"/check?{urlencode({**fields, 'rule-wild_swap': 'any'})}")
    chosen = fields_of(kept, "question")
    assert (chosen["rule-wild_swap"], chosen["rule-twos"]) == ("any", "")
    back = shown(client, f"/check?{urlencode({**chosen, 'variant': 'frustration'})}")
    assert fields_of(back, "question") == asked
    assert "By this game’s rules: Frustration, 1 house rule<" in back


@pytest.mark.parametrize(
    ("rule_set", "house_rule"),
    [("frustration", "rule-twos=natural"), ("points-only", "rule-win=highest_score")],
)
def test_rules_of_the_game_that_is_played_come_first_and_every_page_of_them_leads_back(
    client: FlaskClient, rule_set: str, house_rule: str
) -> None:
    assert "This game’s rules" not in shown(client, "/rules")
    game = PlainGame.started(client, rule_set, "Anna Ben", **dict([house_rule.split("=")]))
    rules = shown(client, "/rules")
    assert "Anna, Ben · 1 house rule<" in rules
    first = re.search(r'class="variant-name covers" href="([^"]+)"', rules)
    assert first
    assert first[1] == f"/games/{game.key}/rules"
    seen, ahead = set[str](), {client.get(first[1]).location}
    while ahead:
        seen |= ahead
        pages = {one: shown(client, one) for one in ahead}
        for page in pages.values():
            assert f'href="/games/{game.key}"' in page
            assert house_rule in page
        links = re.findall(r'href="(/rules/[^"#]+)', "".join(pages.values()))
        ahead = {link for link in links if "/custom" not in link} - seen
    assert len(seen) == (3 if rule_set == "frustration" else 2)


def test_house_rules_of_a_game_that_changed_on_the_way_are_counted_alike_everywhere(
    a_running_game: PlainGame,
) -> None:
    """What a late joiner was let in with is none of them."""
    client, key = a_running_game.client, a_running_game.key

    def counts() -> dict[str, int]:
        listed = shown(client, client.get(f"/games/{key}/rules").location)
        section = re.search(r'id="house-rules">(.*?)</section>', listed, re.DOTALL)
        record = shown(client, f"/games/{key}/rounds").split('id="rules-title"')[1]
        told = {
            "rules": section[1].count("<li>") if section else 0,
            "record": re.findall(r"with (\d+) house rules?<", record),
            "named in the record": record.split("</section>")[0].count('class="dispute"'),
            "stays": re.findall(r"(\d+) house rules? stays?", a_running_game.page),
            "overview": re.findall(r"· (\d+) house rules?<", shown(client, "/rules")),
        }
        return {one: int(n[0]) if isinstance(n, list) and n else n or 0 for one, n in told.items()}

    def join(name: str) -> None:
        start = {"name": name, "score": "highest", "contract": "lowest"}
        assert client.post(f"/games/{key}/players", data=start).status_code == 303

    join("Dora")
    assert set(counts().values()) == {0}
    asked = {"question": "ask=meld&kind=set&m=5H 5D 5C", "switch": "wild_limit=none"}
    assert client.post(f"/games/{key}/rulings", data=asked).status_code == 303
    running = counts()
    assert running | {"stays": 1} == dict.fromkeys(running, 1)
    assert "not this game’s rules" not in shown(client, client.get(f"/games/{key}/rules").location)
    assert "not this game’s rules" not in meant(client)["page"]
    client.post(f"/games/{key}/stop", data={"result": "yes"})
    over = counts()
    assert over | {"overview": 1} == dict.fromkeys(over, 1)


def test_of_several_games_the_one_that_was_changed_last_is_meant(
    a_running_game: PlainGame,
) -> None:
    client = a_running_game.client
    later = PlainGame.started(client, "frustration", "Dora Emil")
    assert meant(client)["game"] == later.key
    a_running_game.keep(2, Ben="5")
    assert meant(client)["game"] == a_running_game.key
    claimed(later, "Dora")
    assert meant(client)["game"] == later.key


def test_after_the_game_the_rules_that_were_played_last_are_meant(client: FlaskClient) -> None:
    game = PlainGame.started(client, "frustration-rummy", "Anna Ben")
    PlainGame.started(client, "points-only", "Anna Ben")
    assert meant(client)["game"] == game.key
    assert game.close_anyway(1, out="Anna", met="Anna", Ben="5").status_code == 303
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    rules = meant(client)
    assert (rules["variant"], rules.get("game")) == ("frustration-rummy", None)


def test_the_house_rule_of_an_answer_leads_to_where_it_is_set(a_running_game: PlainGame) -> None:
    """In the game to the form that changes it on the way, outside to the setup of a new one."""
    client, key = a_running_game.client, a_running_game.key
    asked = {"question": "ask=meld&kind=set&m=5H 5D 5C", "switch": "wild_limit=none"}
    client.post(f"/games/{key}/rulings", data=asked)
    here = client.get(client.get(f"/games/{key}/rules").location).text
    for page, address in (
        (here, f"/games/{key}/house-rules?about=wild_limit#ask-wild_limit"),
        (client.get("/rules/frustration?rule-wild_limit=none").text, "/games/new/frustration?"),
    ):
        answer = page.split('id="wild-limit"')[1].split("</article>")[0]
        link = html.unescape(re.search(r'href="([^"]*)">House rule', answer)[1])
        assert link.startswith(address)
        form = client.get(link).text
        assert "wild_limit=at_most_naturals" in form or 'id="ask-wild_limit"' in form


@pytest.mark.parametrize("variant_id", shipped_rule_sets())
def test_every_rule_that_a_game_can_change_is_changed_from_its_menu_and_its_answers(
    client: FlaskClient, variant_id: str
) -> None:
    """Also one that stands in the rules, of which no answer says that it can be played otherwise.

    What is ours to decide leads from its own sentence, too. A game that is over changes nothing.
    """
    variant = shipped_rule_sets()[variant_id]
    names = " ".join(["Anna", "Ben", "Cleo", "Dominique"][: max(2, variant.players_min)])
    game = PlainGame.started(client, variant_id, names)
    at = f"/games/{game.key}/house-rules"
    rules = [one for one in house_rules_of(variant) if one.is_switchable]
    form = shown(client, at)
    assert set(re.findall(r'id="ask-(\w+)"', form)) == {one.field for one in rules}
    answers = shown(client, client.get(f"/games/{game.key}/rules").location)
    assert f'href="{at}"' in answers
    said = re.findall(r"change the house rule: (.*?)</p>", answers, re.DOTALL)
    assert all(at in one or "(for the next game)" in one for one in said), said
    asked = {
        field
        for one in answers.split("<article")[1:]
        for field in re.findall(at + r"\?about=(\w+)#ask-\1\">Change", one)
    }
    for rule in rules:
        now = getattr(variant, rule.field)
        value = next((one.value for one in rule.choices if one.value != now), rule.least)
        sent = {"field": rule.field, "switch": str(value).lower(), "number": "1"}
        answer = client.post(at, data=sent)
        assert answer.status_code in (303, 422), rule.field
        if answer.status_code == 303:
            opened = shown(client, answer.location).split(f'id="ask-{rule.field}" open')[1]
            assert str(rule.value_in_words(value)) in opened.split("</summary>")[0]
        else:
            assert 'id="switch-fault"' in answer.text
    assert asked or not rules
    client.post(f"/games/{game.key}/stop", data={"result": "no"})
    assert "/rules" in client.get(at).location
    assert at not in shown(client, client.get(f"/games/{game.key}/rules").location)


def test_a_page_of_house_rules_tells_each_that_the_game_plays_though_it_cannot_change_it(
    client: FlaskClient,
) -> None:
    """So that what leads there from the game shows what it counts."""
    for variant, more in (("points-only", {"score_limit": "100"}), ("frustration", {"deal": "12"})):
        game = PlainGame.started(
            client, variant, "Anna Ben", **{f"rule-{x}": more[x] for x in more}
        )
        page = shown(client, f"/games/{game.key}/house-rules")
        assert "Tap a rule to change it from round 1 on." in page
        assert 'id="ask-' in page
        assert str(more[next(iter(more))]) in page.split('id="lasting"')[1].split("</section>")[0]
    plain = PlainGame.started(client, "points-only", "Anna Ben")
    assert 'id="lasting"' not in shown(client, f"/games/{plain.key}/house-rules")


def test_the_rule_sheet_of_a_shortened_game_lists_its_own_contracts_and_says_so(
    client: FlaskClient,
) -> None:
    for last, said in (
        ("1", "Only the first of 10 contracts is played."),
        ("3", "Only the first 3 of 10 contracts are played."),
        ("10", ""),
    ):
        names = {"rule-last_contract": last}
        game = PlainGame.started(client, "frustration", "Anna Ben", **names)
        rules = client.get(f"/games/{game.key}/rules").location
        sheet = shown(client, rules.replace("?", "/sheet?"))
        listed = sheet.split('class="contract-list"')[1].split("</section>")[0]
        assert listed.count("<li>") == int(last)
        assert ("contract" in listed.split("</ol>")[1]) is bool(said)
        assert said in listed
        check = shown(client, client.get(f"/games/{game.key}/check").location)
        offered = check.split('name="contract"')[1].split("</select>")[0]
        assert offered.count("<option") == int(last)


def drawn_house_rules(variant: Variant, chance: Random) -> dict[str, Any]:
    """Up to five house rules that fit a rule set, each another value than its own."""
    chosen: dict[str, Any] = {}
    asked = house_rules_of(variant)
    for rule in chance.sample(asked, min(len(asked), 5)):
        least, most = rule.least or 0, rule.most or 0
        values = [one.value for one in rule.choices] or [least, most, (least + most) // 2]
        try:
            with_house_rules(variant, tried := {**chosen, rule.field: chance.choice(values)})
        except FaultyRules:
            continue
        if tried[rule.field] != getattr(variant, rule.field):
            chosen = tried
    return chosen


@pytest.mark.parametrize("variant_id", shipped_rule_sets())
def test_house_rules_are_counted_listed_and_named_alike(
    client: FlaskClient, variant_id: str
) -> None:
    variant = shipped_rule_sets()[variant_id]
    names = " ".join(["Anna", "Ben", "Cleo", "Dominique", "Emil"][: max(2, variant.players_min)])
    drawn = [drawn_house_rules(variant, Random(seed)) for seed in range(2)]
    if variant.score_is_optional:
        drawn.append({"keep_score": "no" if variant.keeps_score else "yes"})
    for chosen in ({}, *drawn):
        sent = {f"rule-{name}": text for name, text in to_form_values(chosen).items()}
        game = PlainGame.started(client, variant_id, names, **sent)
        listed = shown(client, client.get(f"/games/{game.key}/rules").location)
        section = re.search(r'id="house-rules">(.*?)</section>', listed, re.DOTALL)
        count = section[1].count("<li>") if section else 0
        counted = re.findall(r"(\d+) house rules? hold", game.page)
        assert counted == [str(count)] * bool(count), chosen
        overview = re.findall(r"· (\d+) house rules?<", shown(client, "/rules"))
        assert overview == counted, chosen
        record = shown(client, f"/games/{game.key}/rounds")
        of_game = record.split('id="rules-title"')[1].split("</section>")[0]
        assert re.findall(r"with (\d+) house rules?<", of_game) == counted, chosen
        assert of_game.count('class="dispute"') == count, chosen
        assert ("standard" in of_game) == (not count), chosen
        client.post(f"/games/{game.key}/bin")
