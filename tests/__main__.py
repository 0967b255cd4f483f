"""`make test`: style, types, rooms and every test, in one command.

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
    checks = [
        ["ruff", "format", "--check", "--quiet", "."],
        ["ruff", "check", "--quiet", "."],
        ["mypy"],
    ]
    for check in checks:
        if subprocess.run([sys.executable, "-m", *check], cwd=TOP).returncode:
            print(f"'{' '.join(check)}' found something to mend; `make format` mends style.")
            return 1
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
    left_out = " and ".join(f"not {one}" for one in without)
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "3", "-m", left_out]
    return subprocess.run(pytest, cwd=TOP, env=environment).returncode


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
    if not _succeeds(attempt, 300):
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def packaged_browser() -> str | None:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    print("Trying the system's package …", flush=True)
    _succeeds(["apt-get", "update", "-qq"], 300)
    packages = ["chromium-headless-shell", "fonts-liberation"]
    if not _succeeds(["apt-get", "install", "-y", "-qq", *packages], 600):
        _succeeds(["apt-get", "install", "-y", "-qq", "chromium"], 600)
    return installed_browser()


def install_missing(engine: ModuleType) -> None:
    """Try to install what drives an engine; its tests say so themselves where it stays missing."""
    absent = engine.missing()
    if absent and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"Missing: {absent}. Installing {' '.join(engine.PACKAGES)} …", flush=True)
        _succeeds(["apt-get", "update", "-qq"], 300)
        _succeeds(["apt-get", "install", "-y", "-qq", *engine.PACKAGES], 600)


def _succeeds(command: list[str], seconds: int) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
