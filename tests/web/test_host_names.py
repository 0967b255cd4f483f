"""Whatever name the app is asked for by: an answer, never a fault of ours."""

import pytest

from app import create_app
from tests.conftest import TEST_KEY

NAMES = ["..", "a" * 64, "a b", "é", "[::1", "evil.example", "cards.example.org"]
ADDRESSES = [
    "/assets/none/js", "/games/new", "/nowhere", "/nowhere%00", "/?back=%ed%a0%80",
    "/games/abc/live?v=1", "/api/v1/games",
]  # fmt: skip


@pytest.mark.parametrize("trusted", ["", "cards.example.org"])
def test_an_unknown_host_name_is_refused_without_a_fault(tmp_path, trusted):
    app = create_app(
        {"INSTANCE_PATH": str(tmp_path), "SECRET_KEY": TEST_KEY, "TRUSTED_HOSTS": trusted}
    )
    app.config["PROPAGATE_EXCEPTIONS"] = False
    asked = [(name, address) for name in NAMES for address in ADDRESSES]
    found = {
        one: app.test_client().get(one[1], headers={"Host": one[0]}).status_code for one in asked
    }
    known = {name for name, address in found if found[name, address] != 400}
    assert [one for one, status in found.items() if status >= 500] == []
    assert "cards.example.org" in known
    assert ".." not in known
    assert "evil.example" not in known or not trusted
