"""The history, the record of a game, and what is done to a game beside playing it."""

import re
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape
from sqlalchemy import update

from app.extensions import db
from app.store.games import StoredGame
from tests.conftest import ON_SQLITE
from tests.web_table import PlainGame, fields_of


def text(answer) -> str:
    return answer.get_data(as_text=True)


@pytest.fixture
def finished(client: FlaskClient) -> PlainGame:
    """Aggravation Rummy with two contracts, won by Anna."""
    game = PlainGame.started(
        client, "aggravation-rummy", "Anna Ben Cleo", **{"rule-last_contract": "2"}
    )
    assert game.close(1, out="Anna", met="Ben", Ben="15", Cleo="60").status_code == 303
    assert game.close(2, out="Anna", Ben="60", Cleo="70").status_code == 303
    return game


def record_of(game: PlainGame) -> str:
    return text(game.client.get(f"/games/{game.key}/rounds"))


@ON_SQLITE
def test_a_finished_game_stands_in_the_history_with_who_won(finished: PlainGame):
    page = text(finished.client.get("/history"))
    assert "Anna wins!" in page
    assert "2 rounds" in page


@ON_SQLITE
def test_a_finished_game_is_listed_with_what_everybody_came_to(client: FlaskClient):
    game = PlainGame.started(client, "frustration-rummy", "Anna Ben", **{"rule-last_contract": "1"})
    assert "<b>" not in text(client.get("/history")).split("game-card-people")[1]
    assert game.close(1, out="Anna").status_code == 303
    assert f'href="/games/{game.key}/result.svg?v=' in game.page
    people = text(client.get("/history")).split("game-card-people")[1]
    found = re.findall(r">(\w+)</span></span> <b>([\d/]+)</b>", people)
    assert found == [("Anna", "1/1"), ("Ben", "0/1")]


@ON_SQLITE
def test_each_game_of_the_history_leads_to_its_rounds_while_it_is_played_too(finished: PlainGame):
    running = PlainGame.started(finished.client, "frustration", "Ben Dora")
    cards = re.findall(r'game-card" href="([^"]+)"', text(finished.client.get("/history")))
    assert cards == [f"/games/{one.key}/rounds" for one in (running, finished)]
    assert f'href="/games/{running.key}"' in record_of(running)


@ON_SQLITE
def test_a_place_leads_to_the_same_page_wherever_its_tab_is_tapped(finished: PlainGame):
    client, of_game = finished.client, f"/games/{finished.key}"
    places = ["/", "/history", "/players", "/check", "/rules"]
    pages = {one: one for one in places if one != "/check"}
    pages |= dict.fromkeys(("/evenings", "/seasons", "/data", "/history/records"), "/history")
    pages |= {f"{of_game}/rounds": "/history", "/rules/custom": "/rules"}
    pages |= dict.fromkeys((f"{of_game}/activity", f"{of_game}/players", "/group"), "")
    for address, place in pages.items():
        tabs = text(client.get(address)).split('<nav class="places')[1].split("</nav>")[0]
        assert re.findall(r'<a href="([^"]+)"', tabs) == places, address
        assert "".join(re.findall(r'href="([^"]+)" aria-current', tabs)) == place, address


def test_the_history_is_narrowed_by_state_rule_set_player_and_words(finished: PlainGame):
    client = finished.client
    PlainGame.started(client, "frustration", "Ben Dora")
    player = re.search(r'<option value="(\d+)" >Dora', text(client.get("/history")))[1]

    def shown(query: str) -> tuple[bool, bool]:
        page = text(client.get(f"/history?{query}"))
        return "Anna wins!" in page, "Round 1" in page

    assert shown("") == (True, True)
    assert shown("state=finished") == (True, False)
    assert shown("state=running") == (False, True)
    assert shown("state=archived") == (False, False)
    assert "Filter: Archived" in text(client.get("/history?state=archived"))
    assert shown("rules=frustration") == (False, True)
    assert shown(f"with={player}") == (False, True)
    assert shown("words=cleo") == (True, False)
    assert shown("words=ben") == (True, True)
    assert shown("words=ben+dora") == (False, True)
    assert shown("words=%25") == (False, False)


