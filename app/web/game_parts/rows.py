"""What the templates of a round are given: each row as it is entered, and what to say about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.actions.rounds import Transition
from app.rules.cards import JOKER, rank_phrase
from app.rules.contracts import Contract
from app.rules.phrases import Phrase, concatenate, join_phrases, say, say_plural
from app.rules.variant import Variant
from app.scorebook.dealing import players_in
from app.scorebook.faults import points_faults
from app.scorebook.game import Entry, Round
from app.scorebook.points import fill_in_points
from app.scorebook.progress import Attempt, first_down_candidates
from app.scorebook.refusals import Notice
from app.scorebook.round_results import before_round, penalty_payers, round_attempts
from app.scorebook.standings import game_status, place_in_words
from app.scorebook.warnings import ASK_WHETHER_LAID_DOWN, DOUBT_POINTS, lacks_who_went_out
from app.store.queries.games import LoadedGame
from app.web.game_parts.standings import SeatStanding
from app.web.game_parts.viewer import Viewer
from app.web.infrastructure.forms import asked_line


@dataclass(frozen=True, slots=True)
class CardClass:
    """Cards that cost the same: which, what each costs, and how many were left over.

    Without a label where the decks have none of them.
    """

    label: Phrase | None
    points: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RowHead(SeatStanding):
    """The head of a row: who it is, where they stand, their contract; no tap changes it."""

    game_key: str
    player: int
    has_left: bool
    """The player left the game: in this round, where their cards count, or after it."""
    left_midway: bool
    """They left in the middle of the open round, or after it had ended if it was reopened."""
    may_score: bool
    manages: bool
    mine: bool
    """It is the row of the player whose device this is."""
    is_dealer: bool
    plays_first: bool
    contract: Contract | None

    @property
    def _duty(self) -> Phrase | None:
        """Whose device it is, and what the player does in this round, in one phrase."""
        if self.is_dealer:
            return say("you deal") if self.mine else say("dealer")
        if self.plays_first:
            return say("you start") if self.mine else say("starts")
        return say("you") if self.mine else None

    @property
    def sentence(self) -> Phrase:
        """All that it shows, as it is read aloud."""
        parts = [
            say("left") if self.left_midway else None,
            self._duty,
            None if self.place is None else say("place {place}", place=self.place),
            None
            if self.score is None
            else say_plural("{count} point", "{count} points", self.score),
            say_plural(
                "{completed} of {count} contract completed",
                "{completed} of {count} contracts completed",
                self.contract_count,
                completed=self.contracts_completed,
            )
            if self.contract_count
            else None,
            self.contract
            and say(
                "on contract {number}, {contract}",
                number=self.contract.number,
                contract=self.contract.words,
            ),
        ]
        known = [part for part in parts if part]
        if not known:
            return say("{name}.", name=self.name)
        return say("{name}: {facts}.", name=self.name, facts=join_phrases(known))


@dataclass(frozen=True, slots=True)
class RowView:
    """One player's row in a round."""

    head: RowHead
    entry: Entry
    is_exempt: bool
    """It pays nothing though it did not go out."""
    lacks_points: bool
    """It must say points, and they are missing or cannot stand, though the round has begun and who
    went out is known or not asked."""
    classes: tuple[CardClass, ...]
    asks_exact_deal: bool
    asks_first_down: bool
    """It is one of several that laid down the last contract, and who was first matters."""
    was_first_down: bool
    asks_not_counted: bool
    """Its points were not counted, or it is the first whose lack of them kept the round from
    ending, or its edit from being saved."""
    buys: int | None
    """Bought out of turn; None where buys are not counted and none were entered."""
    buys_wrap_after: int
    """A tap beyond so many begins at 0 again."""
    faults: tuple[Phrase, ...]
    doubt: Phrase | None
    """That no hand makes its points or they lie between two steps, or that it has too many buys.

    All else that looks wrong is asked when the round ends.
    """
    nearest_points: tuple[int, ...]
    """What may be meant instead of its points, as `Notice.nearest`."""
    is_warned_of: bool
    """One of the questions below the rows is about it."""
    below_zero: bool
    """Can its points be below zero?"""
    changed_elsewhere: bool
    """Is something of its player among what is news to this device (`Viewer.news`)?"""

    @property
    def so_far(self) -> Phrase | None:
        """In short: did they go out or lay down, for which points? None with nothing of that."""
        entry, known = self.entry, list[Phrase]()
        if entry.went_out or entry.met:
            known.append(say("went out") if entry.went_out else say("laid down"))
        if entry.penalty is not None and not entry.went_out:
            known.append(say_plural("{count} point", "{count} points", entry.penalty))
        if entry.not_counted:
            known.append(say("points unknown"))
        return concatenate(known, " · ") if known else None


