"""which device made a link or token, and which one let a device in"""

import sqlalchemy as sa
from alembic import op

revision = '0009'
down_revision = '0008'

_MADE = ('links', 'tokens')


def upgrade() -> None:
    for table in _MADE:
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column('device_id', sa.Integer(), nullable=True))
            batch_op.create_foreign_key(batch_op.f(f'fk_{table}_device_id_devices'), 'devices', ['device_id'], ['id'], ondelete='CASCADE')

    with op.batch_alter_table('memberships', schema=None) as batch_op:
        batch_op.add_column(sa.Column('let_in_by_id', sa.Integer(), nullable=True))
        batch_op.create_foreign_key(batch_op.f('fk_memberships_let_in_by_id_devices'), 'devices', ['let_in_by_id'], ['id'], ondelete='SET NULL')
        batch_op.drop_constraint(batch_op.f('fk_memberships_link_id_links'), type_='foreignkey')
        batch_op.create_foreign_key(batch_op.f('fk_memberships_link_id_links'), 'links', ['link_id'], ['id'], ondelete='SET NULL')


def downgrade() -> None:
    with op.batch_alter_table('memberships', schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f('fk_memberships_link_id_links'), type_='foreignkey')
        batch_op.create_foreign_key(batch_op.f('fk_memberships_link_id_links'), 'links', ['link_id'], ['id'], ondelete='CASCADE')
        batch_op.drop_constraint(batch_op.f('fk_memberships_let_in_by_id_devices'), type_='foreignkey')
        batch_op.drop_column('let_in_by_id')

    for table in reversed(_MADE):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_constraint(batch_op.f(f'fk_{table}_device_id_devices'), type_='foreignkey')
            batch_op.drop_column('device_id')
