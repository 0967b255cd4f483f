"""The rulings of a group in one list: edited, removed, undone, and cited where asked again."""

import html
import json
import re
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actions.groups import Role
from app.extensions import db
from app.store.queries.rulings import group_rulings
from app.web.checker.cited import _said_of
from tests.many_games import browser_in, imported
from tests.watched_judge import watching
from tests.web.test_data import brought_in, exported
from tests.web.test_interface import Program, token_for
from tests.web_table import PlainGame

AS_MANY = "A meld can have as many wild cards as you like."
FEWER = "Fewer than half the cards of a meld can be wild."
MELD = "variant=aggravation-rummy&ask=meld&kind=set&m=8H+8D+2S+2C+2D"


@pytest.fixture
def ruled(a_running_game: PlainGame) -> PlainGame:
    sent = {"question": MELD, "decided": "It counts.", "reason": "tired"}
    answer = a_running_game.client.post(f"/games/{a_running_game.key}/rulings", data=sent)
    assert answer.status_code == 303
    return a_running_game


def page_of(game: PlainGame, address: str = "/group/rulings") -> str:
    return html.unescape(game.client.get(address).get_data(as_text=True))


def address_of(page: str) -> str:
    """Where the only ruling of a page is edited."""
    (found,) = set(re.findall(r'action="(/games/\w+/rulings/\d+)"', page))
    return found


def decided(page: str) -> list[str]:
    found = re.findall(r"The group decided:</b>\s*(.*?)\s*</p>", page, re.DOTALL)
    return [re.sub(r"\s+", " ", one) for one in found]


def alike(page: str) -> list[str]:
    found = re.findall(r"You ruled on a question like this:</b>\s*(.*?)\s*</p>", page, re.DOTALL)
    return [re.sub(r"\s+", " ", one) for one in found]


def edited(game: PlainGame, said: str, seen: str = "It counts."):
    sent = {"decided": said, "reason": "", "decided_seen": seen, "reason_seen": "tired"}
    return game.client.post(address_of(page_of(game)), data=sent)


def undone(game: PlainGame, page: str):
    return game.client.post(re.findall(r'action="(/games/\w+/activity/\d+/undo)"', page)[0])


def test_a_ruling_is_edited_in_the_list_and_that_is_undone(ruled: PlainGame):
    assert decided(page_of(ruled)) == ["It counts. (tired)"]
    after = edited(ruled, "It does not count.").location
    page = page_of(ruled, after)
    assert decided(page) == ["It does not count."]
    assert "Ruling edited: It does not count." in page_of(ruled, f"/games/{ruled.key}/activity")
    assert undone(ruled, page).status_code == 303
    assert decided(page_of(ruled)) == ["It counts. (tired)"]


def test_a_removed_ruling_is_in_no_list_until_that_is_undone(ruled: PlainGame):
    after = ruled.client.post(f"{address_of(page_of(ruled))}/remove").location
    page = page_of(ruled, after)
    assert decided(page) == []
    assert "The group decided" not in page_of(ruled, f"/games/{ruled.key}/rounds")
    assert undone(ruled, page).status_code == 303
    assert decided(page_of(ruled)) == ["It counts. (tired)"]
    assert decided(page_of(ruled, f"/games/{ruled.key}/rounds")) == ["It counts. (tired)"]


def test_what_another_device_edited_meanwhile_is_not_overwritten(ruled: PlainGame):
    assert edited(ruled, "First").status_code == 303
    answer = edited(ruled, "Second")
    assert answer.status_code == 422
    page = html.unescape(answer.get_data(as_text=True))
    assert "That ruling has changed since." in page
    assert decided(page) == ["First"]


def test_an_edit_is_undone_though_another_ruling_of_its_game_was_edited_since(ruled: PlainGame):
    first = page_of(ruled, edited(ruled, "First").location)
    sent = {"question": MELD, "decided": "Later.", "reason": ""}
    assert ruled.client.post(f"/games/{ruled.key}/rulings", data=sent).status_code == 303
    at = max(re.findall(r'action="(/games/\w+/rulings/\d+)"', page_of(ruled)))
    other = {"decided": "Other", "reason": "", "decided_seen": "Later.", "reason_seen": ""}
    assert ruled.client.post(at, data=other).status_code == 303
    assert undone(ruled, first).status_code == 303
    assert sorted(decided(page_of(ruled))) == ["It counts. (tired)", "Other"]


