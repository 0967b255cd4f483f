"""what pages of figures read: names of rules, scores beside the sums, contracts laid at once"""

import sqlalchemy as sa
from alembic import op

revision = '0028'
down_revision = '0027'

SUMS = (
    'player_id', 'finished_at', 'game_id', 'variant_id', 'won', 'place', 'rounds',
    'contract_rounds', 'met', 'went_out', 'penalty', 'penalty_rounds', 'bonus', 'bonuses',
)
LAID_AT_ONCE = """
    SELECT seat_results.game_id, contract_attempts.contract
    FROM contract_attempts JOIN seat_results
      ON seat_results.seat_id = contract_attempts.seat_id
      AND seat_results.player_id = contract_attempts.player_id
    WHERE contract_attempts.rounds = 1 AND contract_attempts.was_completed
    GROUP BY seat_results.game_id, contract_attempts.contract
    HAVING count(*) = (SELECT count(*) FROM seat_results everyone WHERE everyone.game_id = seat_results.game_id)
    ORDER BY seat_results.game_id, contract_attempts.contract
"""


def upgrade() -> None:
    op.add_column('games', sa.Column('variant_name', sa.String(length=60), nullable=True))
    games = sa.table('games', sa.column('rules', sa.JSON()), sa.column('variant_name', sa.String()))
    op.execute(games.update().values(variant_name=games.c.rules['name'].as_string()))
    _index_sums(*SUMS, 'score')
    op.add_column('results', sa.Column('laid_at_once', sa.JSON(), nullable=True))
    laid: dict[int, list[int]] = {}
    for game, contract in op.get_bind().execute(sa.text(LAID_AT_ONCE)):
        laid.setdefault(game, []).append(contract)
    results = sa.table('results', sa.column('game_id'), sa.column('laid_at_once', sa.JSON()))
    for game, contracts in laid.items():
        op.execute(results.update().where(results.c.game_id == game).values(laid_at_once=contracts))


def downgrade() -> None:
    with op.batch_alter_table('results', schema=None) as batch_op:
        batch_op.drop_column('laid_at_once')
    _index_sums(*SUMS)
    with op.batch_alter_table('games', schema=None) as batch_op:
        batch_op.drop_column('variant_name')


def _index_sums(*columns: str) -> None:
    op.drop_index('ix_seat_results_sums', 'seat_results')
    op.create_index('ix_seat_results_sums', 'seat_results', columns)
