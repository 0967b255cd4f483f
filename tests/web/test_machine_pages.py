"""The pages for what watches over the app: plain, without cookies, and true when all is broken."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from limits.storage import storage_from_string

from app import create_app
from app.commands.startup import do_nightly_work
from app.config import TOP
from app.extensions import db, limiter
from app.store.queries.access import count_groups_and_devices
from tests.conftest import TEST_KEY
from tests.servers import free_port
from tests.web.test_invites import joined, made_link
from tests.web_table import PlainGame

PAGES = ("/healthz", "/readyz", "/metrics")


@pytest.fixture
def public_app(tmp_path: Path) -> Iterator[Flask]:
    """An app that is asked by name, whose database is not there."""
    app = create_app(
        {
            "INSTANCE_PATH": str(tmp_path),
            "SECRET_KEY": TEST_KEY,
            "TRUSTED_HOSTS": "cards.example.org",
            "METRICS_TOKEN": TEST_KEY,
            "PUSH_URL": "http://127.0.0.1:9",
            "DATABASE_URL": f"sqlite:///{tmp_path}/none/scores.sqlite",
        }
    )
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.mark.parametrize("page", PAGES)
def test_they_set_no_cookies_and_answer_under_any_host_name(public_app: Flask, page: str) -> None:
    headers = {"Host": "10.0.0.7:8000", "Authorization": f"Bearer {TEST_KEY}"}
    answer = public_app.test_client().get(page, headers=headers)
    assert answer.status_code == (503 if page == "/readyz" else 200)
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_database_that_does_not_answer_is_a_503(public_app: Flask) -> None:
    assert "does not answer" in public_app.test_client().get("/readyz").get_data(as_text=True)


def test_a_connection_that_broke_is_no_fault_of_ours(client: FlaskClient, app: Flask) -> None:
    assert client.get("/readyz").status_code == 200
    with app.app_context(), db.engine.connect() as connection:
        connection.connection.driver_connection.close()  # as a restart of the server does
        connection.invalidate()
    assert client.get("/readyz").status_code == 200


def test_what_alerts_and_the_dashboard_ask_for_is_measured(public_app: Flask) -> None:
    asked_for = [(TOP / "deploy" / name).read_text() for name in ("alerts.yml", "dashboard.json")]
    panels = json.loads(asked_for[1])["panels"]
    assert len({one["id"] for one in panels}) == len(panels)
    of_copies_and_groups = {
        "meldkeeper_nightly_copy_age_seconds", "meldkeeper_groups", "meldkeeper_devices_seen",
    }  # fmt: skip
    named = set(re.findall(r"meldkeeper_\w+", " ".join(asked_for))) - of_copies_and_groups
    client = public_app.test_client(use_cookies=False)
    asked = {"Host": "cards.example.org", "Cookie": f"meldkeeper={'x' * 43}"}
    assert client.get("/games/new", headers=asked).status_code == 503
    headers = {"Authorization": f"Bearer {TEST_KEY}"}
    shown = client.get("/metrics", headers=headers).get_data(as_text=True)
    assert {one for one in named if not re.search(rf"^{one}\b", shown, re.MULTILINE)} == set()
    assert "meldkeeper_ready 0.0" in shown
    assert "meldkeeper_database_failures_total 1.0" in shown


def test_connections_the_nightly_work_and_where_limits_are_counted_are_measured(
    sqlite: str, instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"INSTANCE_PATH": str(instance), "DATABASE_URL": sqlite, "METRICS_TOKEN": TEST_KEY}
    app = create_app(settings)

    def measured(name: str) -> float:
        headers = {"Authorization": f"Bearer {TEST_KEY}"}
        shown = app.test_client().get("/metrics", headers=headers).get_data(as_text=True)
        return float(re.search(rf"^meldkeeper_{re.escape(name)} (\S+)$", shown, re.MULTILINE)[1])

    assert measured("limits_storage_up") == 1
    gone = storage_from_string(f"redis://127.0.0.1:{free_port()}")
    monkeypatch.setattr(limiter, "_storage", gone)
    assert measured("limits_storage_up") == 0
    assert measured("nightly_success_timestamp_seconds") == 0
    do_nightly_work(app, datetime.now(UTC))
    assert measured("nightly_success_timestamp_seconds") > 1e9
    with app.app_context(), db.engine.connect(), db.engine.connect():
        assert measured('database_connections{state="in_use"}') == 2
    assert measured('database_connections{state="in_use"}') == 0
    assert measured('database_connections{state="open"}') >= 2
    with app.app_context():
        db.engine.dispose()
    assert measured('database_connections{state="in_use"}') == 0


def test_a_device_in_two_groups_counts_once(app: Flask, a_running_game: PlainGame) -> None:
    other = PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    phone = joined(app, made_link(a_running_game, "score"))
    phone.post(made_link(other, "score"))
    with app.app_context():
        long_ago = datetime(2020, 1, 1, tzinfo=UTC)
        assert count_groups_and_devices(db.session(), long_ago) == (2, 3)


def test_they_are_only_read(client: FlaskClient) -> None:
    assert client.post("/healthz").status_code == 405
