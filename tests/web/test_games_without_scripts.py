"""Everything works by plain pages and form posts, with JavaScript off."""

import re
from html import unescape
from itertools import product

import pytest
from flask.testing import FlaskClient

from app.rules.rule_sets import rule_set_by_id, shipped_rule_sets
from tests.web.test_invites import joined, made_link
from tests.web_table import PlainGame, fields_of


def text(answer) -> str:
    return answer.get_data(as_text=True)


def test_setup_says_beside_the_names_as_soon_as_they_are_too_many(client):
    for count, is_told in ((5, False), (6, True)):
        names = [f"P{number}" for number in range(count - 1)]
        sent = {"player": names, "typed": "Zoe", "arrange": "add"}
        page = text(client.post("/games/new/frustration-rummy", data=sent))
        beside = page.split('id="who"')[1].split("</section>")[0]
        assert ("is for 2 to 5 players, and you are 6." in beside) == is_told
        # Of another version that is for so many the way there keeps who is seated.
        assert ("/games/new/frustration-rummy-bilingual?player=P0" in beside) == is_told


def test_the_game_to_play_once_more_lists_its_players_as_they_sit(client):
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo", **{"rule-last_contract": "1"})
    assert game.close(1, out="Cleo", met="Cleo").status_code == 303
    again = text(client.get("/")).split("Same as last time")[1].split("</button>")[0]
    assert "Anna, Ben, Cleo" in again


def test_a_round_is_entered_and_closed_by_one_form(a_running_game):
    assert "Round 2" in a_running_game.page
    a_running_game.close(2, out="Ben", met="Cleo", Anna="25", Cleo="10")
    assert "Round 3" in a_running_game.page


def test_a_fault_is_said_beside_its_row_and_what_was_typed_stays(a_running_game):
    answer = a_running_game.close(2, out="Ben", Anna="about ten", Cleo="")
    assert answer.status_code == 422
    assert "Enter a number or a sum" in text(answer)
    assert 'value="about ten"' in text(answer)
    assert "Round 2" in a_running_game.page


def test_a_blank_penalty_is_never_taken_for_nothing(a_running_game):
    answer = a_running_game.close(2, out="Ben", Anna="0+5")
    assert answer.status_code == 422
    assert "If there are none, enter 0" in text(answer)


def test_two_players_going_out_are_refused(a_running_game):
    sent = a_running_game.sent(Anna="5", Cleo="5")
    out = [str(a_running_game.seats["Anna"]), str(a_running_game.seats["Ben"])]
    answer = a_running_game.close(2, {**sent, "out": out})
    assert answer.status_code == 422
    assert "Only one player can go out" in text(answer)


def test_a_doubt_is_overruled_by_pressing_again(a_running_game):
    sent = a_running_game.sent(out="Ben", Anna="12", Cleo="10")
    answer = a_running_game.close(2, sent)
    assert answer.status_code == 422
    assert "End round anyway" in text(answer)
    marks = text(answer).split('name="accepted" value="')[1:]
    accepted = [mark.split('"')[0] for mark in marks]
    assert a_running_game.close(2, {**sent, "accepted": accepted}).status_code == 303


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "All 11 cards count at least 55, not 25. Did Anna lay down?"),
        ("fr", "Les 11 cartes valent au moins 55, pas 25. Anna\u00a0: contrat posé\u202f?"),
    ],
)
def test_few_points_without_laying_down_are_asked_about_at_the_end_and_in_an_edit(
    a_running_game, language, asked
):
    game, client = a_running_game, a_running_game.client
    client.post("/language", data={"language": language, "back": "/"})
    few = {f"{game.seats['Anna']}-typed": "25", f"{game.seats['Cleo']}-typed": "60"}
    sent = {**game.sent(out="Ben"), **few}
    answer = game.close(2, sent)
    assert answer.status_code == 422
    assert asked in unescape(text(answer))
    laid_down = {**sent, f"{game.seats['Anna']}-met": "on"}
    assert game.close(2, laid_down).status_code == 303
    address = f"/games/{game.key}/rounds/2"
    edited = fields_of(text(client.get(address)), "round")
    del edited[f"{game.seats['Anna']}-met"]
    answer = client.post(address, data=edited)
    assert answer.status_code == 422
    assert asked in unescape(text(answer))
    accepted = [unescape(one) for one in re.findall(r'"accepted" value="([^"]+)"', text(answer))]
    assert client.post(address, data={**edited, "accepted": accepted}).status_code == 303


