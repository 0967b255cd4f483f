"""no result for who was replaced, nor for who joined a game that stopped before they played

What such games came to is taken away here, and made anew when the app starts. Rules for late joiners last
where they were changed as house rules.
"""

import sqlalchemy as sa
from alembic import op

revision = '0034'
down_revision = '0033'

CHANGED = """
    DELETE FROM results WHERE game_id IN (SELECT id FROM games WHERE stopped = 'result')
    OR game_id IN (SELECT game_id FROM seats JOIN stand_ins ON stand_ins.seat_id = seats.id)
"""


def upgrade() -> None:
    with op.batch_alter_table('seat_results', schema=None) as batch_op:
        batch_op.alter_column('won', existing_type=sa.Boolean(), nullable=True)
    op.execute(sa.text(CHANGED))
    op.add_column('rule_changes', sa.Column('lasts_as', sa.String(20)))


def downgrade() -> None:
    with op.batch_alter_table('rule_changes', schema=None) as batch_op:
        batch_op.drop_column('lasts_as')
    op.execute(sa.text('UPDATE seat_results SET won = false WHERE won IS NULL'))
    with op.batch_alter_table('seat_results', schema=None) as batch_op:
        batch_op.alter_column('won', existing_type=sa.Boolean(), nullable=False)
