"""The record of a game: its rounds as they count, with charts, edits and rulings."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from app.rules.house_rules import rules_in_words
from app.rules.phrases import Phrase, join_names, join_phrases, say, say_plural
from app.rules.rule_sets import shipped_rule_sets
from app.rules.variant import Variant
from app.scorebook.dealing import first_player_after, has_dealer
from app.scorebook.decisions import Correction
from app.scorebook.game import Game
from app.scorebook.marks import Mark
from app.scorebook.round_results import EntryResult, MissedRound, RoundResult, round_results
from app.store.queries.games import LoadedGame
from app.store.queries.log import RoundEdit
from app.store.queries.rulings import ListedRuling
from app.web.activity import words_of
from app.web.game_parts.charts import LineChart, Series, ends_in_words, line_chart
from app.web.game_parts.seating import seats_link
from app.web.game_parts.words import (
    all_holders_of,
    all_names_of,
    house_rules_of_game,
    named_corrections,
    seat_words,
)
from app.web.history.result import ResultView, play_for_bg_stats, result_of_game
from app.web.history.view_models import RulingView
from app.web.infrastructure import localization
from app.web.infrastructure.actors import actors_in_words


@dataclass(frozen=True, slots=True)
class Cell:
    """What a round came to for one seat."""

    description: Phrase
    """What it says to who cannot see it."""
    came_to: EntryResult | MissedRound
    is_missed: bool = False
    is_dealer: bool = False
    lacks_points: bool = False
    """None were kept in that round, but in others."""
    buys_in_words: Phrase | None = None


@dataclass(frozen=True, slots=True)
class GameRecordRow:
    """A seat's line of the record: a cell for each round that it played or missed, else None."""

    seat: int
    name: str
    mark: Mark
    round_cells: tuple[Cell | None, ...]


RuleChangeInWords = tuple[int, Phrase]
"""A house rule that changed: from which round, and what holds in it."""


_SHORT_WORD, _LONG_WORD = 9, 12
_BESIDE_WIDE_NAMES = 3


@dataclass(frozen=True, slots=True)
class GameRecordPage:
    """The record of a game; of past results no more is known than the result."""

    result: ResultView
    bg_stats: str
    game: Game | None = None
    has_dealer: bool = True
    rounds: Sequence[RoundResult] = ()
    edited_rounds: Set[int] = frozenset()
    """Their numbers."""
    player_rows: Sequence[GameRecordRow] = ()
    charts: Sequence[LineChart] = ()
    round_edits: Sequence[tuple[RoundEdit, Phrase, Sequence[Phrase]]] = ()
    """How rounds were edited or reopened, who did each, and what it changed."""
    score_corrections: Sequence[tuple[str, Correction]] = ()
    """Whose score was corrected, and how."""
    rulings: Sequence[RulingView] = ()
    seats_title: Phrase | None = None
    decisions: Sequence[tuple[int, Phrase, str]] = ()
    """What was decided about dealing and seats: in which round, what, and why."""
    seat_changes: Sequence[Phrase] = ()
    """Who joined late, left, missed rounds or took over."""
    rule_changes: Sequence[RuleChangeInWords] = ()
    """Those that no ruling made."""
    house_rules: Sequence[Phrase] = ()
    """Those by which it is played, or was in the end; since when is told beside the rulings."""
    is_standard: bool = False
    """Was it played by what a shipped rule set says, where no house rules are listed?"""

    @property
    def width_of_names(self) -> str:
        """The class of CSS for how wide the names are; empty where none needs more room.

        On a phone four rounds stand beside long names, and three beside wide ones.
        """
        names = [row.name for row in self.player_rows]
        words = " ".join(names).replace("-", " ").split()
        longest = max(map(len, words), default=0)
        if longest <= _SHORT_WORD or len(self.rounds) <= _BESIDE_WIDE_NAMES:
            return ""
        return "long-names" if longest <= _LONG_WORD >= max(map(len, names)) / 2 else "wide-names"


