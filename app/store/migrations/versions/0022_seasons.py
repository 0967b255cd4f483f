"""seasons of a group, and what they came to"""

import sqlalchemy as sa
from alembic import op

revision = '0022'
down_revision = '0021'


def upgrade() -> None:
    op.create_table(
        'seasons',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('group_id', sa.Integer(), nullable=False),
        sa.Column('key', sa.String(length=16), nullable=False),
        sa.Column('name', sa.String(length=40), nullable=False),
        sa.Column('since', sa.DateTime(), nullable=False),
        sa.Column('until', sa.DateTime(), nullable=True),
        sa.Column('evenings', sa.Integer(), nullable=True),
        sa.Column('variants', sa.JSON(), nullable=True),
        sa.Column('measure', sa.String(length=16), nullable=False),
        sa.Column('place_points', sa.JSON(), nullable=True),
        sa.Column('best_of', sa.Integer(), nullable=True),
        sa.Column('least_games', sa.Integer(), nullable=False),
        sa.Column('decided', sa.JSON(), nullable=True),
        sa.Column('champions', sa.JSON(), nullable=True),
        sa.Column('changed_games', sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(['group_id'], ['groups.id'], name='fk_seasons_group_id_groups', ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('id', name='pk_seasons'),
        sa.UniqueConstraint('group_id', 'key', name='uq_seasons_group_id_key'),
    )


def downgrade() -> None:
    op.drop_table('seasons')
