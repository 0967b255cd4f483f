"""Importing a document into a group: looked at first, then done whole or not at all.

Games, own rule sets and seasons are known by their keys, players by their names, usual house rules
by their rule set, so a document imported again at once adds nothing. A season that was removed,
usual house rules that were switched off and the old name of a renamed player come again; own rule
sets that were removed and games that can still be restored do not. What is here already stays as it
is here, with these exceptions: a group without games stops telling milestones where the document
says so, all seasons that are over are decided as far as there is room for them, and those with new
results in their time are decided anew or asked about (`seasons.py`).
What would make the import impossible is found by the plan already (`_look_up_fitting`).
"""

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from app.actions.groups import lock_group
from app.actions.import_rows import (
    ImportedPlayer,
    end_as_kept,
    import_seasons,
    insert_games,
    new_seasons,
    row_values,
    stay_out_of_seasons,
)
from app.actions.requests import Actor, once_answering
from app.actions.results import refresh_facts, results_by_game
from app.actions.seasons import noting_season_changes
from app.exchange.days import latest_day
from app.exchange.documents import (
    GameDocument,
    GroupDocument,
    OwnRuleSetDocument,
    UsualRulesDocument,
)
from app.exchange.files import (
    is_json,
    no_player_to_merge,
    parse_json,
    read_document,
    read_rule_sets,
)
from app.exchange.past_results import (
    PastResults,
    past_results_document,
    place_of_who_left,
    read_past_results,
)
from app.exchange.plausibility import find_implausibilities
from app.exchange.schema import DocumentError
from app.rules.phrases import Translate, say
from app.rules.variant import Variant
from app.scorebook.limits import MOST_OWN_RULE_SETS, MOST_PLAYERS, MOST_SEASONS
from app.scorebook.marks import next_mark
from app.store.base import batches, insert_rows
from app.store.games import CAME_AS, LogEntry, StoredGame
from app.store.groups import Group, Player, StoredRuleSet, StoredSeason, UsualRules
from app.store.queries.export import keys_of_games
from app.store.queries.players import marks_in_group

MOST_FAULTS = 20
"""So many faults of games or lines are told at most; the rest would be more of the same."""

_IMPORTING = 7_263_812  # any number, the same for all processes

Track = Callable[[Iterable[GameDocument]], Iterable[GameDocument]]
"""Yields the games given, so that a progress bar can show how many have gone by."""


@dataclass(frozen=True, slots=True)
class PlausibleDocument(GroupDocument):
    """A document whose games were all read, are all at hand, and could all have been played."""

    games: tuple[GameDocument, ...] = ()
    is_from_csv: bool = False
    """It was made of a CSV, which says of no game whether it counts for seasons."""
    meant: Mapping[str, str] = field(default_factory=dict)
    """Which of its players are players of the group who have other names here (name to name)."""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What importing a document would do."""

    game_count: int
    new_game_count: int
    conflicting_game_count: int
    """Here already, but not the same; they stay as they are here."""
    new_round_count: int
    new_players: tuple[str, ...]
    """Names of the players that the group lacks; who was merged into another is none."""
    known_players: tuple[str, ...]
    """Names here of the group's players whom the document has, by whatever name."""
    new_rule_sets: tuple[str, ...]
    """Names of the document's custom rules that the group lacks."""
    new_usual_rules_count: int
    """For how many rule sets the group gets usual house rules: those for which it has none."""
    new_seasons: tuple[str, ...]
    """Their names."""

    @property
    def adds(self) -> bool:
        """Would anything be added? Other names of players who are here do not count."""
        own = self.new_rule_sets or self.new_usual_rules_count or self.new_seasons
        return bool(self.new_game_count or self.new_players or own)


class NotImported(Exception):
    """Nothing of the file was imported: it has faults, or does not fit what is here."""

    def __init__(
        self, faults: Sequence[DocumentError], past_results: PastResults | None = None
    ) -> None:
        super().__init__(str(faults[0].message))
        self.faults = tuple(faults)
        self.past_results = past_results
        """What was read of a CSV that has faults."""


