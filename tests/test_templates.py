"""Every template: nothing inline, nothing marked safe, hostile names shown as text."""

import re
from pathlib import Path
from pkgutil import resolve_name

from flask import Flask
from flask.testing import FlaskClient

from tests.web_table import PlainGame

TEMPLATES = Path(__file__).parent.parent / "templates"
PATHS = sorted(TEMPLATES.rglob("*.html"))
HOSTILE = '<script>alert("x")</script>'
FORBIDDEN = re.compile(r"\|\s*safe|<script>|<style|\sstyle=|\son[a-z]+=|hx-on|js:|javascript:")


def test_a_template_has_nothing_that_the_content_policy_forbids() -> None:
    for path in PATHS:
        assert FORBIDDEN.findall(path.read_text()) == [], path


def test_a_template_says_first_what_it_is_given() -> None:
    for path in PATHS:
        assert path.name == "base.html" or path.read_text().startswith("{#"), path


def test_what_a_template_says_that_it_is_given_exists() -> None:
    for path in PATHS:
        for name in re.findall(r"(?<!/)app(?:\.\w+)+", path.read_text()):
            resolve_name(name)


def test_words_of_two_lines_stay_parted_where_the_first_ends_in_a_tag(app: Flask) -> None:
    template = app.jinja_env.from_string(
        "<p>One.\n  {%- if true %} Two.{% endif %}\n    {{ 3 }}</p>"
    )
    assert template.render() == "<p>One. Two. 3</p>"


def test_a_hostile_name_is_shown_as_text_on_every_page(app: Flask, client: FlaskClient) -> None:
    """Also where other people's input is shown again: in faults, warnings and on stale pages."""
    names = [HOSTILE, HOSTILE.upper() + "'\"&", "{name} %s"]
    answer = client.post("/games", data={"variant": "aggravation-rummy", "player": names})
    key = answer.location.rsplit("/", 1)[1]
    pages = [
        client.get("/"),
        client.get(f"/games/{key}"),
        client.get(f"/games/{key}/players"),
        client.post(f"/games/{key}/players", data={"name": HOSTILE, "score": HOSTILE}),
        client.post(f"/games/{key}/rounds/1/close", data={"out": HOSTILE, "seen": "1"}),
        client.post(f"/games/{key}/rounds/1/close", data={"seen": "0"}),
        client.post("/games", data={"variant": "frustration", "player": [HOSTILE]}),
        client.post("/games/new/frustration", data={"typed": HOSTILE, "arrange": "x"}),
        client.get(f"/games/new/{HOSTILE}"),
        client.get("/games/new/frustration"),
    ]
    seats = re.findall(r'id="row-(\d+)"', pages[1].get_data(as_text=True))
    typed = {f"{seat}-typed": HOSTILE for seat in seats}
    pages.append(client.post(f"/games/{key}/rounds/1/close", data={**typed, "seen": "1"}))
    closing = {"out": seats[0], f"{seats[1]}-typed": "60", f"{seats[2]}-typed": "60"}
    assert client.post(f"/games/{key}/rounds/1/close", data=closing).status_code == 303
    pages += [
        client.get(f"/games/{key}/rounds"),
        client.get(f"/games/{key}/rounds/1"),
        client.post(f"/games/{key}/rounds/1", data={"reason": HOSTILE, **typed}),
    ]
    for page in pages:
        assert page.status_code < 500
        shown = page.get_data(as_text=True).lower()
        assert "<script>" not in shown
        assert 'alert("' not in shown


def test_every_page_carries_the_strict_policy_and_no_page_is_kept_by_a_cache(
    client: FlaskClient,
) -> None:
    answer = client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_the_device_cookie_cannot_be_read_by_scripts(client: FlaskClient) -> None:
    answer = client.post("/games", data={"variant": "frustration", "player": ["Anna", "Ben"]})
    cookie = next(one for one in answer.headers.getlist("Set-Cookie") if "meldkeeper=" in one)
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_post_without_the_forms_token_is_refused(app: Flask) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    answer = app.test_client().post("/games", data={"variant": "frustration"})
    assert answer.status_code == 400
    assert "This page has expired" in answer.get_data(as_text=True)


def test_a_forged_cookie_opens_nothing(app: Flask, a_running_game: PlainGame) -> None:
    stranger = app.test_client()
    stranger.set_cookie("meldkeeper", "guess")
    assert stranger.get(f"/games/{a_running_game.key}").status_code == 404


def test_a_table_of_figures_has_room_for_its_columns_on_a_phone() -> None:
    """What does not fit beside two columns of figures is folded below the name of its row."""
    tables = r'<table class="figures(?! understood).*?</thead>'  # that one scrolls
    for path in PATHS:
        for table in re.findall(tables, path.read_text(), re.DOTALL):
            assert table.count('<th scope="col">') <= 3, path
