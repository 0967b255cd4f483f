"""Processes of the app that have read its code already, which takes Python longer than a test.

A process of their own (`multiprocessing` calls it the fork server) reads the code once and is
forked for each; nothing is shared with it, or with the tests, after that.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from tests.made_once import share_templates

FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.code_of_the_app"])


class Forked:
    """A program that was begun so, with what `Popen` calls its parts."""

    def __init__(self, module: str, *arguments: str, env: Mapping[str, str], log: Path) -> None:
        self._process = FORKING.Process(
            target=_run, args=(module, arguments, dict(env), log), daemon=True
        )
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for its end; answers its exit status."""
        self._process.join(timeout)
        return self.poll()

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(module: str, arguments: tuple[str, ...], env: dict[str, str], log: Path) -> None:
    """Be that program, as `python -m` would run it."""
    os.environ.clear()
    os.environ.update(env)
    share_templates()
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = [module, *arguments]
    sys.exit(import_module(module).main())
