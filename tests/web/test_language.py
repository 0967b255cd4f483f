"""A page speaks the language of the browser, or the one chosen on the device."""

from datetime import UTC, datetime

import pytest
from flask import Flask

from app.rules.rule_sets import family_rule_sets
from app.web.infrastructure.localization import (
    format_day,
    format_decimal,
    format_written_day,
    in_words,
)
from tests.web_table import PlainGame

FRENCH = {"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.5"}


def test_a_page_is_in_the_language_that_the_browser_asks_for(client):
    answer = client.get("/", headers=FRENCH)
    page = answer.get_data(as_text=True)
    assert '<html lang="fr"' in page
    assert "Nouvelle partie" in page
    assert answer.headers["Content-Language"] == "fr"


@pytest.mark.parametrize(
    "wished", ["", "de", "tlh, *;q=0.1", "en-GB,fr;q=0.3", "de, fr;q=0", "\u00e9"]
)
def test_a_page_is_in_english_for_everybody_else(client, wished):
    page = client.get("/", headers={"Accept-Language": wished}).get_data(as_text=True)
    assert '<html lang="en"' in page
    assert "New game" in page


@pytest.mark.parametrize(
    ("wished", "day"),
    [
        ("en-GB,en;q=0.9", "7 Nov 2026"),
        ("en-gb", "7 Nov 2026"),
        ("en-US", "Nov 7, 2026"),
        ("en, en-XX;q=0.5", "Nov 7, 2026"),
        ("fr-CA", "7 nov. 2026"),
        ("de-AT, en-NZ;q=0.5", "7 Nov 2026"),
    ],
)
def test_days_are_written_as_in_the_readers_region(app, wished, day):
    with app.test_request_context(headers={"Accept-Language": wished}):
        assert format_day(datetime(2026, 11, 7, 12, tzinfo=UTC)) == day


@pytest.mark.parametrize(("wished", "day"), [("fr-CA", "1er nov. 2026"), ("en", "Nov 1, 2026")])
def test_the_first_of_a_month_is_written_as_the_language_does(app, wished, day):
    with app.test_request_context(headers={"Accept-Language": wished}):
        assert format_day(datetime(2026, 11, 1, 12, tzinfo=UTC)) == day
        assert format_written_day("2026-11-01") == day
        assert "er" not in format_day(datetime(2026, 11, 11, 12, tzinfo=UTC))


def test_a_label_that_begins_with_a_capital_follows_no_colon_in_french(client):
    client.set_cookie("language", "fr")
    PlainGame.started(client, "frustration", "Anna Ben")
    summary = client.get("/history").get_data(as_text=True).split('class="fold"')[1]
    assert "Filtre – Toutes les parties" in summary


def test_a_page_that_is_partly_in_english_says_so(client):
    says_so = "Ce que fait chaque adresse est décrit en anglais."
    assert says_so in client.get("/api/v1/", headers=FRENCH).get_data(as_text=True)
    assert "said in English" not in client.get("/api/v1/").get_data(as_text=True)


def test_a_cache_never_shows_one_persons_language_to_another(client):
    assert {"Accept-Language", "Cookie"} <= set(client.get("/").vary)
    fragment = client.get("/rules/frustration", headers={"HX-Request": "true"})
    assert {"Accept-Language", "Cookie", "HX-Request"} <= set(fragment.vary)


@pytest.mark.parametrize(("constant", "said"), [("'hearts'|words", "cœur"), ("1.5|decimal", "1,5")])
def test_a_constant_of_a_template_is_said_in_the_language_of_each_reader(app, constant, said):
    with app.test_request_context("/", headers=FRENCH):
        shown = app.jinja_env.from_string(f"{{{{ {constant} }}}}")
        assert shown.render() == said
    with app.test_request_context("/"):
        assert shown.render() != said


def test_a_language_that_was_chosen_stays_on_this_device(client):
    answer = client.post(
        "/language", data={"language": "fr", "back": "/rules/frustration?words=as"}
    )
    assert answer.status_code == 303
    assert answer.location == "/rules/frustration?words=as"
    assert "Nouvelle partie" in client.get("/").get_data(as_text=True)
    client.post("/language", data={"language": "en", "back": "/"})
    assert "New game" in client.get("/", headers=FRENCH).get_data(as_text=True)


