"""What alerts of a host need beside its requests: gauges, looked up when they are asked for."""

import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from flask import Flask
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from app.extensions import db
from app.store.backups import FOLDER, nightly_backups
from app.store.engine import newest_revision
from app.store.queries.access import count_groups_and_devices
from app.web.infrastructure.access import SEEN_LATELY
from app.web.infrastructure.assets import assets_version
from app.web.infrastructure.health import why_not_ready


class HostCollector(Collector):
    """The gauges of one host; those of the database are left out where it does not answer."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def collect(self) -> Iterator[Metric]:
        """The gauges as they are now."""
        told = {"build": assets_version(), "schema": newest_revision()}
        build = GaugeMetricFamily(
            "meldkeeper_build", "What runs here; always 1.", labels=list(told)
        )
        build.add_metric(list(told.values()), 1)
        yield build
        yield _gauge("ready", "1 where /readyz says ok.", not why_not_ready())
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
