"""the longest round of each game, and how long a stopped one was played; ties are closest"""

from collections.abc import Iterator
from itertools import groupby, pairwise

import sqlalchemy as sa
from alembic import op

revision = '0031'
down_revision = '0030'

INDEX = ['group_id', 'variant_id', 'finished_at', 'game_id', 'seconds', 'rounds', 'by_points', 'margin', 'comeback']
MOST = 2**31 - 1
TIES = """
    UPDATE results SET margin = 0 WHERE game_id IN
    (SELECT game_id FROM seat_results WHERE won GROUP BY game_id HAVING count(*) > 1)
"""

games = sa.table('games', sa.column('id'), sa.column('started_at', sa.DateTime()), sa.column('stopped'))
rounds = sa.table('rounds', sa.column('game_id'), sa.column('number'), sa.column('closed_at', sa.DateTime()))
results = sa.table('results', sa.column('game_id'), sa.column('seconds'), sa.column('longest_round'))


def upgrade() -> None:
    op.add_column('results', sa.Column('longest_round', sa.Integer(), nullable=True))
    op.drop_index('ix_results_records', 'results')
    op.create_index('ix_results_records', 'results', [*INDEX, 'longest_round'])
    op.execute(sa.text(TIES))
    found = list(_longest())
    if found:
        update = results.update().where(results.c.game_id == sa.bindparam('game'))
        longest = {'longest_round': sa.bindparam('longest')}
        op.get_bind().execute(update.values(longest), found)
    stopped = [one for one in found if one['stopped']]
    if stopped:
        played = update.values({'seconds': sa.bindparam('played')})
        op.get_bind().execute(played, stopped)


def _longest() -> Iterator[dict[str, object]]:
    """Of each game with rounds that ended: its longest, and how long they took."""
    columns = rounds.c.game_id, games.c.started_at, games.c.stopped, rounds.c.closed_at
    ended = (
        sa.select(*columns)
        .join_from(rounds, games, games.c.id == rounds.c.game_id)
        .where(rounds.c.closed_at.is_not(None))
        .order_by(rounds.c.game_id, rounds.c.number)
    )
    rows = op.get_bind().execute(ended).all()
    for (game, started, stopped), lines in groupby(rows, key=lambda row: row[:3]):
        moments = [started, *(row.closed_at for row in lines)]
        lasted = [int((end - before).total_seconds()) for before, end in pairwise(moments)]
        yield {
            'game': game,
            'stopped': stopped,
            'longest': min(max(0, *lasted), MOST),
            'played': min(max(0, sum(lasted)), MOST),
        }


def downgrade() -> None:
    with op.batch_alter_table('results', schema=None) as batch_op:
        batch_op.drop_index('ix_results_records')
        batch_op.create_index('ix_results_records', INDEX, unique=False)
        batch_op.drop_column('longest_round')
