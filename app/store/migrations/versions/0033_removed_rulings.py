"""rulings that were removed"""

import sqlalchemy as sa
from alembic import op

revision = '0033'
down_revision = '0032'


def upgrade() -> None:
    op.add_column('recorded_rulings', sa.Column('removed_at', sa.DateTime(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table('recorded_rulings', schema=None) as batch_op:
        batch_op.drop_column('removed_at')