class AskedWarning(NamedTuple):
    """What looks wrong, as it is asked below the rows."""

    notice: Notice
    asks_met: bool
    """Is a yes that its seat laid down? Then no other points are offered."""
    doubts_points: bool
    """May other points of its seat be the answer?"""


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round as it is entered; `has_ended` where it has ended and is edited."""

    key: str
    number: int
    version: int
    has_ended: bool
    keeps_score: bool
    has_contracts: bool
    rows: tuple[RowView, ...]
    nobody_out: bool
    faults: tuple[Phrase, ...]
    warnings: tuple[AskedWarning, ...]
    """What looks wrong and is asked now."""
    asks_who_went_out: bool
    """The round was to end and nothing says who went out: all else is asked after that."""
    stale: bool
    ended_already: int | None
    """The number of the round that was sent, where it had ended already and this is another."""
    edit_reason: str

    @property
    def missing_points(self) -> int:
        """Of how many rows it is said that their points are missing (`lacks_points`)."""
        return sum(row.lacks_points for row in self.rows)

    @property
    def warned(self) -> str:
        """The warnings as a page names them when it asks again (`overlay_with_shown_warnings`)."""
        return ",".join(one.notice.identity for one in self.warnings)

    @property
    def asked_whether_met(self) -> list[int | None]:
        """The seats of which is asked whether they laid down; none where anything else is asked."""
        is_all = all(one.asks_met for one in self.warnings)
        return [one.notice.seat for one in self.warnings] if is_all else []


@dataclass(frozen=True, slots=True)
class RoundOverlay:
    """What is shown over a round as it is kept, and what is asked or told about it.

    Mostly what the last request sent, and why that was not done, or not as it was sent; also the
    entries in the address of a round to be edited, and warnings that a page shows already
    (`overlay_with_shown_warnings`).
    """

    entries: Mapping[int, Entry] | None = None
    first_down_seat: int | None = None
    faults: Sequence[Notice] = ()
    warnings: Sequence[Notice] = ()
    stale: bool = False
    ended_already: int | None = None
    """The round that was to end, or to change, and had ended already."""
    nobody_out: bool = False
    edit_reason: str = ""
    was_ending: bool = False
    """The round was to end with what was sent."""


@dataclass(frozen=True, slots=True)
class TapResultView:
    """What a tap changed on a page that showed the game as it was before."""

    previous_version: int
    """The version that the page showed before the tap."""
    round: RoundView
    rows: tuple[RowView, ...]
    """Those that changed, and those that the page may show otherwise since the tap."""
    nobody_out_changed: bool
    """Whether nobody went out is said otherwise now."""


def tap_result_view(
    taken: Transition, number: int, only_row: int | None, viewer: Viewer
) -> TapResultView:
    """What a tap on the round of that number changed; heads of rows are never among it.

    The row of the seat `only_row` is always there, or each row where that is None: the page may
    show something else than was kept.
    """
    heads, nothing = _row_heads(taken.after, number, viewer), RoundOverlay()
    before, after = (_view(loaded, number, heads, nothing, viewer) for loaded in taken)
    rows = zip(before.rows, after.rows, strict=True)
    return TapResultView(
        previous_version=before.version,
        round=after,
        rows=tuple(now for was, now in rows if only_row in (None, now.head.seat) or now != was),
        nobody_out_changed=before.nobody_out != after.nobody_out,
    )


def round_view(
    loaded: LoadedGame,
    number: int,
    overlay: RoundOverlay | None = None,
    viewer: Viewer | None = None,
) -> RoundView:
    """The round of that number as it is kept, or as the last request sent it."""
    overlay, viewer = overlay or RoundOverlay(), viewer or Viewer()
    return _view(loaded, number, _row_heads(loaded, number, viewer), overlay, viewer)


_LONGEST_WARNED = 4000


def overlay_with_shown_warnings(loaded: LoadedGame) -> RoundOverlay | None:
    """Those of the warnings that the asking page shows that still hold, or None."""
    shown = asked_line("warned", _LONGEST_WARNED).split(",")
    left = [one for one in loaded.warnings if one.identity in shown]
    return RoundOverlay(warnings=left) if left else None


def _view(
    loaded: LoadedGame,
    number: int,
    heads: Sequence[RowHead],
    overlay: RoundOverlay,
    viewer: Viewer,
) -> RoundView:
    game = before_round(loaded.game, number)
    kept, has_ended = loaded.game.round(number), loaded.game.is_round_ended(number)
    sent = overlay.entries or {}  # it lacks who joined since it was read
    entries = {
        one.seat: _as_read(loaded.variant, sent[one.seat])
        if one.seat in sent
        else _as_shown(kept.entry_of(one.seat), has_ended=has_ended)
        for one in heads
    }
    nobody_out = not any(one.went_out for one in entries.values()) and (
        overlay.nobody_out or kept.nobody_out or has_ended
    )
    first_down = overlay.first_down_seat or kept.first_down
    entered = Round(number, tuple(entries.values()), first_down, nobody_out)
    tried = round_attempts(game, entered)
    lacks_out = lacks_who_went_out(loaded.game.rules_in(number), entered, tried)
    asks_out = lacks_out and overlay.was_ending
    if asks_out:
        overlay = replace(overlay, faults=(), warnings=())
    return RoundView(
        key=loaded.key,
        number=number,
        version=loaded.version,
        has_ended=has_ended,
        keeps_score=loaded.game.rules_in(number).keeps_score,
        has_contracts=bool(loaded.variant.contracts),
        rows=_row_views(loaded, heads, entered, tried, overlay, viewer, lacks_out=lacks_out),
        nobody_out=nobody_out,
        faults=tuple(one.message for one in overlay.faults if one.seat not in entries),
        warnings=tuple(
            AskedWarning(one, one.code in ASK_WHETHER_LAID_DOWN, one.code in DOUBT_POINTS)
            for one in overlay.warnings
        ),
        asks_who_went_out=asks_out,
        stale=overlay.stale,
        ended_already=overlay.ended_already,
        edit_reason=overlay.edit_reason,
    )


def _row_heads(loaded: LoadedGame, number: int, viewer: Viewer) -> tuple[RowHead, ...]:
    """The heads of a round's rows, as they are sorted."""
    variant, game = loaded.variant, before_round(loaded.game, number)
    status = loaded.status if game is loaded.game else game_status(game)
    standings = {one.seat: one for one in status.standings}
    heads = [
        RowHead(
            game_key=loaded.key,
            seat=seat.id,
            player=seat.holder_in(number).player,
            name=game.names[seat.id],
            mark=seat.holder_in(number).mark,
            has_left=loaded.game.seat(seat.id).left_after is not None,
            left_midway=loaded.game.left_midway(seat.id, number),
            may_score=viewer.may_score,
            manages=viewer.manages,
            mine=seat.holder_in(number).player == viewer.player,
            is_dealer=seat.id == status.dealer,
            plays_first=seat.id == status.first_player
            and not loaded.game.left_midway(seat.id, number),
            contract=variant.contract(standing.contract) if standing.contract else None,
            contracts_completed=standing.contracts_completed,
            contract_count=variant.last_contract,
            score=standing.score,
            place=standing.place if game.rounds else None,
            places_by_score=variant.places_by_score,
            place_in_words=(
                place_in_words(game, status, seat.id, game.names) if game.rounds else None
            ),
        )
        for seat, standing in ((one, standings[one.id]) for one in players_in(loaded.game, number))
    ]
    if viewer.by_standing and game.rounds:
        heads.sort(key=lambda head: head.place or 0)
    return tuple(sorted(heads, key=lambda head: not head.mine))


