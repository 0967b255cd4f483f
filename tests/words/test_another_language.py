"""Another language is another catalogue: with one made up for a test, no English is left anywhere.

The made-up language says everything in letters that English has not. What is still in English
letters on a page was never looked up.
"""

import re
from pathlib import Path

import pytest
from babel.dates import get_month_names
from babel.messages.catalog import Catalog
from flask import Flask
from flask.testing import FlaskClient

from app.rules.rule_sets import family_rule_sets
from app.web.infrastructure import localization
from tests.web_table import PlainGame
from tests.words.catalogues import format_catalog, gather_texts
from tests.words.reading import PROSE, texts_of

CODE = "eo"
LETTERS = {ord(plain): ord(plain) - ord("A") + ord("Ａ") for plain in map(chr, range(65, 91))}
LETTERS |= {ord(plain): ord(plain) - ord("a") + ord("ａ") for plain in map(chr, range(97, 123))}
ADDRESS = re.compile(r"https?://\S+")
JOIN_CODE = re.compile(r'<p class="code".*?</p>')
PLACE = re.compile(r"(\{\w+\}|%\(\w+\)s)")
MONTHS = {name.strip(".") for name in get_month_names("abbreviated", locale=CODE).values()}
TYPED = {
    "set, sets, group, groups, book, books": "aro, aroj",
    "run, runs, sequence, sequences, straight, straights": "vico, vicoj",
    "one, two, three, four, five, six, seven, eight, nine, ten, "
    "eleven, twelve, thirteen, fourteen": "unu, du, tri, kvar, kvin",
    "card, cards": "karto, kartoj",
    "of": "el",
    "and, plus": "kaj",
    "J": "B",
    "Q": "D",
}
"""What is read where contracts and cards are typed, as real words."""
BUILD = re.compile(r'<p class="build">.*?</p>')
NAMES = {"Meldkeeper", "English", "Esperanto", "Anna", "Ben", "Cleo"} | MONTHS
"""What no language changes."""


def in_other_letters(text: str) -> str:
    """A text in the made-up language, its places untouched."""
    parts = PLACE.split(text)
    return "".join(one if PLACE.fullmatch(one) else one.translate(LETTERS) for one in parts)


