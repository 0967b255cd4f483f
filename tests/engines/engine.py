"""What a test does with a browser, whichever engine it has.

The commands are those of the W3C WebDriver standard. Each engine takes them in its own way:
WebKitGTK by HTTP through its driver, Firefox by its Marionette protocol.
"""

import base64
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.waiting import NeverHappenedError, wait_until

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element's id in WebDriver's answers."""

_RESTS = """
  const tapped = document.querySelector(arguments[0]);
  const { x, y, width, height } = tapped.getBoundingClientRect();
  return tapped.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    && document.getAnimations().every(
      ({ playState, effect }) => playState !== "running" || !effect.target.contains(tapped));
"""
"""Nothing lies over an element, and nothing moves it. (Firefox never begins the motion of what a
closed fold holds.)"""


class EngineError(RuntimeError):
    """The browser could not carry out a command; says which and why."""


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a program of these tests; one that does not follow is killed."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Engine(ABC):
    """One browser window of a phone's size."""

    WIDTH, HEIGHT = 390, 760

    def __init__(self, base: str) -> None:
        self.base = base

    @abstractmethod
    def command(self, name: str, **parameters: Any) -> Any:
        """Carry out a WebDriver command by the name that the standard gives it."""

    def open(self, path: str) -> None:
        """Go to a page of the app and wait until it has loaded."""
        self.command("Navigate", url=self.base + path)

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page; returns what it returns."""
        return self.command("ExecuteScript", script=script, args=list(arguments))

    def wait_for(self, script: str, *arguments: Any) -> Any:
        """Wait until a script returns something true; returns that.

        Raises `NeverHappenedError`, which says what the page showed instead.
        """
        try:
            return wait_until(lambda: self._try(lambda: self.run(script, *arguments)), script)
        except NeverHappenedError as never:
            shown = self.run("return [location.href, document.body.innerText].join('\\n')")
            raise NeverHappenedError(f"{never} {arguments} in {shown}") from None

    def see(self, selector: str) -> None:
        """Wait until an element is in the page."""
        self.wait_for("return Boolean(document.querySelector(arguments[0]))", selector)

    def tap(self, selector: str) -> None:
        """Tap the first element of these, as a finger does, once it is shown."""
        found = self._find(selector)
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.wait_for(_RESTS, selector)
        self.command("ElementClick", id=found)

    def press(self, selector: str) -> None:
        """Put a finger down on an element, as the first half of a tap."""
        origin = {_ELEMENT: self._find(selector)}
        move = {"type": "pointerMove", "origin": origin, "x": 0, "y": 0}
        self._act(move, {"type": "pointerDown", "button": 0})

    def let_go(self) -> None:
        """Lift the finger again."""
        self._act({"type": "pointerUp", "button": 0})

    def _act(self, *actions: dict[str, Any]) -> None:
        finger = {"type": "pointer", "id": "finger", "actions": actions}
        self.command("PerformActions", actions=[finger])

    def type(self, selector: str, text: str) -> None:
        """Clear a field and type into it."""
        field = self._find(selector)
        self.command("ElementClear", id=field)
        self.command("ElementSendKeys", id=field, text=text)

    def noted(self, kind: str) -> list[str]:
        """What the pages noted of a kind (`error`, `awake`); see `tests/engines/served.py`."""
        noted = self.run('return JSON.parse(sessionStorage.getItem("tests-noted") ?? "[]")')
        return [what for one, what in noted if one == kind]

    def picture(self, path: Path) -> None:
        """Keep what is seen as a PNG."""
        path.write_bytes(base64.b64decode(self.command("TakeScreenshot")))

    # As Playwright calls it, so that what is drawn for phones is drawn for this one, too

    @property
    def url(self) -> str:
        return str(self.run("return location.href"))

    def evaluate(self, expression: str, arg: Any = None) -> Any:
        """What a function of the page returns."""
        return self.run(f"return ({expression})(arguments[0])", arg)

    def goto(self, url: str) -> None:
        self.command("Navigate", url=url)

    def _find(self, selector: str) -> str:
        self.wait_for(
            "const one = document.querySelector(arguments[0]);"
            "return Boolean(one) && one.getClientRects().length > 0",
            selector,
        )
        found = self.command("FindElement", using="css selector", value=selector)
        return str(found[_ELEMENT])

    @staticmethod
    def _try(attempt: Callable[[], Any]) -> Any:
        """What an attempt returns; None while the page is being left."""
        try:
            return attempt()
        except EngineError:
            return None