def read_file(
    content: bytes,
    rule_sets: Mapping[str, Variant],
    languages: Iterable[Translate],
    now: datetime,
    track: Track = iter,
) -> tuple[PlausibleDocument, PastResults | None]:
    """What a file holds: a document, or a CSV of past results by these rule sets.

    The words of a CSV are read in each of these languages. A result of a day that has not begun
    anywhere on earth `now` is a fault.

    Raises `NotImported`. Nothing is asked of the database, so that nobody waits while a large file
    is judged.
    """
    try:
        if is_json(content):
            return require_plausible(read_document(parse_json(content)), track), None
        past = read_past_results(content, rule_sets, languages, latest_day(now))
    except DocumentError as fault:
        raise NotImported([fault]) from None
    if past.faults:
        faults = [DocumentError(f"line {line}", fault) for line, fault in past.faults]
        raise NotImported(faults[:MOST_FAULTS], past)
    document = require_plausible(past_results_document(past), track)
    return replace(document, is_from_csv=True), past


def require_plausible(document: GroupDocument, track: Track = iter) -> PlausibleDocument:
    """A document that was read, if its games could have been played. Raises `NotImported`."""
    rule_sets = read_rule_sets(document)
    faults: list[DocumentError] = []
    games: list[GameDocument] = []
    for place, game in enumerate(track(document.games)):
        wrong = itertools.islice(find_implausibilities(game, rule_sets[game.rules]), MOST_FAULTS)
        faults += [one.within(f"games[{place}]") for one in wrong]
        games.append(game)
        if len(faults) >= MOST_FAULTS:
            break
    if faults:
        raise NotImported(faults[:MOST_FAULTS])
    parts = {one.name: getattr(document, one.name) for one in fields(GroupDocument)}
    return PlausibleDocument(**parts | {"games": tuple(games)})


def plan_import(session: Session, group: int | None, document: PlausibleDocument) -> ImportPlan:
    """What importing a document into a group (None: one that is to be made) would do.

    Raises `NotImported` as `import_into_group` would.
    """
    games_here, people = _look_up_fitting(session, group, document)
    new = [game for game in document.games if game.key not in games_here]
    own, usual = _new_rules(session, group, document)
    return ImportPlan(
        game_count=len(document.games),
        new_game_count=len(new),
        conflicting_game_count=_count_conflicts(session, group, document, games_here, people),
        new_round_count=sum(len(game.rounds) for game in new),
        new_players=tuple(
            one for one in people.new if people.player_of[one.casefold()] == one.casefold()
        ),
        known_players=tuple(
            people.here[key].name
            for key in dict.fromkeys(
                people.player_of[one.name.casefold()] for one in document.players
            )
            if key in people.here
        ),
        new_rule_sets=tuple(str(one.rules["name"]) for one in own),
        new_usual_rules_count=len(usual),
        new_seasons=tuple(one.name for one in new_seasons(session, group, document)),
    )


@once_answering(int)
def import_into_group(
    session: Session,
    actor: Actor,
    group: int,
    document: PlausibleDocument,
    track: Track = iter,
) -> int:
    """Import a document into a group; answers how many games were new.

    Raises `NotImported` where two players of a game are one person here, a name is said to mean a
    player whom the group does not have, or the group would come to more players, rule sets or
    seasons than it can hold; or `KeyReused`. Nothing is kept before all is.
    """
    if session.connection().dialect.name == "postgresql":
        # Two imports of one document, into two groups, would both take its keys.
        session.execute(select(func.pg_advisory_xact_lock(_IMPORTING)))
    lock_group(session, group)
    games_here, people = _look_up_fitting(session, group, document)
    players = _import_players(session, group, document, people)
    _import_rules(session, group, document)
    made: list[int] = []
    new = [game for game in document.games if game.key not in games_here]
    ends = [end for game in new if (end := end_as_kept(game))]
    coming = [one.key for one in new_seasons(session, group, document)]
    with noting_season_changes(session, group, made, actor.at, ends, coming):
        for portion in batches(track(new)):
            made += insert_games(session, group, portion, players, document.rule_sets)
            refresh_facts(session, made[-len(portion) :])
        if document.is_from_csv:
            played = (one.started_at for one in new)
            stay_out_of_seasons(session, group, dict(zip(made, played, strict=True)))
    import_seasons(session, group, document, players)
    if not games_here and not document.milestones:
        session.execute(update(Group).where(Group.id == group).values(milestones=False))
    return len(made)


def group_with_games(session: Session, document: GroupDocument) -> int | None:
    """The group that has most of a document's games; None where no group has any.

    A document without games belongs to a group of its name, if there is one.
    """
    if not document.games:
        return session.scalar(select(Group.id).where(Group.name == document.name).limit(1))
    keys = {game.key for game in document.games}
    here = session.execute(select(StoredGame.group_id, CAME_AS))
    found = Counter(group for group, key in here if key in keys)
    return found.most_common(1)[0][0] if found else None