def test_an_undo_leaves_what_was_edited_after_it(ruled: PlainGame):
    first = page_of(ruled, edited(ruled, "First").location)
    sent = {"decided": "Later", "reason": "", "decided_seen": "First", "reason_seen": ""}
    ruled.client.post(address_of(page_of(ruled)), data=sent)
    assert undone(ruled, first).status_code == 422
    assert decided(page_of(ruled)) == ["Later"]


def test_a_verdict_cites_what_the_group_decided_where_the_same_is_asked(ruled: PlainGame):
    for asked in (MELD, f"{MELD}&game={ruled.key}", f"{MELD}&rule-knock=false"):
        assert decided(page_of(ruled, f"/check?{asked}")) == ["It counts. (tired)"], asked
    other = MELD.replace("8D", "8H")
    assert decided(page_of(ruled, f"/check?{other}")) == []


def test_a_ruling_is_cited_wherever_a_question_that_it_concerns_is_answered(ruled: PlainGame):
    """Laid at once or added to, and at the answer of the rules that explains the verdict."""
    rules = "/check?variant=aggravation-rummy&ask=layoff&kind=set&m=8H+8D+2S&add="
    added = f"{rules}2C+2D&rule-wild_limit_scope=always"
    assert alike(page_of(ruled, added)) == ["It counts. (tired)"]
    assert alike(page_of(ruled, f"{rules}2C&rule-wild_limit_scope=always")) == []
    assert alike(page_of(ruled, f"{rules}2C+2D")) == [], "the rules allow it anyway"
    topic = re.search(r'href="/rules/[^"]*#([^"]+)"', page_of(ruled, f"/check?{MELD}"))[1]
    for words in ("", "?words=wild+cards+in+a+meld"):
        answers = page_of(ruled, f"/rules/aggravation-rummy{words}").split(
            '<article class="panel faq"'
        )
        told = [one for one in answers if decided(one)]
        assert [re.search(r'id="([^"]+)"', one)[1] for one in told] == [topic]
    assert decided(page_of(ruled, "/rules/frustration")) == []
    recorded(ruled)
    for address in (added, "/rules/aggravation-rummy"):
        page = page_of(ruled, address)
        assert [*decided(page), *alike(page)] == [], "the group follows the rules since"


@pytest.mark.parametrize(
    "asked", ["m=AH+2H+3H+4H", "m=AH+3H+4H+2D", "m=AS+2S+3S+4S", "m=AH+2C+3H+4H&size=4"]
)
def test_the_same_cards_are_the_same_question_whatever_suit_the_wild_2_has(
    a_running_game: PlainGame, asked: str
) -> None:
    rules, cards = "variant=frustration-rummy&ask=meld", "kind=run&m=AH+2C+3H+4H&size=any"
    recorded(a_running_game, question=f"{rules}&{cards}", decided="It counts.")
    size = "" if "size" in asked else "&size=any"
    page = page_of(a_running_game, f"/check?{rules}&kind=run&{asked}{size}")
    assert (decided(page), alike(page)) == (["It counts."], [])
    added = page_of(a_running_game, f"/check?{rules.replace('meld', 'layoff')}&m=AH+3H+4H&add=2C")
    assert (decided(added), alike(added)) == ([], ["It counts."])


@pytest.mark.parametrize("asked", ["m=6H+6D+6C&m=5H+5D+2C", "m=6S+6D+6C&m=5D+5S+2H"])
def test_the_melds_of_a_contract_are_the_same_question_in_whatever_order(
    a_running_game: PlainGame, asked: str
) -> None:
    rules = "variant=frustration-rummy&ask=contract&contract=1"
    recorded(a_running_game, question=f"{rules}&m=5H+5D+2C&m=6H+6D+6C", decided="It counts.")
    page = page_of(a_running_game, f"/check?{rules}&{asked}")
    assert (decided(page), alike(page)) == (["It counts."], [])