def game_record_page(
    loaded: LoadedGame,
    edits: Sequence[RoundEdit],
    rulings: Sequence[ListedRuling],
) -> GameRecordPage:
    """The record of a game that was entered round by round."""
    game, results, called = loaded.game, round_results(loaded.game), actors_in_words()
    edited = {one.round_number for one in edits if one.changes and not one.is_undone}
    result = result_of_game(loaded)
    first = first_player_after(game, results[0].dealer, 1) if results else None
    first_player = None if first is None else game.seat(first).holder_in(1).player
    return GameRecordPage(
        result=result,
        bg_stats=play_for_bg_stats(result, first_player) if loaded.columns.has_result else "",
        game=game,
        has_dealer=has_dealer(loaded.variant),
        rounds=results,
        edited_rounds=edited & {one.number for one in results},
        player_rows=_rows(loaded, results),
        charts=list(_charts(loaded, results)),
        round_edits=[
            (
                edit,
                called(edit.actor_name, edit.device_id),
                [words_of(one, game) for one in edit.changes],
            )
            for edit in edits
        ],
        score_corrections=named_corrections(game),
        rulings=[RulingView(one) for one in rulings],
        seats_title=seats_link(loaded.key, loaded.variant).words,
        decisions=decisions_in_words(game),
        seat_changes=[
            words
            for seat in game.seats
            for words in seat_words(game, seat, loaded.status.last_held)
        ],
        rule_changes=_other_rule_changes(game, rulings),
        house_rules=house_rules_of_game(game),
        is_standard=loaded.variant.id in shipped_rule_sets() and not game.lasting_rule_changes,
    )


def past_result_page(loaded: LoadedGame) -> GameRecordPage:
    """The record of a game of which only the result is known."""
    result = result_of_game(loaded)
    return GameRecordPage(result, play_for_bg_stats(result))


def _other_rule_changes(game: Game, rulings: Sequence[ListedRuling]) -> list[RuleChangeInWords]:
    """The changes of house rules that no ruling made."""
    ruled = {(one.round_number, field) for one in rulings for field in one.changed_rules}
    return [
        (one.from_round, rules_in_words(game.rules_in(one.from_round), [one.field])[0])
        for one in game.lasting_rule_changes
        if (one.from_round, one.field) not in ruled
    ]


def _rows(loaded: LoadedGame, results: Sequence[RoundResult]) -> list[GameRecordRow]:
    last, kept = loaded.status.last_held, any(map(_has_points, results))
    return [
        GameRecordRow(
            seat.id,
            all_names_of(seat, last),
            seat.holder_in(last).mark,
            tuple(_cell(one, seat.id, loaded.variant, kept=kept) for one in results),
        )
        for seat in loaded.game.seats
    ]


def _has_points(played: RoundResult) -> bool:
    return any(row.points is not None for row in played.entries)


def _cell(played: RoundResult, seat: int, variant: Variant, *, kept: bool) -> Cell | None:
    """What a round came to for a seat; `kept` says that some round has points."""
    for missed in played.missed:
        if missed.seat == seat:
            return Cell(say("missed"), missed, is_missed=True)
    row = next((one for one in played.entries if one.seat == seat), None)
    if row is None:
        return None
    lacks_points = kept and row.points is None
    return Cell(
        _cell_in_words(row, variant, lacks_points=lacks_points),
        row,
        is_dealer=seat == played.dealer,
        lacks_points=lacks_points,
        buys_in_words=say_plural("{count} buy", "{count} buys", row.buys) if row.buys else None,
    )


def _cell_in_words(row: EntryResult, variant: Variant, *, lacks_points: bool) -> Phrase:
    parts: list[Phrase] = []
    if variant.contracts:
        number = row.contract
        parts = [say("contract {number}", number=number) if number else say("no contract")]
        laid = say("laid down") if row.laid_down else say("not laid down")
        parts.append(say("went out") if row.went_out else laid)
    if lacks_points:
        parts.append(say("no points"))
    if row.not_counted:
        parts.append(say("points unknown"))
    if row.penalty is not None and not row.went_out:
        parts.append(say("points {points}", points=row.penalty))
    bonus_names = {
        "go_out": say("bonus for going out"),
        "completion": say("bonus for finishing first"),
        "exact_deal": say("dealer bonus"),
    }
    parts += [
        say("{bonus} {points}", bonus=bonus_names[one.kind], points=one.points)
        for one in row.bonuses
    ]
    if row.buys:
        parts.append(say_plural("{count} buy", "{count} buys", row.buys))
    if row.correction:
        parts.append(
            say("extra points {points}", points=localization.format_signed(row.correction))
        )
    if row.score_after is not None:
        parts.append(say("score {score}", score=row.score_after))
    return join_phrases(parts)