def imported_game_key(session: Session, group: int, key: str) -> str:
    """The key here of the group's game that came with that key."""
    return keys_of_games(session, group, [key], CAME_AS, StoredGame.key)[key]


class _State(NamedTuple):
    """How far a game has come: its version, and when its last event was, if it has a log."""

    version: int
    last_at: datetime | None


def _games_here(session: Session, group: int | None) -> dict[str, _State]:
    """The states here of the group's games, by the keys they came with and were given here.

    A document knows a game by the first, if it came with one, `/tables/games.csv` by the other.
    """
    columns = (StoredGame.imported_key, StoredGame.key, StoredGame.version, LogEntry.at)
    last = (LogEntry.game_id == StoredGame.id) & (LogEntry.version == StoredGame.version)
    games = select(*columns).outerjoin(LogEntry, last).where(StoredGame.group_id == group)
    rows = session.execute(games).all()
    given = {row.key: _State(row.version, row.at) for row in rows}
    return given | {row.imported_key: given[row.key] for row in rows if row.imported_key}


@dataclass(frozen=True, slots=True)
class _People:
    """Who the players of a document are here.

    `here` are the group's players by `name_key`, `new` the names that it lacks. `player_of` says,
    by `name_key`, which player has a name's games: another one where the player was merged, here
    or, for players new here, in the document, and where a new name was said to mean another.
    """

    here: Mapping[str, Player]
    new: list[str] = field(default_factory=list)
    player_of: dict[str, str] = field(default_factory=dict)


def _look_up_fitting(
    session: Session, group: int | None, document: PlausibleDocument
) -> tuple[Mapping[str, _State], _People]:
    """The states of the games here, by their keys, and who the document's players are here.

    Raises `NotImported` where the document does not fit the group.
    """
    games_here, people = _games_here(session, group), _people(session, group, document)
    _refuse_merged_players(document, games_here, people)
    if people.new and len(people.here) + len(people.new) > MOST_PLAYERS:
        message = say("A group can have at most {most} players.", most=MOST_PLAYERS)
        raise NotImported([DocumentError("players", message)])
    for part, table, most in (
        ("own_rule_sets", StoredRuleSet, MOST_OWN_RULE_SETS),
        ("seasons", StoredSeason, MOST_SEASONS),
    ):
        added = {one.key for one in getattr(document, part)}
        here = session.scalars(select(table.key).where(table.group_id == group))
        if added and (count := len(added.union(here))) > most:
            message = say("There are {count}; the limit is {most}.", count=count, most=most)
            raise NotImported([DocumentError(part, message)])
    return games_here, people


def _people(session: Session, group: int | None, document: PlausibleDocument) -> _People:
    """Who the players of the document are here.

    Raises `NotImported` where a new name is said to mean a player whom the group does not have.
    """
    players = session.scalars(select(Player).where(Player.group_id == group)).all()
    by_id = {one.id: one.name_key for one in players}
    people = _People({one.name_key: one for one in players})
    for one in players:
        people.player_of[one.name_key] = by_id[one.merged_into_id or one.id]
    for player in document.players:
        if player.name.casefold() not in people.here:
            people.new.append(player.name)
            people.player_of[player.name.casefold()] = player.name.casefold()
    fresh = {name.casefold() for name in people.new}
    for player in document.players:
        name = player.merged_into or player.name
        meant = document.meant.get(name, name).casefold()
        if player.name.casefold() in fresh:
            if name in document.meant and meant not in people.here:  # maybe it was renamed since
                message = no_player_to_merge(document.meant[name])
                raise NotImported([DocumentError("players", message)])
            people.player_of[player.name.casefold()] = people.player_of[meant]
    return people