@pytest.mark.parametrize("began", [None, datetime(1962, 3, 4, tzinfo=UTC)])
def test_pages_of_the_history_hold_each_game_once_forwards_and_backwards(
    app: Flask, client: FlaskClient, began: datetime | None
):
    plan = {"variant": "frustration", "player": ["Anna", "Ben"]}
    keys = [client.post("/games", data=plan).location.rsplit("/", 1)[1] for _ in range(45)]
    if began:
        with app.app_context():
            db.session.execute(update(StoredGame).values(started_at=began))
            db.session.commit()

    def walk(address: str, rel: str) -> list[list[str]]:
        leaves = []
        while address and len(leaves) < len(keys):
            page = text(client.get(address))
            leaves.append(re.findall(r'class="card game-card" href="/games/(\w+)', page))
            link = re.search(rf'rel="{rel}" href="([^"]+)"', page)
            address = link[1].replace("&amp;", "&") if link else ""
        return leaves

    older = walk("/history", "next")
    assert [len(leaf) for leaf in older] == [20, 20, 5]
    assert [key for leaf in older for key in leaf] == keys[::-1]
    newer = walk("/history?end=1", "prev")
    assert [key for leaf in reversed(newer) for key in leaf] == keys[::-1]


def test_a_mark_that_is_none_shows_the_first_page(finished: PlainGame):
    for mark in ("x", "1", "-", "1-1-1", "9" * 30 + "-1", "²-1", "1-" + "9" * 30):
        answer = finished.client.get("/history", query_string={"before": mark})
        assert answer.status_code == 200, mark
        assert "Anna wins!" in text(answer), mark


@ON_SQLITE
def test_the_record_says_what_every_round_was_for_everybody(finished: PlainGame):
    page = record_of(finished)
    assert "contract 1, laid down, points 15 and score 15" in page
    assert "contract 1, not laid down, points 60 and score 60" in page
    assert "After the last round, lower is better: Anna −" in page.replace("-", "−")
    assert "Contracts completed, of 2: Anna 2, Ben 1 and Cleo 0." in page


@ON_SQLITE
def test_a_correction_is_shown_in_place_with_its_reason(finished: PlainGame):
    client, key = finished.client, finished.key
    data = finished_round(finished, {"Ben": "25", "Cleo": "60"}, out="Anna", met="Ben")
    edited = client.post(f"/games/{key}/rounds/1", data={**data, "reason": "counted wrongly"})
    assert edited.status_code == 303
    page = record_of(finished)
    assert "Ben: 25 points (was 15)" in page
    assert "counted wrongly" in page
    assert ", edited" in page


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("X11; Linux x86_64", "a computer"),
        ("Linux; Android 14", "an Android device"),
        ("iPhone; CPU iPhone OS 17_4 like Mac OS X", "iPhone"),
        ("Windows NT 10.0", "a Windows computer"),
        ("", "a device"),
    ],
)
def test_who_edited_on_a_device_that_nobody_named_is_told_by_its_kind(
    app: Flask, agent: str, words: str
):
    client = app.test_client()
    client.environ_base["HTTP_USER_AGENT"] = f"Mozilla/5.0 ({agent})"
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    assert game.close(1, out="Anna", Ben="25", Cleo="30").status_code == 303
    address = f"/games/{game.key}/rounds/1"
    sent = fields_of(text(client.get(address)), "round") | {f"{game.seats['Ben']}-typed": "35"}
    assert client.post(address, data=sent).status_code == 303
    edits = text(client.get(f"/games/{game.key}/rounds")).split('id="edits"')[1]
    assert (f"</time>, {words}</p>" in edits) is bool(agent)
    assert f"<span>{words}</span>" in text(client.get(f"/games/{game.key}/activity"))
    assert f"{words}<" in text(client.get("/group"))


