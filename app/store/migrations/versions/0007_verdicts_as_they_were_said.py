"""verdicts as they were said"""

import sqlalchemy as sa
from alembic import op

revision = '0007'
down_revision = '0006'


def upgrade() -> None:
    op.add_column('recorded_rulings', sa.Column('said', sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table('recorded_rulings', schema=None) as batch_op:
        batch_op.drop_column('said')
