"""`make test`: style, types, layers and every test, in one command.

The scripts are checked where Node and its packages can be had, else it is said that they are not.
The browser tests need a Chromium. One that is installed is taken; else Playwright's own download
is tried; else the system's package where this user may install one. Where none can be had they
are skipped, and that is said; with CI=true it is a failure. A smaller walk is driven in WebKit
(`tests/engines/`), likewise installed where this user may, else said to be skipped. The tests that
touch the database run on SQLite and on PostgreSQL, whose server `tests/postgres.py` finds and
starts.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from tests import javascript
from tests.engines import webkit

INSTALLED = (
    "chromium-headless-shell",  # the same engine without a desktop: half the time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
TOP = Path(__file__).parent.parent


def main() -> int:
    """Run everything, or with --quick all but the slow parts; answers the exit status."""
    quick = "--quick" in sys.argv
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each process would compile everything anew
    checks = [
        ["ruff", "format", "--check", "--quiet", "."],
        ["ruff", "check", "--quiet", "."],
        ["deptry", "app"],
        ["deptry", "tests", "--ignore", "DEP002,DEP004"],
    ]
    running = [subprocess.Popen([sys.executable, "-m", *check], cwd=TOP) for check in checks]
    for check, process in zip(checks, running, strict=True):
        if process.wait():
            print(f"'{' '.join(check)}' found something to mend; `make format` mends style.")
            return 1
    # The types take their time: what is found of them is told after the tests.
    mypy = [sys.executable, "-m", "mypy"]
    types = subprocess.Popen(mypy, cwd=TOP, stdout=subprocess.PIPE, text=True)
    # What Python makes of the code it keeps: made once here, and not in each process of the tests.
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
    reading = subprocess.Popen(collect, cwd=TOP, stdout=subprocess.DEVNULL)
    scripts = scripts_are_right()
    reading.wait()
    failed = run_tests(quick=quick) if scripts else 1
    said, _ = types.communicate()
    print(said, end="")
    return failed or types.returncode


def run_tests(*, quick: bool) -> int:
    """Run the tests in what they need, as far as it can be had; answers the exit status."""
    environment = dict(os.environ)
    without = ["browser", "postgresql"] if quick else []
    if not quick:
        browser = find_browser()
        if browser is None:
            print("No browser could be found or installed: the browser tests do not run.")
            if os.environ.get("CI") == "true":
                return 1
            without = ["browser"]
        else:
            environment["MELDKEEPER_BROWSER"] = browser
            install_missing(webkit)
    return beside_each_other(environment, [f"not {one}" for one in without])


def beside_each_other(environment: dict[str, str], left_out: list[str]) -> int:
    """Run the tests but those marked so, beside each other; answers the exit status."""
    # Tests wait for browsers, servers and kills half of their time: four leave an eighth of two
    # cores idle, six hardly any.
    # Each process takes neighbours, which share servers, and at the end those of a slower one.
    pytest = ["pytest", "-q", "-n", "6", "--dist", "worksteal", "--durations=20"]
    step = [sys.executable, "-m", *pytest, "-m", " and ".join(left_out)]
    return subprocess.run(step, cwd=TOP, env=environment).returncode


def scripts_are_right() -> bool:
    """Check the types and habits of the scripts, or say why they are not checked."""
    absent = javascript.missing()
    if absent:
        print(f"The scripts in static/js are not checked: {absent}.")
        return True
    faults = javascript.faults()
    print("".join(faults), end="")
    return not faults


def find_browser() -> str | None:
    """The path of a Chromium: installed, downloaded by Playwright, or the system's package."""
    return installed_browser() or downloaded_browser() or packaged_browser()


def installed_browser() -> str | None:
    named = os.environ.get("MELDKEEPER_BROWSER")
    return named or next(filter(None, map(shutil.which, INSTALLED)), None)


def downloaded_browser() -> str | None:
    from playwright.sync_api import sync_playwright

    print("No Chromium is installed; trying Playwright's download …", flush=True)
    attempt = [sys.executable, "-m", "playwright", "install", "chromium"]
    if not _succeeds(attempt):
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def packaged_browser() -> str | None:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    if not install_packages("chromium-headless-shell", "fonts-liberation"):
        install_packages("chromium")
    return installed_browser()


def install_missing(engine: ModuleType) -> None:
    """Try to install what drives an engine; its tests say so themselves where it stays missing."""
    absent = engine.missing()
    if absent and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"For the tests in another browser is missing: {absent}.")
        install_packages(*engine.PACKAGES)


def install_packages(*names: str) -> bool:
    """Install packages of the system, and say so first."""
    install = ["apt-get", "install", "-y", "-qq", *names]
    print(f"Installing packages of the system: {' '.join(install)}", flush=True)
    return _succeeds(["apt-get", "update", "-qq"]) and _succeeds(install)


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main())
