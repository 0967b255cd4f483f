"""`make run`: bring the database up to date, serve the app, and say where to find it."""

import argparse
import sys

import waitress
from flask import Flask

from app import create_app
from app.commands.startup import StartupError, start_nightly_work, upgrade_database
from app.config import FaultySetting
from app.web.infrastructure import assets
from app.web.infrastructure.network import network_address

_THREADS = 8


def main() -> int:
    """Serve until interrupted; answers the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=5000)
    port = parser.parse_args().port
    try:
        app = create_app()
        upgrade_database(app)
        assets.prepare(app)
    except (FaultySetting, StartupError) as fault:
        return _print(f"Not started. {fault}", error=True)
    start_nightly_work(app)
    try:
        server = waitress.create_server(
            app, listen=f"*:{port}", threads=_THREADS, ident=None, **_proxies(app)
        )
    except OSError as fault:
        return _print(
            f"Port {port} cannot be used ({fault.strerror}). Try: make run PORT={port + 1}", True
        )
    others = network_address(port)
    others = f"   phones in this network: {others}" if others else ""
    _print(f"Meldkeeper is running: http://localhost:{port}{others}   (stop: Ctrl+C)")
    server.run()
    return 0


def _proxies(app: Flask) -> dict[str, bool]:
    """Leave the headers of proxies in place where there are some; the app reads what it trusts."""
    return {"clear_untrusted_proxy_headers": not app.config["TRUSTED_PROXIES"]}


def _print(line: str, error: bool = False) -> int:
    print(line, file=sys.stderr if error else sys.stdout, flush=True)
    return int(error)


if __name__ == "__main__":
    sys.exit(main())
