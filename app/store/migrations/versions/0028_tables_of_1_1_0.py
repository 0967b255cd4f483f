"""the tables of version 1.1.0

Databases of revisions between 1.0.0 and it are upgraded by 1.1.0 first. The way back is the copy made
before: 1.0.0 does not run on these tables.
"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = '0028'
down_revision = '0006'
breaking = True

AT_ONCE = 2000
LONGEST_NAME = 40
SUMS = (
    'player_id', 'finished_at', 'game_id', 'variant_id', 'won', 'place', 'rounds', 'contract_rounds',
    'met', 'went_out', 'penalty', 'penalty_rounds', 'bonus', 'bonuses', 'score',
)
ATTEMPTS = ('player_id', 'variant_id', 'contract', 'kind', 'rounds', 'was_completed', 'finished_at', 'seat_id')
RECORDS = (
    'group_id', 'variant_id', 'finished_at', 'game_id', 'seconds', 'rounds', 'by_points', 'margin', 'comeback',
)
CHANGES = """
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
    add_columns()
    make_tables()
    change_players()
    change_games()
    number_changes()
    make_facts()


def add_columns() -> None:
    """What may be empty, or has a default; nobody knows which programs still ask."""
    no = sa.false()
    for table, *columns in (
        ('alembic_version', sa.Column('usable_since', sa.String(32))),
        ('games', sa.Column('course', sa.JSON()), sa.Column('stopped', sa.String(10)), sa.Column('evening', sa.String(8))),
        ('groups', sa.Column('abandoned_at', sa.DateTime()), sa.Column('milestones', sa.Boolean(), nullable=False, server_default=sa.true())),
        ('memberships', sa.Column('way_back_dismissed', sa.Boolean(), nullable=False, server_default=no)),
        ('recorded_rulings', sa.Column('said', sa.JSON())),
        ('results', sa.Column('laid_at_once', sa.JSON())),
        ('rows', sa.Column('not_counted', sa.Boolean(), nullable=False, server_default=no), sa.Column('buys', sa.Integer(), nullable=False, server_default='0')),
        ('seats', sa.Column('starting_contract', sa.Integer(), nullable=False, server_default='1'), sa.Column('missed', sa.JSON())),
        ('tokens', sa.Column('seen_at', sa.DateTime())),
    ):
        for column in columns:
            op.add_column(table, column)
    op.execute('UPDATE tokens SET seen_at = CURRENT_TIMESTAMP')
    for table, column, parent, ondelete in (
        ('invitations', 'game_id', 'games', 'CASCADE'),
        ('links', 'device_id', 'devices', 'CASCADE'),
        ('memberships', 'let_in_by_id', 'devices', 'SET NULL'),
        ('tokens', 'device_id', 'devices', 'CASCADE'),
    ):
        with op.batch_alter_table(table) as changed:
            changed.add_column(sa.Column(column, sa.Integer()))
            changed.create_foreign_key(f'fk_{table}_{column}_{parent}', parent, [column], ['id'], ondelete=ondelete)
    with op.batch_alter_table('memberships') as changed:
        changed.drop_constraint('fk_memberships_link_id_links', type_='foreignkey')
        changed.create_foreign_key('fk_memberships_link_id_links', 'links', ['link_id'], ['id'], ondelete='SET NULL')


