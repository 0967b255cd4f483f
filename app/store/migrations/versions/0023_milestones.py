"""whether a group is told of milestones"""

import sqlalchemy as sa
from alembic import op

revision = '0023'
down_revision = '0022'


def upgrade() -> None:
    op.add_column('groups', sa.Column('milestones', sa.Boolean(), nullable=False, server_default=sa.true()))


def downgrade() -> None:
    with op.batch_alter_table('groups', schema=None) as batch_op:
        batch_op.drop_column('milestones')
