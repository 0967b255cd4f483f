"""The scripts in `static/js`, checked by TypeScript and ESLint where Node is present.

Which versions, with their checksums, stands in `.javascript/package-lock.json`; `npm ci` puts them
beside it. To raise one, change package.json there and run `npm install` in that folder.
"""

import shutil
import subprocess
from pathlib import Path

TOP = Path(__file__).parent.parent
TOOLS = TOP / ".javascript"
_INSTALLED = TOOLS / "node_modules/.package-lock.json"
"""What npm writes last when it installs."""
_CHECKS = (
    ("tsc", "-p", ".javascript"),
    ("tsc", "-p", ".javascript/tsconfig.worker.json"),
    ("eslint", "--config=.javascript/eslint.config.js", "--max-warnings=0", "static/js"),
)


def missing() -> str:
    """Why the scripts cannot be checked here; empty where they can."""
    if not (shutil.which("node") and shutil.which("npm")):
        return "there is no Node"
    if _is_installed() or _install():
        return ""
    return "npm could not install the tools"


def faults() -> list[str]:
    """What the tools say of the scripts, one text for each that finds a fault."""
    said = []
    for tool, *arguments in _CHECKS:
        command = [str(TOOLS / "node_modules/.bin" / tool), *arguments]
        done = subprocess.run(command, cwd=TOP, capture_output=True, text=True)
        if done.returncode:
            said.append(f"{tool}: {done.stdout}{done.stderr}")
    return said


def _is_installed() -> bool:
    lock = TOOLS / "package-lock.json"
    return _INSTALLED.exists() and _INSTALLED.stat().st_mtime >= lock.stat().st_mtime


def _install() -> bool:
    print("Installing what checks the scripts (TypeScript, ESLint) into .javascript/ …", flush=True)
    done = subprocess.run(["npm", "ci", "--silent"], cwd=TOOLS, capture_output=True)
    if done.returncode == 0:
        _INSTALLED.touch()
    return done.returncode == 0
