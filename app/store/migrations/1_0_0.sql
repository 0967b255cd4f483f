-- The tables of version 1.0.0, on SQLite and PostgreSQL.

CREATE TABLE groups (
  id $id NOT NULL,
  name VARCHAR(80) NOT NULL,
  created_at $datetime NOT NULL,
  CONSTRAINT pk_groups PRIMARY KEY (id)
);

CREATE TABLE links (
  id $id NOT NULL,
  group_id INTEGER NOT NULL,
  role VARCHAR(8) NOT NULL,
  secret_hash VARCHAR(64) NOT NULL,
  created_at $datetime NOT NULL,
  CONSTRAINT pk_links PRIMARY KEY (id),
  CONSTRAINT fk_links_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE,
  CONSTRAINT uq_links_group_id_role UNIQUE (group_id, role),
  CONSTRAINT uq_links_secret_hash UNIQUE (secret_hash)
);

CREATE TABLE players (
  id $id NOT NULL,
  group_id INTEGER NOT NULL,
  name VARCHAR(40) NOT NULL,
  name_key VARCHAR(80) NOT NULL,
  created_at $datetime NOT NULL,
  archived_at $datetime,
  merged_into_id INTEGER,
  CONSTRAINT pk_players PRIMARY KEY (id),
  CONSTRAINT uq_players_group_id_name_key UNIQUE (group_id, name_key),
  CONSTRAINT fk_players_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE,
  CONSTRAINT fk_players_merged_into_id_players FOREIGN KEY(merged_into_id) REFERENCES players (id) ON DELETE SET NULL
);
CREATE INDEX ix_players_merged_into_id ON players (merged_into_id);