def _charts(loaded: LoadedGame, results: Sequence[RoundResult]) -> Iterator[LineChart]:
    if not results:
        return
    if any(map(_has_points, results)):
        scores = _series(loaded, results, score=True)
        if not loaded.variant.places_by_score:
            words = say("After the last round: {ends}.", ends=ends_in_words(scores))
        elif loaded.variant.win == "highest_score":
            words = say(
                "After the last round, higher is better: {ends}.", ends=ends_in_words(scores)
            )
        else:
            words = say(
                "After the last round, lower is better: {ends}.", ends=ends_in_words(scores)
            )
        yield line_chart("scores", say("Score after each round"), words, scores)
    if not loaded.variant.contracts:
        return
    completed = _series(loaded, results, score=False)
    words = say(
        "Contracts completed, of {count}: {ends}.",
        count=loaded.variant.last_contract,
        ends=ends_in_words(completed),
    )
    title = say("Contracts completed after each round")
    yield line_chart("contracts", title, words, completed)


def _series(loaded: LoadedGame, results: Sequence[RoundResult], *, score: bool) -> list[Series]:
    found, last = [], loaded.status.last_held
    for seat in loaded.game.seats:
        before = seat.starting_score if score else seat.starting_contract - 1
        values = [
            (one.number, value)
            for one in results
            for row in one.entries
            for value in (row.score_after if score else row.contracts_completed,)
            if row.seat == seat.id and value is not None
        ]
        if values:
            start = (values[0][0] - 1 if score else seat.joined_in - 1, before)
            held = [seat.holder_in(number) for number in (*(at for at, _value in values), last)]
            handed_over = tuple(
                (holder.mark, place)  # the first of the values is the start
                for place, (holder, after) in enumerate(pairwise(held), start=1)
                if holder.player != after.player
            )
            holders = tuple((one.mark, one.name) for one in all_holders_of(seat, last))
            line = Series(all_names_of(seat, last), held[-1].mark, (start, *values))
            found.append(replace(line, handed_over=handed_over, holders=holders))
    return found


def decisions_in_words(game: Game) -> tuple[tuple[int, Phrase, str], ...]:
    """What was decided about dealing and seats: round, words, reason; in the order of the game."""
    decided = [*_voids(game), *_dealers(game), *_seats(game)]
    decided.sort(key=lambda one: one[0])
    return tuple((number, words, reason) for (number, _deal, _kind), words, reason in decided)


_Place = tuple[int, int, int]
"""Round and deal; seats are changed and a dealer is chosen before the deal turns out void."""


def _seats(game: Game) -> Iterator[tuple[_Place, Phrase, str]]:
    for change in game.decisions.seat_changes:
        order = game.order_at(change.number, change.deal)
        known = game.names_in(change.number)
        playing = [known[seat.id] for seat in order if seat.plays_in(change.number)]
        words = say("New seats: {names}.", names=join_names(playing))
        yield (change.number, change.deal, 0), words, ""


def _dealers(game: Game) -> Iterator[tuple[_Place, Phrase, str]]:
    for change in game.decisions.dealers:
        name = game.names_in(change.number).get(change.seat, "")
        words = say("{name} dealt, and the deal went on from there.", name=name)
        if change.once:
            words = say("{name} dealt, for this round only.", name=name)
        yield (change.number, change.deal, 1), words, ""


def _voids(game: Game) -> Iterator[tuple[_Place, Phrase, str]]:
    deals: dict[int, int] = {}
    for void in game.decisions.voids:
        deal = deals[void.number] = deals.get(void.number, 0) + 1
        name = game.names_in(void.number).get(void.dealer or 0, "")
        words = say("Dealt again by {name}.", name=name)
        taken_over = game.changed_hands_in(void.dealer, void.number)
        if void.passed_on and taken_over:
            words = say("Dealt again, and the deal passed on.")
        elif not void.dealer or taken_over:
            words = say("Dealt again.")
        elif void.passed_on:
            words = say("Dealt again: {name} dealt, then the deal passed on.", name=name)
        yield (void.number, deal, 2), words, void.reason
