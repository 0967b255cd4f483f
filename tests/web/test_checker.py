"""The checker's page: as what a meld is asked about, and what is said first of an open contract."""

import html
import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from flask.testing import FlaskClient

from app.rules.cards import RANKS
from app.rules.judge_questions import CARD_FIELDS
from tests.web_table import PlainGame, fields_of

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

GARBAGE_3 = "/check?variant=garbage-rummy&contract=3"


def shown(client: FlaskClient, address: str) -> str:
    return html.unescape(client.get(address).get_data(as_text=True))


def turned(client: FlaskClient, address: str, to: str) -> str:
    """The address after another kind of question was pressed on that page."""
    return client.get(f"{address}&to={to}").location


def meld_tab(client: FlaskClient, address: str) -> str:
    return turned(client, address, "meld")


def all_melds(client: FlaskClient, address: str) -> list[str]:
    """The cards of a contract's melds, as the fields of its page hold them."""
    return re.findall(r'name="m" value="([^"]*)"', shown(client, address))


def test_of_a_meld_is_asked_whether_it_is_a_set_or_run_at_all(client: FlaskClient) -> None:
    for address in ("/check?variant=garbage-rummy", f"{GARBAGE_3}&m=5H+5D+5C"):
        page = shown(client, meld_tab(client, address))
        assert "Is this a legal set or run?" in page
        assert not re.search("As an extra meld|In a contract|Whose contract", page)
    told = shown(client, f"{GARBAGE_3}&ask=meld&kind=run&m=5H+6H+7H")
    assert "Can I lay this as an extra meld?" in told  # a question of the Q&A, or one recorded
    assert re.search(r'<option value="" selected>\s*As an extra meld', told)
    part = shown(client, f"{GARBAGE_3}&ask=meld&kind=run&size=4&m=5H+6H+7H")
    assert "In a contract: run of 4" in part


NO_EXTRAS = "Only as part of a contract: you can’t lay extra melds here."
MATCHES = "As an extra meld it must match a meld of your contract."


@pytest.mark.parametrize(
    ("rules", "cards", "verdict", "note"),
    [
        ("garbage-rummy", "5H 5D 5C", "Legal", ""),
        ("garbage-rummy", "5H JK 7H", "Legal", ""),
        ("garbage-rummy", "5H 6D 7C 9S", "Not legal as a set or run", ""),
        ("garbage-rummy", "JK JK JK", "Not legal as a set or run", ""),
        ("garbage-rummy", "5H 5D", "Not complete yet", ""),
        ("frustration-rummy", "9H JH QH 10H", "Legal", ""),
        ("frustration", "5H 2S 2C 8H", "Legal", ""),  # no set, but a run
        ("aggravation-rummy-family", "5H 5D 5C", "Legal", NO_EXTRAS),
        ("frustration-nineteen", "5H 5D 5C", "Legal", MATCHES),
    ],
)
def test_a_meld_is_legal_as_whatever_it_can_be_laid_as_and_what_decides_besides_is_noted(
    client: FlaskClient, rules: str, cards: str, verdict: str, note: str
) -> None:
    page = shown(client, f"/check?variant={rules}&ask=meld&size=any&m={cards.replace(' ', '+')}")
    said = re.search(r'class="verdict-word"[^>]*>.*?</span>\s*(.*?)</p>', page, re.DOTALL)
    assert said
    assert said[1] == verdict
    assert re.findall(r'<p class="fact-line note">(.*?)</p>', page) == ([note] if note else [])


@pytest.mark.parametrize(("kind", "in_order"), [("set", False), ("run", True)])
def test_that_cards_lie_in_order_is_said_of_runs_alone(
    client: FlaskClient, kind: str, *, in_order: bool
) -> None:
    page = shown(client, f"/check?ask=layoff&kind={kind}")
    assert ("On the table, in order" in page) == in_order