@pytest.fixture(scope="session")
def catalogues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the catalogue of the made-up language alone."""
    folder = tmp_path_factory.mktemp("catalogues")
    made_up = Catalog(locale=CODE)
    for message in gather_texts():
        if isinstance(message.id, tuple):
            made_up.add(message.id, tuple(map(in_other_letters, message.id)))
        elif message.id:
            made_up.add(message.id, TYPED.get(str(message.id)) or in_other_letters(str(message.id)))
    (folder / f"{CODE}.po").write_text(format_catalog(made_up))
    return folder


@pytest.fixture
def app(app: Flask, catalogues: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setattr(localization, "CATALOGUES", catalogues)
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("language", CODE)
    return client


def english_on(html: str) -> set[str]:
    """The words of a page that are still English."""
    html = BUILD.sub("", JOIN_CODE.sub("", html))
    ascii_words = (word for text in texts_of(html) for word in PROSE.findall(ADDRESS.sub("", text)))
    return {word for word in ascii_words if word.isascii()} - NAMES


def assert_no_english(client: FlaskClient, *addresses: str) -> None:
    for address in addresses:
        answer = client.get(address, follow_redirects=True)
        assert english_on(answer.get_data(as_text=True)) == set(), address


def test_the_made_up_language_is_spoken_as_soon_as_its_catalogue_is_there(
    client: FlaskClient,
) -> None:
    page = client.get("/").get_data(as_text=True)
    assert f'<html lang="{CODE}"' in page
    assert "Ｎｅｗ ｇａｍｅ" in page


def test_no_english_is_left_on_the_pages_that_everybody_may_see(client: FlaskClient) -> None:
    assert_no_english(client, "/", "/games/new", "/rules", "/nowhere", "/check")


@pytest.mark.parametrize("variant_id", family_rule_sets())
def test_no_english_is_left_in_a_rule_set(client: FlaskClient, variant_id) -> None:
    assert_no_english(
        client,
        f"/games/new/{variant_id}",
        f"/rules/{variant_id}",
        f"/rules/{variant_id}?rule-wild_swap=any&rule-run_suit=same",
        f"/rules/{variant_id}/sheet",
    )


@pytest.mark.parametrize(
    "question",
    [
        "variant=frustration&ask=contract&contract=2&m=5H+6D+2C+8S&m=9H+9S+9D",
        "variant=frustration&ask=contract&contract=1&m=5H+6D+2C+8S&m=9H+9S+KD",
        "variant=frustration&ask=contract&contract=1&m=9H+9S+9D",
        "variant=frustration&ask=meld&kind=set&m=8H+8D+2S+2C+2D",
        "variant=frustration&ask=meld&kind=set&m=2H+2D+2S",
        "variant=frustration&ask=meld&kind=set&m=Z",
        "variant=frustration&ask=meld&kind=set&m=9H+9H+9H+9S",
        "variant=frustration-rummy&ask=meld&kind=run&m=5H+6D+7C+8S",
        "variant=frustration-rummy&ask=meld&kind=run&m=5H+6H+7H+9H",
        "variant=frustration-rummy&ask=meld&kind=run&m=5+6+7+9",
        "variant=twelve-step-rummy&ask=meld&kind=run&m=JH+QH+KH+AH+2H",
        "variant=twelve-step-rummy&ask=meld&kind=run&m=3H+JK+JK+6H+7H+8H",
        "variant=frustration&ask=hand&contract=1&m=5H+5D+5C+3S+4H+5S+6D+7C+7D+7H",
        "variant=garbage-rummy&ask=hand&contract=2&m=5H+5D+9S",
        "variant=frustration&ask=layoff&kind=set&m=9H+9S+9D&add=KD",
        "variant=frustration&ask=layoff&kind=run&m=3S+2S+5S&add=6S+7S",
        "variant=frustration&ask=layoff&kind=run&m=3S+2S+5S&add=KS",
        "variant=frustration&ask=swap&kind=run&m=3S+2S+5S&add=4S&position=2",
        "variant=garbage-rummy&ask=swap&kind=run&m=3S+JK+5S&add=6S&position=2",
        "variant=frustration&rule-deal=99",
        "variant=frustration&rule-wild_limit=99",  # what was asked stays, as it was written
        "variant=frustration&rule-win=lowest_score",
    ],
)
def test_no_english_is_left_in_a_verdict(client: FlaskClient, question: str) -> None:
    assert_no_english(client, f"/check?{question}")


def test_no_english_is_left_in_a_game_from_its_first_card_to_its_result(
    client: FlaskClient,
) -> None:
    game = PlainGame.started(
        client, "aggravation-rummy", "Anna Ben Cleo", **{"rule-last_contract": "2"}
    )
    at = f"/games/{game.key}"
    assert_no_english(client, at, f"{at}/players", f"{at}/rounds", f"{at}/check", f"{at}/rules")
    question = "variant=aggravation-rummy&ask=meld&kind=set&m=8H+8D+2S+2C+2D"
    assert_no_english(client, f"/check?{question}&game={game.key}")
    switch = {"question": question, "switch": "wild_limit=none", "decided": ""}
    assert client.post(f"{at}/rulings", data=switch).status_code == 303
    for faulty in (
        game.close(1),
        game.close(1, out="Anna", Ben="7", Cleo="many"),
        game.close(1, out="Anna", Ben="7", Cleo="9999"),
        client.post(f"{at}/players", data={"name": "Anna"}),
        client.post(f"{at}/players", data={"name": "", "score": "x"}),
    ):
        assert english_on(faulty.get_data(as_text=True)) == set()
    game.close(1, out="Anna", Ben="15", Cleo="30")
    assert_no_english(client, at, f"{at}?order=standing", f"{at}/rounds", f"{at}/rounds/1")
    game.close(2, out="Anna", met="Ben", Ben="15", Cleo="30")
    assert_no_english(client, "/", at, f"{at}/rounds", f"{at}/rounds/1", f"{at}/players")
    assert_no_english(client, f"{at}/activity", f"{at}/screen")


def test_no_english_is_left_where_a_game_cannot_start(client: FlaskClient) -> None:
    seated = {"variant": "garbage-rummy", "player": ["Anna", "Ben"]}
    for sent in (
        {"variant": "frustration", "player": ["Anna"]},
        {"variant": "frustration", "player": ["Anna", "Anna"]},
        {"variant": "aggravation-rummy", "player": ["Anna", "Ben"]},
        {**seated, "rule-deal": "99"},
        {**seated, "rule-keep_score": "no"},
        {**seated, "rule-third_deck_from": "2"},
    ):
        answer = client.post("/games", data=sent)
        assert answer.status_code == 422
        assert english_on(answer.get_data(as_text=True)) == set(), sent


def test_no_english_is_left_where_phones_are_let_in(client: FlaskClient) -> None:
    PlainGame.started(client, "frustration", "Anna Ben")
    assert_no_english(client, "/group", "/group/invite", "/join", "/join/of-nobody")
    for role in ("watch", "score", "manage"):
        assert_no_english(client, f"/group/links/{role}")
    for sent, address in (
        ({"role": "score"}, "/group/invite"),
        ({"code": "AAAAAA"}, "/join"),
        ({"name": ""}, "/group"),
        ({}, "/group/links/watch"),
    ):
        answer = client.post(address, data=sent, follow_redirects=True)
        assert english_on(answer.get_data(as_text=True)) == set(), address


def test_no_english_is_left_where_a_table_makes_its_own_rules(client: FlaskClient) -> None:
    PlainGame.started(client, "frustration", "Anna Ben")
    assert_no_english(
        client, "/rules/custom", "/rules/custom/new?base=frustration", "/rules/custom/bring"
    )
    assert_no_english(client, "/rules/custom/new?base=garbage-rummy", "/games/new")


def test_no_english_is_left_in_what_was_played(client: FlaskClient) -> None:
    game = PlainGame.started(
        client, "aggravation-rummy", "Anna Ben Cleo", **{"rule-last_contract": "2"}
    )
    game.close(1, out="Anna", Ben="15", Cleo="30")
    game.close(2, out="Anna", met="Ben", Ben="15", Cleo="30")
    PlainGame.started(client, "frustration", "Anna Ben")
    assert_no_english(client, "/history", "/history/records", "/history/deleted", "/players")
    for player in ("1", "2"):
        assert_no_english(client, f"/players/{player}")


def test_cards_are_typed_with_the_letters_of_the_language(client: FlaskClient) -> None:
    def verdict(cards: str) -> str:
        asked = f"/check?variant=frustration&ask=meld&kind=run&m={cards}"
        return client.get(asked).get_data(as_text=True)

    assert in_other_letters("Legal") in verdict("BH+DH+KH+2S")
    assert in_other_letters("Legal") not in verdict("CH+DH+KH+2S")


@pytest.mark.parametrize("typed", ["du aroj el tri kaj vico el kvar kartoj", "2 sets of 3, r4"])
def test_contracts_are_typed_in_the_words_of_the_language_as_well_as_in_english(
    client: FlaskClient, typed: str
) -> None:
    sent = {"base": "frustration", "contract": typed}
    page = client.post("/rules/custom/draft", data=sent).get_data(as_text=True)
    understood = in_other_letters("2 sets of 3 and run of 4").replace(in_other_letters("and"), "…")
    for words in understood.split("…"):
        assert words.strip() in page