def test_a_game_is_found_by_the_note_on_one_of_its_rounds(finished: PlainGame):
    client, key = finished.client, finished.key
    running = PlainGame.started(client, "frustration", "Ben Dora")
    for number, note in enumerate(("Ben’s famous misdeal", "Léa drops her cards: 100% luck"), 1):
        client.post(f"/games/{key}/rounds/{number}/note", data={"note": note})
    client.post(f"/games/{running.key}/dealing/1/void", data={"reason": "famous"})
    client.post(f"/games/{running.key}/rounds/1/note", data={"note": "The famous “hand”"})
    for words, found in {
        "MISDEAL": [finished], "léa+100%25": [finished], "misdeal+drops": [finished],
        "“hand”": [running], "famous": [running, finished], "famous+cleo": [finished],
        "number": [], "note": [], "voids": [],
    }.items():  # fmt: skip
        cards = re.findall(
            r'game-card" href="([^"#]+)', text(client.get(f"/history?words={words}"))
        )
        assert cards == [f"/games/{one.key}/rounds" for one in found], words


def test_a_found_note_is_quoted_with_its_words_and_leads_to_where_it_stands(finished: PlainGame):
    client, key = finished.client, finished.key
    for number, note in enumerate(("Ben’s famous misdeal", "Léa drops <her> cards: 100% luck"), 1):
        client.post(f"/games/{key}/rounds/{number}/note", data={"note": note})
    sent = {"title": "", "note": f"{'At the lake. ' * 40}A storm{' all night.' * 30}"}
    client.post(f"/games/{key}/about", data=sent)
    running = PlainGame.started(client, "frustration", "Anna Dora")
    client.post(f"/games/{running.key}/rounds/1/note", data={"note": "What a hand"})
    for words, link, quoted in (
        ("MISDEAL", f"{key}/rounds#note-1", "Ben’s famous <mark>misdeal</mark>"),
        ("drop+luck+famous", f"{key}/rounds#note-2",
         "Léa <mark>drop</mark>s &lt;her&gt; cards: 100% <mark>luck</mark>"),
        ("100%25+Ben", f"{key}/rounds#note-1", "<mark>Ben</mark>’s famous misdeal"),
        ("storm", f"{key}/rounds", "lake. A <mark>storm</mark> all night."),
        ("hand", f"{running.key}/rounds#note-1", "What a <mark>hand</mark>"),
    ):  # fmt: skip
        page = text(client.get(f"/history?words={words}"))
        card = page.split(f'href="/games/{link}"')[1].split("</a>")[0]
        assert quoted in card, words
        assert len(re.search(r'class="note">(.*)</span>', card)[1]) < 300
    for words in ("", "anna"):
        assert "<mark>" not in text(client.get(f"/history?words={words}"))


def finished_round(game: PlainGame, typed: dict[str, str], out: str, met: str) -> dict[str, str]:
    data = {f"{game.seats[name]}-typed": points for name, points in typed.items()}
    return {**data, "out": str(game.seats[out]), f"{game.seats[met]}-met": "on"}


@ON_SQLITE
def test_a_game_is_named_and_annotated(finished: PlainGame):
    client, key = finished.client, finished.key
    client.post(f"/games/{key}/about", data={"title": "New Year's Eve", "note": "At Ben's\nplace"})
    assert "New Year&#39;s Eve" in record_of(finished)
    assert "New Year&#39;s Eve" in text(client.get("/history?words=eve"))
    assert "At Ben" in record_of(finished)


@ON_SQLITE
def test_a_title_that_is_too_long_is_said_beside_the_form_and_changes_nothing(finished: PlainGame):
    answer = finished.client.post(f"/games/{finished.key}/about", data={"title": "x" * 81})
    assert answer.status_code == 422
    assert "Use 80 characters or fewer" in text(answer)
    assert "x" * 81 not in record_of(finished)


@ON_SQLITE
def test_an_archived_game_is_out_of_the_way_and_still_counts(finished: PlainGame):
    client = finished.client
    client.post(f"/games/{finished.key}/archive", data={"archived": "yes"})
    client.get("/rules")  # which tells who listens how the round ended
    assert "Anna wins!" not in text(client.get("/history"))
    assert "Anna wins!" not in text(client.get("/"))
    assert "Anna wins!" in text(client.get("/history?state=archived"))
    assert "1 win" in text(client.get("/players"))
    client.post(f"/games/{finished.key}/archive", data={"archived": "no"})
    assert "Anna wins!" in text(client.get("/history"))