def make_tables() -> None:
    """Idempotency keys of 1.0.0 say neither who sent them nor for what, so they are dropped.

    A repeat of theirs could be taken for somebody else's. What may be repeated across this upgrade is a
    phone's tap, which sets a value and asks before it overwrites what another phone changed meanwhile.
    A rule set's key becomes the group's own, so that a copy brought into another group keeps it.
    """
    op.create_table(
        'idempotency_keys',
        sa.Column('sender', sa.String(64), nullable=False),
        sa.Column('key', sa.String(255), nullable=False),
        sa.Column('fingerprint', sa.String(64), nullable=False),
        sa.Column('result', sa.String(40), nullable=False),
        sa.Column('at', sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint('sender', 'key', name='pk_idempotency_keys'),
    )
    op.create_index('ix_idempotency_keys_at', 'idempotency_keys', ['at'])
    op.drop_table('answered_keys')
    with op.batch_alter_table('rule_sets') as changed:
        changed.drop_constraint('uq_rule_sets_made_by_key', type_='unique')
        changed.drop_constraint('uq_rule_sets_key', type_='unique')
        changed.drop_column('made_by_key')
        changed.drop_column('changed_by_key')
        changed.create_unique_constraint('uq_rule_sets_group_id_key', ['group_id', 'key'])
    op.create_table(
        'stand_ins',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('seat_id', sa.Integer(), nullable=False),
        sa.Column('from_round', sa.Integer(), nullable=False),
        sa.Column('player_id', sa.Integer(), nullable=False),
        sa.Column('played_as_id', sa.Integer()),
        sa.ForeignKeyConstraint(['played_as_id'], ['players.id'], name='fk_stand_ins_played_as_id_players'),
        sa.ForeignKeyConstraint(['player_id'], ['players.id'], name='fk_stand_ins_player_id_players'),
        sa.ForeignKeyConstraint(['seat_id'], ['seats.id'], name='fk_stand_ins_seat_id_seats', ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('id', name='pk_stand_ins'),
    )
    for column in ('seat_id', 'player_id', 'played_as_id'):
        op.create_index(f'ix_stand_ins_{column}', 'stand_ins', [column])
    op.create_table(
        'seasons',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('group_id', sa.Integer(), nullable=False),
        sa.Column('key', sa.String(16), nullable=False),
        sa.Column('name', sa.String(40), nullable=False),
        sa.Column('since', sa.DateTime(), nullable=False),
        sa.Column('until', sa.DateTime()),
        sa.Column('evenings', sa.Integer()),
        sa.Column('variants', sa.JSON()),
        sa.Column('measure', sa.String(16), nullable=False),
        sa.Column('place_points', sa.JSON()),
        sa.Column('best_of', sa.Integer()),
        sa.Column('least_games', sa.Integer(), nullable=False),
        sa.Column('decided', sa.JSON()),
        sa.Column('champions', sa.JSON()),
        sa.Column('changed_games', sa.JSON()),
        sa.ForeignKeyConstraint(['group_id'], ['groups.id'], name='fk_seasons_group_id_groups', ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('id', name='pk_seasons'),
        sa.UniqueConstraint('group_id', 'key', name='uq_seasons_group_id_key'),
    )


def change_players() -> None:
    """The name by which players are compared may be three times as long as the name, and each gets a mark.

    Names with decomposed letters, which a CSV could bring in, are composed; where that makes them
    another player's name, a number is put after them. Who plays most gets the first marks of a group,
    which differ most.
    """
    with op.batch_alter_table('players') as changed:
        changed.alter_column('name_key', existing_type=sa.String(80), type_=sa.String(120), existing_nullable=False)
        changed.add_column(sa.Column('mark', sa.String(16), nullable=False, server_default='1-1-'))
    connection = op.get_bind()
    players = sa.table('players', *map(sa.column, ('id', 'group_id', 'name', 'name_key', 'mark', 'merged_into_id')))
    change = players.update().where(players.c.id == sa.bindparam('player'))
    rows = connection.execute(sa.select(players).order_by(players.c.id)).all()
    taken = {(row.group_id, row.name_key) for row in rows}
    for row in rows:
        composed = unicodedata.normalize('NFC', row.name)
        if composed == row.name:
            continue
        name, number = composed[:LONGEST_NAME], 2
        while (row.group_id, name.casefold()) in taken - {(row.group_id, row.name_key)}:
            name, number = f'{composed[: LONGEST_NAME - 4]} {number}', number + 1
        taken = taken - {(row.group_id, row.name_key)} | {(row.group_id, name.casefold())}
        connection.execute(change.values(name=name, name_key=name.casefold()), {'player': row.id})
    seats = sa.table('seats', sa.column('id'), sa.column('player_id'))
    by_games = (
        sa.select(players.c.id, players.c.group_id)
        .join_from(players, seats, seats.c.player_id == players.c.id, isouter=True)
        .group_by(players.c.id, players.c.group_id, players.c.merged_into_id)
        .order_by(players.c.merged_into_id.is_not(None), sa.func.count(seats.c.id).desc(), players.c.id)
    )
    counts: dict[int, int] = {}
    for player, group in connection.execute(by_games).all():
        number = counts[group] = counts.get(group, -1) + 1
        mark = f'{number % 8 + 1}-{(number + number // 8) % 8 + 1}-'
        connection.execute(change.values(mark=mark), {'player': player})


def change_games() -> None:
    """Each version of a game has a stamp that is never used again, and lists read the name of its rules."""
    op.add_column('games', sa.Column('stamp', sa.BigInteger()))
    op.add_column('games', sa.Column('variant_name', sa.String(60)))
    sqlite = op.get_bind().dialect.name == 'sqlite'
    drawn = 'random()' if sqlite else "('x' || left(md5(id || '-' || random()), 16))::bit(64)::bigint"
    games = sa.table('games', sa.column('rules', sa.JSON()), sa.column('stamp'), sa.column('variant_name'))
    name = games.c.rules['name'].as_string()
    op.execute(games.update().values(stamp=sa.literal_column(drawn), variant_name=name))
    with op.batch_alter_table('games') as changed:
        changed.alter_column('stamp', existing_type=sa.BigInteger(), nullable=False)


def number_changes() -> None:
    """Of the log: what was told by the same moment and device is one change, read by itself."""
    op.add_column('log', sa.Column('change', sa.Integer()))
    op.execute(CHANGES)
    with op.batch_alter_table('log') as changed:
        changed.alter_column('change', existing_type=sa.Integer(), nullable=False)
        changed.create_index('ix_log_game_id_change_version', ['game_id', 'change', 'version'])


def make_facts() -> None:
    """Facts of finished games in place of sums, which follow from them.

    The attempts at contracts become rows of their own, from the documents in which each seat kept them.
    A seat has a result for each player who played on it last. Until now every game had contracts.
    """
    for table in ('streaks', 'rival_tallies', 'stuck_tallies', 'contract_tallies', 'player_tallies'):
        op.drop_table(table)
    op.add_column('seat_results', sa.Column('variant_id', sa.String(60)))
    op.add_column('seat_results', sa.Column('contract_rounds', sa.Integer(), nullable=False, server_default='0'))
    op.execute(
        'UPDATE seat_results SET contract_rounds = rounds,'
        ' variant_id = (SELECT variant_id FROM games WHERE games.id = seat_results.game_id)'
    )
    with op.batch_alter_table('seat_results') as changed:
        changed.drop_constraint('pk_seat_results', type_='primary')
        changed.create_primary_key('pk_seat_results', ['seat_id', 'player_id'])
        changed.alter_column('variant_id', existing_type=sa.String(60), nullable=False)
        changed.drop_index('ix_seat_results_game_id')
        changed.drop_index('ix_seat_results_player_id_finished_at_game_id_won')
        changed.create_index('ix_seat_results_sums', SUMS)
        changed.create_index('ix_seat_results_rivals', ['game_id', 'player_id', 'place', 'seat_id'])
    op.create_table(
        'contract_attempts',
        sa.Column('seat_id', sa.Integer(), autoincrement=False, nullable=False),
        sa.Column('player_id', sa.Integer(), nullable=False),
        sa.Column('contract', sa.Integer(), nullable=False),
        sa.Column('variant_id', sa.String(60), nullable=False),
        sa.Column('finished_at', sa.DateTime(), nullable=False),
        sa.Column('kind', sa.String(5), nullable=False),
        sa.Column('rounds', sa.Integer(), nullable=False),
        sa.Column('was_completed', sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(['seat_id', 'player_id'], ['seat_results.seat_id', 'seat_results.player_id'], name='fk_contract_attempts_seat_id_seat_results', onupdate='CASCADE', ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('seat_id', 'player_id', 'contract', name='pk_contract_attempts'),
    )
    make_attempts()
    op.create_index('ix_contract_attempts_sums', 'contract_attempts', ATTEMPTS)
    with op.batch_alter_table('seat_results') as changed:
        changed.drop_column('tries')
    op.drop_index('ix_results_group_id_variant_id', 'results')
    op.create_index('ix_results_records', 'results', RECORDS)
    laid: dict[int, list[int]] = {}
    for game, contract in op.get_bind().execute(sa.text(LAID_AT_ONCE)):
        laid.setdefault(game, []).append(contract)
    results = sa.table('results', sa.column('game_id'), sa.column('laid_at_once', sa.JSON()))
    for game, contracts in laid.items():
        op.execute(results.update().where(results.c.game_id == game).values(laid_at_once=contracts))


def make_attempts() -> None:
    connection = op.get_bind()
    attempts, played = (
        sa.Table(name, sa.MetaData(), autoload_with=connection, resolve_fks=False)
        for name in ('contract_attempts', 'seat_results')
    )
    kept = [column for column in played.c if column.name in attempts.c and column.name != 'rounds']
    key, place = sa.tuple_(played.c.seat_id, played.c.player_id), (0, 0)
    some = sa.select(*kept, played.c.tries).order_by(*key.clauses).limit(AT_ONCE)
    while seats := connection.execute(some.where(key > place)).mappings().all():
        place = (seats[-1]['seat_id'], seats[-1]['player_id'])
        rows = [
            {**of_seat, 'contract': contract, 'kind': kind, 'rounds': rounds, 'was_completed': bool(completed)}
            for seat in seats
            for of_seat in [{column.name: seat[column.name] for column in kept}]
            if isinstance(seat['tries'], list)
            for contract, kind, rounds, completed in seat['tries']
        ]
        if rows:
            connection.execute(attempts.insert(), rows)


def downgrade() -> None:
    raise RuntimeError('Going back to 1.0.0 means that version and the copy made before the upgrade.')
