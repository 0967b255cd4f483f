"""marks of players

Who plays most gets the first marks of a group, which differ most.
"""

import sqlalchemy as sa
from alembic import op

revision = '0024'
down_revision = '0023'


def upgrade() -> None:
    op.add_column('players', sa.Column('mark', sa.String(length=16), nullable=False, server_default='1-1-'))
    connection = op.get_bind()
    players = connection.execute(
        sa.text(
            'SELECT players.id, players.group_id FROM players'
            ' LEFT JOIN seats ON seats.player_id = players.id'
            ' GROUP BY players.id, players.group_id, players.merged_into_id'
            ' ORDER BY players.merged_into_id IS NOT NULL, count(seats.id) DESC, players.id'
        )
    ).all()
    counts: dict[int, int] = {}
    for player, group in players:
        number = counts[group] = counts.get(group, -1) + 1
        connection.execute(
            sa.text('UPDATE players SET mark = :mark WHERE id = :player'),
            {'mark': f'{number % 8 + 1}-{(number + number // 8) % 8 + 1}-', 'player': player},
        )


def downgrade() -> None:
    with op.batch_alter_table('players', schema=None) as batch_op:
        batch_op.drop_column('mark')