DISPUTES = {
    "ask=meld&kind=set&m=8H+8D+2S+2C+2D": ("m=4C+2H+4S+2H+2D", "m=4C+4C+2H+2S+2D"),
    "ask=meld&kind=set&m=8H+8D+JK+2C+2D": ("m=AC+2D+AS+JK+JK", "m=AC+2D+AS+4H+JK"),
    "ask=meld&kind=run&m=5H+6H+JK+8H+9S": ("m=6C+10D+JK+8C+9C", "m=6C+10D+JK+JK+9C"),
    "ask=swap&kind=run&m=5H+JK+7H&add=6H": ("m=JD+JK+KD&add=QD", "m=JD+JK+KD&add=QC"),
    "ask=swap&kind=set&m=5H+JK+5S&add=5D": ("m=JD+JH+JK&add=JS", "m=JD+JH+JK&add=QS"),
    "ask=layoff&kind=run&m=5H+6H+7H+8H&add=10H": (
        *("m=6S+7S+8S+9S&add=JS", "m=6S+7S+8S+9S&add=QS"),
    ),
    "ask=contract&contract=2&m=9H+9D+9S&m=5H+6H+7H": (
        *("m=4D+4S+4H&m=6S+7S+8S", "m=4D+4S+4H&m=6S+7S+8D"),
    ),
}
"""Questions, each with what is asked alike and what is not."""


@pytest.mark.parametrize(("ruled_on", "asked", "other"), [(x, *DISPUTES[x]) for x in DISPUTES])
def test_a_ruling_is_told_of_the_same_dispute_on_another_rank_and_said_to_be_of_one_like_it(
    a_running_game: PlainGame, ruled_on: str, asked: str, other: str
) -> None:
    game = a_running_game
    recorded(game, question=f"variant=aggravation-rummy&{ruled_on}", decided="It counts.")
    kind = re.sub(r"&(m|add)=[^&]*", "", ruled_on)

    def page(cards: str) -> str:
        return page_of(game, f"/check?variant=aggravation-rummy&{kind}&{cards}")

    same = re.sub(r"^.*?&(?=m=)", "", ruled_on)
    assert (decided(page(same)), alike(page(same))) == (["It counts."], [])
    assert (decided(page(asked)), alike(page(asked))) == ([], ["It counts."])
    assert "You ruled on a question like this: It counts.<br>" in page(asked)
    assert [*decided(page(other)), *alike(page(other))] == []
    recorded(game, question=f"variant=aggravation-rummy&{kind}&{asked}", decided="No.")
    assert (decided(page(same)), decided(page(asked))) == (["It counts."], ["No."])


@pytest.mark.parametrize(
    ("field", "value"),
    [("", ""), ("wild_limit", "fewer_than_naturals"), ("wild_limit_scope", "initial_only")],
)
def test_a_ruling_is_told_of_one_like_it_where_a_house_rule_decides_neither(
    client: FlaskClient, field: str, value: str
) -> None:
    rule = {f"rule-{field}": value} if field else {}
    game = PlainGame.started(client, "frustration-rummy", "Anna Ben Cleo", **rule)
    asked = {"ask": "meld", "variant": "frustration-rummy", "kind": "set", "size": "3", **rule}
    recorded(game, question=urlencode({**asked, "m": "5H 5D JK"}), decided="It counts.")
    page = page_of(game, f"/check?{urlencode({**asked, 'm': '6H 6D JK', 'game': game.key})}")
    assert alike(page) == ["It counts."]


def test_a_ruling_on_one_like_it_shows_the_cards_that_were_asked_about(ruled: PlainGame) -> None:
    page = page_of(ruled, f"/check?{MELD.replace('8', '9')}")
    assert '<p class="small">8♥ 8♦ 2♠ 2♣ 2♦ · <a' in page.split('id="verdict"')[1]


def test_a_recorded_question_is_judged_for_one_like_it_once(ruled: PlainGame) -> None:
    _said_of.cache_clear()
    costs = []
    for rank in ("9", "7", "9", "7"):
        with watching() as seen:
            page = page_of(ruled, f"/check?{MELD.replace('8', rank)}")
        assert alike(page) == ["It counts. (tired)"]
        costs.append(len(seen.questions))
    assert costs[0] > costs[1] == costs[2] == costs[3]


def test_a_house_rule_that_a_ruling_changed_is_told_at_its_answer(a_running_game: PlainGame):
    recorded(a_running_game, switch="knock=false")
    answers = page_of(a_running_game, "/rules/aggravation-rummy").split(
        '<article class="panel faq"'
    )
    told = {re.search(r'id="([^"]+)"', one)[1]: decided(one) for one in answers if decided(one)}
    assert told["knock"] == ["You don’t announce your last card."]