CREATE TABLE rival_tallies (
  player_id INTEGER NOT NULL,
  rival_id INTEGER NOT NULL,
  shared INTEGER NOT NULL,
  above INTEGER NOT NULL,
  level INTEGER NOT NULL,
  CONSTRAINT pk_rival_tallies PRIMARY KEY (player_id, rival_id),
  CONSTRAINT fk_rival_tallies_player_id_players FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE,
  CONSTRAINT fk_rival_tallies_rival_id_players FOREIGN KEY(rival_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE TABLE rule_sets (
  id $id NOT NULL,
  group_id INTEGER NOT NULL,
  "key" VARCHAR(20) NOT NULL,
  name VARCHAR(60) NOT NULL,
  document JSON NOT NULL,
  version INTEGER NOT NULL,
  created_at $datetime NOT NULL,
  changed_at $datetime NOT NULL,
  removed_at $datetime,
  made_by_key VARCHAR(64),
  changed_by_key VARCHAR(64) NOT NULL,
  CONSTRAINT pk_rule_sets PRIMARY KEY (id),
  CONSTRAINT fk_rule_sets_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE,
  CONSTRAINT uq_rule_sets_key UNIQUE ("key"),
  CONSTRAINT uq_rule_sets_made_by_key UNIQUE (made_by_key)
);
CREATE INDEX ix_rule_sets_group_id ON rule_sets (group_id);

CREATE TABLE streaks (
  player_id INTEGER NOT NULL,
  current INTEGER NOT NULL,
  longest INTEGER NOT NULL,
  last_at $datetime NOT NULL,
  last_game_id INTEGER NOT NULL,
  CONSTRAINT pk_streaks PRIMARY KEY (player_id),
  CONSTRAINT fk_streaks_player_id_players FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE TABLE stuck_tallies (
  player_id INTEGER NOT NULL,
  rounds INTEGER NOT NULL,
  variant_id VARCHAR(60) NOT NULL,
  contract INTEGER NOT NULL,
  times INTEGER NOT NULL,
  CONSTRAINT pk_stuck_tallies PRIMARY KEY (player_id, rounds, variant_id, contract),
  CONSTRAINT fk_stuck_tallies_player_id_players FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE TABLE tokens (
  id $id NOT NULL,
  group_id INTEGER NOT NULL,
  name VARCHAR(40) NOT NULL,
  role VARCHAR(8) NOT NULL,
  secret_hash VARCHAR(64) NOT NULL,
  created_at $datetime NOT NULL,
  CONSTRAINT pk_tokens PRIMARY KEY (id),
  CONSTRAINT fk_tokens_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE,
  CONSTRAINT uq_tokens_secret_hash UNIQUE (secret_hash)
);
CREATE INDEX ix_tokens_group_id ON tokens (group_id);

CREATE TABLE uploads (
  "key" VARCHAR(32) NOT NULL,
  group_id INTEGER NOT NULL,
  name VARCHAR(120) NOT NULL,
  content $bytes NOT NULL,
  created_at $datetime NOT NULL,
  CONSTRAINT pk_uploads PRIMARY KEY ("key"),
  CONSTRAINT fk_uploads_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE INDEX ix_uploads_group_id ON uploads (group_id);

CREATE TABLE contract_tallies (
  player_id INTEGER NOT NULL,
  variant_id VARCHAR(60) NOT NULL,
  contract INTEGER NOT NULL,
  kind VARCHAR(5) NOT NULL,
  games INTEGER NOT NULL,
  rounds INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  CONSTRAINT pk_contract_tallies PRIMARY KEY (player_id, variant_id, contract, kind),
  CONSTRAINT fk_contract_tallies_player_id_players FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE TABLE default_rules (
  id $id NOT NULL,
  group_id INTEGER NOT NULL,
  variant_id VARCHAR(60) NOT NULL,
  rules JSON NOT NULL,
  changed_at $datetime NOT NULL,
  CONSTRAINT pk_default_rules PRIMARY KEY (id),
  CONSTRAINT fk_default_rules_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE,
  CONSTRAINT uq_default_rules_group_id_variant_id UNIQUE (group_id, variant_id)
);

CREATE TABLE devices (
  id $id NOT NULL,
  secret_hash VARCHAR(64) NOT NULL,
  created_at $datetime NOT NULL,
  group_id INTEGER,
  name VARCHAR(40) DEFAULT '' NOT NULL,
  CONSTRAINT pk_devices PRIMARY KEY (id),
  CONSTRAINT fk_devices_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE SET NULL,
  CONSTRAINT uq_devices_secret_hash UNIQUE (secret_hash)
);

CREATE TABLE games (
  id $id NOT NULL,
  "key" VARCHAR(16) NOT NULL,
  group_id INTEGER NOT NULL,
  variant_id VARCHAR(60) NOT NULL,
  version INTEGER NOT NULL,
  started_at $datetime NOT NULL,
  finished_at $datetime,
  reopened BOOLEAN NOT NULL,
  title VARCHAR(80) DEFAULT '' NOT NULL,
  note VARCHAR(1000) DEFAULT '' NOT NULL,
  archived_at $datetime,
  deleted_at $datetime,
  on_paper BOOLEAN DEFAULT $false NOT NULL,
  imported_key VARCHAR(40),
  share_key VARCHAR(32),
  rules JSON NOT NULL,
  CONSTRAINT pk_games PRIMARY KEY (id),
  CONSTRAINT uq_games_key UNIQUE ("key"),
  CONSTRAINT fk_games_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE,
  CONSTRAINT uq_games_group_id_imported_key UNIQUE (group_id, imported_key),
  CONSTRAINT uq_games_share_key UNIQUE (share_key)
);
CREATE INDEX ix_games_group_id_finished_at_id ON games (group_id, finished_at, id);
CREATE INDEX ix_games_group_id_started_at_id ON games (group_id, started_at, id);

CREATE TABLE invitations (
  id $id NOT NULL,
  group_id INTEGER NOT NULL,
  device_id INTEGER NOT NULL,
  role VARCHAR(8) NOT NULL,
  code_hash VARCHAR(64) NOT NULL,
  ends_at $datetime NOT NULL,
  CONSTRAINT pk_invitations PRIMARY KEY (id),
  CONSTRAINT fk_invitations_device_id_devices FOREIGN KEY(device_id) REFERENCES devices (id) ON DELETE CASCADE,
  CONSTRAINT fk_invitations_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE,
  CONSTRAINT uq_invitations_code_hash UNIQUE (code_hash)
);
CREATE INDEX ix_invitations_group_id ON invitations (group_id);

CREATE TABLE memberships (
  id $id NOT NULL,
  device_id INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  role VARCHAR(8) NOT NULL,
  created_at $datetime NOT NULL,
  seen_at $datetime,
  link_id INTEGER,
  player_id INTEGER,
  CONSTRAINT pk_memberships PRIMARY KEY (id),
  CONSTRAINT fk_memberships_device_id_devices FOREIGN KEY(device_id) REFERENCES devices (id) ON DELETE CASCADE,
  CONSTRAINT fk_memberships_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE,
  CONSTRAINT uq_memberships_device_id_group_id UNIQUE (device_id, group_id),
  CONSTRAINT fk_memberships_link_id_links FOREIGN KEY(link_id) REFERENCES links (id) ON DELETE CASCADE,
  CONSTRAINT fk_memberships_player_id_players FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE SET NULL
);
CREATE INDEX ix_memberships_group_id ON memberships (group_id);
CREATE INDEX ix_memberships_link_id ON memberships (link_id);

CREATE TABLE player_tallies (
  player_id INTEGER NOT NULL,
  variant_id VARCHAR(60) NOT NULL,
  year INTEGER NOT NULL,
  games INTEGER NOT NULL,
  wins INTEGER NOT NULL,
  placed INTEGER NOT NULL,
  places INTEGER NOT NULL,
  rounds INTEGER NOT NULL,
  met INTEGER NOT NULL,
  went_out INTEGER NOT NULL,
  penalty INTEGER NOT NULL,
  penalty_rounds INTEGER NOT NULL,
  bonus INTEGER NOT NULL,
  bonuses INTEGER NOT NULL,
  CONSTRAINT pk_player_tallies PRIMARY KEY (player_id, variant_id, year),
  CONSTRAINT fk_player_tallies_player_id_players FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE TABLE results (
  game_id INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  variant_id VARCHAR(60) NOT NULL,
  finished_at $datetime NOT NULL,
  seconds INTEGER,
  rounds INTEGER NOT NULL,
  by_points BOOLEAN NOT NULL,
  margin INTEGER,
  comeback INTEGER,
  CONSTRAINT pk_results PRIMARY KEY (game_id),
  CONSTRAINT fk_results_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE,
  CONSTRAINT fk_results_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE INDEX ix_results_group_id_variant_id ON results (group_id, variant_id);

CREATE TABLE rule_changes (
  id $id NOT NULL,
  game_id INTEGER NOT NULL,
  from_round INTEGER NOT NULL,
  field VARCHAR(40) NOT NULL,
  value JSON NOT NULL,
  CONSTRAINT pk_rule_changes PRIMARY KEY (id),
  CONSTRAINT fk_rule_changes_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE,
  CONSTRAINT uq_rule_changes_game_id_from_round_field UNIQUE (game_id, from_round, field)
);

CREATE TABLE seats (
  id $id NOT NULL,
  game_id INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  joined_in INTEGER NOT NULL,
  left_after INTEGER,
  starting_score INTEGER NOT NULL,
  deals_first BOOLEAN NOT NULL,
  played_as_id INTEGER,
  CONSTRAINT pk_seats PRIMARY KEY (id),
  CONSTRAINT uq_seats_game_id_player_id UNIQUE (game_id, player_id),
  CONSTRAINT fk_seats_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE,
  CONSTRAINT fk_seats_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
  CONSTRAINT fk_seats_played_as_id_players FOREIGN KEY(played_as_id) REFERENCES players (id)
);
CREATE INDEX ix_seats_played_as_id ON seats (played_as_id);
CREATE INDEX ix_seats_player_id ON seats (player_id);

CREATE TABLE answered_keys (
  "key" VARCHAR(64) NOT NULL,
  game_id INTEGER NOT NULL,
  at $datetime NOT NULL,
  CONSTRAINT pk_answered_keys PRIMARY KEY ("key"),
  CONSTRAINT fk_answered_keys_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
CREATE INDEX ix_answered_keys_at ON answered_keys (at);

CREATE TABLE log (
  id $id NOT NULL,
  game_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  at $datetime NOT NULL,
  device_id INTEGER,
  kind VARCHAR(24) NOT NULL,
  round_number INTEGER,
  seat_id INTEGER,
  "before" JSON NOT NULL,
  "after" JSON NOT NULL,
  reason VARCHAR(200) NOT NULL,
  device_name VARCHAR(40) DEFAULT '' NOT NULL,
  CONSTRAINT pk_log PRIMARY KEY (id),
  CONSTRAINT fk_log_device_id_devices FOREIGN KEY(device_id) REFERENCES devices (id) ON DELETE SET NULL,
  CONSTRAINT fk_log_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE,
  CONSTRAINT fk_log_seat_id_seats FOREIGN KEY(seat_id) REFERENCES seats (id) ON DELETE SET NULL,
  CONSTRAINT uq_log_game_id_version UNIQUE (game_id, version)
);

CREATE TABLE paper_results (
  seat_id INTEGER NOT NULL,
  place INTEGER NOT NULL,
  score INTEGER,
  CONSTRAINT pk_paper_results PRIMARY KEY (seat_id),
  CONSTRAINT fk_paper_results_seat_id_seats FOREIGN KEY(seat_id) REFERENCES seats (id) ON DELETE CASCADE
);

CREATE TABLE recorded_rulings (
  id $id NOT NULL,
  game_id INTEGER NOT NULL,
  round_number INTEGER NOT NULL,
  at $datetime NOT NULL,
  device_id INTEGER,
  question VARCHAR(2000) NOT NULL,
  verdict VARCHAR(400) NOT NULL,
  asked_by_id INTEGER,
  decided VARCHAR(200) NOT NULL,
  reason VARCHAR(200) NOT NULL,
  CONSTRAINT pk_recorded_rulings PRIMARY KEY (id),
  CONSTRAINT fk_recorded_rulings_asked_by_id_seats FOREIGN KEY(asked_by_id) REFERENCES seats (id) ON DELETE SET NULL,
  CONSTRAINT fk_recorded_rulings_device_id_devices FOREIGN KEY(device_id) REFERENCES devices (id) ON DELETE SET NULL,
  CONSTRAINT fk_recorded_rulings_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
CREATE INDEX ix_recorded_rulings_game_id ON recorded_rulings (game_id);

CREATE TABLE rounds (
  id $id NOT NULL,
  game_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  closed_at $datetime,
  first_down_id INTEGER,
  nobody_out BOOLEAN DEFAULT $false NOT NULL,
  CONSTRAINT pk_rounds PRIMARY KEY (id),
  CONSTRAINT fk_rounds_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE,
  CONSTRAINT fk_rounds_first_down_id_seats FOREIGN KEY(first_down_id) REFERENCES seats (id) ON DELETE SET NULL,
  CONSTRAINT uq_rounds_game_id_number UNIQUE (game_id, number)
);

CREATE TABLE rows (
  id $id NOT NULL,
  round_id INTEGER NOT NULL,
  seat_id INTEGER NOT NULL,
  met BOOLEAN NOT NULL,
  went_out BOOLEAN NOT NULL,
  penalty INTEGER,
  typed VARCHAR(80) NOT NULL,
  counted JSON,
  exact_deal BOOLEAN NOT NULL,
  CONSTRAINT pk_rows PRIMARY KEY (id),
  CONSTRAINT fk_rows_round_id_rounds FOREIGN KEY(round_id) REFERENCES rounds (id) ON DELETE CASCADE,
  CONSTRAINT fk_rows_seat_id_seats FOREIGN KEY(seat_id) REFERENCES seats (id) ON DELETE CASCADE,
  CONSTRAINT uq_rows_round_id_seat_id UNIQUE (round_id, seat_id)
);
CREATE INDEX ix_rows_seat_id ON rows (seat_id);

CREATE TABLE seat_results (
  seat_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  finished_at $datetime NOT NULL,
  place INTEGER,
  won BOOLEAN NOT NULL,
  score INTEGER,
  completed INTEGER NOT NULL,
  rounds INTEGER NOT NULL,
  met INTEGER NOT NULL,
  went_out INTEGER NOT NULL,
  penalty INTEGER NOT NULL,
  penalty_rounds INTEGER NOT NULL,
  bonus INTEGER NOT NULL,
  bonuses INTEGER NOT NULL,
  tries JSON NOT NULL,
  CONSTRAINT pk_seat_results PRIMARY KEY (seat_id),
  CONSTRAINT fk_seat_results_game_id_games FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE,
  CONSTRAINT fk_seat_results_player_id_players FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE,
  CONSTRAINT fk_seat_results_seat_id_seats FOREIGN KEY(seat_id) REFERENCES seats (id) ON DELETE CASCADE
);
CREATE INDEX ix_seat_results_game_id ON seat_results (game_id);
CREATE INDEX ix_seat_results_player_id_finished_at_game_id_won ON seat_results (player_id, finished_at, game_id, won);
