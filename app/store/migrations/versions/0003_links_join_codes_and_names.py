"""links join codes and names

Revision: 0003, after 0002
"""

import sqlalchemy as sa
from alembic import op

revision = '0003'
down_revision = '0002'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('links',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('group_id', sa.Integer(), nullable=False),
    sa.Column('role', sa.String(length=8), nullable=False),
    sa.Column('secret_hash', sa.String(length=64), nullable=False),
    sa.Column('created_at', sa.DateTime(), nullable=False),
    sa.ForeignKeyConstraint(['group_id'], ['groups.id'], name=op.f('fk_links_group_id_groups'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_links')),
    sa.UniqueConstraint('group_id', 'role', name=op.f('uq_links_group_id_role')),
    sa.UniqueConstraint('secret_hash', name=op.f('uq_links_secret_hash'))
    )
    op.create_table('invitations',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('group_id', sa.Integer(), nullable=False),
    sa.Column('device_id', sa.Integer(), nullable=False),
    sa.Column('role', sa.String(length=8), nullable=False),
    sa.Column('code_hash', sa.String(length=64), nullable=False),
    sa.Column('ends_at', sa.DateTime(), nullable=False),
    sa.ForeignKeyConstraint(['device_id'], ['devices.id'], name=op.f('fk_invitations_device_id_devices'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['group_id'], ['groups.id'], name=op.f('fk_invitations_group_id_groups'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_invitations')),
    sa.UniqueConstraint('code_hash', name=op.f('uq_invitations_code_hash'))
    )
    with op.batch_alter_table('invitations', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_invitations_group_id'), ['group_id'], unique=False)

    with op.batch_alter_table('devices', schema=None) as batch_op:
        batch_op.add_column(sa.Column('name', sa.String(length=40), nullable=False, server_default=''))

    with op.batch_alter_table('log', schema=None) as batch_op:
        batch_op.add_column(sa.Column('device_name', sa.String(length=40), nullable=False, server_default=''))

    with op.batch_alter_table('memberships', schema=None) as batch_op:
        batch_op.add_column(sa.Column('seen_at', sa.DateTime(), nullable=True))
        batch_op.add_column(sa.Column('link_id', sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column('player_id', sa.Integer(), nullable=True))
        batch_op.create_index(batch_op.f('ix_memberships_link_id'), ['link_id'], unique=False)
        batch_op.create_foreign_key(batch_op.f('fk_memberships_link_id_links'), 'links', ['link_id'], ['id'], ondelete='CASCADE')
        batch_op.create_foreign_key(batch_op.f('fk_memberships_player_id_players'), 'players', ['player_id'], ['id'], ondelete='SET NULL')

    with op.batch_alter_table('rounds', schema=None) as batch_op:
        batch_op.add_column(sa.Column('nobody_out', sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    with op.batch_alter_table('rounds', schema=None) as batch_op:
        batch_op.drop_column('nobody_out')

    with op.batch_alter_table('memberships', schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f('fk_memberships_player_id_players'), type_='foreignkey')
        batch_op.drop_constraint(batch_op.f('fk_memberships_link_id_links'), type_='foreignkey')
        batch_op.drop_index(batch_op.f('ix_memberships_link_id'))
        batch_op.drop_column('player_id')
        batch_op.drop_column('link_id')
        batch_op.drop_column('seen_at')

    with op.batch_alter_table('log', schema=None) as batch_op:
        batch_op.drop_column('device_name')

    with op.batch_alter_table('devices', schema=None) as batch_op:
        batch_op.drop_column('name')

    with op.batch_alter_table('invitations', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_invitations_group_id'))

    op.drop_table('invitations')
    op.drop_table('links')