"""What happens to a game as a whole, such as its start and its stop, its rules, its name."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Annotated, Any, NotRequired, cast

from typing_extensions import TypedDict

from app.rules.field_types import AnyJson, As, ListOf, Unfit
from app.rules.house_rules import SWITCHABLE, read_house_rule, rules_in_words
from app.rules.phrases import Phrase, concatenate, join_names, join_phrases, say
from app.rules.rule_sets import FaultyRules, from_dict, to_dict, with_house_rules
from app.rules.rule_types import SwitchedRules
from app.rules.variant import Variant
from app.scorebook.events.entries import events_to_reach
from app.scorebook.events.event import (
    REMOVED_SEAT,
    Event,
    Subject,
    no_way_back,
    refuse_if_changed,
    refuse_when_over,
    stored_as,
)
from app.scorebook.faults import fault_of_places
from app.scorebook.game import Entry, EveningMark, Game, PastLine, PastResult, RuleChange
from app.scorebook.limits import MOST_SEATS, Name, Note, Title, Version
from app.scorebook.refusals import refusal
from app.scorebook.round_results import is_over

NO_EVENING = say("This must be “begins” or “joins”.")


class Description(TypedDict, total=False):
    """What a game is called, and a note to it."""

    title: Title
    note: Note


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The game started, with these players in seating order; no dealer's name where none deals."""

    kind = "started"
    player_names: Annotated[tuple[Name, ...], ListOf(MOST_SEATS, 1)] = field(
        metadata=stored_as("players")
    )
    dealer_name: Name = field(metadata=stored_as("dealer"))

    def with_names_now(self, game: Game) -> Event:
        """Logged names that nobody has now become those not logged, in order, if as many."""
        sat = [one for one in game.seats if one.id != REMOVED_SEAT and one.joined_in == 1]
        at_start = sorted(sat, key=attrgetter("id"))[: len(self.player_names)]
        first = [one.name for one in at_start]
        gone = [one for one in self.player_names if one not in {seat.name for seat in game.seats}]
        renamed = [one for one in first if one not in self.player_names]
        now = dict(zip(gone, renamed, strict=True)) if len(gone) == len(renamed) else {}
        names = tuple(now.get(one, one) for one in self.player_names)
        return replace(
            self, player_names=names, dealer_name=now.get(self.dealer_name, self.dealer_name)
        )

    def words(self, _game: Game) -> Phrase:
        names = join_names(self.player_names)
        if not self.dealer_name:
            return say("The game started: {names}", names=names)
        return say(
            "The game started: {names}. {dealer} deals", names=names, dealer=self.dealer_name
        )


@dataclass(frozen=True, slots=True)
class GameReopened(Event):
    """A finished game was opened for edits, or that was undone (`is_undone`): in older logs alone.

    Since then such a game is edited like any other.
    """

    kind = "reopened"
    is_undone: bool = field(default=False, metadata=stored_as("undone"))

    def words(self, _game: Game) -> Phrase:
        if self.is_undone:
            return say("Game closed again")
        return say("Game reopened for edits; it’s still over")


@dataclass(frozen=True, slots=True)
class GameStopped(Event):
    """The table stopped the game, with a result or without one."""

    kind = "stopped"
    round_number: int
    has_result: bool = field(metadata=stored_as("result"))

    def apply(self, game: Game) -> Game:
        return replace(game, stopped="result" if self.has_result else "no_result")

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The game goes on. Raises `Refused` where it does already, or stopped again since."""
        refuse_if_changed((game.open_number, game), (self.round_number, self.apply(game)))
        return (GameResumed(self.round_number, self.has_result),)

    def words(self, game: Game) -> Phrase:
        if self.has_result and not game.variant.has_end:
            return say("The game is over, with the standings as the result")
        if self.has_result:
            return say("Stopped early, with the standings as the result")
        return say("Stopped early, without a result")


@dataclass(frozen=True, slots=True)
class GameResumed(Event):
    """A game that the table stopped, with a result or without one, goes on."""

    kind = "resumed"
    happened = say("Game goes on")
    round_number: int
    had_result: bool = field(metadata=stored_as("result"))

    def apply(self, game: Game) -> Game:
        return replace(game, stopped=None)

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The game is stopped as before. Raises `Refused` where it is over or at another round."""
        refuse_if_changed((game.open_number, is_over(game)), (self.round_number, False))
        return (GameStopped(self.round_number, self.had_result),)


