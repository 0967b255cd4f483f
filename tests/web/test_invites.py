"""Coming into a group: links, codes, what they open, and what they do not."""

import re
from datetime import UTC, datetime

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select, update

from app.extensions import db, limiter
from app.store.engine import meaning_to_write
from app.store.groups import Device, Membership
from app.web.infrastructure.access import SEEN_LATELY
from tests.web_table import PlainGame

PHONE = {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"}


@pytest.fixture(autouse=True)
def _nobody_tried_before(app: Flask):
    with app.app_context():
        limiter.reset()


def text(answer) -> str:
    return answer.get_data(as_text=True)


def made_link(game: PlainGame, role: str) -> str:
    """The path of the link of a role, as the phone that made it shows it."""
    game.client.post(f"/group/links/{role}")
    page = text(game.client.get(f"/group/links/{role}"))
    return re.search(r"(/join/[\w-]+)", page)[1]


def shown_code(game: PlainGame, role: str) -> str:
    page = text(game.client.post("/group/invite", data={"role": role}))
    return re.search(r'class="code"[^>]*>([^<]+)<', page)[1]


def joined(app: Flask, path: str) -> FlaskClient:
    phone = app.test_client()
    answer = phone.post(path, headers=PHONE)
    assert answer.status_code == 303
    return phone


@pytest.mark.parametrize(
    ("role", "close", "manage"), [("watch", 403, 403), ("score", 409, 403), ("manage", 409, 200)]
)
def test_a_link_lets_a_phone_in_as_what_it_says(app, a_running_game, role, close, manage):
    phone = joined(app, made_link(a_running_game, role))
    key = a_running_game.key
    assert phone.get(f"/games/{key}").status_code == 200
    assert phone.post(f"/games/{key}/rounds/2/close", data={"seen": "0"}).status_code == close
    assert phone.get("/group/invite").status_code == manage


def test_opening_a_link_changes_nothing_and_shows_whose_table_it_is(app, a_running_game):
    link = made_link(a_running_game, "score")
    preview = app.test_client()
    answer = preview.get(link)
    assert "My group" in text(answer)
    with app.app_context():
        assert db.session.scalar(select(func.count(Device.id))) == 1
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert preview.get(f"/games/{a_running_game.key}").status_code == 404


def test_joining_leads_to_an_address_without_the_secret(app, a_running_game):
    link = made_link(a_running_game, "score")
    answer = app.test_client().post(link)
    assert answer.location == f"/games/{a_running_game.key}"
    assert link.rsplit("/", 1)[1] not in str(answer.headers)


def test_who_comes_in_is_asked_whose_phone_it_is_until_somebody_says_so(app, a_running_game):
    phone = joined(app, made_link(a_running_game, "score"))
    game = f"/games/{a_running_game.key}"
    asked = text(phone.get(game))
    assert "Whose device is this?" in asked
    assert "Whose device is this?" in text(phone.get(game))
    answer, player = re.search(
        r'action="([^"]+)">(?:(?!</form>).)*?name="player" value="(\d+)"><span class="name">Ben<',
        asked,
        re.DOTALL,
    ).groups()
    told = phone.post(answer, data={"player": player})
    assert told.location == game
    page = text(phone.get(game))
    assert "Whose device is this?" not in page
    assert re.findall(r'row-name">([^<]+)<', page)[0] == "Ben"


def test_a_phone_is_nobodys_of_another_group(app, a_running_game):
    elsewhere = PlainGame.started(app.test_client(), "frustration", "Zoe Yan")
    phone = joined(app, made_link(elsewhere, "score"))
    assert phone.post(made_link(a_running_game, "score")).status_code == 303
    stranger = re.search(
        r'name="player" value="(\d+)"><span class="name">Zoe<',
        text(phone.get(f"/games/{elsewhere.key}")),
    )[1]
    phone.post(f"/games/{a_running_game.key}/mine", data={"player": stranger})
    assert "Whose device is this?" in text(phone.get(f"/games/{a_running_game.key}"))
    phone.post(f"/games/{elsewhere.key}/mine", data={"player": stranger})
    assert re.findall(r'row-name">([^<]+)<', text(phone.get(f"/games/{elsewhere.key}")))[0] == "Zoe"


def test_a_new_game_is_told_by_whose_phone_it_is_in_a_new_group_by_what_the_phone_is_called(
    app, a_running_game
):
    for role, who in (("score", "Ben"), ("watch", "Kitchen")):
        phone = joined(app, made_link(a_running_game, role))
        page = text(phone.get("/group"))
        ben = re.search(r'<option value="(\d+)"[^>]*>Ben<', page)[1]
        phone.post("/group/me", data={"device": "Kitchen", "player": ben})
        told_so = {"left_group": "1"} if role == "watch" else {}
        game = PlainGame.started(phone, "frustration", "Zoe Yan", **told_so)
        told = text(phone.get(f"/games/{game.key}/activity"))
        assert ("Ben" in told, "Kitchen" in told) == (who == "Ben", who == "Kitchen")


def test_a_phone_that_is_nobodys_is_not_asked_again(app, a_running_game):
    phone = joined(app, made_link(a_running_game, "watch"))
    phone.post(f"/games/{a_running_game.key}/mine", data={"player": ""})
    assert "Whose device is this?" not in text(phone.get(f"/games/{a_running_game.key}"))
    assert "Whose device is this?" not in a_running_game.page


def test_the_secrets_have_128_bits_and_more_and_are_kept_as_hashes_alone(app, a_running_game):
    from app.extensions import db
    from app.store.groups import Link

    secrets = {
        role: made_link(a_running_game, role).rsplit("/")[-1] for role in ("watch", "manage")
    }
    assert all(len(secret) >= 22 for secret in secrets.values())
    with app.app_context():
        kept = db.session.query(Link.secret_hash).all()
        assert len(kept) == 2
        for secret in secrets.values():
            assert secret not in str(kept)


def test_no_link_is_shown_beside_a_stronger_one(a_running_game):
    game = a_running_game
    links = {role: made_link(game, role) for role in ("watch", "score", "manage")}
    for role in links:
        page = text(game.client.get(f"/group/links/{role}"))
        assert [one for one in links if links[one] in page] == [role]


def test_a_link_is_shown_only_on_the_phone_that_made_it(app, a_running_game):
    manager = joined(app, made_link(a_running_game, "manage"))
    page = text(manager.get("/group/links/manage"))
    assert "/join/" not in page
    assert "Only the device that created it can show it again" in page


def test_replacing_a_link_ends_at_once_every_session_that_came_in_by_it(app, a_running_game):
    game = a_running_game
    old = made_link(game, "score")
    came_by_it, came_by_code = joined(app, old), app.test_client()
    came_by_code.post("/join", data={"code": shown_code(game, "score")})
    new = made_link(game, "score")
    assert came_by_it.get(f"/games/{game.key}").status_code == 404
    assert came_by_code.get(f"/games/{game.key}").status_code == 200
    assert app.test_client().get(old).status_code == 410
    assert app.test_client().get(new).status_code == 200


def test_who_was_in_before_there_was_a_link_did_not_come_by_it(app, a_running_game):
    """Else a link that is replaced puts them out, the one who made the group among them."""
    game, manager, guest = a_running_game, app.test_client(), app.test_client()
    elsewhere = PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    manager.post("/join", data={"code": shown_code(game, "manage")})
    guest.post("/join", data={"code": shown_code(game, "watch")})
    for role in ("watch", "score", "manage"):
        made_link(game, role)
        assert manager.post(f"/group/links/{role}").status_code == 303
    assert guest.get("/group").status_code == 200
    assert game.client.get("/group/links/manage").status_code == 200
    assert elsewhere.client.get("/group").status_code == 200
    with app.app_context():
        assert db.session.query(Membership.link_id).distinct().all() == [(None,)]


def test_who_replaces_the_link_that_let_them_in_stays_in(app, a_running_game):
    manager = joined(app, made_link(a_running_game, "manage"))
    assert manager.post("/group/links/manage").status_code == 303
    assert manager.get("/group").status_code == 200


def test_a_code_lets_in_for_one_role_and_is_over_with_the_next_one(app, a_running_game):
    game = a_running_game
    code = shown_code(game, "watch")
    watcher = app.test_client()
    answer = watcher.post("/join", data={"code": code.lower()})
    assert answer.location == f"/games/{game.key}"
    assert watcher.post(f"/games/{game.key}/rounds/2/close").status_code == 403
    shown_code(game, "score")
    late = app.test_client().post("/join", data={"code": code})
    assert late.status_code == 422
    assert code.replace(" ", "") in text(late).replace(" ", "")


def test_who_only_watches_is_told_whom_to_ask_for_the_apps_code(app, a_running_game):
    watcher = joined(app, made_link(a_running_game, "watch"))
    group = text(watcher.get("/group"))
    assert "Install the app" in group
    assert "Show a code for the app" not in group


def test_a_code_is_over_after_ten_minutes(app, a_running_game):
    from datetime import UTC, datetime, timedelta

    from app.actions.groups import JoiningBrowser
    from app.actions.memberships import join_by_code
    from app.actions.requests import Actor
    from app.extensions import db
    from app.store.engine import meaning_to_write

    code, now = shown_code(a_running_game, "watch"), datetime.now(UTC)
    with app.app_context(), meaning_to_write():
        for minutes, let_in in ((11, False), (9, True)):
            actor = Actor(None, now + timedelta(minutes=minutes))
            assert bool(join_by_code(db.session(), actor, code, JoiningBrowser())) == let_in


def test_a_code_has_no_letters_that_look_alike(a_running_game):
    letters = "".join(shown_code(a_running_game, "watch") for _ in range(40))
    assert not set(letters) & set("01ILO")


def test_all_wrong_ways_in_look_alike(app, a_running_game):
    replaced = made_link(a_running_game, "watch")
    made_link(a_running_game, "watch")
    wrong = [replaced, "/join/" + "A" * 43, "/join/ABCDEF", "/join/x"]
    pages = {
        re.sub(r'content="[^"]+"|value="[^"]+"', "", text(app.test_client().get(path)))
        for path in wrong
    }
    assert len(pages) == 1
    assert {app.test_client().get(path).status_code for path in wrong} == {410}
    assert {app.test_client().post(path).status_code for path in wrong[:2]} == {410}


def test_two_hundred_wrong_codes_are_slowed_to_a_crawl_and_others_are_not(app, a_running_game):
    def tries(address: str, code: str) -> int:
        where = {"REMOTE_ADDR": address}
        phone = app.test_client()
        return phone.post("/join", data={"code": code}, environ_overrides=where).status_code

    answers = [tries("192.0.2.7", f"WRNG{place:02}") for place in range(200)]
    assert answers.count(422) == 10
    assert answers.count(429) == 190
    code = shown_code(a_running_game, "watch")
    assert tries("192.0.2.7", code) == 429
    assert tries("192.0.2.8", code) == 303


def test_many_right_codes_from_one_address_are_no_attack(app, a_running_game):
    for _ in range(15):
        answer = app.test_client().post("/join", data={"code": shown_code(a_running_game, "watch")})
        assert answer.status_code == 303


def test_a_weaker_link_takes_no_role_away(app, a_running_game):
    game = a_running_game
    answer = game.client.post(made_link(game, "watch"))
    assert answer.status_code == 303
    assert game.client.get("/group/invite").status_code == 200


def test_a_phone_is_called_what_its_browser_says_until_it_is_named(app, a_running_game):
    phone = joined(app, made_link(a_running_game, "score"))
    assert "iPhone" in text(a_running_game.client.get("/group"))
    phone.post("/group/me", data={"device": "  Cleo's   old phone "})
    assert "Cleo&#39;s old phone" in text(a_running_game.client.get("/group"))


def test_a_name_that_is_too_long_is_refused_and_kept(a_running_game):
    answer = a_running_game.client.post("/group/me", data={"device": "x" * 41})
    assert answer.status_code == 422
    assert "Use 40 characters or fewer" in text(answer)
    assert "x" * 41 in text(answer)


def test_the_last_phone_that_manages_neither_leaves_nor_is_put_out(app, a_running_game):
    joined(app, made_link(a_running_game, "score"))
    answer = a_running_game.client.post("/group/leave")
    assert answer.status_code == 422
    assert "the last device that can manage the group" in text(answer)


def test_a_phone_in_several_groups_changes_between_them(app, client, a_running_game):
    other = PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    client.post(made_link(other, "watch"))
    assert "Xaver" in text(client.get("/"))
    assert "Anna" not in text(client.get("/"))
    mine = re.search(r'name="group" value="(\d+)"', text(client.get("/group")))[1]
    client.post("/group/look", data={"group": mine})
    assert "Anna" in text(client.get("/"))
    assert client.get(f"/games/{other.key}").status_code == 200


@pytest.mark.parametrize("group", ["0", "2", "x", "99999999999"])
def test_nobody_looks_at_a_group_that_did_not_let_them_in(app, client, a_running_game, group):
    PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    assert client.post("/group/look", data={"group": group}).status_code == 404


def test_nobody_puts_out_a_phone_of_another_group_or_claims_its_players(app, a_running_game):
    other = PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    assert other.client.post("/group/devices/1/put-out").status_code == 404
    assert other.client.post("/group/me", data={"player": "1"}).status_code == 422
    assert a_running_game.client.get("/group").status_code == 200


def test_the_public_makes_no_groups_where_the_host_does_not_want_it(app, client, a_running_game):
    app.config["NEW_GROUPS"] = False
    stranger = app.test_client()
    plan = {"variant": "frustration", "player": ["Anna", "Ben"]}
    for refused in (stranger.post("/games", data=plan), stranger.get("/group/new")):
        assert refused.status_code == 403
        assert "New groups can’t be made here" in text(refused)
    assert client.post("/games", data=plan).status_code == 303
    offered = {"/games", "/games/new", "/data", "/group/new"}
    assert not offered & posted_or_linked(stranger.get("/"))
    assert "/games/new" in posted_or_linked(client.get("/"))


def posted_or_linked(answer) -> set[str]:
    return set(re.findall(r'(?:action|href)="([^"?]+)', text(answer)))


def test_the_shell_makes_a_group_and_prints_the_link_that_manages_it(app):
    app.config["NEW_GROUPS"] = False
    shell = app.test_cli_runner()
    printed = shell.invoke(args=["group", "create", "Club", "--url", "https://club.example/"])
    assert printed.output.startswith("https://club.example/join/")
    manager = joined(app, printed.output.strip().removeprefix("https://club.example"))
    assert "Club" in text(manager.get("/group"))
    assert manager.get("/group/invite").status_code == 200


def test_the_log_names_the_phone_and_its_player(app, a_running_game):
    game = a_running_game
    phone = joined(app, made_link(game, "score"))
    page = text(phone.get("/group"))
    cleo = re.search(r'value="(\d+)"\s*>Cleo', page)[1]
    phone.post("/group/me", data={"player": cleo, "device": "iPhone"})
    seat = game.seats["Cleo"]
    sent = {"changed": f"{seat}-typed", f"{seat}-typed": "15"}
    phone.post(f"/games/{game.key}/rounds/2/row", data=sent)
    log = text(game.client.get(f"/games/{game.key}/activity"))
    assert re.search(r"· Cleo.*?Cleo: 15 points", log, re.DOTALL)


def test_who_puts_out_a_manager_is_led_to_the_links_the_tokens_and_whom_it_let_in(
    app, a_running_game
):
    game = a_running_game
    score = made_link(game, "score")
    manager = joined(app, made_link(game, "manage"))
    guest = app.test_client()
    page = text(manager.post("/group/invite", data={"role": "watch"}))
    guest.post("/join", data={"code": re.search(r'class="code"[^>]*>([^<]+)<', page)[1]})
    game.client.post("/group/tokens", data={"name": "board", "role": "watch"})
    ids = re.findall(r"/group/devices/(\d+)/put-out", text(game.client.get("/group")))
    number = min(ids, key=int)  # the manager came before the guest
    after = game.client.post(f"/group/devices/{number}/put-out")
    assert manager.get("/group").status_code == 404
    offered = text(game.client.get(after.location))
    assert "Replace 2 links" in offered
    assert "Remove 1 device" in offered
    assert 'href="/group/tokens"' in offered
    replaced = game.client.post(f"/group/devices/{number}/replace-links")
    assert "The links are replaced" in text(game.client.get(replaced.location))
    assert app.test_client().get(score).status_code == 410
    assert "/join/" in text(game.client.get("/group/links/score"))
    assert guest.get("/group").status_code == 200
    game.client.post(f"/group/devices/{number}/put-out-let-in")
    assert guest.get("/group").status_code == 404


def test_the_only_manager_is_told_to_keep_a_link_until_there_is_one(a_running_game):
    phone = a_running_game.client
    assert "Keep a way back to your games" in text(phone.get("/group"))
    made_link(a_running_game, "manage")
    assert "Keep a way back to your games" not in text(phone.get("/group"))
    assert "Keep this link somewhere safe" in text(phone.get("/group/links/manage"))


def test_the_shell_gives_a_lost_group_back_by_a_new_link(app, a_running_game):
    old = made_link(a_running_game, "manage")
    shell = app.test_cli_runner()
    listed = shell.invoke(args=["group", "list"]).output
    number, name, *rest = listed.strip().split("\t")
    assert [name, *rest[:3]] == ["My group", "games: 1", "devices: 1", "managers: 1"]
    given = shell.invoke(args=["group", "link", number, "--url", "https://club.example"]).output
    found = joined(app, given.strip().removeprefix("https://club.example"))
    assert found.get("/group/invite").status_code == 200
    assert app.test_client().get(old).status_code == 410
    assert a_running_game.client.get("/group").status_code == 200
    lost = shell.invoke(args=["group", "link", "999"])
    assert lost.exit_code == 1
    assert "flask group list" in lost.output


def test_the_shells_link_outlives_the_managers(app, a_running_game):
    made = app.test_cli_runner().invoke(args=["group", "link", "1", "--role", "watch"]).output
    link = made.strip().removeprefix("http://localhost:5000")
    joined(app, made_link(a_running_game, "manage"))
    a_running_game.client.post("/group/leave")
    assert app.test_client().get(link).status_code == 200


def test_a_phone_that_comes_back_now_and_then_never_loses_its_cookie(app, a_running_game):
    def given() -> list[str]:
        answer = a_running_game.client.get(f"/games/{a_running_game.key}")
        return [one for one in answer.headers.getlist("Set-Cookie") if "meldkeeper=" in one]

    assert given() == []
    with app.app_context(), meaning_to_write():
        db.session.execute(update(Membership).values(seen_at=datetime.now(UTC) - SEEN_LATELY))
        db.session.commit()
    (cookie,) = given()
    assert a_running_game.client.get_cookie("meldkeeper").value in cookie
    assert f"Max-Age={400 * 24 * 3600}" in cookie
    assert given() == []


def test_a_code_that_a_game_shows_leads_to_that_game(app, a_running_game):
    game = a_running_game
    PlainGame.started(game.client, "frustration", "Anna Ben")
    group = text(game.client.get(f"/group?game={game.key}"))
    assert f'href="/group/invite?game={game.key}"' in group
    chosen = text(game.client.get(f"/group/invite?game={game.key}"))
    assert f'name="game" value="{game.key}"' in chosen
    page = text(game.client.post("/group/invite", data={"role": "score", "game": game.key}))
    code = re.search(r'class="code"[^>]*>([^<]+)<', page)[1]
    for answer in (
        app.test_client().post("/join", data={"code": code}, headers=PHONE),
        app.test_client().post(f"/join/{code.replace(' ', '')}", headers=PHONE),
    ):
        assert answer.location == f"/games/{game.key}"
    game.client.post(f"/games/{game.key}/bin")
    answer = app.test_client().post("/join", data={"code": code}, headers=PHONE)
    assert answer.location != f"/games/{game.key}"


def test_who_invites_is_told_who_joined_by_the_name_they_then_say(app, a_running_game):
    game = a_running_game
    page = text(game.client.post("/group/invite", data={"role": "score", "game": game.key}))
    code = re.search(r'class="code"[^>]*>([^<]+)<', page)[1]
    asks, shows = re.search(r'data-live="([^"]+)" data-version="(\d+)"', page).groups()
    assert game.client.get(f"{asks}&v={shows}").status_code == 204
    phone = app.test_client()
    phone.post("/join", data={"code": code}, headers=PHONE)
    came = text(game.client.get(f"{asks}&v={shows}"))
    assert "iPhone joined" in came
    shows = re.search(r'data-version="(\d+)"', came)[1]
    player = re.search(
        r'name="player" value="(\d+)"><span class="name">Ben<',
        text(phone.get(f"/games/{game.key}")),
    )
    phone.post(f"/games/{game.key}/mine", data={"player": player[1]})
    named = text(game.client.get(f"{asks}&v={shows}"))
    assert "Ben joined" in named
    assert int(re.search(r'data-version="(\d+)"', named)[1]) > int(shows)


def test_after_the_first_finished_game_home_tells_the_only_manager_until_they_dismiss_it(
    app, a_running_game
):
    game, told = a_running_game, "Keep a way back to your games"
    scorer = joined(app, made_link(game, "score"))
    assert told not in text(game.client.get("/"))
    game.client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    assert told in text(game.client.get("/"))
    assert told not in text(scorer.get("/"))
    assert game.client.post("/group/way-back/dismiss").location == "/"
    assert told not in text(game.client.get("/"))
    assert told in text(game.client.get("/group"))