def _count_conflicts(
    session: Session,
    group: int | None,
    document: PlausibleDocument,
    games_here: Mapping[str, _State],
    people: _People,
) -> int:
    """How many games that are here are otherwise in the document.

    They have another version there, or came to the same one by another last event, as two servers
    can have changed one game. Of past results of version 0 the results are compared: a CSV says
    no version, and who left early has the last place there.
    """
    here = [game for game in document.games if game.key in games_here]
    unversioned = {game.key for game in here if game.past_result and not game.version}
    results = results_by_game(session, group, [*unversioned])

    def with_all_places(results: Iterable[Any]) -> set[Any]:
        last = place_of_who_left([place for *_, place, _score in results if place])
        return {(*whose, place or last, score) for *whose, place, score in results}

    def came_to(game: GameDocument) -> set[Any]:
        day, rule_set = game.started_at.date(), document.rule_sets[game.rules]["id"]
        names = [people.player_of[one.player.casefold()] for one in game.seats]
        return {
            (day, rule_set, names[one.seat - 1], one.place, one.score) for one in game.past_result
        }

    def differs(game: GameDocument) -> bool:
        if game.key in unversioned:
            return came_to(game) != with_all_places(results.get(game.key, ()))
        version, last_at = games_here[game.key]
        known_apart = game.log and last_at and game.log[-1].at != last_at
        return game.version != version or bool(known_apart)

    return sum(map(differs, here))


def _refuse_merged_players(
    document: PlausibleDocument, games_here: Collection[str], people: _People
) -> None:
    """Two names on different seats of a game may be one person here; then it cannot be imported."""
    for place, game in enumerate(document.games):
        if game.key in games_here:
            continue
        for name, _other in names_of_one(game, lambda name: people.player_of[name.casefold()]):
            message = say("{name} has been merged with another player of this game.", name=name)
            raise NotImported([DocumentError(f"games[{place}].seats", message)])


def names_of_one(game: GameDocument, player_of: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Names on different seats of a game that are one player's, each with the first such."""
    first: dict[str, tuple[int, str]] = {}
    for number, seat in enumerate(game.seats):
        for name in (seat.player, *(one.player for one in seat.stand_ins)):
            place, other = first.setdefault(player_of(name), (number, name))
            if place != number and other != name:
                yield name, other


def _import_players(
    session: Session, group: int, document: GroupDocument, people: _People
) -> Mapping[str, ImportedPlayer]:
    """The players of a document, by name, made where the group has none of that name."""
    kept, fresh = dict(people.here), set(people.new)
    made = [one for one in document.players if one.name in fresh]
    marks = [*marks_in_group(session, group), *(one.mark for one in made if one.mark)]
    for one in made:
        player = Player(
            group_id=group,
            name=one.name,
            name_key=one.name.casefold(),
            created_at=one.since,
            archived_at=one.archived_at,
            mark=one.mark or next_mark(marks),
        )
        marks.append(player.mark)
        kept[player.name_key] = player
        session.add(player)
    session.flush()
    for one in made:
        key = one.name.casefold()
        if people.player_of[key] != key:
            kept[key].merged_into_id = kept[people.player_of[key]].id
    session.flush()
    ids = {key: one.id for key, one in kept.items()}
    return {
        one.name: ImportedPlayer(
            ids[one.name.casefold()], ids[people.player_of[one.name.casefold()]]
        )
        for one in document.players
    }


def _new_rules(
    session: Session, group: int | None, document: GroupDocument
) -> tuple[Sequence[OwnRuleSetDocument], Sequence[UsualRulesDocument]]:
    """The own rule sets whose keys the group lacks, and usual house rules where it has none."""
    keys = session.scalars(select(StoredRuleSet.key).where(StoredRuleSet.group_id == group))
    own, asked = set(keys), select(UsualRules.variant_id, UsualRules.rules)
    here = session.execute(asked.where(UsualRules.group_id == group))
    usual = {row.variant_id for row in here if row.rules}
    return (
        [one for one in document.own_rule_sets if one.key not in own],
        [one for one in document.usual_rules if one.rules and one.rule_set not in usual],
    )


def _import_rules(session: Session, group: int, document: GroupDocument) -> None:
    own, usual = _new_rules(session, group, document)
    own_rows = [
        {
            "group_id": group,
            "name": one.rules["name"],
            "document": one.rules,
            **row_values(one, "rules"),
        }
        for one in own
    ]
    insert_rows(session, StoredRuleSet, own_rows)
    # A rule set whose house rules were all switched off again has a row without any.
    named = UsualRules.variant_id.in_([one.rule_set for one in usual])
    session.execute(delete(UsualRules).where(UsualRules.group_id == group, named))
    usual_rows = [
        {"group_id": group, "variant_id": one.rule_set, **row_values(one, "rule_set")}
        for one in usual
    ]
    insert_rows(session, UsualRules, usual_rows)
