"""`make audit`: asks the public record of weaknesses about every pinned package.

Where the record cannot be reached nothing is known: that is said, and is no failure.
"""

import subprocess
import sys
from pathlib import Path

PINS = Path(__file__).parent.parent / ".requirements"
UNREACHED = ("ConnectionError", "Failed to connect", "NewConnectionError", "Max retries", "Timeout")


def main() -> int:
    """Audit the pins; answers the exit status."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    for name in ("run.txt", "dev.txt"):
        done = subprocess.run(
            [*command, "--requirement", str(PINS / name)], capture_output=True, text=True
        )
        if done.returncode and any(word in done.stderr for word in UNREACHED):
            print(f"{name}: skipped, the record of known weaknesses cannot be reached from here.")
            continue
        print(f"{name}: {(done.stdout or done.stderr).strip() or 'no known weakness'}")
        if done.returncode:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