@dataclass(frozen=True, slots=True)
class RuleChanged(Event):
    """House rules hold from a round on: the fields of the rule set, before and after."""

    kind = "rule_changed"
    round_number: int
    before: SwitchedRules
    after: SwitchedRules
    lasts: bool = field(default=False, metadata=stored_as(""))
    """Does it say what late joiners begin with after this game, too?"""

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset(Subject(f"{self.kind} {one}", self.round_number) for one in self.after)

    def apply(self, game: Game) -> Game:
        kept, here = list[RuleChange](), dict[str, RuleChange]()
        for one in game.rule_changes:
            if one.from_round == self.round_number and one.field in self.after:
                here[one.field] = one
            else:
                kept.append(one)
        without = replace(game, rule_changes=tuple(kept))
        rules = without.rules_in(self.round_number)
        lasting = without.by_lasting_rules.rules_in(self.round_number)
        changed = []
        for name, value in self.after.items():
            lasts_as = here[name].lasts_as if name in here else None
            if self.lasts and name.startswith("joiner_"):
                lasts_as = value
            if getattr(rules, name) != value or lasts_as not in (None, getattr(lasting, name)):
                changed.append(RuleChange(self.round_number, name, value, lasts_as))
        in_order = sorted((*kept, *changed), key=lambda one: (one.from_round, one.field))
        return replace(game, rule_changes=tuple(in_order))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The rules as before. Raises `Refused` at another round, or where they changed since."""
        if self.round_number != game.open_number:
            raise refusal("undo", say("Rounds have been played with that rule since."))
        rules = game.rules_in(self.round_number)
        refuse_if_changed({name: getattr(rules, name) for name in self.after}, {**self.after})
        chosen_for_joiner = any(
            one.from_round == self.round_number
            and one.field in self.after
            and one.lasts_as != one.value
            for one in game.rule_changes
        )
        return _events_of_rule_change(
            game, self.round_number, self.after, self.before, lasts=not chosen_for_joiner
        )

    def words(self, game: Game) -> Phrase:
        rules = concatenate(rules_in_words(replace(game.variant, **self.after), self.after))
        return say("From round {number} on: {rules}", number=self.round_number, rules=rules)


def _events_of_rule_change(
    game: Game, number: int, before: SwitchedRules, after: SwitchedRules, *, lasts: bool = False
) -> tuple[Event, ...]:
    """House rules hold from that round on; what they do not know is no longer entered.

    Those are buys, points and the dealer bonus of a round that has not ended, where nobody counts
    them any more: no form could take them back.
    """
    change = RuleChanged(number, before, after, lasts)
    changed, events = change.apply(game), list[Event]()
    for draft in game.drafts:
        now, then = game.rules_in(draft.number), changed.rules_in(draft.number)
        rows = draft.entries
        if now.counts_buys and not then.counts_buys:
            rows = tuple(replace(one, buys=0) for one in rows)
        if now.keeps_score and not then.keeps_score:
            rows = tuple(Entry(one.seat, one.met, one.went_out, buys=one.buys) for one in rows)
        events += events_to_reach(game, replace(draft, entries=rows))
    return (*events, change)


@dataclass(frozen=True, slots=True)
class ChangeUndone(Event):
    """An earlier change was undone: the one of the event with that version."""

    kind = "undone"
    happened = say("An earlier change undone")
    round_number: int | None
    version: Version


@dataclass(frozen=True, slots=True)
class GameDescribed(Event):
    """The game's title or note changed."""

    kind = "described"
    before: Description
    after: Description

    def words(self, _game: Game) -> Phrase:
        if "title" not in self.after:
            return say("Someone changed the note")
        if not self.after["title"]:
            return say("The game has no name anymore")
        return say("The game is called {title}", title=self.after["title"])


class EditedResult(PastResult):
    """A past result, with its rules where these changed, too."""

    rules: NotRequired[Annotated[dict[str, Any], As(AnyJson)]]


@dataclass(frozen=True, slots=True)
class ResultEdited(Event):
    """A past result was put right: its day, its rules, who played and what they came to."""

    kind = "result_edited"
    before: EditedResult
    after: EditedResult

    def apply(self, game: Game) -> Game:
        rules = self.after.get("rules")
        return replace(
            game,
            variant=from_dict(rules) if rules else game.variant,
            past_result={"day": self.after["day"], "players": self.after["players"]},
        )

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """It is again what it was. Raises `Refused`."""
        now = edited_result(game, with_rules="rules" in self.after)
        refuse_if_changed(now, self.after)
        back = ResultEdited(self.after, self.before)
        if fault_of_places(one["place"] for one in self.before["players"]):
            raise no_way_back()  # an imported log may say anything
        try:
            back.apply(game)
        except FaultyRules:
            raise no_way_back() from None
        return (back,)

    def words(self, _game: Game, day_in_words: Callable[[str], str] = str) -> Phrase:
        was, now = (
            {one["player"]: _came_to(one) for one in those["players"]}
            for those in (self.before, self.after)
        )
        pairs: list[tuple[str, str]] = [
            (day_in_words(self.before["day"]), day_in_words(self.after["day"])),
            (_rules_in_words(self.before), _rules_in_words(self.after)),
            *(
                (f"{one} {came}", now.get(one, "–"))
                for one, came in was.items()
                if came != now.get(one)
            ),
            *(("–", f"{one} {came}") for one, came in now.items() if one not in was),
        ]
        changes = [say("{was} → {now}", was=was, now=now) for was, now in pairs if was != now]
        return say("Result edited: {changes}", changes=join_phrases(changes or [say("–")]))