@ON_SQLITE
def test_a_deleted_game_is_nowhere_but_in_the_bin_and_comes_back_whole(finished: PlainGame):
    client, key = finished.client, finished.key
    before = record_of(finished)
    assert client.post(f"/games/{key}/bin").status_code == 303
    assert client.get(f"/games/{key}/rounds").status_code == 404
    assert client.post(f"/games/{key}/rounds/2/undo").status_code == 404
    for address in ("/", "/history", "/history?state=archived"):
        assert key not in text(client.get(address))
    assert "0 wins" in text(client.get("/players"))
    assert "Aggravation Rummy" in text(client.get("/history/deleted"))
    assert client.post(f"/history/deleted/{key}").status_code == 303
    assert "Game restored" in text(client.get(f"/games/{key}/rounds"))
    assert "1 win" in text(client.get("/players"))
    after = record_of(finished)
    assert "score 15" in before
    assert "score 15" in after


@ON_SQLITE
def test_a_game_of_another_group_is_not_taken_out_of_the_bin(finished: PlainGame):
    finished.client.post(f"/games/{finished.key}/bin")
    other = finished.client.application.test_client()
    PlainGame.started(other, "frustration", "Xenia Yves")
    assert other.post(f"/history/deleted/{finished.key}").status_code == 404
    assert "Anna" not in text(other.get("/history/deleted"))


@ON_SQLITE
def test_a_shared_result_shows_the_final_table_and_nothing_else_until_it_is_taken_back(
    finished: PlainGame,
):
    client, key = finished.client, finished.key
    stranger = client.application.test_client()
    assert "/results/" not in record_of(finished)
    client.post(f"/games/{key}/share", data={"shared": "yes"})
    address = re.search(r"/results/[\w-]+", record_of(finished))[0]
    page = text(stranger.get(address))
    assert "Anna wins!" in page
    assert 'property="og:title"' in page
    assert key not in page
    picture = stranger.get(f"{address}/result.svg")
    assert picture.mimetype == "image/svg+xml"
    assert "Anna wins!" in text(picture)
    client.post(f"/games/{key}/share", data={"shared": "no"})
    assert stranger.get(address).status_code == 404
    assert stranger.get(f"{address}/result.svg").status_code == 404


@ON_SQLITE
def test_home_and_each_picture_name_the_group_where_it_has_a_name_but_not_to_strangers(
    finished: PlainGame,
):
    client, key = finished.client, finished.key
    client.post(f"/games/{key}/share", data={"shared": "yes"})
    shared = re.search(r"/results/[\w-]+", record_of(finished))[0]
    evening = re.search(r"/evenings/[\w-]+", text(client.get("/evenings")))[0]
    season = re.search(r"/seasons/\d+", text(client.get("/seasons")))[0]
    own = ["/", f"/games/{key}/result.svg", f"{evening}/evening.svg", f"{season}/season.svg"]
    assert not [one for one in own[1:] if "My group" in text(client.get(one))]
    for name in ("Us & them", 26 * "<x>"):
        assert client.post("/group/name", data={"name": name}).status_code == 303
        shown = escape(name[:40])
        assert [one for one in own if shown in text(client.get(one))] == own
        assert shown not in text(client.get(f"{shared}/result.svg"))


@ON_SQLITE
@pytest.mark.parametrize("shift", range(5))
def test_a_picture_is_drawn_whatever_names_are_cut_off_in_it(client: FlaskClient, shift: int):
    names = [f"{letter}{'x' * shift}{'&<>' * 11}" for letter in "ABC"]
    answer = client.post("/games", data={"variant": "aggravation-rummy", "player": names})
    address = answer.location
    seat = re.search(r'id="row-(\d+)"', text(client.get(address)))[1]
    points = {"number": "1", "seat": seat, "points": "5"}
    assert client.post(f"{address}/corrections", data=points).status_code == 303
    assert client.post(f"{address}/about", data={"title": names[0]}).status_code == 303
    drawn = ElementTree.fromstring(client.get(f"{address}/result.svg").data)
    assert any(f"Extra points: {names[0]} +5" in (one.text or "") for one in drawn)


