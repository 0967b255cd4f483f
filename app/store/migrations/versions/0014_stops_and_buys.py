"""games that stop before their end, and buys"""

import sqlalchemy as sa
from alembic import op

revision = '0014'
down_revision = '0013'


def upgrade() -> None:
    op.add_column('games', sa.Column('stopped', sa.String(length=10), nullable=True))
    op.add_column('rows', sa.Column('buys', sa.Integer(), nullable=False, server_default='0'))


def downgrade() -> None:
    with op.batch_alter_table('rows', schema=None) as batch_op:
        batch_op.drop_column('buys')
    with op.batch_alter_table('games', schema=None) as batch_op:
        batch_op.drop_column('stopped')
