"""Measurements for a Prometheus server, at `/metrics`: only with METRICS_TOKEN, and by that token.

Several processes of one host are added up by way of files in PROMETHEUS_MULTIPROC_DIR, which the
server for production sets. Labels hold patterns of addresses, never addresses.
"""

import hmac
import os

from flask import Flask
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
)
from werkzeug.wrappers import Request, Response

from app.web.infrastructure.host_metrics import HostCollector
from app.web.infrastructure.machine_pages import add_machine_page, text_response
from app.web.infrastructure.outages import observe_failures
from app.web.infrastructure.request_observers import AnsweredRequest, observe

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


def register(app: Flask) -> None:
    """Measure each request and show the measurements, if a token is set."""
    token: str = app.config["METRICS_TOKEN"]
    if not token:
        return
    registry = CollectorRegistry()
    labels = ("method", "address", "status")
    requests = Counter("meldkeeper_requests", "Requests answered.", labels, registry=registry)
    seconds = Histogram(
        "meldkeeper_request_seconds",
        "How long answers took.",
        ("method", "address"),
        registry=registry,
        buckets=_SECONDS,
    )

    def measure(one: AnsweredRequest) -> None:
        requests.labels(one.method, one.address_pattern, one.status).inc()
        seconds.labels(one.method, one.address_pattern).observe(one.seconds)

    observe(app, measure)
    failures = Counter(
        "meldkeeper_database_failures",
        "Requests that failed for want of the database or the disk.",
        registry=registry,
    )
    observe_failures(app, failures.inc)

    of_host = CollectorRegistry()
    of_host.register(HostCollector(app))

    def show(asked: Request) -> Response:
        sent = asked.headers.get("Authorization", "")
        if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            return text_response("Not found", 404)
        shown = generate_latest(_all_processes(registry)) + generate_latest(of_host)
        return Response(shown, content_type=CONTENT_TYPE_LATEST)

    add_machine_page(app, "/metrics", show)


def _all_processes(own: CollectorRegistry) -> CollectorRegistry:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return own
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
