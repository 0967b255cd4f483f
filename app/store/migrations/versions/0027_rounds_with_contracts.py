"""rounds with contracts, apart from those of games that know points alone

Until now every game had contracts.
"""

import sqlalchemy as sa
from alembic import op

revision = '0027'
down_revision = '0026'

INDEX = 'ix_seat_results_sums'
KEYS = ['player_id', 'finished_at', 'game_id', 'variant_id', 'won', 'place', 'rounds']
SUMS = ['met', 'went_out', 'penalty', 'penalty_rounds', 'bonus', 'bonuses']


def upgrade() -> None:
    op.drop_index(INDEX, 'seat_results')
    op.add_column('seat_results', sa.Column('contract_rounds', sa.Integer(), nullable=False, server_default='0'))
    op.execute(sa.text('UPDATE seat_results SET contract_rounds = rounds'))
    op.create_index(INDEX, 'seat_results', [*KEYS, 'contract_rounds', *SUMS])


def downgrade() -> None:
    op.drop_index(INDEX, 'seat_results')
    with op.batch_alter_table('seat_results', schema=None) as batch_op:
        batch_op.drop_column('contract_rounds')
    op.create_index(INDEX, 'seat_results', [*KEYS, *SUMS])
