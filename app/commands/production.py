"""`make serve`: bring the database up to date, then serve by several processes of gunicorn.

The app is made once, before the processes part, so that a faulty setting stops the start and not a
process. Everything is chosen by settings of the environment. `make run` is its small sister.
"""

import gc
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger

from app import create_app
from app.commands.startup import StartupError, start_nightly_work, upgrade_database
from app.config import FaultySetting

_SILENT_SECONDS = 30
_IDLE_SECONDS = 75  # longer than the proxy's, so that it never sends into a closing connection
_GARBAGE = (20_000, 50, 50)
"""How many objects more than were freed before cycles among them are looked for, and how often in
older ones. What the app is made of is left out, and what is remembered is seldom gone through:
going through it all, as Python would often do, held answers up for a tenth of a second."""
_MOST_CONNECTIONS = 20_000
_OTHER_FILES = 100
"""Files that a process has open beside its connections: databases, logs, code."""
_MEMORY = Path("/dev/shm")  # noqa: S108  (gunicorn makes files of its own names there)


class _QuietLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's own lines go where all lines go."""

    def setup(self, cfg: Any) -> None:
        """Leave every logger as `write_json_lines` has set it up."""
        self.cfg = cfg
        for logger in (self.error_log, self.access_log):
            logger.handlers, logger.propagate = [], True


class _DrainingArbiter(Arbiter):  # type: ignore[misc]
    """Told to stop, it says so at `/readyz` and goes on for DRAIN_SECONDS; told again, it stops.

    By then a proxy that asks `/readyz` sends nothing more here, so nobody meets a closed door.
    """

    def __init__(self, app: BaseApplication, drain_seconds: int) -> None:
        self._drain_seconds = drain_seconds
        super().__init__(app)

    def handle_term(self) -> None:
        """The signal of a gentle stop."""
        from app.web.infrastructure import health  # noqa: PLC0415

        if not (self._drain_seconds and health.leave(self.app.load())):
            super().handle_term()  # which ends it
        self.log.info("Stopping in %s s; /readyz says so.", self._drain_seconds)
        stop = threading.Timer(self._drain_seconds, self.SIG_QUEUE.put_nowait, [signal.SIGTERM])
        stop.daemon = True
        stop.start()


class _GunicornServer(BaseApplication):  # type: ignore[misc]
    """Gunicorn, told by our settings instead of by its own files and arguments."""

    def __init__(self, app: Flask, measurements: Path) -> None:
        self._app, self._measurements = app, measurements
        super().__init__()

    def load_config(self) -> None:
        """Hand our settings over."""
        config, threads = self._app.config, self._app.config["THREADS"]
        settings = {
            "bind": config["LISTEN"],
            "workers": config["WORKERS"],
            "threads": threads,
            "worker_class": "gthread" if threads > 1 else "sync",
            "worker_connections": _raise_connections(),
            "timeout": _SILENT_SECONDS,
            "keepalive": _IDLE_SECONDS,
            "graceful_timeout": config["STOP_SECONDS"],
            "limit_request_line": 8190,  # a question to the judge stands in its address
            "worker_tmp_dir": str(_MEMORY) if _MEMORY.is_dir() else None,
            "control_socket_disable": True,
            "logger_class": _QuietLogger,
            # Else what it is told before it has handlers of its own is lost, and it is waited for.
            "post_fork": lambda _master, _worker: signal.signal(signal.SIGTERM, signal.SIG_DFL),
            "post_worker_init": lambda _worker: self._start_worker(),
            "child_exit": _discard_metrics_of,
            "on_exit": lambda _master: shutil.rmtree(self._measurements, ignore_errors=True),
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def run(self) -> None:
        """Serve until told to stop, then exit."""
        try:
            _DrainingArbiter(self, self._app.config["DRAIN_SECONDS"]).run()
        except RuntimeError as fault:
            sys.exit(f"Not started. {fault}")

    def load(self) -> Flask:
        """The app, made already."""
        return self._app

    def _start_worker(self) -> None:
        """What each process does before its first request."""
        gc.freeze()
        gc.set_threshold(*_GARBAGE)
        _limit_memory(self._app.config["WORKER_MEMORY"] * 1024 * 1024)
        start_nightly_work(self._app)


def main() -> None:
    """Serve until told to stop."""
    # In memory: where a disk is full, writing to a file that is mapped from it ends the process.
    memory = _MEMORY if os.access(_MEMORY, os.W_OK | os.X_OK) else None
    measurements = Path(tempfile.mkdtemp(prefix="meldkeeper-", dir=memory))
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(measurements)
    try:
        app = create_app()
        # Only now: the library that measures looks at the folder when it is imported.
        from app.web.infrastructure import assets  # noqa: PLC0415
        from app.web.infrastructure.logs import write_json_lines  # noqa: PLC0415

        write_json_lines(app.config["LOG_LEVEL"])
        upgrade_database(app)
        assets.prepare(app)
    except (FaultySetting, StartupError) as fault:
        shutil.rmtree(measurements)
        sys.exit(f"Not started. {fault}")
    _GunicornServer(app, measurements).run()


def _raise_connections() -> int:
    """Let each process hold as many connections as the system lets it; answers how many."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = _MOST_CONNECTIONS if hard == resource.RLIM_INFINITY else hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(allowed, _MOST_CONNECTIONS), hard))
    return min(allowed, _MOST_CONNECTIONS) - _OTHER_FILES


def _limit_memory(most: int) -> None:
    """Let this process hold so many bytes of its own (0: any); more is a `MemoryError`.

    Else one request could take the memory of the whole machine.
    """
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if most and (hard == resource.RLIM_INFINITY or most < hard):
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _discard_metrics_of(_master: object, worker: Any) -> None:
    from prometheus_client import multiprocess  # noqa: PLC0415

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
