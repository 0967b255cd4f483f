"""devices that were removed from a group, to undo that and to tell them"""

import sqlalchemy as sa
from alembic import op

revision = '0029'
down_revision = '0028'


def upgrade() -> None:
    op.create_table(
        'removals',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('device_id', sa.Integer(), nullable=False),
        sa.Column('group_id', sa.Integer(), nullable=False),
        sa.Column('removed_at', sa.DateTime(), nullable=False),
        sa.Column('role', sa.String(length=8), nullable=False),
        sa.Column('created_at', sa.DateTime(), nullable=False),
        sa.Column('seen_at', sa.DateTime(), nullable=True),
        sa.Column('link_id', sa.Integer(), nullable=True),
        sa.Column('let_in_by_id', sa.Integer(), nullable=True),
        sa.Column('player_id', sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(['device_id'], ['devices.id'], name='fk_removals_device_id_devices', ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['group_id'], ['groups.id'], name='fk_removals_group_id_groups', ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['link_id'], ['links.id'], name='fk_removals_link_id_links', ondelete='SET NULL'),
        sa.ForeignKeyConstraint(['let_in_by_id'], ['devices.id'], name='fk_removals_let_in_by_id_devices', ondelete='SET NULL'),
        sa.ForeignKeyConstraint(['player_id'], ['players.id'], name='fk_removals_player_id_players', ondelete='SET NULL'),
        sa.PrimaryKeyConstraint('id', name='pk_removals'),
        sa.UniqueConstraint('device_id', 'group_id', name='uq_removals_device_id_group_id'),
    )
    op.create_index('ix_removals_group_id', 'removals', ['group_id'])


def downgrade() -> None:
    op.drop_table('removals')