def test_what_stands_of_a_contract_is_said_before_what_is_missing(client: FlaskClient) -> None:
    page = shown(client, f"{GARBAGE_3}&m=&m=5H+JK+7H+8H")
    assert page.index("Already legal: run of 4.") < page.index("Still missing: set of 3.")
    strip = re.search(r'<a class="strip pending".*?</a>', page, re.DOTALL)[0]
    assert "Already legal: run of 4. Still missing: set of 3." in strip


MELDS = ["5H 6H JK 8H", "9H 9D"]
ENTERED = "/check?variant=garbage-rummy&contract=3&m=5H+6H+JK+8H&m=9H+9D"


@pytest.mark.parametrize("on_the_way", sorted(CARD_FIELDS))
@pytest.mark.parametrize("then", ["contract", "layoff", "hand"])
def test_no_kind_of_question_loses_what_was_entered_for_another(
    client: FlaskClient, on_the_way: str, then: str
) -> None:
    there = turned(client, turned(client, ENTERED, on_the_way), then)
    assert all_melds(client, turned(client, there, "contract")) == MELDS
    more = turned(client, "/check?ask=swap&kind=run&m=5H+JK+7H&position=2&add=6H", on_the_way)
    asked = parse_qs(urlsplit(turned(client, turned(client, more, then), "swap")).query)
    assert (asked["m"], asked["add"], asked["position"]) == (["5H JK 7H"], ["6H"], ["2"])


@pytest.mark.parametrize("then", ["layoff", "swap"])
@pytest.mark.parametrize("on_the_way", ["", "meld", "hand"])
@pytest.mark.parametrize(
    ("entered", "on_the_table"),
    [
        ("KH 2H JK AH", "2H JK KH AH"),
        ("8H 5H JK 6H", "5H 6H JK 8H"),
        ("JK 6H 7H 8H", "JK 6H 7H 8H"),  # it lies in order already, as a 5
        ("9H JK 9D", "9H JK 9D"),
        ("8H 5H", "8H 5H"),  # no meld
    ],
)
def test_what_becomes_a_meld_on_the_table_comes_in_the_order_in_which_it_lies(
    client: FlaskClient, entered: str, on_the_table: str, on_the_way: str, then: str
) -> None:
    address = "/check?" + urlencode(
        {"variant": "frustration-rummy", "contract": 5, "m": [entered, "9S 9H"]},
        doseq=True,
    )
    if on_the_way:
        address = turned(client, address, on_the_way)
    assert all_melds(client, turned(client, address, then)) == [on_the_table]


@pytest.mark.parametrize(("cards", "note"), [(13, "13 cards entered"), (14, ""), (15, "15 cards")])
def test_that_a_hand_has_too_few_or_too_many_cards_is_noted_and_it_is_judged(
    client: FlaskClient, cards: int, note: str
) -> None:
    hand = "+".join([*(f"{rank}H" for rank in RANKS), "3S", "4S"][:cards])
    page = shown(client, f"/check?variant=frustration-rummy&contract=1&ask=hand&m={hand}")
    assert "verdict-word" in page
    said = re.findall(r"\d+ cards? entered\. With the card you drew, you hold 14\.", page)
    assert [one.startswith(note) for one in said] == ([True] if note else [])


@pytest.mark.parametrize("of_one", ["meld", "layoff", "swap"])
def test_what_was_changed_under_another_kind_of_question_is_changed_in_the_contract(
    client: FlaskClient, of_one: str
) -> None:
    meld = turned(client, f"{ENTERED}&at=1", of_one)
    assert "m=9H+9D&" in meld
    assert "Which meld?" in shown(client, meld)
    changed = meld.replace("m=9H+9D&", "m=9H+9D+9C&")
    assert all_melds(client, turned(client, changed, "contract")) == [MELDS[0], "9H 9D 9C"]
    other = turned(client, changed, f"{of_one}:0")
    assert "m=5H+6H+JK+8H&" in other