@ON_SQLITE
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_picture_says_why_somebody_won_in_two_lines(client: FlaskClient, language: str):
    game = PlainGame.started(client, "frustration-rummy", "Anna Ben", **{"rule-keep_score": "yes"})
    game.close(1, out="Anna", met="Ben", Ben="5")
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    svg = client.get(f"/games/{game.key}/result.svg", headers={"Accept-Language": language}).data
    drawn = [one.text for one in ElementTree.fromstring(svg) if (one.text or "").strip()]
    *_, first, second, name = drawn
    assert name == "Meldkeeper"
    assert "…" not in first + second
    assert 76 < len(f"{first} {second}") <= 2 * 76


@ON_SQLITE
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_picture_says_whole_that_somebody_with_a_long_name_won(
    client: FlaskClient, language: str
):
    names = ["Marie-Antoinette-de-Saint-Exupéry", "Luc"]
    answer = client.post("/games", data={"variant": "points-only", "player": names})
    game = PlainGame.known(client, answer.headers["location"].split("/")[-1])
    game.close(1, **{names[0]: "5", "Luc": "10"})
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    svg = client.get(f"/games/{game.key}/result.svg", headers={"Accept-Language": language}).data
    title, *drawn = [one.text for one in ElementTree.fromstring(svg) if (one.text or "").strip()]
    assert title == names[0] + {"en": " wins!", "fr": " gagne\u202f!"}[language]
    assert title in " ".join(drawn)


@ON_SQLITE
def test_a_deleted_game_ends_its_public_link_also_if_it_comes_back(finished: PlainGame):
    client, key = finished.client, finished.key
    stranger = client.application.test_client()
    client.post(f"/games/{key}/share", data={"shared": "yes"})
    address = re.search(r"/results/[\w-]+", record_of(finished))[0]
    both = (address, f"{address}/result.svg")
    assert [stranger.get(one).status_code for one in both] == [200, 200]
    client.post(f"/games/{key}/bin")
    assert [stranger.get(one).status_code for one in both] == [404, 404]
    client.post(f"/history/deleted/{key}")
    assert [stranger.get(one).status_code for one in both] == [404, 404]


@ON_SQLITE
def test_a_running_game_has_no_result_to_share(a_running_game: PlainGame):
    client, key = a_running_game.client, a_running_game.key
    assert client.post(f"/games/{key}/share", data={"shared": "yes"}).status_code == 409


@ON_SQLITE
def test_a_finished_game_is_handed_to_bg_stats_as_its_documentation_says(finished: PlainGame):
    import json
    from html import unescape
    from urllib.parse import unquote

    found = re.search(
        r'href="https://app\.bgstatsapp\.com/createPlay\.html\?data=([^"]+)"', record_of(finished)
    )
    play = json.loads(unquote(unescape(found[1])))
    assert play["sourceName"] == "Meldkeeper"
    assert play["sourcePlayId"] == finished.key
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", play["playDate"])
    assert play["game"]["highestWins"] is False
    anna = next(one for one in play["players"] if one["name"] == "Anna")
    assert (anna["winner"], anna["rank"], anna["startPlayer"]) == (True, 1, False)


@ON_SQLITE
def test_records_name_the_game_that_holds_them(finished: PlainGame):
    page = text(finished.client.get("/history/records"))
    assert ("Longest game" in page, "Fastest game" in page) == (True, False)
    assert "Closest finish" in page
    assert f"/games/{finished.key}/rounds" in page


@ON_SQLITE
def test_who_is_stuck_where_shortens_a_double_name_as_a_game_does_and_keeps_it_whole(client):
    game = PlainGame.started(client, "aggravation-rummy", "Maximilian-Alexander Ben Cleo")
    game.close_anyway(1, out="Ben", met="Ben", Cleo="75", **{"Maximilian-Alexander": "75"})
    game.close_anyway(2, out="Cleo", met="Cleo", Ben="75", **{"Maximilian-Alexander": "75"})
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    page = text(client.get("/history/records"))
    assert "<title>Maximilian-Alexander</title>Maximilian…</text>" in page
    assert '">Ben</text>' in page