def _row_views(
    loaded: LoadedGame,
    heads: Sequence[RowHead],
    entered: Round,
    tried: tuple[Attempt, ...],
    overlay: RoundOverlay,
    viewer: Viewer,
    *,
    lacks_out: bool,
) -> tuple[RowView, ...]:
    rules = loaded.game.rules_in(entered.number)
    payers = penalty_payers(rules, entered, tried)
    asked_first_down = first_down_candidates(rules, tried)
    wrong = tuple(_wrong_points(loaded, entered))
    unusable = {one.seat for one in wrong}
    faults = tuple(dict.fromkeys((*overlay.faults, *wrong)))
    blank = {one.seat for one in faults if one.code == "penalty_blank"}
    asked = next((head.seat for head in heads if head.seat in blank), None)
    later = blank - {asked}
    warnings = (*overlay.warnings, *_early_warnings(loaded, entered.number))
    classes = [(_ranks_in_short(ranks), points) for points, ranks in rules.card_values]
    changed = {one.event.to_log().seat_id for one in viewer.news}
    has_begun = entered.nobody_out or any(one != Entry(one.seat) for one in entered.entries)
    return tuple(
        RowView(
            head=head,
            entry=entry,
            is_exempt=rules.keeps_score and not entry.went_out and head.seat not in payers,
            lacks_points=has_begun
            and not (lacks_out or (_says_points(entry) and head.seat not in unusable))
            and head.seat in payers,
            classes=_counted(classes, entry),
            asks_exact_deal=head.is_dealer and rules.keeps_score and rules.exact_deal_bonus != 0,
            asks_first_down=head.seat in asked_first_down,
            was_first_down=head.seat == entered.first_down,
            asks_not_counted=entry.not_counted or head.seat == asked,
            buys=entry.buys if rules.counts_buys or entry.buys else None,
            buys_wrap_after=rules.most_buys + 2 if rules.most_buys else 9,
            faults=tuple(
                one.message for one in faults if one.seat == head.seat and one.seat not in later
            ),
            doubt=_doubt(rules, entry, [one for one in warnings if one.seat == head.seat]),
            nearest_points=_nearest(warnings, head.seat),
            is_warned_of=any(one.seat == head.seat for one in overlay.warnings),
            below_zero=rules.below_zero,
            changed_elsewhere=head.seat in changed,
        )
        for head, entry in zip(heads, entered.entries, strict=True)
    )