@pytest.mark.parametrize("then", sorted(CARD_FIELDS))
@pytest.mark.parametrize(
    ("asked", "same"),
    [
        ("contract", {"contract", "meld", "layoff", "swap"}),
        ("meld", {"meld", "layoff", "swap"}),
        ("layoff", {"meld", "layoff", "swap"}),
        ("swap", {"meld", "layoff", "swap"}),
        ("hand", {"hand"}),
        ("score", {"score"}),
    ],
)
def test_no_cards_are_left_over_from_a_kind_of_question_whose_cards_are_something_else(
    client: FlaskClient, asked: str, same: set[str], then: str
) -> None:
    address = f"/check?variant=garbage-rummy&contract=1&ask={asked}&m=5H+6H+JK+8H&add=7H"
    there = turned(client, address, then)
    assert ("5H 6H JK 8H" in all_melds(client, there)) == (then in same)
    added = re.findall(r'name="add" value="([^"]*)"', shown(client, there))
    assert added in ([], ["7H" if then == asked else ""])
    started_over = re.search(r'href="([^"]*)" title="Clear the cards"', shown(client, there))
    assert started_over
    assert "5H" not in started_over[1]


@pytest.mark.parametrize("to", ["meld", "layoff", "swap"])
def test_no_suit_is_shown_that_nobody_told(client: FlaskClient, to: str) -> None:
    """What is tapped without a suit is sent with the open sign of the one that it is read as."""
    address = "/check?variant=frustration&contract=1&m=5♤+5♡+2♤&m=9♤+9D+9♡+2D"
    shown_there = shown(client, turned(client, address, to))
    assert ">5 5 2<" in shown_there
    assert ">9 9♦ 9 2♦<" in shown_there
    assert 'name="m" value="5♤ 5♡ 2♤"' in shown_there
    drawn = shown_there.split('id="verdict"')[1]
    assert not re.search("[25] of (spades|hearts)", drawn)
    nine = shown(client, turned(client, address, f"{to}:1"))
    assert set(re.findall(r'aria-label="[29] of (\w+)', nine.split('id="verdict"')[1])) <= {
        "diamonds"
    }


def test_the_house_rule_that_plays_it_otherwise_is_one_tap_away(
    client: FlaskClient, a_running_game: PlainGame
) -> None:
    swap = "ask=swap&kind=run&m=5H+2S+7H&position=2&add=6H"
    told = re.compile(r'change the house rule: <a href="([^"]+)">Can you swap[^<]*</a>')
    outside = told.search(shown(client, f"/check?variant=frustration&{swap}"))
    assert outside
    setup = shown(client, outside[1].partition("#")[0])
    opened = re.findall(r'<details class="fold(?: inner)?" open>\s*<summary>([^<]+)', setup)
    assert opened[0] == "House rules"
    assert len(opened) == 2
    assert (
        f'id="{outside[1].partition("#")[2]}"' in setup.split(opened[1])[1].split("</details>")[0]
    )
    game = f"/check?variant=aggravation-rummy&contract=1&{swap}&game={a_running_game.key}"
    (inside,) = told.findall(shown(client, game))
    led_to = shown(client, inside.removesuffix("#ruling")).split('id="ruling" open>')
    assert 'name="switch"' in led_to[1]


def test_what_a_page_without_scripts_sends_keeps_what_is_aside(client: FlaskClient) -> None:
    meld = turned(client, ENTERED, "meld")
    sent = fields_of(client.get(meld).get_data(as_text=True), "question")
    assert sent["aside"] == "9H 9D"  # the last of those that are sent
    assert sent["at"] == "0"


def test_a_ruling_keeps_of_the_question_what_was_judged(a_running_game: PlainGame) -> None:
    client, key = a_running_game.client, a_running_game.key
    seat = a_running_game.seats["Ben"]
    asked = turned(client, f"{ENTERED}&game={key}&seat={seat}", "meld").partition("?")[2]
    ruled = client.post(f"/games/{key}/rulings", data={"question": asked, "decided": "so"})
    assert ruled.status_code == 303
    record = html.unescape(client.get(f"/games/{key}/rounds").get_data(as_text=True))
    question = re.search(r'href="/check\?([^"]*)"', record)[1]
    assert "m=5H+6H+JK+8H" in question
    assert not {"aside", "at", "seat"} & parse_qs(question).keys()


