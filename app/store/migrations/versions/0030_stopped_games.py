"""an index of the games that were stopped, which hold no record of short games"""

import sqlalchemy as sa
from alembic import op

revision = '0030'
down_revision = '0029'

STOPPED = sa.text('stopped IS NOT NULL')


def upgrade() -> None:
    op.create_index(
        'ix_games_stopped', 'games', ['group_id', 'id'], sqlite_where=STOPPED, postgresql_where=STOPPED
    )


def downgrade() -> None:
    op.drop_index('ix_games_stopped', 'games')
