"""join codes that lead to a game; who does not want to hear of a way back again"""

import sqlalchemy as sa
from alembic import op

revision = '0020'
down_revision = '0019'


def upgrade() -> None:
    with op.batch_alter_table('invitations', schema=None) as batch_op:
        batch_op.add_column(sa.Column('game_id', sa.Integer(), nullable=True))
        batch_op.create_foreign_key(batch_op.f('fk_invitations_game_id_games'), 'games', ['game_id'], ['id'], ondelete='CASCADE')
    op.add_column('memberships', sa.Column('way_back_dismissed', sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    with op.batch_alter_table('memberships', schema=None) as batch_op:
        batch_op.drop_column('way_back_dismissed')
    with op.batch_alter_table('invitations', schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f('fk_invitations_game_id_games'), type_='foreignkey')
        batch_op.drop_column('game_id')