def test_a_ruling_is_cited_to_who_is_on_another_contract_where_the_answer_is_the_same(
    a_running_game: PlainGame,
) -> None:
    game = a_running_game
    asked = "variant=frustration&ask=meld&size=any&m=5H+6H+*+8H"
    sent = {"question": f"{asked}&contract=1&players=3", "decided": "It counts."}
    assert game.client.post(f"/games/{game.key}/rulings", data=sent).status_code == 303
    for where in ("", "&contract=2", f"&game={game.key}&seat={game.seats['Ben']}&contract=2"):
        assert decided(page_of(game, f"/check?{asked}{where}")) == ["It counts."], where


def test_a_house_rule_that_a_ruling_changed_is_told_while_it_holds(a_running_game: PlainGame):
    game = a_running_game
    sent = {"question": MELD, "switch": "knock=false"}
    said = "You don’t announce your last card."
    assert game.client.post(f"/games/{game.key}/rulings", data=sent).status_code == 303
    checked, listed = f"/check?{MELD}", "/group/rulings"
    for page in (checked, listed):
        assert decided(page_of(game, page)) == [said]
    assert undone(game, page_of(game, f"/games/{game.key}/activity")).status_code == 303
    assert decided(page_of(game, checked)) == []
    assert decided(page_of(game, listed)) == ["as the rules say"]
    record = decided(page_of(game, f"/games/{game.key}/rounds"))
    assert record == ["as the rules say"]


def test_a_house_rule_that_a_ruling_changed_is_told_wherever_it_would_change_the_verdict(
    a_running_game: PlainGame,
) -> None:
    game = a_running_game
    recorded(game, switch="wild_limit=none")
    asked = "/check?variant=aggravation-rummy&ask=meld&kind=run&size=any&m="
    three_wild, gap = page_of(game, f"{asked}5H+JK+JK+JK+9H"), page_of(game, f"{asked}5H+5D+6H+9H")
    assert (alike(three_wild), "Not legal" in three_wild) == ([AS_MANY], True)
    assert (alike(gap), "Not legal" in gap) == ([], True)
    in_game = page_of(game, f"{asked}5H+JK+JK+JK+9H&game={game.key}&rule-wild_limit=none")
    assert (alike(in_game), "Your house rule decides" in in_game) == ([], True)
    later = PlainGame.started(game.client, "aggravation-rummy", "Anna Ben Cleo")
    recorded(later, switch="wild_limit=fewer_than_naturals")
    assert alike(page_of(game, f"{asked}5H+JK+JK+JK+9H")) == [], "it was decided otherwise since"


def recorded(game: PlainGame, **sent: str) -> None:
    answer = game.client.post(f"/games/{game.key}/rulings", data={"question": MELD, **sent})
    assert answer.status_code == 303, answer.get_data(as_text=True)


def rule_changes(game: PlainGame) -> list[tuple[str, bool, int | None]]:
    """What the list says of each ruling, the last one first, with what the interface says.

    The record of the game says the same.
    """
    lists = decided(page_of(game))
    assert decided(page_of(game, f"/games/{game.key}/rounds")) == lists[::-1]
    token = token_for(game.client, "watch")
    rulings = Program(game.client, token).ask("GET", "/rulings")["rulings"]
    again = [one["changed_again_in"] for one in rulings]
    for address, told in (("/group/rulings", again), (f"/games/{game.key}/rounds", again[::-1])):
        found = re.findall(r"In round (\d+) the house rule changed again", page_of(game, address))
        assert list(map(int, found)) == [one for one in told if one], address
    changes = [one["changes_rules"] for one in rulings]
    return list(zip(lists, changes, again, strict=True))


@pytest.mark.parametrize("text", ["", "As many as you like"])
def test_a_house_rule_that_a_later_round_changed_again_holds_no_longer(
    a_running_game: PlainGame, text: str
):
    game = a_running_game
    said = text or AS_MANY
    recorded(game, switch="wild_limit=none", decided=text)
    assert rule_changes(game) == [(said, True, None)]
    assert game.close_anyway(2, out="Anna", Ben="10", Cleo="20").status_code == 303
    assert rule_changes(game) == [(said, True, None)]
    assert decided(page_of(game, f"/check?{MELD}")) == [said]
    recorded(game, switch="wild_limit=fewer_than_naturals", question=MELD.replace("2D", "JK"))
    assert rule_changes(game) == [(FEWER, True, None), (said, False, 3)]
    assert decided(page_of(game, f"/check?{MELD}")) == []
    record = page_of(game, f"/games/{game.key}/rounds")
    assert re.findall(r"From round (\d) on</span>", record) == ["2", "3"]
    assert undone(game, page_of(game, f"/games/{game.key}/activity")).status_code == 303
    assert rule_changes(game) == [("as the rules say", False, None), (said, True, None)]
    assert decided(page_of(game, f"/check?{MELD}")) == [said]