def test_closing_on_an_old_page_shows_what_stands_now(a_running_game):
    old = a_running_game.sent(out="Ben", Anna="10", Cleo="10")
    a_running_game.close(2, out="Cleo", Anna="10", Ben="10")
    answer = a_running_game.close(2, {**old, "request_key": "another"})
    assert answer.status_code == 409
    assert "Round 2 has ended already." in text(answer)
    assert "The game was changed meanwhile" not in text(answer)
    assert "Round 3" in text(answer)


def test_a_stale_close_shows_what_others_entered_and_keeps_what_was_typed_here(a_running_game):
    game = a_running_game
    mine = game.sent(out="Ben", Anna="10", Cleo="20")
    other = {f"{game.seats['Anna']}-typed": "35", "changed": f"{game.seats['Anna']}-typed"}
    game.client.post(f"/games/{game.key}/rounds/2/row", data=other)
    answer = game.close(2, mine)
    assert answer.status_code == 409
    assert 'value="35"' in text(answer)
    assert 'value="20"' in text(answer)
    assert 'value="10"' not in text(answer)
    assert "Round 2" in game.page


def test_a_repeated_post_changes_nothing(a_running_game):
    sent = a_running_game.sent(out="Ben", Anna="10", Cleo="10")
    assert a_running_game.close(2, sent).status_code == 303
    assert a_running_game.close(2, sent).status_code == 303
    assert "Round 3" in a_running_game.page


def test_the_open_round_can_be_kept_for_later(a_running_game):
    sent = a_running_game.sent(Anna="35")
    a_running_game.client.post(f"/games/{a_running_game.key}/rounds/2/save", data=sent)
    assert 'value="35"' in a_running_game.page


def test_the_last_close_is_undone(a_running_game):
    a_running_game.client.post(f"/games/{a_running_game.key}/rounds/1/undo")
    assert "End round 1" in a_running_game.page


def test_a_past_round_is_mended(a_running_game):
    game = a_running_game
    address = f"/games/{game.key}/rounds/1"
    assert "Edit round 1" in text(game.client.get(address))
    sent = {"out": game.seats["Ben"], f"{game.seats['Anna']}-typed": "65"}
    refused = game.client.post(address, data=sent | {f"{game.seats['Cleo']}-typed": ""})
    assert refused.status_code == 422
    done = game.client.post(
        address, data=sent | {f"{game.seats['Ben']}-typed": "", f"{game.seats['Cleo']}-typed": "60"}
    )
    assert done.status_code == 303
    page = text(game.client.get(f"/games/{game.key}/rounds"))
    assert "−25" in page


def test_each_cell_of_the_record_leads_who_scores_to_that_player_in_that_round(app, a_running_game):
    game, record = a_running_game, f"/games/{a_running_game.key}/rounds"
    assert game.close(2, out="Ben", Anna="10", Cleo="30").status_code == 303
    cells = re.findall(
        rf'<td>\s*<a href="({record}/(\d)#row-(\d+))"', text(game.client.get(record))
    )
    seats = map(str, game.seats.values())
    assert sorted(one[1:] for one in cells) == sorted(product("12", seats))
    for link, number, seat in cells:
        page = text(game.client.get(link))
        assert f"Edit round {number}</h1>" in page
        assert f'id="row-{seat}"' in page
    watcher = joined(app, made_link(game, "watch"))
    assert f"{record}/" not in text(watcher.get(record))
    assert watcher.get(f"{record}/1").location == f"{record}#round-1"


def test_an_edit_that_lacks_points_marks_every_row_that_does(a_running_game):
    address = f"/games/{a_running_game.key}/rounds/1"
    sent = fields_of(text(a_running_game.client.get(address)), "round")
    for name in ("Ben", "Cleo"):
        sent[f"{a_running_game.seats[name]}-typed"] = ""
    answer = a_running_game.client.post(address, data=sent)
    assert answer.status_code == 422
    assert text(answer).count("lacks-points") == 2


def test_the_table_is_arranged_without_scripts(client: FlaskClient):
    address = "/games/new/frustration"
    page = text(client.post(address, data={"arrange": "add", "typed": "Anna, Ben,Cleo"}))
    assert page.index('value="Anna"') < page.index('value="Ben"') < page.index('value="Cleo"')
    players = {"player": ["Anna", "Ben", "Cleo"], "dealer": "2"}
    page = text(client.post(address, data={**players, "arrange": "up:2"}))
    assert page.index('value="Cleo"') < page.index('value="Ben"')
    cleo = page.split('value="Cleo"')[1]
    assert "checked" in cleo.split("</label>")[0]
    page = text(client.post(address, data={**players, "arrange": "remove:0"}))
    assert 'value="Anna"' not in page
    page = text(client.post(address, data={**players, "arrange": "lot-dealer"}))
    assert "Drawn at random" in page


