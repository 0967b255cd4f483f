"""Settings come from the environment; a wrong one is refused by its name; the README lists all."""

from pathlib import Path

import pytest

from app.config import SETTINGS, FaultySetting, load_or_make_secret_key, settings_from

README = (Path(__file__).parent.parent / "README.md").read_text()


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
def test_the_readme_says_what_each_setting_is_for(setting) -> None:
    default = f"`{setting.default}`" if setting.default else ""
    assert f"| `{setting.name}` | {default} | {setting.purpose} |" in README


def test_every_setting_has_a_default_that_is_accepted() -> None:
    assert set(settings_from({})) == {setting.name for setting in SETTINGS}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HTTPS", "maybe"),
        ("DATABASE_URL", "mysql://x"),
        ("SECRET_KEY", "short"),
        ("INSTANCE_PATH", "instance"),
        ("TRUSTED_HOSTS", "https://cards.example.org"),
        ("TRUSTED_HOSTS", "cards.example.org, a b"),
        ("INSTANCE_PATH", "/dev/null"),
        ("LISTEN", "0.0.0.0:٣"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_name(name: str, value: str) -> None:
    with pytest.raises(FaultySetting, match=name):
        settings_from({name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgresql://me:hush@hush@db/scores"),
        ("DATABASE_URL", "postgresql://me:hush/hush@db:hush/scores"),
        ("DATABASE_URL", "sqlite:hush"),
        ("RATE_LIMIT_STORAGE", "redis://:hu#hush@cache"),
        ("RATE_LIMIT_STORAGE", "redis://:hush@hush@cache"),
        ("RATE_LIMIT_STORAGE", "redis://cache:hush"),
        ("RATE_LIMIT_STORAGE", "redis://"),
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_a_piece_of_it(
    name: str, value: str
) -> None:
    with pytest.raises(FaultySetting, match=name) as refused:
        settings_from({name: value})
    assert "hush" not in str(refused.value)


def test_the_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    key = load_or_make_secret_key(str(tmp_path))
    assert len(key) >= 32
    assert load_or_make_secret_key(str(tmp_path)) == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_by_https_the_cookies_are_sent_by_https_alone(tmp_path: Path, migrated: Path) -> None:
    from app import create_app

    (tmp_path / migrated.name).write_bytes(migrated.read_bytes())
    app = create_app({"INSTANCE_PATH": str(tmp_path), "HTTPS": "yes"})
    app.config["WTF_CSRF_ENABLED"] = False
    sent = {"variant": "frustration", "player": ["Anna", "Ben"]}
    answer = app.test_client().post("/games", data=sent, base_url="https://table.test")
    cookies = answer.headers.getlist("Set-Cookie")
    assert any(one.startswith("__Host-meldkeeper=") for one in cookies)
    assert all("Secure" in one for one in cookies)