def _as_read(variant: Variant, sent: Entry) -> Entry:
    """What a browser sent, with the points that it comes to, and the cards as they were counted."""
    return replace(fill_in_points(variant, sent)[0], counted=sent.counted)


def _as_shown(kept: Entry, *, has_ended: bool) -> Entry:
    """What is stored; who went out in a round that has ended is ticked as laid down, too."""
    return replace(kept, met=kept.laid_down) if has_ended else kept


def _says_points(entry: Entry) -> bool:
    """Is its penalty known, or said that it is not?"""
    return entry.penalty is not None or entry.not_counted


def _wrong_points(loaded: LoadedGame, entered: Round) -> Iterator[Notice]:
    """Why points that were entered cannot stand: told until they are put right or emptied."""
    for entry in entered.entries:
        _read, unreadable = fill_in_points(loaded.game.variant, entry)
        if unreadable:
            yield unreadable
    yield from points_faults(loaded.game, entered)


def _early_warnings(loaded: LoadedGame, number: int) -> tuple[Notice, ...]:
    """What already looks wrong about single seats of the open round, before it ends."""
    found = loaded.warnings if number == loaded.game.open_number else ()
    return tuple(one for one in found if one.seat is not None)


def _counted(classes: Sequence[tuple[Phrase | None, int]], entry: Entry) -> tuple[CardClass, ...]:
    # A form may have sent more or fewer of them than there are: that is said beside the field.
    counted = dict(enumerate(entry.counted))
    return tuple(
        CardClass(ranks, points, counted.get(place, 0))
        for place, (ranks, points) in enumerate(classes)
    )


def _ranks_in_short(ranks: tuple[str, ...]) -> Phrase | None:
    """Ranks as a player would write them: 3–9, 10 J Q K, 2 and joker; None of no ranks."""
    if not ranks:
        return None
    numbers = [int(rank) for rank in ranks if rank.isdigit()]
    others = [rank_phrase(rank) for rank in ranks if not rank.isdigit()]
    in_short = [Phrase(str(one)) for one in numbers]
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        in_short = [say("{first}–{last}", first=numbers[0], last=numbers[-1])]
    *cards, last = [*in_short, *others]
    if cards and ranks[-1] == JOKER:
        return join_phrases([concatenate(cards), last])
    return concatenate([*cards, last])


def _doubt(rules: Variant, entry: Entry, found: Sequence[Notice]) -> Phrase | None:
    """The `doubt` of a row, in the few words for which it has room."""
    if any(one.nearest for one in found):
        if rules.contracts:
            return say("Not {points}", points=entry.penalty or 0)
        return say("{points} is between two steps.", points=entry.penalty or 0)
    if any(one.code == "too_many_buys" for one in found):
        return say_plural("At most {count} buy.", "At most {count} buys.", rules.most_buys)
    return None


def _nearest(found: Sequence[Notice], seat: int) -> tuple[int, ...]:
    return next((one.nearest for one in found if one.seat == seat and one.nearest), ())