def test_of_two_rulings_of_a_round_on_one_house_rule_the_later_one_holds(
    a_running_game: PlainGame,
):
    game = a_running_game
    recorded(game, switch="wild_limit=none")
    recorded(game, switch="wild_limit=fewer_than_naturals")
    assert rule_changes(game) == [(FEWER, True, None), (AS_MANY, False, 2)]


def test_a_ruling_shows_the_cards_that_were_asked_about_and_the_house_rule_that_holds_since(
    a_running_game: PlainGame,
) -> None:
    game = a_running_game
    recorded(game, switch="wild_limit=none", decided="As you like")
    for address in ("/group/rulings", f"/games/{game.key}/rounds"):
        page = page_of(game, address)
        assert "8♥ 8♦ 2♠ 2♣ 2♦ · <a" in page, address
        assert f"From round 2 on</span><br><b>{AS_MANY}</b>" in page, address


def test_what_became_of_a_ruling_without_words_is_not_said_to_follow_the_rules(
    a_running_game: PlainGame,
) -> None:
    game = a_running_game
    recorded(game, switch="wild_limit=none")
    game.client.post(f"{address_of(page_of(game))}/remove")
    assert undone(game, page_of(game, f"/games/{game.key}/activity")).status_code == 303
    changes = page_of(game, f"/games/{game.key}/activity")
    assert "Ruling removed" in changes
    assert "as the rules say" not in changes


def imported_years_ago(game: PlainGame) -> None:
    """A backup whose rulings were recorded long ago comes into the same group now."""
    document = exported(game.client).replace(game.key, "k" * len(game.key))
    old = json.loads(re.sub(r'"20\d\d-', '"2020-', document))
    (ruling,) = (one for each in old["games"] for one in each["rulings"])
    ruling["decided"] = "Long ago."
    brought_in(game.client, json.dumps(old))


def test_an_imported_ruling_of_years_ago_comes_before_those_of_today(app: Flask, ruled: PlainGame):
    imported_years_ago(ruled)
    assert decided(page_of(ruled)) == ["It counts. (tired)", "Long ago. (tired)"]
    assert decided(page_of(ruled, f"/check?{MELD}")) == ["It counts. (tired)"]
    recorded(ruled, decided="Again.")
    every = ["Again.", "It counts.", "Long ago."]
    token = token_for(ruled.client, "watch")
    listed = Program(ruled.client, token).ask("GET", "/rulings")["rulings"]
    assert [one["decided"] for one in listed] == every
    with app.app_context():
        paged, before = list[str](), None
        while found := group_rulings(db.session(), 1, 1, before=before):
            paged, before = [*paged, found[0].decision], found[0].id
    assert paged == every


def test_who_followed_the_verdict_last_is_told_of_no_earlier_decision(ruled: PlainGame):
    recorded(ruled)
    assert decided(page_of(ruled)) == ["as the rules say", "It counts. (tired)"]
    assert decided(page_of(ruled, f"/check?{MELD}")) == []


def test_who_may_only_watch_sees_rulings_and_edits_none(app: Flask, ruled: PlainGame):
    guest = browser_in(app, 1, Role.WATCH)
    page = html.unescape(guest.get("/group/rulings").get_data(as_text=True))
    assert decided(page) == ["It counts. (tired)"]
    assert "Edit ruling" not in page
    assert guest.post(f"{address_of(page_of(ruled))}/remove").status_code == 403


def test_a_removed_ruling_stays_removed_in_a_backup(app: Flask, ruled: PlainGame):
    ruled.client.post(f"{address_of(page_of(ruled))}/remove")
    document = json.loads(exported(ruled.client))
    (ruling,) = (one for game in document["games"] for one in game.get("rulings", ()))
    assert ruling["removed_at"]
    group = imported(app, document)
    page = browser_in(app, group).get("/group/rulings").get_data(as_text=True)
    assert "The group decided" not in page


