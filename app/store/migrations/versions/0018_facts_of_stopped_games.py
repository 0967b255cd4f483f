"""facts of stopped games made anew

What a game with table events came to is told otherwise than when those events were new: stopping
changes no place, a correction counts for good, a stand-in has the place. Its result goes here, and
the next start, which makes what results are missing, makes its facts anew from its rounds.
"""

from alembic import op

revision = '0018'
down_revision = '0017'


def upgrade() -> None:
    op.execute(
        'DELETE FROM results WHERE game_id IN'
        ' (SELECT id FROM games WHERE stopped IS NOT NULL OR course IS NOT NULL)'
        ' OR game_id IN'
        ' (SELECT game_id FROM seats JOIN stand_ins ON stand_ins.seat_id = seats.id)'
    )


def downgrade() -> None:
    """The facts are good for the schema before, too."""
