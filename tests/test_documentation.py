"""What README, CONTRIBUTING and SECURITY name is there: files, folders, commands, links."""

import re
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
PAGES = [TOP / name for name in ("README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md")]
_PATH = re.compile(r"`((?:app|deploy|static|templates|tests|\.[a-z]+)/[\w./-]*)`")
_LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([\w-]+))?\)")
_HEADING = re.compile(r"^#+ (.*)", re.MULTILINE)


@pytest.fixture(params=PAGES, ids=lambda page: page.name)
def page(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


def test_each_path_that_is_named_exists(page: Path) -> None:
    named = set(_PATH.findall(page.read_text()))
    assert [one for one in sorted(named) if not (TOP / one).exists()] == []


def test_each_command_that_is_named_is_in_the_makefile(page: Path) -> None:
    commands = set(re.findall(r"^([a-z-]+):", (TOP / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)", page.read_text()))
    assert named <= commands


def test_each_link_leads_somewhere(page: Path) -> None:
    for target, part in _LINK.findall(page.read_text()):
        there = page.parent / target if target else page
        assert there.exists(), target
        anchors = {
            _anchor(heading) for heading in _HEADING.findall(there.read_text(errors="replace"))
        }
        assert not part or part in anchors, part


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
