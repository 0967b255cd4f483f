"""What Flask extensions need: made here once, bound to the app in `create_app`."""

from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from flask_wtf.csrf import CSRFProtect

from app.store.base import Base

db = SQLAlchemy(metadata=Base.metadata)
migrate = Migrate()
csrf = CSRFProtect()
# Where the shared counts cannot be reached, each process counts by itself meanwhile.
limiter = Limiter(get_remote_address, in_memory_fallback_enabled=True)