def test_who_sits_first_is_moved_up_no_further(client: FlaskClient):
    players = {"player": ["Anna", "Ben"], "arrange": "add"}
    page = text(client.post("/games/new/frustration", data=players))
    assert "Move Ben up" in page
    assert "Move Anna up" not in page


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("Anna\r\nBen, Cleo,\r\n\r\n Dora  M", ["Anna", "Ben", "Cleo", "Dora M"]),
        ("Anna,Ben and Cleo", ["Anna", "Ben", "Cleo"]),
        ("Anna, Ben et Cleo", ["Anna", "Ben", "Cleo"]),
        ("Anna, Ferdinand", ["Anna", "Ferdinand"]),
        ("Anna and Ben", ["Anna and Ben"]),  # two who play as one
    ],
)
@pytest.mark.parametrize("address", ["/games/new/frustration", "/group/new/players"])
def test_names_of_a_list_are_added_each(
    client: FlaskClient, address: str, typed: str, names: list[str]
):
    field = "typed" if "games" in address else "players"
    page = text(client.post(address, data={field: typed, "arrange": "add"}))
    assert re.findall('name="player" value="([^"]*)"', page) == names


def test_a_name_that_is_too_long_is_refused_as_it_is_added_and_stays_typed(client: FlaskClient):
    long = "Maximilian-Alexander-Konstantin-Friedrich"
    sent = {"player": ["Anna"], "typed": f"Ben, {long}", "arrange": "add"}
    answer = client.post("/games/new/frustration", data=sent)
    page = text(answer)
    assert answer.status_code == 422
    assert "Use 40 characters or fewer" in page
    assert re.search(rf'name="typed"[^>]*>\s*Ben, {long}</textarea>', page)
    assert 'name="player" value="Ben"' not in page


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"player": ["Anna"]}, "at least 2 players"),
        ({"player": ["Anna", "anna"]}, "is listed twice"),
        ({"player": ["Anna", "x" * 200]}, "too long"),
        ({"player": ["Anna", "Ben"], "rule-last_contract": "99"}, "last contract"),
        ({"player": ["Anna", "Ben"], "rule-deal": "many"}, "deal"),
        ({"player": [f"P{number}" for number in range(9)]}, "is for 2 to 8 players"),
    ],
)
def test_a_game_that_cannot_be_started_says_why_and_keeps_what_was_typed(client, sent, said):
    answer = client.post("/games", data={"variant": "frustration", **sent})
    assert answer.status_code == 422
    assert said in text(answer)
    for name in sent["player"]:
        assert f'value="{name}"' in text(answer)


def test_a_shorter_game_ends_with_the_chosen_contract(client):
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-last_contract": "2"})
    game.close(1, out="Anna")
    game.close(2, out="Anna")
    assert "Anna wins!" in game.page


def test_an_optional_score_is_kept_on_request(client):
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-keep_score": "yes"})
    assert game.close(1, out="Anna", Ben="").status_code == 422
    assert game.close(1, out="Anna", Ben="60").status_code == 303


def test_a_finished_game_offers_a_rematch_with_the_next_dealer(client):
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo", **{"rule-last_contract": "1"})
    game.close(1, out="Cleo")
    assert "Cleo wins!" in game.page
    answer = client.post(f"/games/{game.key}/rematch", data={"request_key": "again"})
    page = text(client.get(answer.location))
    assert "<b>Ben</b> deals" in page


def test_a_rematch_is_undone_while_nothing_else_was_done_in_it(client):
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo", **{"rule-last_contract": "1"})
    assert "New game, same seats" not in game.page
    game.close(1, out="Cleo")

    def rematch() -> PlainGame:
        answer = client.post(f"/games/{game.key}/rematch")
        return PlainGame.known(client, answer.location.rsplit("/", 1)[1])

    again = rematch()
    undo = f"/games/{again.key}/start/undo"
    assert re.search(rf"New game, same seats.*{undo}.*Undo</button>", again.page, re.DOTALL)
    other = joined(client.application, made_link(game, "score"))
    assert other.post(undo).location == f"/games/{again.key}"  # nor is it told there
    assert client.get(f"/games/{again.key}").status_code == 200
    assert client.post(undo).location == "/"
    assert again.key not in text(client.get("/"))
    assert again.key in text(client.get("/history/deleted"))
    kept = rematch()
    kept.keep(1, out="Anna")
    assert "New game, same seats" not in kept.page
    assert client.post(f"/games/{kept.key}/start/undo").location == f"/games/{kept.key}"
    assert client.get(f"/games/{kept.key}").status_code == 200


