"""penalties not counted"""

import sqlalchemy as sa
from alembic import op

revision = '0010'
down_revision = '0009'


def upgrade() -> None:
    op.add_column('rows', sa.Column('not_counted', sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    with op.batch_alter_table('rows', schema=None) as batch_op:
        batch_op.drop_column('not_counted')