@pytest.mark.parametrize(
    "back",
    [
        "//elsewhere.test/",
        "https://elsewhere.test",
        "/\\elsewhere.test",
        "javascript:x",
        "",
        "/\r\nA: b",
    ],
)
def test_the_switch_leads_nowhere_but_to_our_own_pages(client, back):
    assert client.post("/language", data={"language": "fr", "back": back}).location == "/"


@pytest.mark.parametrize("chosen", ["", "xx", "../fr", "fr.po", "\x00"])
def test_a_language_that_is_not_there_changes_nothing(client, chosen):
    answer = client.post("/language", data={"language": chosen, "back": "/"})
    assert not any(one.startswith("language=") for one in answer.headers.getlist("Set-Cookie"))
    client.set_cookie("language", "xx")
    assert '<html lang="en"' in client.get("/").get_data(as_text=True)


def test_the_switch_stands_on_every_page_also_for_strangers(client):
    for address in ("/", "/check", "/rules", "/nowhere"):
        page = client.get(address).get_data(as_text=True)
        assert 'action="/language"' in page
        assert 'lang="fr"' in page


def test_a_french_player_reads_and_types_french_cards(client):
    address = "/check?variant=frustration&ask=meld&kind=run&m=VH+DH+RH+2S"
    page = client.get(address, headers=FRENCH).get_data(as_text=True)
    assert "Valable" in page
    assert 'aria-label="dame de cœur"' in page
    assert "Dixième" not in page


def test_the_q_and_a_is_searched_in_the_language_of_the_page(client):
    in_french = client.get("/rules/frustration?words=frime", headers=FRENCH)
    assert "faq-answer" in in_french.get_data(as_text=True)
    in_english = client.get("/rules/frustration?words=frime")
    assert "faq-answer" not in in_english.get_data(as_text=True)


def test_numbers_of_things_have_their_right_forms(client):
    page = client.get("/rules/frustration-rummy/sheet", headers=FRENCH).get_data(as_text=True)
    page = page.replace("\N{NO-BREAK SPACE}", " ")
    assert "3 brelans" in page
    assert "suite de 4 et brelan" in page
    assert "2 jeux de 3 et" not in page.replace("suite de 4 et 2 jeux de 3", "")


@pytest.mark.parametrize("headers", [{}, FRENCH], ids=["English", "French"])
@pytest.mark.parametrize("number", [1, 2, 25])
def test_a_number_below_nothing_has_the_form_of_the_same_number_above(app, headers, number):
    from app.rules.phrases import say_plural
    from app.web.infrastructure.localization import render_phrase

    above, below = (say_plural("{count} point", "{count} points", of) for of in (number, -number))
    with app.test_request_context("/", headers=headers):
        assert render_phrase(below) == f"−{render_phrase(above)}"
    assert str(below) == f"-{above}"


def test_a_text_of_a_rule_set_with_braces_is_only_a_text(app):
    from app.web.infrastructure.localization import render_phrase

    with app.test_request_context("/"):
        assert render_phrase("{0} and {name} %s") == "{0} and {name} %s"
        assert render_phrase(next(iter(family_rule_sets().values())).name)


def test_a_score_below_nothing_has_a_minus_sign_where_a_game_ends_and_in_its_record(client):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    for number in range(1, 8):
        assert game.close(number, out="Anna", Ben="80", Cleo="80").status_code == 303
    for address in ("", "/rounds"):
        page = client.get(f"/games/{game.key}{address}").get_data(as_text=True)
        assert 'class="score">−375<' in page, address
        assert ">-375<" not in page, address


@pytest.mark.parametrize(("value", "said"), [(2.25, "2.3"), (2.35, "2.4"), (0.25, "0.3")])
def test_halves_are_rounded_up(app, value: float, said: str):
    with app.test_request_context():
        assert format_decimal(value) == said


def test_what_is_one_formula_stays_on_one_line_unless_it_is_longer(app: Flask) -> None:
    with app.test_request_context():
        assert in_words("Ties (5 – 3 – 2 – 1).") == "Ties (5\xa0–\xa03\xa0–\xa02\xa0–\xa01)."
        assert in_words("5, 5: 2 × 5 = 10") == "5, 5: 2\xa0×\xa05\xa0=\xa010"
        assert in_words("K-A-2-3 isn’t") == "K-\u2060A-\u20602-\u20603 isn’t"
        assert in_words("A - B, 7-11 o’clock-ish") == "A - B, 7-\u206011 o’clock-ish"
        many = " – ".join(map(str, range(12, 0, -1)))
        assert in_words(many) == many