def test_two_phones_that_start_the_next_game_start_one_until_it_is_under_way(client):
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo", **{"rule-last_contract": "2"})
    game.close(1, out="Cleo")
    game.close(2, out="Cleo")

    def next_game(key: str) -> str:
        answer = client.post(f"/games/{game.key}/rematch", data={"request_key": key})
        return str(answer.location.rsplit("/", 1)[1])

    first = next_game("one phone")
    assert [next_game("another"), next_game("another"), next_game("one phone")] == [first] * 3
    begun = PlainGame(client, first)
    seat = re.search(r'id="row-(\d+)"', begun.page)[1]
    assert begun.close(1, begun.sent() | {"out": seat}).status_code == 303
    later = next_game("later")
    assert later != first
    assert [next_game("another"), next_game("later")] == [first, later]


def test_a_finished_game_leads_to_the_one_at_which_its_players_are_by_now(app, client):
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo", **{"rule-last_contract": "1"})
    watcher = joined(app, made_link(game, "watch"))
    assert game.close(1, out="Cleo").status_code == 303
    asks = re.compile(r'data-live="([^"]*)" data-version="(\d+)"')

    def question(device, page):
        """What a page asks of which the device shows the version that is there."""
        address, shown = asks.search(text(device.get(f"/games/{game.key}{page}"))).groups()
        return f"{unescape(address)}&v={shown}"

    waiting = [
        (device, page, question(device, page))
        for device in (client, watcher)
        for page in ("", "/screen")
    ]
    PlainGame.started(client, "frustration", "Dora Emil Cleo")  # another table
    assert {device.get(live).status_code for device, _, live in waiting} == {204}
    following = client.post(f"/games/{game.key}/rematch", data={"request_key": "next"}).location
    for device, page, live in waiting:
        told = text(device.get(live))
        assert re.search(rf'href="{following}{page}"[^>]*>\s*Go to the next game', told)
        assert "Play again" not in told
        assert "waits" not in asks.search(told)[1]
        assert device.get(question(device, page)).status_code == 204
    client.post(f"{following}/stop", data={"result": "no"})
    assert "Play again, same seats" in game.page


def test_home_offers_the_last_table_again_to_who_keeps_the_score(app, a_running_game):
    client, again = a_running_game.client, f"/games/{a_running_game.key}/rematch"
    watcher = joined(app, made_link(a_running_game, "watch"))
    assert again not in text(client.get("/"))
    stopped = client.post(f"/games/{a_running_game.key}/stop", data={"result": "yes"})
    assert stopped.status_code == 303
    assert "Anna, Ben, Cleo" in text(client.get("/"))
    assert again in text(client.get("/"))
    assert again not in text(watcher.get("/"))
    assert client.post(again).status_code == 303
    assert again not in text(client.get("/"))


def test_what_the_group_played_last_is_offered_first(client):
    assert "Played last" not in text(client.get("/games/new"))
    for variant in ("garbage-rummy", "frustration", "carioca", "frustration", "garbage-rummy"):
        PlainGame.started(client, variant, "Anna Ben Cleo")
    offered = re.findall(r'href="/games/new/([^"]+)"', text(client.get("/games/new")))
    assert offered[:3] == ["garbage-rummy", "frustration", "carioca"]
    assert sorted(offered) == sorted(shipped_rule_sets())


def test_editions_of_one_game_stand_together_and_each_that_was_played_for_itself(client):
    def cards() -> list[list[str]]:
        listed = text(client.get("/games/new")).split('class="card variant-card"')[1:]
        return [re.findall(r'href="/games/new/([^"]+)"', one) for one in listed]

    first, board, bilingual = (f"frustration-rummy{one}" for one in ("", "-board", "-bilingual"))
    assert [first, bilingual, board] in cards()
    PlainGame.started(client, board, "Anna Ben")
    assert cards()[0] == [board, first, bilingual]
    PlainGame.started(client, bilingual, "Anna Ben")
    assert cards()[:2] == [[bilingual, first], [board]]
    assert "points optional · other versions<" in text(client.get("/games/new"))