@ON_SQLITE
def test_a_seat_that_was_taken_over_stands_once_in_the_result_and_in_lists(client):
    game = PlainGame.started(client, "garbage-rummy", "Anna Ben Cleo")
    game.close_anyway(1, out="Ben", Anna="5", Cleo="10")
    stand_in = f"/games/{game.key}/players/{game.seats['Anna']}/stand-in"
    assert client.post(stand_in, data={"name": "Dora"}).status_code == 303
    game.close_anyway(2, out="Ben", Anna="5", Cleo="10")
    listed = client.get("/history").text.split('class="game-card-people"')[1].split("</a>")[0]
    assert "took over from Anna" in listed
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    for address in (f"/games/{game.key}", f"/games/{game.key}/rounds"):
        page = client.get(address).text
        assert re.findall(r'standing-name">([^<]+)<', page) == ["Ben", "Dora", "Cleo"]
        assert page.count("Dora took over from Anna in round 2") == 1 + address.endswith("/rounds")
    assert page.count('chart-end"') == 2 * 4  # Anna’s mark where Dora took over
    keys = re.findall(r'class="chart-key".*?</p>', page, re.DOTALL)
    chips = r'<span class="chip">.*?</b></span>'
    assert [
        [re.findall(r'class="name ">([^<]+)<', one) for one in re.findall(chips, key, re.DOTALL)]
        for key in keys
    ] == 2 * [[["Anna", "Dora"], ["Ben"], ["Cleo"]]]
    anna, dora = re.findall(r'class="mark mark-(\d)', keys[0])[:2]
    drawn = re.findall(r'class="chart-line mark-(\d)" points="([^"]+)"', page)[:4]
    assert [color for color, _points in drawn][:2] == [anna, dora]
    assert [len(points.split()) for _color, points in drawn] == [2, 2, 3, 3]
    assert "Anna → Dora" in client.get(f"/games/{game.key}/result.svg").text
    people = client.get("/").text.split('class="game-card-people"')[1].split("</a>")[0]
    assert re.findall(r'class="name ">([^<]+)<', people) == ["Ben", "Dora", "Cleo"]
    assert "took over from Anna" in people


@ON_SQLITE
def test_who_is_back_on_their_own_seat_took_it_over_from_nobody(client):
    game = PlainGame.started(client, "garbage-rummy", "Anna Ben Cleo")
    for number, name in ((1, "Dora"), (2, "Anna")):
        game.close_anyway(number, out="Ben", Anna="5", Cleo="10")
        stand_in = f"/games/{game.key}/players/{game.seats['Anna']}/stand-in"
        client.post(stand_in, data={"name": name})
    game.close_anyway(3, out="Ben", Anna="5", Cleo="10")
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    people = client.get("/").text.split('class="game-card-people"')[1].split("</a>")[0]
    assert "stand-in: Dora" in people
    assert "took over from" not in people


@ON_SQLITE
def test_a_round_that_ended_again_is_told_with_what_differs(finished: PlainGame):
    game, address = finished, f"/games/{finished.key}/rounds/2"

    def edits() -> list[str]:
        section = record_of(game).split('id="edits"')[-1].split("</section>")[0]
        lines = re.findall(r"<p>(.*?)</p>", section)
        return [re.sub("<[^>]+>", "", one) for one in lines]

    game.client.post(f"{address}/undo")
    sent = {"changed": f"{game.seats['Cleo']}-typed"}
    for points in ("8", "85"):
        game.client.post(f"{address}/row", data={**sent, sent["changed"]: points})
    assert edits() == ["The round was reopened."]
    assert game.close(2, out="Anna", Ben="60", Cleo="95").status_code == 303
    said = ["The round was reopened.", "Cleo: 95 points (was 70)"]
    assert edits() == said
    game.client.post(f"{address}/undo")
    game.client.post(f"{address}/row", data={**sent, sent["changed"]: "8"})
    assert game.close(2, out="Anna", Ben="60", Cleo="95").status_code == 303
    assert edits() == [*said, "The round was reopened."]


@ON_SQLITE
def test_a_round_that_ended_again_as_it_was_is_not_marked_as_edited(finished: PlainGame):
    finished.client.post(f"/games/{finished.key}/rounds/2/undo")
    assert finished.close(2, out="Anna", Ben="60", Cleo="70").status_code == 303
    assert "The round was reopened." in record_of(finished)
    assert "edited" not in record_of(finished)
