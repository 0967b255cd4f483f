"""Static files on the wire: few, named by their content, compressed ahead, kept for a year."""

import gzip
import re

import brotli
import pytest
from rcssmin import cssmin

from app.web.infrastructure.assets import STATIC, all_assets, assets_version
from app.web.infrastructure.bundler import UnknownModuleForm, bundle

MADE = ("js/app.js", "css/meldkeeper.css")


def addresses_on(page: str) -> set[str]:
    return set(re.findall(r"/assets/[^\"'#]+", page))


def test_every_file_that_a_page_names_is_there_and_may_be_kept_for_ever(client):
    named = addresses_on(client.get("/check").get_data(as_text=True))
    assert len(named) >= 5
    for address in named:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    ("accepted", "encoding", "read"),
    [
        ("gzip, deflate, br", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("br;q=0, gzip;q=0.5", "gzip", gzip.decompress),
        ("identity", None, bytes),
        ("", None, bytes),
    ],
)
def test_a_file_comes_in_the_shortest_form_that_the_browser_reads(client, accepted, encoding, read):
    styles = MADE[1]
    address = next(one for one in addresses_on(client.get("/").text) if one.endswith(styles))
    answer = client.get(address, headers={"Accept-Encoding": accepted})
    assert answer.headers.get("Content-Encoding") == encoding
    style = read(answer.data)
    for file in (STATIC / "css").glob("*.css"):
        alone = all_assets().get(f"css/{file.name}")
        assert cssmin(file.read_text("utf-8")).encode() in (
            alone.by_encoding["identity"] if alone else style
        )


@pytest.mark.parametrize("wrong", ["/assets/0/css/meldkeeper.css", "/assets/0/../app/config.py"])
def test_a_file_under_a_wrong_name_is_not_given(client, wrong):
    assert client.get(wrong).status_code == 404


def test_a_name_changes_with_the_content_of_its_file():
    names = {asset.fingerprint for asset in all_assets().values()}
    assert len(names) == len(all_assets())
    assert re.fullmatch(r"[0-9a-f]{12}", assets_version())


def test_a_page_says_of_which_version_it_is(client):
    assert client.get("/").headers["X-Version"] == assets_version()


def test_pages_are_compressed_and_of_no_steady_length(client):
    answers = [client.get("/rules", headers={"Accept-Encoding": "gzip"}) for _ in range(8)]
    assert {answer.headers["Content-Encoding"] for answer in answers} == {"gzip"}
    assert all("Accept-Encoding" in answer.vary for answer in answers)
    assert "<html" in gzip.decompress(answers[0].data).decode()
    assert len({len(answer.data) for answer in answers}) > 1
    assert "<html" in client.get("/rules").get_data(as_text=True)


def test_modules_become_one_script_each_in_a_room_of_its_own(tmp_path):
    (tmp_path / "a.js").write_text(
        'import { b, late } from "./b.js";\nimport "./c.js";\nb(late);\n'
    )
    (tmp_path / "b.js").write_text(
        "const own = 1;\nexport const b = () => own;\nexport async function late() {}\n"
    )
    (tmp_path / "c.js").write_text('import { b } from "./b.js";\nconst own = b;\n')
    script = bundle(tmp_path, ["a"])
    assert script.count("const own = 1;") == 1
    places = [script.index(code) for code in ("own = 1;", "own = b;", "b(late);")]
    assert places == sorted(places)
    assert "return { b, late };" in script
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)


def test_what_is_only_for_readers_is_not_sent():
    script, style = (all_assets()[name].by_encoding["identity"].decode() for name in MADE)
    assert "/*" not in style
    assert not re.search(r"@(type|typedef|param|returns)\b", script)
    assert not re.search(r"^\s", script.partition("{")[2].strip(), re.MULTILINE)


@pytest.mark.parametrize(
    "form",
    [
        'import b from "./b.js";\n',
        'import * as b from "./b.js";\n',
        "export default 1;\n",
        "export { b };\n",
        'import "./a.js";\n',
    ],
)
def test_a_module_that_cannot_be_put_together_is_refused(tmp_path, form):
    (tmp_path / "a.js").write_text(form)
    with pytest.raises(UnknownModuleForm):
        bundle(tmp_path, ["a"])