def test_each_rule_set_is_told_apart_in_one_line_that_says_whether_points_are_kept(client):
    """It says so as the setup of a game asks, whatever the rule set is called."""
    lists = (("/games/new", 'class="card variant-card"'), ("/rules", '<li class="card">'))
    for page, begins in lists:
        told = {}
        for card in text(client.get(page)).split(begins)[1:]:
            for one in re.split('<li class="card">', card):
                variant_id = re.search(r'href="/(?:games/new|rules)/([^"/]+)"', one)[1]
                told[variant_id] = re.search(r'"variant-size">([^<]+)<', one)[1]
        assert sorted(told) == sorted(shipped_rule_sets())
        for variant_id, line in told.items():
            rules = rule_set_by_id(variant_id)
            if not rules.contracts:
                assert "points" not in line
                continue
            asks = "Keep points?" in text(client.get(f"/games/new/{variant_id}"))
            assert f"{rules.deal} cards · {len(rules.contracts)} contracts" in line
            assert ("points optional" if asks else "points kept") in line, variant_id
        games = [line for one, line in told.items() if not rule_set_by_id(one).edition_of]
        assert len(games) == len(set(games)), page


def test_the_list_of_games_says_what_holds_for_all_versions_and_what_tells_them_apart(client):
    listed = text(client.get("/games/new")).split('class="card variant-card"')[1:]
    closed = [one.split('"more-body"')[0] for one in listed]
    assert all("<summary>Details<" in one for one in closed)
    said = {re.search(r'/games/new/([^"]+)"', one)[1]: one for one in closed}
    size = "2–5 players · points optional · other versions: 2–6 players<"
    assert size in said["frustration-rummy"]
    assert "3–7 players · points kept · other versions: 10 cards<" in said["aggravation-rummy"]
    opened = dict(zip(said, listed, strict=True))
    versions = re.split('<li class="card">', opened["frustration-rummy"])
    told = [re.search(r'"variant-summary">([^<]+)<', one)[1].strip() for one in versions]
    assert told == [
        "The first to lay down the last contract wins. You announce your last card by a knock. "
        "Points aren’t needed.",
        "Keeping points is optional. The first to go out on the last contract wins. "
        "You don’t announce your last card.",
        "The first to go out on the last contract wins. Points aren’t needed. "
        "You don’t announce your last card.",
    ]
    assert "Each player gets 10 cards. A run is of one suit." in opened["aggravation-rummy"]
    assert all(one.count("jokers<") == ("points-only" not in name) for name, one in said.items())
    assert "no jokers<" in said["frustration"]
    assert "with jokers<" in said["carioca"]


def test_players_join_and_leave(a_running_game):
    game = a_running_game
    joined = game.client.post(
        f"/games/{game.key}/players",
        data={"name": "Dora", "after": game.seats["Anna"], "score": "20"},
    )
    assert joined.status_code == 303
    assert "Dora" in game.page
    wrong = game.client.post(f"/games/{game.key}/players", data={"name": "Emil", "score": "a lot"})
    assert wrong.status_code == 422
    assert 'value="Emil"' in text(wrong)
    game.client.post(f"/games/{game.key}/players/{game.seats['Cleo']}/leave")
    assert f'id="row-{game.seats["Cleo"]}"' not in game.page


def test_the_first_page_shows_running_and_finished_games_of_this_browser_alone(a_running_game):
    assert a_running_game.key in text(a_running_game.client.get("/"))
    stranger = a_running_game.client.application.test_client()
    assert a_running_game.key not in text(stranger.get("/"))


def test_a_round_with_nothing_entered_asks_who_went_out_before_all_else(a_running_game):
    ben = a_running_game.seats["Ben"]
    answer = a_running_game.close(2)
    assert answer.status_code == 422
    assert "Who went out?" in text(answer)
    assert 'class="fault"' not in text(answer)
    assert "-not_counted" not in text(answer)
    sent = {**a_running_game.sent(), "out": ben}
    address = f"/games/{a_running_game.key}/rounds/2"
    assert a_running_game.client.post(f"{address}/save", data=sent).status_code == 303
    assert "2 players’ points missing" in a_running_game.page
    assert a_running_game.page.count("lacks-points") == 2
    assert "Who went out?" not in text(a_running_game.close(2))


def test_points_are_missed_one_row_at_a_time_and_may_then_be_left_uncounted(a_running_game):
    anna, cleo = a_running_game.seats["Anna"], a_running_game.seats["Cleo"]
    answer = text(a_running_game.close(2, out="Ben"))
    assert "Enter Anna’s points" in answer
    assert "Enter Cleo’s points" not in answer
    assert (f'name="{anna}-not_counted"' in answer, f'name="{cleo}-not_counted"' in answer) == (
        True,
        False,
    )
    assert answer.count("lacks-points") == 2


def test_that_no_one_went_out_is_not_asked_again(a_running_game):
    sent = {**a_running_game.sent(Anna="10", Ben="10", Cleo="10"), "out": "nobody"}
    assert a_running_game.close(2, sent).status_code == 303
