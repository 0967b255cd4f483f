"""`make audit`: asks the public record of weaknesses about every pinned package.

Only what was looked up is called free of known weaknesses. Where the record cannot be reached, or
a list of pins holds nothing, that is said and the audit fails.
"""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PINS = Path(__file__).parent.parent / ".requirements"
LISTS = ("run.txt", "dev.txt")
COMMAND = (sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes")
_PIN = re.compile(r"^[A-Za-z0-9][^\\\n]*==[^\\\n]*", re.MULTILINE)


def main(pins: Path = PINS, command: Sequence[str] = COMMAND) -> int:
    """Audit the pins; answers the exit status."""
    findings = [_audited(pins / name, command) for name in LISTS]
    for name, (_sound, said) in zip(LISTS, findings, strict=True):
        print(f"{name}: {said}")
    return 0 if all(sound for sound, _said in findings) else 1


def _audited(file: Path, command: Sequence[str]) -> tuple[bool, str]:
    """Is every package of a list known to be free of weaknesses, and what to say of it?"""
    pinned = _pinned(file.read_text(encoding="utf-8"))
    done = subprocess.run(
        [*command, "--format", "json", "--progress-spinner", "off", "--requirement", str(file)],
        capture_output=True,
        text=True,
    )
    try:
        looked_up = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        reason = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
        return False, f"NOT AUDITED, nothing is known about its packages: {reason[-1]}"
    weak = [
        f"{one['name']} {one['version']}: {', '.join(found['id'] for found in one['vulns'])}"
        for one in looked_up
        if one.get("vulns")
    ]
    if weak:
        return False, "known weaknesses: " + "; ".join(weak)
    audited = {canonicalize_name(one["name"]) for one in looked_up if "vulns" in one}
    missing = sorted(pinned - audited)
    if missing or not audited:
        return False, f"NOT AUDITED: {', '.join(missing) or 'it pins nothing'}"
    return True, f"no known weakness in {len(audited)} packages"


def _pinned(text: str) -> set[str]:
    """The packages that a list pins for a machine like this."""
    pins = [Requirement(line) for line in _PIN.findall(text)]
    return {canonicalize_name(pin.name) for pin in pins if not pin.marker or pin.marker.evaluate()}


if __name__ == "__main__":
    sys.exit(main())
