"""Measurements for a Prometheus server, at `/metrics`: only with METRICS_TOKEN, and by that token.

Several processes of one host are added up by way of files in PROMETHEUS_MULTIPROC_DIR, which the
server for production sets. Labels hold patterns of addresses, never addresses.
"""

import hmac
import os

from flask import Flask, Response, abort, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
)

from app.web.infrastructure.access import open_to_all
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

    @app.get("/metrics")
    @open_to_all
    def metrics() -> Response:
        sent = request.headers.get("Authorization", "")
        if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            abort(404)
        return Response(generate_latest(_all_processes(registry)), content_type=CONTENT_TYPE_LATEST)


def _all_processes(own: CollectorRegistry) -> CollectorRegistry:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return own
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
