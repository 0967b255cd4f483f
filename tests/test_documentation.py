"""What README, CONTRIBUTING and SECURITY name is there; the numbers that they tell are right."""

import re
import subprocess
from pathlib import Path

import pytest

from app.actions.requests import KEPT_FOR, LONGEST_KEY
from app.actions.uploads import MOST_BYTES, MOST_BYTES_OF_A_GROUP
from app.rules.judge_questions import MOST_CARDS, MOST_MELDS
from app.scorebook import limits
from app.store.queries.history import KEEP_DELETED

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


LIMITS = {
    "players": limits.MOST_PLAYERS,
    "custom rule sets": limits.MOST_OWN_RULE_SETS,
    "seasons": limits.MOST_SEASONS,
    "seats": limits.MOST_SEATS,
    "rounds": limits.MOST_ROUNDS,
    "events": limits.MOST_LOG_ENTRIES,
    "rulings": limits.MOST_RULINGS,
    "rule changes": limits.MOST_RULE_CHANGES,
    "score corrections": limits.MOST_CORRECTIONS,
    "void rounds": limits.MOST_DECISIONS,
    "stand-ins": limits.MOST_STAND_INS,
    "absences": limits.MOST_ABSENCES,
}


@pytest.mark.parametrize(("what", "most"), LIMITS.items(), ids=LIMITS)
def test_server_admins_are_told_how_much_a_group_and_a_game_hold(what: str, most: int) -> None:
    told = PAGES[0].read_text().partition("### Limits")[2].partition("\n## ")[0]
    assert f" {most:,} {what}" in " ".join(told.split())


MEGABYTE = 1024 * 1024
NUMBERS = (
    f"restored for {KEEP_DELETED.days} days",
    f"at most {MOST_CARDS} cards and {MOST_MELDS} melds",
    f"over {LONGEST_KEY} characters",
    f"kept for {KEPT_FOR.days} days",
    f"{MOST_BYTES_OF_A_GROUP // MEGABYTE} MB of a group and {MOST_BYTES // MEGABYTE} MB of all",
)


@pytest.mark.parametrize("told", NUMBERS)
def test_the_other_bounds_that_are_told_are_those_of_the_code(told: str) -> None:
    assert told in " ".join(PAGES[0].read_text().split())


def test_files_of_code_are_as_short_as_is_said() -> None:
    most = int(re.findall(r"stay under (\d+) lines", PAGES[1].read_text())[0])
    code = [TOP / name for name in _committed("*.py", "static/js", "static/css", "templates")]
    long = [file for file in code if len(file.read_text().splitlines()) >= most]
    assert long == []


def _committed(*which: str) -> list[str]:
    asked = ["git", "-C", str(TOP), "ls-files", "--", *which]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
