"""the change that each entry of the log belongs to

What was told by the same moment and device is numbered, so that one change can be read by itself.
"""

import sqlalchemy as sa
from alembic import op

revision = '0017'
down_revision = '0016'

NUMBER = """
WITH first_entries AS (
    SELECT id, game_id, version, CASE WHEN
        lag(at) OVER in_order = at
        AND lag(coalesce(device_id, 0)) OVER in_order = coalesce(device_id, 0)
        AND lag(device_name) OVER in_order = device_name
    THEN NULL ELSE version END AS first
    FROM log WINDOW in_order AS (PARTITION BY game_id ORDER BY version)
), numbered AS (
    SELECT id, max(first) OVER (PARTITION BY game_id ORDER BY version) AS change
    FROM first_entries
)
UPDATE log SET change = numbered.change FROM numbered WHERE numbered.id = log.id
"""


def upgrade() -> None:
    op.add_column('log', sa.Column('change', sa.Integer(), nullable=True))
    op.execute(NUMBER)
    with op.batch_alter_table('log', schema=None) as batch_op:
        batch_op.alter_column('change', existing_type=sa.Integer(), nullable=False)
        batch_op.create_index('ix_log_game_id_change_version', ['game_id', 'change', 'version'])


def downgrade() -> None:
    with op.batch_alter_table('log', schema=None) as batch_op:
        batch_op.drop_index('ix_log_game_id_change_version')
        batch_op.drop_column('change')