def test_the_groups_decision_stands_before_the_verdict_where_the_same_is_asked(ruled: PlainGame):
    page = page_of(ruled, f"/check?game={ruled.key}&{MELD}")
    verdict = page.split('id="verdict"')[1].split("</section>")[0]
    assert decided(verdict) == ["It counts. (tired)"]
    assert verdict.index("The group decided:") < verdict.index('class="verdict-word"')
    strip = page.split('id="strip"')[1].split("</a>")[0]
    assert "The group decided: It counts.<br><small>The rules said: " in strip


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ("ask=meld&kind=set&size=any&m=8H+8D+2S+2C", "wild_limit=fewer_than_naturals"),
        ("ask=meld&kind=run&size=any&m=5H+6H+7H+8S", "run_suit=same"),
        ("ask=meld&kind=set&size=any&m=8H+2S+2C", "wild_limit=none"),
    ],
)
def test_a_ruling_offers_the_house_rules_that_would_change_the_verdict(
    a_running_game: PlainGame, asked: str, field: str
):
    address = f"/check?game={a_running_game.key}&variant=frustration&contract=1&{asked}"
    form = page_of(a_running_game, address).split('name="switch"')[1].split("</select>")[0]
    assert f'value="{field}"' in form


def test_that_a_ruling_was_recorded_is_told_by_the_page_that_shows_it_and_not_by_the_game_again(
    a_running_game: PlainGame,
):
    game = a_running_game
    sent = {"question": MELD, "decided": "no"}
    answer = game.client.post(f"/games/{game.key}/rulings", data=sent)
    assert "Ruling recorded" in page_of(game, answer.location)
    assert 'data-change="' not in page_of(game, f"/games/{game.key}")
    game.client.post(f"/games/{game.key}/rulings", data={**sent, "switch": "wild_limit=none"})
    page = page_of(game, f"/games/{game.key}")
    told = re.search(r'id="told-change".*?</div>', page, re.DOTALL)[0]
    assert "A meld can have as many wild cards as you like." in told
    assert "Ruling recorded" not in told


def test_who_recorded_a_ruling_is_back_at_the_question_by_the_rules_that_now_hold(
    a_running_game: PlainGame,
) -> None:
    """What decides it is said once, and not that the rules said it."""
    game = a_running_game
    asked = "variant=aggravation-rummy&ask=swap&kind=run&m=5H+JK+7H&position=2&add=6H&players=3"
    held = "You can swap for wild cards in everyone’s melds."
    form = page_of(game, f"/check?{asked}&game={game.key}").split('id="ruling"')[1]
    assert "on: Can you swap for a wild card on the table? Now: no, wild cards stay" in form
    assert '<option value="">No change</option>' in form
    sent = {"question": asked, "switch": "wild_swap=any"}
    answer = game.client.post(f"/games/{game.key}/rulings", data=sent)
    page = page_of(game, answer.location)
    verdict = page.split('id="verdict"')[1].split('id="ruling"')[0]
    assert answer.location.startswith("/check?")
    assert "Ruling recorded" in verdict
    assert "not this game’s rules" not in page
    assert "By your house rules: Legal" in verdict
    assert verdict.count(held) == 1
    assert "The rules said" not in page
    listed = page_of(game).split('id="ruling-')[1]
    assert "The rules said: Not legal" in listed
    recorded(game, question=answer.location.partition("?")[2].replace("recorded=yes", ""))
    assert "By your rules then: Legal" in page_of(game).split('id="ruling-')[1]
    assert "By your rules then: Legal" in page_of(game, f"/games/{game.key}/activity")


@pytest.mark.parametrize("of", ["check", "rules", "rounds"])
def test_the_list_of_rulings_leads_back_to_the_game_from_which_it_was_opened(
    ruled: PlainGame, of: str
) -> None:
    game, back = ruled, f'<a href="/games/{ruled.key}">Back to the game</a>'
    assert back not in page_of(game)
    answer = game.client.get(f"/games/{game.key}/{of}")
    opened = (
        html.unescape(answer.text) if answer.status_code == 200 else page_of(game, answer.location)
    )
    (link,) = set(re.findall(r'href="(/group/rulings[^"#]*)', opened))
    listed = page_of(game, link)
    assert back in listed
    edit = re.search(r'action="(/games/\w+/rulings/\d+[^"]*)"', listed)[1]
    sent = {"decided": "No.", "reason": "", "decided_seen": "It counts.", "reason_seen": "tired"}
    saved = page_of(game, game.client.post(edit, data=sent).location)
    assert back in saved
    form = saved.split('class="done line"')[1].split("</form>")[0]
    kept = dict(re.findall(r'name="(game|back)" value="([^"]*)"', form))
    at = re.search(r'action="(/games/\w+/activity/\d+/undo)"', saved)[1]
    assert back in page_of(game, game.client.post(at, data=kept).location)