def edited_result(game: Game, *, with_rules: bool) -> EditedResult | None:
    """The past result of a game as its edits tell it; None where it is none."""
    if game.past_result is None:
        return None
    rules = {"rules": to_dict(game.variant)} if with_rules else {}
    return cast("EditedResult", {**game.past_result, **rules})


def events_to_edit_result(game: Game, after: PastResult, variant: Variant) -> tuple[Event, ...]:
    """A past result is another, perhaps by other rules. Raises `Refused` for what is none."""
    edited = replace(game, past_result=after, variant=variant)
    if game.past_result is None:
        raise refusal("game", say("This game isn’t a past result."))
    if edited == game:
        return ()
    before, now = (edited_result(one, with_rules=variant != game.variant) for one in (game, edited))
    return (ResultEdited(cast("EditedResult", before), cast("EditedResult", now)),)


def _rules_in_words(result: EditedResult) -> str:
    return str(result.get("rules", {}).get("name", ""))


def _came_to(line: PastLine) -> str:
    """Place and score, in digits."""
    score = "" if line["score"] is None else f" ({line['score']})"
    return f"{line['place']}{score}".replace("-", "−")


class EveningPlace(TypedDict):
    """What people said of the evening that a game belongs to."""

    evening: Annotated[EveningMark, Unfit(NO_EVENING)] | None


@dataclass(frozen=True, slots=True)
class EveningChanged(Event):
    """People said of a game that it begins an evening, or belongs to the one before."""

    kind = "evening"
    before: EveningPlace
    after: EveningPlace

    def words(self, _game: Game) -> Phrase:
        if self.after["evening"] == "begins":
            return say("Evenings split: this game begins a new one")
        return say("Evenings joined: this game belongs to the one before")


@dataclass(frozen=True, slots=True)
class GameLeftOut(Event):
    """The game counts for no season, or that was undone (`is_undone`)."""

    kind = "left_out"
    is_undone: bool = field(default=False, metadata=stored_as("undone"))

    def apply(self, game: Game) -> Game:
        return replace(game, left_out=not self.is_undone)

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The game counts, or does not, again. Raises `Refused` where that is so already."""
        refuse_if_changed(game.left_out, not self.is_undone)
        return (GameLeftOut(not self.is_undone),)

    def words(self, _game: Game) -> Phrase:
        if self.is_undone:
            return say("Game counts for seasons again")
        return say("Game left out of seasons")


def _kind(kind: str, happened: Phrase) -> type[Event]:
    """A kind of event of which there is nothing to say but that it happened."""
    return type(kind, (Event,), {"kind": kind, "happened": happened})


GameArchived = _kind("archived", say("Game archived"))
GameUnarchived = _kind("unarchived", say("Game unarchived"))
GameDeleted = _kind("binned", say("Game deleted"))
GameRestored = _kind("taken_back", say("Game restored"))
ResultShared = _kind("shared", say("Public link created"))
ResultUnshared = _kind("unshared", say("Public link removed"))


def events_to_stop(game: Game, *, result: bool) -> tuple[Event, ...]:
    """The game is over as it stands, with a result or without one. Raises `Refused`."""
    refuse_when_over(game)
    if result and not game.rounds:
        raise refusal("game", say("No round has ended yet, so there’s no result to keep."))
    return (GameStopped(game.open_number, result),)


def events_to_leave_out(game: Game, *, left_out: bool) -> tuple[Event, ...]:
    """The game counts for no season, or counts."""
    return () if game.left_out == left_out else (GameLeftOut(not left_out),)


def events_to_play_on(game: Game) -> tuple[Event, ...]:
    """A game that was stopped goes on; nothing for any other."""
    if not game.stopped:
        return ()
    return (GameResumed(game.open_number, game.stopped == "result"),)


def events_to_change_rule(game: Game, field: str, text: str) -> tuple[Event, ...]:
    """A house rule, as a form sends it, holds from the open round on. Raises `Refused`."""
    refuse_when_over(game)
    if field not in SWITCHABLE:
        raise refusal("switch", say("That rule can’t change during a game."))
    number = game.open_number
    rules = game.rules_in(number)
    try:
        value = read_house_rule(field, text)
        with_house_rules(rules, {field: value})
    except FaultyRules as fault:
        raise refusal("switch", fault.phrase) from None
    before = {field: getattr(rules, field)}
    return _events_of_rule_change(game, number, before, {field: value}, lasts=True)


def events_to_keep_points(game: Game, *, keep: bool) -> tuple[Event, ...]:
    """Points are kept from the open round on, or none. Raises `Refused` where they decide."""
    if game.keeps_score == keep:
        return ()
    return events_to_change_rule(game, "keep_score", "yes" if keep else "no")
