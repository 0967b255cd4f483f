"""which is the oldest schema whose version of the app can use these tables

The last migration that breaks with the versions before it; `app.store.engine` asks.
"""

import sqlalchemy as sa
from alembic import op

revision = '0026'
down_revision = '0025'
breaking = True


def upgrade() -> None:
    op.add_column('alembic_version', sa.Column('usable_since', sa.String(length=32), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table('alembic_version', schema=None) as batch_op:
        batch_op.drop_column('usable_since')
