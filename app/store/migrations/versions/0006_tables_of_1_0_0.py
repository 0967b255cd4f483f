"""the tables of version 1.0.0, the first release

Older databases existed only before it; `app.store.engine` sends them there first.
"""

from pathlib import Path
from string import Template

from alembic import op

revision = '0006'
down_revision = None

TABLES = Path(__file__).parents[1] / '1_0_0.sql'
TYPES = {
    'sqlite': {'id': 'INTEGER', 'datetime': 'DATETIME', 'bytes': 'BLOB', 'false': '0'},
    'postgresql': {'id': 'SERIAL', 'datetime': 'TIMESTAMP', 'bytes': 'BYTEA', 'false': 'false'},
}


def upgrade() -> None:
    types = TYPES[op.get_bind().dialect.name]
    for statement in Template(TABLES.read_text(encoding='utf-8')).substitute(types).split(';')[:-1]:
        op.execute(statement)
