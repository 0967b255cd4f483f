"""Proxies in front of real servers, with the files of deploy/; Caddy and nginx come as packages."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.servers import TOP, Http, free_port
from tests.waiting import wait_until

PACKAGES = {"caddy": "caddy", "nginx": "nginx-light", "redis-server": "redis-server"}
"""The packages of Debian and Ubuntu in which the programs come."""
CADDYFILE = TOP / "deploy/Caddyfile"
NGINX = TOP / "deploy/nginx.conf"
NGINX_PUSH = TOP / "deploy/nginx-push.conf"
NCHAN = Path("/usr/lib/nginx/modules/ngx_nchan_module.so")


@contextmanager
def caddy(hosts: Sequence[str], folder: Path, **environment: str) -> Iterator[int]:
    """The port of Caddy with the shipped file in front of `hosts` (address:port each).

    It logs to `caddy.log` in the folder.
    """
    port, file = free_port(), folder / "Caddyfile"
    text = "{\n\tadmin off\n" + CADDYFILE.read_text().split("{\n", 1)[1]
    told = subprocess.run(["caddy", "version"], capture_output=True, text=True).stdout
    if tuple(map(int, re.findall(r"\d+", told)[:3])) < (2, 6, 3):
        text = text.replace("request_buffers 17MB", "buffer_requests")  # what it was called
    file.write_text(text)
    settings = {
        "SITE": f"http://127.0.0.1:{port}",
        "APP_HOSTS": " ".join(hosts),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        **environment,
    }
    command = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
    with _running(command, folder / "caddy.log", port, settings):
        yield port


@contextmanager
def _running(
    command: list[str], log: Path, port: int, environment: dict[str, str]
) -> Iterator[None]:
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, env={**os.environ, **environment}, stdout=out, stderr=out
        )
    try:
        wait_until(lambda: process.poll() is not None or answers(port), f"{command[0]} answers")
        assert process.poll() is None, log.read_text()
        yield
    finally:
        process.terminate()
        process.wait()


def answers(port: int) -> bool:
    """Does the proxy let a request through to a host?"""
    try:
        return Http(port).get("/healthz").status_code == 200
    except OSError:
        return False


@contextmanager
def nginx(
    hosts: Sequence[str], folder: Path, *, port: int = 0, engine: int = 0, connections: int = 500
) -> Iterator[int]:
    """The port of nginx with the shipped file in front of `hosts` (address:port each).

    It logs into files of the folder. With `engine` it holds streams, too, and is told at that port.
    """
    port = port or free_port()
    site = NGINX.read_text().replace("/var/log/nginx/", f"{folder}/")
    (folder / "push.conf").write_text(NGINX_PUSH.read_text().replace("8010", str(engine)))
    included = f"{folder}/push.conf" if engine else f"{folder}/none*.conf"
    site = site.replace("/etc/nginx/meldkeeper/*.conf", included)
    site = re.sub(r"ssl_certificate.*;", "", site)
    site = site.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    servers = "".join(
        f"server {host} max_conns=2000 max_fails=1 fail_timeout=2s;\n" for host in hosts
    )
    site = site.replace(
        "server 127.0.0.1:8000 max_conns=2000 max_fails=1 fail_timeout=2s;", servers
    )
    site = site.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    user = "" if os.geteuid() else "user root;\n"
    module = f"load_module {NCHAN};\n" if engine else ""
    main = f"{module}daemon off;\n{user}pid {folder}/nginx.pid;\nerror_log {folder}/main.log;\n"
    events = f"worker_processes auto;\nevents {{ worker_connections {connections}; }}\n"
    file.write_text(f"{main}{events}http {{\n{temporary}{site}}}\n")
    command = ["nginx", "-p", str(folder), "-e", str(folder / "main.log"), "-c", str(file)]
    with _running(command, folder / "nginx.log", port, {}):
        yield port


PROXIES: dict[str, Callable[..., AbstractContextManager[int]]] = {"caddy": caddy, "nginx": nginx}
NEEDS_NCHAN = pytest.mark.skipif(
    shutil.which("nginx") is None or not NCHAN.exists(), reason="nginx with nchan is not installed"
)
NEEDS = {
    name: pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed")
    for name in PROXIES
}
"""Marks of tests that a proxy which is not installed leaves out."""
EACH_PROXY = [pytest.param(name, marks=needs) for name, needs in NEEDS.items()]
