"""own rule sets

Revision: 0005, after 0004
"""

import sqlalchemy as sa
from alembic import op

revision = '0005'
down_revision = '0004'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('rule_sets',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('group_id', sa.Integer(), nullable=False),
    sa.Column('key', sa.String(length=20), nullable=False),
    sa.Column('name', sa.String(length=60), nullable=False),
    sa.Column('document', sa.JSON(), nullable=False),
    sa.Column('version', sa.Integer(), nullable=False),
    sa.Column('created_at', sa.DateTime(), nullable=False),
    sa.Column('changed_at', sa.DateTime(), nullable=False),
    sa.Column('removed_at', sa.DateTime(), nullable=True),
    sa.Column('made_by_key', sa.String(length=64), nullable=True),
    sa.Column('changed_by_key', sa.String(length=64), nullable=False),
    sa.ForeignKeyConstraint(['group_id'], ['groups.id'], name=op.f('fk_rule_sets_group_id_groups'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_rule_sets')),
    sa.UniqueConstraint('key', name=op.f('uq_rule_sets_key')),
    sa.UniqueConstraint('made_by_key', name=op.f('uq_rule_sets_made_by_key'))
    )
    with op.batch_alter_table('rule_sets', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_rule_sets_group_id'), ['group_id'], unique=False)

    op.create_table('default_rules',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('group_id', sa.Integer(), nullable=False),
    sa.Column('variant_id', sa.String(length=60), nullable=False),
    sa.Column('rules', sa.JSON(), nullable=False),
    sa.Column('changed_at', sa.DateTime(), nullable=False),
    sa.ForeignKeyConstraint(['group_id'], ['groups.id'], name=op.f('fk_default_rules_group_id_groups'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_default_rules')),
    sa.UniqueConstraint('group_id', 'variant_id', name=op.f('uq_default_rules_group_id_variant_id'))
    )


def downgrade() -> None:
    op.drop_table('default_rules')
    with op.batch_alter_table('rule_sets', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_rule_sets_group_id'))

    op.drop_table('rule_sets')
