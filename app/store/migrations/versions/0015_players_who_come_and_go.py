"""rounds missed, stand-ins, what late joiners begin on"""

import sqlalchemy as sa
from alembic import op

revision = '0015'
down_revision = '0014'


def upgrade() -> None:
    op.add_column('seats', sa.Column('starting_contract', sa.Integer(), nullable=False, server_default='1'))
    op.add_column('seats', sa.Column('missed', sa.JSON(none_as_null=True), nullable=True))
    op.create_table('stand_ins',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('seat_id', sa.Integer(), nullable=False),
    sa.Column('from_round', sa.Integer(), nullable=False),
    sa.Column('player_id', sa.Integer(), nullable=False),
    sa.Column('played_as_id', sa.Integer(), nullable=True),
    sa.ForeignKeyConstraint(['played_as_id'], ['players.id'], name=op.f('fk_stand_ins_played_as_id_players')),
    sa.ForeignKeyConstraint(['player_id'], ['players.id'], name=op.f('fk_stand_ins_player_id_players')),
    sa.ForeignKeyConstraint(['seat_id'], ['seats.id'], name=op.f('fk_stand_ins_seat_id_seats'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_stand_ins'))
    )
    op.create_index(op.f('ix_stand_ins_seat_id'), 'stand_ins', ['seat_id'])
    op.create_index(op.f('ix_stand_ins_player_id'), 'stand_ins', ['player_id'])
    op.create_index(op.f('ix_stand_ins_played_as_id'), 'stand_ins', ['played_as_id'])
    _key_of_seat_results('seat_id', 'player_id')


def downgrade() -> None:
    op.execute('DELETE FROM seat_results WHERE place IS NULL AND seat_id IN (SELECT seat_id FROM stand_ins)')
    _key_of_seat_results('seat_id')
    op.drop_table('stand_ins')
    with op.batch_alter_table('seats', schema=None) as batch_op:
        batch_op.drop_column('missed')
        batch_op.drop_column('starting_contract')


def _key_of_seat_results(*columns: str) -> None:
    """A seat has a result for each player who played on it last."""
    with op.batch_alter_table('seat_results', schema=None) as batch_op:
        batch_op.drop_constraint('pk_seat_results', type_='primary')
        batch_op.create_primary_key('pk_seat_results', list(columns))
