"""The Flask extensions: made here once, bound to the app as it is created."""

from functools import wraps
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock

from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from flask_wtf.csrf import CSRFProtect
from limits.storage import MemoryStorage

from app.store.base import Base


def _network() -> str:
    """What is counted as one address: an IPv6 customer has a whole /64 of them."""
    try:
        address = ip_address(get_remote_address())
    except ValueError:  # a proxy may say "unix:" or "unknown"
        return get_remote_address()
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((address, 64), strict=False))
    return str(address)


_count = MemoryStorage.incr
_counting = Lock()


@wraps(_count)
def _count_alone(self: MemoryStorage, key: str, expiry: float, amount: int = 1) -> int:
    """Let one thread at a time count: two at once start the same timer, and the second fails."""
    with _counting:
        return _count(self, key, expiry, amount)


# In place, since the limiter makes the counts that it falls back to by itself.
MemoryStorage.incr = _count_alone  # type: ignore[method-assign]


db = SQLAlchemy(metadata=Base.metadata)
migrate = Migrate()
csrf = CSRFProtect()
# Where the shared counts cannot be reached, each process counts by itself meanwhile.
limiter = Limiter(_network, in_memory_fallback_enabled=True)


def limits_storage_answers() -> bool:
    """Can it be reached where what is limited is counted?"""
    try:
        return limiter.storage.check()
    except Exception:  # of whichever library speaks to it
        return False
