"""The yardstick of `load.py`: the smallest Flask app, served as ours is."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from tests.servers import TOP, Http, free_port

app = Flask(__name__)


@app.get("/")
def hello() -> str:
    return "hello"


@contextmanager
def serving_hello(workers: int, threads: int) -> Iterator[int]:
    """The port on which the page is served, by as many processes and threads as ours."""
    port = free_port()
    kind = "gthread" if threads > 1 else "sync"
    command = (
        f"-m gunicorn --workers {workers} --threads {threads} --worker-class {kind} "
        f"--bind 127.0.0.1:{port} --no-control-socket --log-level error tests.bench.hello:app"
    )
    process = subprocess.Popen([sys.executable, *command.split()], cwd=TOP)
    try:
        for _ in range(200):
            try:
                Http(port).get("/")
                break
            except OSError:
                time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(30)
