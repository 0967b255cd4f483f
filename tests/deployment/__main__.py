"""`make deployment`: install what is missing, run its tests, and measure a stop and a kill."""

import os
import shutil
import subprocess
import sys

from tests.__main__ import TOP, install_packages
from tests.bench import hosts
from tests.deployment.proxies import NCHAN, PACKAGES


def main() -> int:
    """Run everything; answers the exit status."""
    absent = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    absent += [] if NCHAN.exists() else ["libnginx-mod-nchan"]
    if absent and shutil.which("apt-get") and os.geteuid() == 0:
        install_packages(*absent)
    tests = [sys.executable, "-m", "pytest", "-q", "-rs", "tests/deployment"]
    status = subprocess.run(tests, cwd=TOP).returncode
    if shutil.which("caddy"):
        hosts.print_table()
    return status


if __name__ == "__main__":
    sys.exit(main())
