"""What is installed and vendored is pinned with checksums, and no file names an index host."""

import hashlib
import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from app import __version__

TOP = Path(__file__).parent.parent
VENDOR = TOP / "static/vendor"
PINS = sorted((TOP / ".requirements").glob("*.txt"))


@pytest.mark.parametrize("path", PINS, ids=lambda path: path.name)
def test_the_pinned_requirements_have_hashes_and_name_no_host(path: Path) -> None:
    text = path.read_text()
    assert "://" not in text
    assert "--hash=sha256:" in text
    for line in re.findall(r"^[a-z].*", text, re.MULTILINE):
        assert "==" in line
        assert line.endswith("\\")


def test_the_tools_for_scripts_are_pinned_with_checksums_and_name_no_host() -> None:
    tools = TOP / ".javascript"
    packages = json.loads((tools / "package-lock.json").read_text())["packages"]
    for name, package in packages.items():
        assert not name or package["integrity"].startswith("sha512-")
        assert "resolved" not in package
    wanted = json.loads((tools / "package.json").read_text())["devDependencies"]
    for name, version in wanted.items():
        assert packages[f"node_modules/{name}"]["version"] == version


def test_every_vendored_script_is_recorded_with_version_licence_and_checksum() -> None:
    record = (VENDOR / "README.md").read_text()
    scripts = sorted(VENDOR.rglob("*.js"))
    assert scripts
    for script in scripts:
        assert hashlib.sha256(script.read_bytes()).hexdigest() in record
        assert (script.parent / "LICENSE").exists()


def test_the_project_the_app_and_the_changelog_agree_on_the_version() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
    released = re.findall(r"^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$", changes(), re.MULTILINE)
    assert project["version"] == __version__ == released[0]


def changes() -> str:
    return (TOP / "CHANGELOG.md").read_text()


def test_what_came_after_a_release_stands_in_a_section_of_its_own() -> None:
    search = ["git", "log", "-1", "--format=%H", f'-Sversion = "{__version__}"', "pyproject.toml"]
    commit = subprocess.run(search, cwd=TOP, capture_output=True, text=True).stdout.strip()
    if not commit:
        pytest.skip(f"the history here does not go back to {__version__}")
    show = ["git", "show", f"{commit}:CHANGELOG.md"]
    then = subprocess.run(show, cwd=TOP, capture_output=True, text=True, check=True).stdout
    now = changes().partition(f"\n## [{__version__}]")[2].partition("\n## ")[0].splitlines()[1:]
    assert set(now) <= set(then.splitlines())


def test_the_top_level_holds_only_what_was_agreed() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    top = {name.split("/")[0] for name in listed if name and not name.startswith(".")}
    agreed = {"pyproject.toml", "README.md", "CHANGELOG.md", "Makefile", "app", "templates"}
    assert top <= agreed | {"deploy", "static", "tests", "instance"}


def test_the_container_is_built_of_files_that_are_there_and_sent_to_the_build() -> None:
    container = (TOP / "deploy/Dockerfile").read_text()
    copied = {line.split()[1] for line in re.findall(r"^COPY [^-].*", container, re.MULTILINE)}
    sent = re.findall(r"^!(.*)", (TOP / "deploy/Dockerfile.dockerignore").read_text(), re.MULTILINE)
    assert copied == set(sent)
    assert all((TOP / name).exists() for name in copied)
    composed = (TOP / "deploy/compose.yaml").read_text()
    assert (TOP / "deploy" / re.findall(r"context: (.*)", composed)[0]).samefile(TOP)
    assert (TOP / re.findall(r"dockerfile: (.*)", composed)[0]).exists()
