"""rule sets by group, long names, composed names

A rule set's key becomes the group's own, so that a copy brought into another group keeps it. The
name by which players are compared may be three times as long as the name. Names with decomposed
letters, which a CSV could bring in, are composed; where that makes them another player's name, a
number is put after them.
"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = '0011'
down_revision = '0010'

LONGEST = 40


def upgrade() -> None:
    with op.batch_alter_table('rule_sets', schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f('uq_rule_sets_key'), type_='unique')
        batch_op.create_unique_constraint(batch_op.f('uq_rule_sets_group_id_key'), ['group_id', 'key'])
    with op.batch_alter_table('players', schema=None) as batch_op:
        batch_op.alter_column(
            'name_key', existing_type=sa.String(80), type_=sa.String(120), existing_nullable=False
        )
    compose_names()


def compose_names() -> None:
    connection = op.get_bind()
    players = sa.table(
        'players',
        sa.column('id', sa.Integer),
        sa.column('group_id', sa.Integer),
        sa.column('name', sa.String),
        sa.column('name_key', sa.String),
    )
    rows = connection.execute(sa.select(players).order_by(players.c.id)).all()
    taken = {(row.group_id, row.name_key) for row in rows}
    for row in rows:
        composed = unicodedata.normalize('NFC', row.name)
        if composed == row.name:
            continue
        name, number = composed[:LONGEST], 2
        while (row.group_id, name.casefold()) in taken - {(row.group_id, row.name_key)}:
            name, number = f'{composed[: LONGEST - 4]} {number}', number + 1
        taken = taken - {(row.group_id, row.name_key)} | {(row.group_id, name.casefold())}
        connection.execute(
            players.update()
            .where(players.c.id == row.id)
            .values(name=name, name_key=name.casefold())
        )


def downgrade() -> None:
    with op.batch_alter_table('players', schema=None) as batch_op:
        batch_op.alter_column(
            'name_key', existing_type=sa.String(120), type_=sa.String(80), existing_nullable=False
        )
    with op.batch_alter_table('rule_sets', schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f('uq_rule_sets_group_id_key'), type_='unique')
        batch_op.create_unique_constraint(batch_op.f('uq_rule_sets_key'), ['key'])
