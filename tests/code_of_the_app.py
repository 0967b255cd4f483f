"""All code of the app but what looks at the environment as it is read: see `tests/forking.py`."""

import gc
from importlib import import_module
from pkgutil import walk_packages

import gunicorn.workers.gthread
import gunicorn.workers.sync  # noqa: F401

import app
from app.web.infrastructure import assets

for _module in walk_packages(app.__path__, "app."):
    # The library that measures looks at the environment; migrations are read by Alembic.
    if not _module.name.endswith((".metrics", ".__main__")) and ".migrations" not in _module.name:
        import_module(_module.name)
assets.all_assets()
gc.freeze()  # what all processes share holds no garbage to look for
