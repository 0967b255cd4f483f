"""`make run`: bring the database up to date, serve the app, and say where to find it."""

import argparse
import sys

import waitress

from app import create_app
from app.commands.startup import StartupError, start_nightly_work, upgrade_database
from app.config import FaultySetting
from app.web.infrastructure import assets
from app.web.infrastructure.network import network_address

_THREADS = 8


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=5000)
    port = parser.parse_args().port
    try:
        app = create_app()
        upgrade_database(app)
        assets.prepare(app)
    except (FaultySetting, StartupError) as fault:
        sys.exit(f"Not started. {fault}")
    start_nightly_work(app)
    # The headers of proxies stay in place where there are some; the app reads what it trusts.
    settings = {"ident": None, "clear_untrusted_proxy_headers": not app.config["TRUSTED_PROXIES"]}
    try:
        server = waitress.create_server(app, listen=f"*:{port}", threads=_THREADS, **settings)
    except OSError as fault:
        sys.exit(f"Port {port} cannot be used ({fault.strerror}). Try: make run PORT={port + 1}")
    others = network_address(port)
    others = f"   phones in this network: {others}" if others else ""
    print(f"Meldkeeper is running: http://localhost:{port}{others}   (stop: Ctrl+C)", flush=True)
    server.run()


if __name__ == "__main__":
    main()
