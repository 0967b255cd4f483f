"""Measurements for a Prometheus server, at `/metrics`: only with METRICS_TOKEN, and by that token.

Several processes of one host are added up by way of files in PROMETHEUS_MULTIPROC_DIR, which the
server for production sets. Labels hold patterns of addresses, never addresses.
"""

import hmac
import os
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from flask import Flask
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Request, Response

from app.extensions import db, limits_storage_answers
from app.store.backups import FOLDER, nightly_backups
from app.store.engine import newest_revision
from app.store.queries.access import count_groups_and_devices
from app.web.infrastructure.access import SEEN_LATELY, engines_of
from app.web.infrastructure.assets import assets_version
from app.web.infrastructure.health import add_machine_page, text_response, why_not_ready
from app.web.infrastructure.logs import AnsweredRequest, observe
from app.web.infrastructure.outages import observe_failures
from app.web.infrastructure.push import OUTCOMES, announcer_of


class HostCollector(Collector):
    """The gauges of one host; those of the database are left out where it does not answer."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def collect(self) -> Iterator[Metric]:
        """The gauges as they are now."""
        labels = {"build": assets_version(), "schema": newest_revision()}
        build = GaugeMetricFamily(
            "meldkeeper_build", "What runs here; always 1.", labels=list(labels)
        )
        build.add_metric(list(labels.values()), 1)
        yield build
        yield _gauge("ready", "1 where /readyz says ok.", not why_not_ready())
        shared = "0 while each process counts limits by itself, since RATE_LIMIT_STORAGE is away."
        yield _gauge("limits_storage_up", shared, limits_storage_answers())
        folder = Path(self._app.instance_path)
        if folder.is_dir():
            free = shutil.disk_usage(folder).free
            yield _gauge("free_bytes", "Room on the disk of INSTANCE_PATH.", free)
        copies = nightly_backups(folder / FOLDER)
        if copies:
            age = time.time() - copies[-1].stat().st_mtime
            yield _gauge("nightly_copy_age_seconds", "Age of the newest nightly copy.", age)
        try:
            since = datetime.now(UTC) - SEEN_LATELY
            groups, devices = count_groups_and_devices(db.session(), since)
        except SQLAlchemyError:
            return
        finally:
            db.session.remove()
        yield _gauge("groups", "Groups kept.", groups)
        yield _gauge("devices_seen", "Devices seen within ten minutes.", devices)


def _gauge(name: str, about: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"meldkeeper_{name}", about, value=value)


NIGHTLY_DONE = "meldkeeper_nightly_done"
"""In the app's `extensions`: what is called when the nightly work is done."""
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


def register(app: Flask) -> None:
    """Measure each request of which observers are told, and show that, if a token is set."""
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
    nightly = Gauge(
        "meldkeeper_nightly_success_timestamp_seconds",
        "When the nightly work last came to its end.",
        registry=registry,
        multiprocess_mode="max",
    )
    app.extensions[NIGHTLY_DONE] = nightly.set_to_current_time
    _count_connections(app, registry)
    _count_announcements(app, registry)

    of_host = CollectorRegistry()
    of_host.register(HostCollector(app))

    def show(asked: Request) -> Response:
        sent = asked.headers.get("Authorization", "")
        if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            return text_response("Not found", 404)
        shown = generate_latest(_all_processes(registry)) + generate_latest(of_host)
        return Response(shown, content_type=CONTENT_TYPE_LATEST)

    add_machine_page(app, "/metrics", show)


def _count_connections(app: Flask, registry: CollectorRegistry) -> None:
    connections = Gauge(
        "meldkeeper_database_connections",
        "Connections to the database, open and of these in use.",
        ("state",),
        registry=registry,
        multiprocess_mode="livesum",
    )
    open_, used = connections.labels("open"), connections.labels("in_use")
    happenings = {
        "connect": open_.inc,
        "close": open_.dec,
        "checkout": used.inc,
        "checkin": used.dec,
    }
    for engine in engines_of(app):
        for name, count in happenings.items():
            event.listen(engine, name, lambda *_told, count=count: count())


def _count_announcements(app: Flask, registry: CollectorRegistry) -> None:
    announcements = Counter(
        "meldkeeper_announcements",
        "Announcements sent to the push engine, tried in vain, or dropped.",
        ("outcome",),
        registry=registry,
    )
    if announcer := announcer_of(app):
        counters = {outcome: announcements.labels(outcome) for outcome in OUTCOMES}
        announcer.observer = lambda outcome: counters[outcome].inc()


def _all_processes(own: CollectorRegistry) -> CollectorRegistry:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return own
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
