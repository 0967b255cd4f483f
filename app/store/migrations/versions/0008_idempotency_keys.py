"""idempotency keys of their senders

The keys of before are dropped: they say neither who sent them nor for what, so a repeat of theirs
could be taken for somebody else's. What may be repeated across this upgrade is a phone's tap, which
sets a value and asks before it overwrites what another phone changed meanwhile.
"""

import sqlalchemy as sa
from alembic import op

revision = '0008'
down_revision = '0007'


def upgrade() -> None:
    op.create_table('idempotency_keys',
    sa.Column('sender', sa.String(length=64), nullable=False),
    sa.Column('key', sa.String(length=255), nullable=False),
    sa.Column('fingerprint', sa.String(length=64), nullable=False),
    sa.Column('result', sa.String(length=40), nullable=False),
    sa.Column('at', sa.DateTime(), nullable=False),
    sa.PrimaryKeyConstraint('sender', 'key', name=op.f('pk_idempotency_keys'))
    )
    op.create_index(op.f('ix_idempotency_keys_at'), 'idempotency_keys', ['at'])
    with op.batch_alter_table('rule_sets', schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f('uq_rule_sets_made_by_key'), type_='unique')
        batch_op.drop_column('made_by_key')
        batch_op.drop_column('changed_by_key')
    op.drop_table('answered_keys')


def downgrade() -> None:
    op.create_table('answered_keys',
    sa.Column('key', sa.String(length=64), nullable=False),
    sa.Column('game_id', sa.Integer(), nullable=False),
    sa.Column('at', sa.DateTime(), nullable=False),
    sa.ForeignKeyConstraint(['game_id'], ['games.id'], name=op.f('fk_answered_keys_game_id_games'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('key', name=op.f('pk_answered_keys'))
    )
    op.create_index(op.f('ix_answered_keys_at'), 'answered_keys', ['at'])
    with op.batch_alter_table('rule_sets', schema=None) as batch_op:
        batch_op.add_column(sa.Column('made_by_key', sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column('changed_by_key', sa.String(length=64), nullable=False, server_default=''))
        batch_op.create_unique_constraint(batch_op.f('uq_rule_sets_made_by_key'), ['made_by_key'])
    op.drop_index(op.f('ix_idempotency_keys_at'), 'idempotency_keys')

    op.drop_table('idempotency_keys')
