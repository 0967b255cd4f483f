"""a stamp for each version of a game that is never used again"""

import sqlalchemy as sa
from alembic import op

revision = '0012'
down_revision = '0011'


def upgrade() -> None:
    op.add_column('games', sa.Column('stamp', sa.BigInteger(), nullable=True))
    sqlite = op.get_bind().dialect.name == 'sqlite'
    drawn = 'random()' if sqlite else "('x' || left(md5(id || '-' || random()), 16))::bit(64)::bigint"
    op.execute(f'UPDATE games SET stamp = {drawn}')
    with op.batch_alter_table('games', schema=None) as batch_op:
        batch_op.alter_column('stamp', nullable=False)


def downgrade() -> None:
    with op.batch_alter_table('games', schema=None) as batch_op:
        batch_op.drop_column('stamp')
