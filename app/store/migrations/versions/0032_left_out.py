"""games that count for no season"""

import sqlalchemy as sa
from alembic import op

revision = '0032'
down_revision = '0031'

LEFT_OUT = sa.text('left_out')


def upgrade() -> None:
    op.add_column('games', sa.Column('left_out', sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(
        'ix_games_left_out', 'games', ['group_id', 'id'], sqlite_where=LEFT_OUT, postgresql_where=LEFT_OUT
    )


def downgrade() -> None:
    op.drop_index('ix_games_left_out', 'games')
    with op.batch_alter_table('games', schema=None) as batch_op:
        batch_op.drop_column('left_out')