def checked_from(game: PlainGame, query: str = "") -> str:
    """The address of the checker that the game's bar leads to."""
    return game.client.get(f"/games/{game.key}/check{query}").location


def chosen(page: str) -> str:
    """Whose contract the page says that it judges."""
    found = re.search(r'name="whose" id="whose-\d+" value="(\d+)" checked', page)
    return found[1] if found else ""


def test_where_contracts_differ_the_checker_asks_whose_is_judged(a_running_game: PlainGame) -> None:
    game, client = a_running_game, a_running_game.client
    assert game.close(2, out="Ben", Anna="80", Cleo="80").status_code == 303
    page = shown(client, checked_from(game))
    assert "Whose contract?" in page
    assert chosen(page) == ""
    assert "data-tray" not in page.partition("data-trays")[2]
    seat = str(game.seats["Cleo"])
    fields = fields_of(page, "question")
    assert "contract" not in fields
    after = shown(client, f"{checked_from(game)}&whose={seat}")
    assert chosen(after) == seat
    assert "Can Cleo lay down contract 2?" in after
    ben = shown(client, f"{checked_from(game, f'?seat={seat}')}&whose={game.seats['Ben']}")
    assert "Can Ben lay down contract 3?" in ben
    other = shown(client, f"{checked_from(game, f'?seat={seat}')}&whose=")
    assert (chosen(other), fields_of(other, "question")["contract"]) == ("", "2")


def test_where_it_is_known_whose_the_checker_does_not_ask(a_running_game: PlainGame) -> None:
    game, client = a_running_game, a_running_game.client
    named = shown(client, checked_from(game, f"?seat={game.seats['Ben']}"))
    assert chosen(named) == str(game.seats["Ben"])
    player = re.search(r'form="claim" name="player" value="(\d+)"', game.page)[1]
    client.post(f"/games/{game.key}/mine", data={"player": player})
    assert chosen(shown(client, checked_from(game))) == str(game.seats["Anna"])
    fresh = PlainGame.started(client, "frustration", "Dora Emil")
    page = shown(client, checked_from(fresh))
    assert "<h2>Whose contract?</h2>" not in page
    assert fields_of(page, "question")["contract"] == "1"


def test_a_verdict_stays_that_of_its_contract_when_the_player_goes_on_to_the_next(
    a_running_game: PlainGame,
) -> None:
    game, client = a_running_game, a_running_game.client
    asked = checked_from(game, f"?seat={game.seats['Ben']}")
    assert game.close(2, out="Ben", Anna="15", Cleo="30").status_code == 303
    page = shown(client, asked)
    assert (chosen(page), fields_of(page, "question")["contract"]) == ("", "2")


@pytest.mark.parametrize(
    "address",
    [
        "/check?variant=garbage-rummy&contract=2&m=5H+JK+7H&m=9H+10H+JH",
        "/check?variant=garbage-rummy&ask=score&m=JK",
        "/rules/garbage-rummy",
        "/rules/garbage-rummy/sheet",
        "/rules/garbage-rummy/tour",
        "/rules/custom/new?base=garbage-rummy",
    ],
)
def test_no_star_stands_for_a_joker_without_the_word(client: FlaskClient, address: str) -> None:
    page = shown(client, address)
    named = r'★</span>\s*<span class="card-joker"[^>]*>joker<|data-rank="JK" aria-label="joker">★'
    assert "★" not in re.sub(named, "", page)
    assert "joker" in page


