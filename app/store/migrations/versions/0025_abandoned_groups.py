"""since when a group is abandoned, and when a program was last seen

Nobody knows which programs still ask: they are taken to have been seen at the upgrade.
"""

import sqlalchemy as sa
from alembic import op

revision = '0025'
down_revision = '0024'


def upgrade() -> None:
    op.add_column('groups', sa.Column('abandoned_at', sa.DateTime(), nullable=True))
    op.add_column('tokens', sa.Column('seen_at', sa.DateTime(), nullable=True))
    op.execute(sa.text('UPDATE tokens SET seen_at = CURRENT_TIMESTAMP'))


def downgrade() -> None:
    with op.batch_alter_table('tokens', schema=None) as batch_op:
        batch_op.drop_column('seen_at')
    with op.batch_alter_table('groups', schema=None) as batch_op:
        batch_op.drop_column('abandoned_at')
