"""facts of finished games in place of sums

The attempts at contracts become rows of their own, from the documents in which each seat kept them.
The sums go: they follow from the facts. Version 1.0.0 does not run on the tables of 0008 and later
either, so nothing is kept for it. On the way back the sums are empty until `flask rebuild-stats`.
"""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = '0016'
down_revision = '0015'

AT_ONCE = 2000
PLAYED = sa.table(
    'seat_results',
    sa.column('seat_id', sa.Integer),
    sa.column('player_id', sa.Integer),
    sa.column('variant_id', sa.String),
    sa.column('finished_at', sa.DateTime),
    sa.column('tries', sa.JSON),
)
TABLES = Path(__file__).parents[1] / '1_0_0.sql'
SUMS = ('streaks', 'rival_tallies', 'stuck_tallies', 'contract_tallies', 'player_tallies')


def upgrade() -> None:
    op.add_column('seat_results', sa.Column('variant_id', sa.String(length=60), nullable=True))
    op.drop_index('ix_seat_results_game_id', 'seat_results')
    op.drop_index('ix_seat_results_player_id_finished_at_game_id_won', 'seat_results')
    op.execute(
        'UPDATE seat_results SET variant_id ='
        ' (SELECT variant_id FROM games WHERE games.id = seat_results.game_id)'
    )
    op.create_table('contract_attempts',
    sa.Column('seat_id', sa.Integer(), autoincrement=False, nullable=False),
    sa.Column('player_id', sa.Integer(), nullable=False),
    sa.Column('contract', sa.Integer(), nullable=False),
    sa.Column('variant_id', sa.String(length=60), nullable=False),
    sa.Column('finished_at', sa.DateTime(), nullable=False),
    sa.Column('kind', sa.String(length=5), nullable=False),
    sa.Column('rounds', sa.Integer(), nullable=False),
    sa.Column('was_completed', sa.Boolean(), nullable=False),
    sa.ForeignKeyConstraint(['seat_id', 'player_id'], ['seat_results.seat_id', 'seat_results.player_id'], name=op.f('fk_contract_attempts_seat_id_seat_results'), onupdate='CASCADE', ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('seat_id', 'player_id', 'contract', name=op.f('pk_contract_attempts'))
    )
    make_rows_of_tries()
    with op.batch_alter_table('seat_results', schema=None) as batch_op:
        batch_op.alter_column('variant_id', existing_type=sa.String(length=60), nullable=False)
        batch_op.drop_column('tries')
        batch_op.create_index('ix_seat_results_sums', ['player_id', 'finished_at', 'game_id', 'variant_id', 'won', 'place', 'rounds', 'met', 'went_out', 'penalty', 'penalty_rounds', 'bonus', 'bonuses'])
        batch_op.create_index('ix_seat_results_rivals', ['game_id', 'player_id', 'place'])
    op.create_index('ix_contract_attempts_sums', 'contract_attempts', ['player_id', 'variant_id', 'contract', 'kind', 'rounds', 'was_completed', 'finished_at'])
    op.drop_index('ix_results_group_id_variant_id', 'results')
    op.create_index('ix_results_records', 'results', ['group_id', 'variant_id', 'finished_at', 'game_id', 'seconds', 'rounds', 'by_points', 'margin', 'comeback'])
    for table in SUMS:
        op.drop_table(table)


def make_rows_of_tries() -> None:
    connection = op.get_bind()
    attempts = sa.Table('contract_attempts', sa.MetaData(), autoload_with=connection)
    place = (0, 0)
    key = sa.tuple_(PLAYED.c.seat_id, PLAYED.c.player_id)
    while seats := connection.execute(
        sa.select(PLAYED).where(key > place).order_by(*key.clauses).limit(AT_ONCE)
    ).all():
        place = (seats[-1].seat_id, seats[-1].player_id)
        rows = [
            {
                'seat_id': seat.seat_id,
                'player_id': seat.player_id,
                'contract': contract,
                'variant_id': seat.variant_id,
                'finished_at': seat.finished_at,
                'kind': kind,
                'rounds': rounds,
                'was_completed': bool(completed),
            }
            for seat in seats
            if isinstance(seat.tries, list)
            for contract, kind, rounds, completed in seat.tries
        ]
        if rows:
            connection.execute(attempts.insert(), rows)


def downgrade() -> None:
    op.drop_index('ix_results_records', 'results')
    op.create_index('ix_results_group_id_variant_id', 'results', ['group_id', 'variant_id'])
    op.drop_table('contract_attempts')
    with op.batch_alter_table('seat_results', schema=None) as batch_op:
        batch_op.drop_index('ix_seat_results_rivals')
        batch_op.drop_index('ix_seat_results_sums')
        batch_op.add_column(sa.Column('tries', sa.JSON(), nullable=False, server_default='[]'))
        batch_op.drop_column('variant_id')
        batch_op.create_index('ix_seat_results_game_id', ['game_id'])
        batch_op.create_index('ix_seat_results_player_id_finished_at_game_id_won', ['player_id', 'finished_at', 'game_id', 'won'])
    with op.batch_alter_table('seat_results', schema=None) as batch_op:
        batch_op.alter_column('tries', existing_type=sa.JSON(), server_default=None)
    moment = 'TIMESTAMP' if op.get_bind().dialect.name == 'postgresql' else 'DATETIME'
    for statement in TABLES.read_text(encoding='utf-8').split(';'):
        if statement.strip().startswith(tuple(f'CREATE TABLE {one} ' for one in SUMS)):
            op.execute(statement.replace('$datetime', moment))