def strip_of(client: FlaskClient, address: str) -> str:
    strip = re.search(r'<a class="strip.*?</a>', shown(client, address), re.DOTALL)
    assert strip
    return strip[0]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("variant=frustration-rummy&contract=2&m=AH+3H+4H+5H&m=9H+9D+9C", "The ace can be low"),
        ("variant=frustration&contract=2&m=JH+QH+KH+AH&m=9H+9D+9C", "The ace goes after the king"),
        ("variant=frustration&contract=2&m=AH+3H+4H+5H&m=9H+9D+9C", "Aces are high here"),
        ("variant=frustration&ask=hand&contract=1&m=5H+5D+5C+9H+9D+9C+KH", "5♣ 5♦ 5♥, 9♣ 9♦ 9♥"),
    ],
)
def test_what_the_answer_rests_on_stands_beside_the_verdict_above_the_keypad(
    client: FlaskClient, address: str, said: str
) -> None:
    assert said in strip_of(client, f"/check?{address}").replace("\xa0", " ")


def test_the_one_wild_card_of_a_meld_and_the_kind_of_its_cards_need_not_be_said(
    client: FlaskClient,
) -> None:
    swap = "/check?variant=twelve-step-rummy&ask=swap&owner=other&position=&add=4H&m=3H+JK+5H"
    assert "Legal" in strip_of(client, swap)
    assert 'name="kind" id="kind-set" value="set" checked' not in shown(client, "/check?ask=layoff")
    run = "/check?variant=frustration-rummy&ask=layoff&m=5H+6H+7H+8H&add=9H"
    assert "it’s a run of 5" in shown(client, run)


SWAP = "/check?ask=swap&kind=run&add=4H&variant="


@pytest.mark.parametrize(
    ("rules", "chosen"),
    [
        ("twelve-step-rummy", "other"),
        ("garbage-rummy", "self"),
        ("twelve-step-rummy&rule-wild_swap=any", None),
    ],
)
def test_a_swap_is_first_asked_of_whom_one_may_take_from_and_names_what_else_it_takes(
    client: FlaskClient, rules: str, chosen: str | None
) -> None:
    page = shown(client, f"{SWAP}{rules}&m=3H+JK+5H+6H")
    assert "Legal" in page
    assert "must play the freed card in the same turn" in page
    assert re.findall(r'id="owner-(\w+)" value="\w+" checked', page) == ([chosen] if chosen else [])
    refused = shown(client, f"{SWAP}{rules}&m=3H+JK+5H+6H&add=7H")
    assert "must play the freed card" not in refused


@pytest.mark.parametrize(
    ("cards", "lacks"),
    [
        ("m=3H+JK+5H", "Enter your card."),
        ("m=3H", "Enter your card."),
        ("add=4H", "Enter the meld on the table."),
        ("", "Enter the meld on the table and your card."),
    ],
)
def test_a_swap_of_which_one_side_is_there_is_unfinished_and_no_fault(
    client: FlaskClient, cards: str, lacks: str
) -> None:
    address = f"/check?ask=swap&variant=twelve-step-rummy&{cards}"
    assert re.findall(r'class="fault[^>]*>\s*[^\s<]', shown(client, address)) == []
    assert strip_of(client, address).endswith(f">{lacks}</span></a>")


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("m=5H+6H+7H", "</b> Not complete yet. Enter the cards to add."),
        ("add=8H", "</b> Not complete yet. Enter the meld on the table."),
        ("", "Enter a meld and the cards to add."),
    ],
)
def test_of_an_unfinished_lay_off_is_said_what_is_to_be_entered(
    client: FlaskClient, cards: str, said: str
) -> None:
    strip = strip_of(client, f"/check?ask=layoff&variant=garbage-rummy&{cards}")
    assert strip.endswith(f"{said}</span></a>")


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("ask=layoff&m=5H+6H+7H", 2),
        ("ask=layoff&add=8H", 1),
        ("ask=layoff&kind=set&m=5H&add=5D", 1),
        ("ask=layoff&kind=run&m=5H+6H", 1),
        ("ask=meld&size=any&m=5H+6H", 1),
        ("ask=swap&m=5H+JK+7H", 2),
        ("ask=swap&add=6H", 1),
        ("contract=3&m=5H+5D+5C&m=6H", 2),
        ("contract=3&m=5H+5D&m=6H+7H+8H+9H", 1),
    ],
)
def test_whatever_waits_for_cards_leads_to_where_they_go(
    client: FlaskClient, asked: str, place: int
) -> None:
    address = f"/check?variant=garbage-rummy&{asked}"
    page = shown(client, address)
    assert f'href="#tray-{place}"' in strip_of(client, address)
    active = re.findall(r'class="tray (active)?"', page)
    assert active.index("active") == place - 1
    if "Not complete yet" in page or "Already legal" in page:
        assert f'href="#tray-{place}">Enter what is missing' in page


