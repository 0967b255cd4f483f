"""`make browsers`: play in WebKit and in Firefox, as is done before each release."""

import os
import subprocess
import sys

from tests.__main__ import TOP, install_missing
from tests.engines import firefox, webkit


def main() -> int:
    """Install what is missing where this user may, and run the tests in both engines.

    Each test is named before it runs, and none takes longer than two minutes.
    """
    for engine in (webkit, firefox):
        install_missing(engine)
    environment = {**os.environ, "MELDKEEPER_ENGINES": "webkit firefox"}
    pytest = [sys.executable, "-m", "pytest", "tests/engines", "-v", "--durations=0"]
    return subprocess.run(pytest, cwd=TOP, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
