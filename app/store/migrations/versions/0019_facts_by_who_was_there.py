"""facts answer which games others were there, too"""

from alembic import op

revision = '0019'
down_revision = '0018'

RIVALS = ['game_id', 'player_id', 'place']
ATTEMPTS = ['player_id', 'variant_id', 'contract', 'kind', 'rounds', 'was_completed', 'finished_at']


def upgrade() -> None:
    make(RIVALS + ['seat_id'], ATTEMPTS + ['seat_id'])


def downgrade() -> None:
    make(RIVALS, ATTEMPTS)


def make(rivals: list[str], attempts: list[str]) -> None:
    op.drop_index('ix_seat_results_rivals', 'seat_results')
    op.create_index('ix_seat_results_rivals', 'seat_results', rivals)
    op.drop_index('ix_contract_attempts_sums', 'contract_attempts')
    op.create_index('ix_contract_attempts_sums', 'contract_attempts', attempts)