def test_without_scripts_the_fields_show_cards_as_they_are_typed_in_french(
    client: FlaskClient,
) -> None:
    client.post("/language", data={"language": "fr"})
    asked = "variant=garbage-rummy&ask=hand&m=QH+JK+5C+K&table=JH+JD+JC&table-kind=set"
    page = shown(client, f"/check?{asked}")
    assert 'name="m" value="D♥ joker 5♣ R"' in page
    assert 'name="table" value="V♥ V♦ V♣"' in page
    assert re.findall(r'placeholder="([^"]*♥[^"]*)"', page) == ["5♥ 6♥ 2♣ 8♥", *["9♥ 9♣ 9♦"] * 3]


@pytest.mark.parametrize(
    ("meld", "position", "offered"),
    [
        ("3H+JK+5H+6H", "", []),
        ("3H+JK+5H+6H", "&position=4", []),
        ("3H+JK+5H+JK+7H", "", ["2", "4"]),
        ("3H+JK+5H+JK+7H", "&position=4", ["2", "4"]),
    ],
)
def test_which_wild_card_is_asked_where_there_are_several(
    client: FlaskClient, meld: str, position: str, offered: list[str]
) -> None:
    card = "6H" if offered and position else "4H"
    page = shown(client, f"{SWAP}garbage-rummy&m={meld}{position}".replace("4H", card))
    assert re.findall(r'id="position-(\d+)"', page) == offered
    named = re.findall(
        r'for="position-\d+">.*?aria-label="joker as (\d) of hearts"', page, re.DOTALL
    )
    assert named == ["4", "6"][: len(offered)]
    assert "The joker stands for " + card[0] in page


def test_what_a_wild_card_stands_for_is_left_open_where_the_meld_does_not_tell(
    client: FlaskClient,
) -> None:
    for meld in ("JK+JK", "3H+JK+JK+9H", "3H+JK+JK+9Z", "JK+JK+nonsense"):
        page = shown(client, f"{SWAP}garbage-rummy&m={meld}")
        assert "joker as" not in page.partition('id="which-wild"')[2].partition("</div>\n</div>")[0]


@pytest.mark.parametrize(
    "address",
    [
        "ask=meld&size=any&m=5H+6H+JK+8H",
        "contract=2&m=5H+6H+JK+8H&m=9H+9D+9C",
        "ask=layoff&m=5H+6H+JK+8H&add=9H",
        "ask=hand&contract=2&m=5H+6H+JK+8H+9H+KH+QD+3C",
    ],
)
def test_the_picture_of_a_verdict_stands_above_its_sources(
    client: FlaskClient, address: str
) -> None:
    page = shown(client, f"/check?variant=frustration-rummy&{address}")
    assert 0 < page.rindex('class="laid-cards"') < page.index('class="grounds')


def test_a_source_is_named_once_for_all_that_rests_on_it(client: FlaskClient) -> None:
    address = "/check?ask=contract&variant=aggravation-rummy&contract=2&m=5H+6H&m=9H+9D"
    page = client.get(address).get_data(as_text=True)
    assert page.count("See the rule") == page.count('<div class="reason">') == 1
    assert page.count("and you have 2.") > 1
