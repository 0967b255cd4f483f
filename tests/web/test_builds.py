"""Two builds side by side: each serves the files of the other's pages."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask

from app.commands.startup import do_nightly_work
from app.web.infrastructure.assets import (
    _build_asset,
    _read_kept,
    all_assets,
    keep_for_others,
    prepare,
)

OTHER = b"body { color: teal }"


@pytest.fixture(autouse=True)
def _nothing_is_remembered():
    _read_kept.cache_clear()


def test_a_file_of_another_build_is_served_as_that_build_made_it(
    app: Flask, instance: Path
) -> None:
    client, other = app.test_client(), _build_asset("css/meldkeeper.css", OTHER)
    address = f"/assets/{other.fingerprint}/css/meldkeeper.css"
    assert client.get(address).status_code == 404
    keep_for_others(instance / "assets", {"css/meldkeeper.css": other})
    answer = client.get(address)
    assert (answer.status_code, answer.data, answer.mimetype) == (200, OTHER, "text/css")
    assert "immutable" in answer.headers["Cache-Control"]


def test_a_file_of_another_build_is_served_as_its_own_kind_alone(
    app: Flask, instance: Path
) -> None:
    client, other = app.test_client(), _build_asset("a.css", OTHER)
    keep_for_others(instance / "assets", {"a.css": other})
    prepare(app)
    for asset in (other, all_assets()["js/app.js"]):
        for name in ("a.html", "a.CSS", "a.Js", "a.txt", "a.svg", "a", "a/b.json", "../a.TXT"):
            assert client.get(f"/assets/{asset.fingerprint}/{name}").status_code == 404, name


def test_what_is_kept_damaged_is_not_served_and_mended_by_who_serves_it(
    app: Flask, instance: Path
) -> None:
    client, other = app.test_client(), _build_asset("a.css", OTHER + b"/* damaged */")
    address = f"/assets/{other.fingerprint}/a.css"
    keep_for_others(instance / "assets", {"a.css": other})
    (instance / "assets" / f"{other.fingerprint}.css").write_bytes(b"half")
    assert client.get(address).status_code == 404
    keep_for_others(instance / "assets", {"a.css": other})
    assert client.get(address).status_code == 200


def test_a_start_keeps_its_files_and_forgets_those_long_out_of_use(
    app: Flask, instance: Path
) -> None:
    folder, old = instance / "assets", _build_asset("a.css", OTHER)
    keep_for_others(folder, {"a.css": old})
    _age(folder)
    prepare(app)
    kept = {file.name for file in folder.iterdir()}
    assert f"{old.fingerprint}.css" not in kept
    assert len(kept) > 5


def test_a_start_leaves_the_files_of_a_server_that_was_started_long_ago_and_still_serves(
    app: Flask, instance: Path
) -> None:
    folder, ours = instance / "assets", all_assets()["css/meldkeeper.css"]
    prepare(app)
    _age(folder)
    do_nightly_work(app, datetime.now(UTC))
    keep_for_others(folder, {"a.css": _build_asset("a.css", OTHER)})
    assert f"{ours.fingerprint}.css" in {file.name for file in folder.iterdir()}


def _age(folder: Path) -> None:
    for file in folder.iterdir():
        os.utime(file, (0, 0))


def test_where_nothing_can_be_written_a_start_goes_on(app: Flask, instance: Path) -> None:
    (instance / "assets").write_text("a file in the way")
    prepare(app)
