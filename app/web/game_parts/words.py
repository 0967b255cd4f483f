"""Short names, and in words what was entered, what happened to a seat, what the judge said."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

from app.rules.cards import UnreadableCard, cards_as_entered, cards_phrase
from app.rules.house_rules import house_rules_played, rules_in_words
from app.rules.phrases import (
    MalformedPhrase,
    Phrase,
    concatenate,
    join_phrases,
    say,
    say_plural,
)
from app.rules.variant import Variant
from app.rules.verdicts import (
    RecordedVerdict,
    read_recorded_verdict,
    recorded_verdict_from_english,
)
from app.scorebook.decisions import Correction
from app.scorebook.events.entries import (
    TICKS,
    EntryFields,
    entry_words,
    first_down_words,
    of_player,
)
from app.scorebook.game import Game, Seat, SeatHolder
from app.scorebook.round_results import is_over, played_nothing, round_results
from app.scorebook.standings import GameStatus
from app.web.infrastructure import localization

Called = TypeVar("Called", Seat, SeatHolder)

RULE = "rule-"
"""What the names of house rules begin with in the address of a question."""


def stop_words(variant: Variant) -> Phrase:
    """What the button says that stops a game; one without an end of its own is ended by it."""
    return say("Stop here") if variant.has_end else say("End the game")


def all_holders_of(seat: Seat, last: int) -> tuple[SeatHolder, ...]:
    """Who played a seat up to that round, in the order of time; each once but the last.

    Who holds it in that round always stands last, also where it is not played in it.
    """
    if not seat.stand_ins:
        return seat.stints
    holder, found = seat.holder_in(last), seat.holders_before(last)
    return found if found and found[-1].name == holder.name else (*found, holder)


def all_names_of(seat: Seat, last: int) -> str:
    """The names of `all_holders_of` a seat: "Max → Bo"."""
    return " → ".join(one.name for one in all_holders_of(seat, last))


_SHORT = 8
"""So many characters of a name leave room for another's and what is said of both in one line."""
_LONGEST_SHORT = 11
"""Up to so many characters, a name that begins with a relative is not cut, nor is any by dots."""
_RELATIVES = frozenset(
    """
    aunt auntie cousin cousine dad daddy father frère gran grand-mère grand-père grandad
    grandfather grandma grandmother grandpa granny maman mamie mamy mom mother mum mummy mémère
    mémé nan nana oma oncle onkel opa papa papi papy pépère pépé sister sœur tante tata tatie
    tonton uncle
    """.split()  # noqa: SIM905
)
_TITLES = _RELATIVES | set("docteur doctor dr m madame mlle mme monsieur mr mrs ms prof".split())  # noqa: SIM905
"""What people are called by beside their names, in any language: nobody's name by itself."""


def short_names(names: Collection[str]) -> Mapping[str, str]:
    """What to call each of a table or group where there is little room.

    A long name is cut in these ways, one after the other, as long as it is long:

    - to a short relative that it begins with and an initial ("Grandma J."),
    - to its first word, without titles and longer relatives before it,
    - a double name to a short first part and an initial ("Marie-A."; Jean is not Jean-Luc),
    - to its beginning and dots ("Josephine…").

    No name is cut to what is short for another, too: it stays as it is and the next way is tried.
    """
    shown = {one: one for one in names}
    for cut in (_with_relative, _without_title, _with_initial, _with_dots):
        each = {one: cut(now) if len(now) > _SHORT else now for one, now in shown.items()}
        count = Counter(map(str.casefold, each.values()))
        shown |= {one: new for one, new in each.items() if count[new.casefold()] == 1}
    return shown


def short_names_in(*games: Game) -> Mapping[str, str]:
    """What to call all who sat in these games, by their names."""
    seats = [seat for game in games for seat in game.seats]
    return short_names({one.name for seat in seats for one in seat.stints})


def with_short_names(*games: Game) -> list[Game]:
    """The games by the short names of all who sat in them, for where there is little room."""
    short = short_names_in(*games)

    def called(one: Called) -> Called:
        return replace(one, name=short[one.name])

    def seat_called(seat: Seat) -> Seat:
        return replace(called(seat), stand_ins=tuple(map(called, seat.stand_ins)))

    renamed = [replace(game, seats=tuple(map(seat_called, game.seats))) for game in games]
    for game, one in zip(games, renamed, strict=True):
        one.remember_results(game.known_results)
    return renamed


def names_within(room: float, said: Collection[str], names: Collection[str]) -> tuple[str, ...]:
    """The names `said`, if together they have no more characters than there is `room` for.

    Else each in short, as it is told apart from the other `names` of the table.
    """
    if sum(map(len, said)) <= room:
        return tuple(said)
    short = short_names(names)
    return tuple(short.get(one, one) for one in said)


def _with_relative(name: str) -> str:
    first, *rest = name.split()
    if not rest or first.casefold() not in _RELATIVES or len(name) <= _LONGEST_SHORT:
        return name
    short = f"{first} {rest[0][0]}."
    return short if len(short) <= _LONGEST_SHORT else name


def _without_title(name: str) -> str:
    first, *rest = name.split()
    if first.casefold() in _RELATIVES and len(name) <= _LONGEST_SHORT:
        return name
    while rest and first.casefold().rstrip(".") in _TITLES:
        first, *rest = rest
    return first


def _with_initial(name: str) -> str:
    return name if name.casefold() in _TITLES else re.sub(r"^(\w{1,5})-(\w)\S*$", r"\1-\2.", name)


def _with_dots(name: str) -> str:
    is_short = len(name) <= _LONGEST_SHORT
    return name if is_short else re.sub(r"^(.{5,10})[\s-].*|^(.{10}).*", r"\1\2…", name)


def seat_words(game: Game, seat: Seat, last: int) -> Iterator[Phrase]:
    """Who joined late, missed rounds or took over up to that round, or left before it."""
    if _came_too_late(game, seat):
        yield from _too_late(game, seat)
    elif seat.joined_in > 1:
        yield _joined(game, seat, seat.holder_in(seat.joined_in).name)
    taken_over = takeovers_in_words(game, seat, last)
    for number in range(seat.joined_in, last + 1):
        name = seat.holder_in(number).name
        if number in taken_over:
            yield taken_over[number]
        for first, end in seat.missed:
            if first == number == end:
                yield say("{name} missed round {number}", name=name, number=first)
            elif first == number:
                yield say("{name} missed rounds {first}–{last}", name=name, first=first, last=end)
    if seat.left_after is not None and seat.left_after < last:
        name = seat.holder_in(seat.left_after).name
        yield say("{name} left after round {number}", name=name, number=seat.left_after)


def _came_too_late(game: Game, seat: Seat) -> bool:
    """Was the seat taken for a round that never came, since the game was over before?"""
    return is_over(game) and seat.joined_in > len(round_results(game))


def absence_in_words(game: Game, seat: Seat) -> Phrase:
    """Why a seat that is not `present` has no place."""
    return say("didn’t play") if played_nothing(game, seat) else say("left")


def seat_notes(game: Game, seat: Seat, last: int) -> Iterator[Phrase]:
    """Who took the seat over or is back up to that round, or came too late."""
    if _came_too_late(game, seat):
        yield from _too_late(game, seat)
    yield from takeovers_in_words(game, seat, last).values()


def _too_late(game: Game, seat: Seat) -> Iterator[Phrase]:
    if number := len(round_results(game)):
        name = seat.holder_in(seat.joined_in).name
        yield say("{name} joined after round {number}, but didn’t play", name=name, number=number)


def takeovers_in_words(game: Game, seat: Seat, last: int) -> Mapping[int, Phrase]:
    """Who took the seat over from whom, or is back, up to that round, by the round of each.

    A takeover in the round in which the table stopped, which was not played, is said to be after
    the round before.
    """
    if not seat.stand_ins:
        return {}
    found, before = {}, seat.holder_in(seat.joined_in).name
    for number in range(seat.joined_in, last + 1):
        name = seat.holder_in(number).name
        if name == before or not seat.plays_in(number):
            continue
        who = (
            say("{name} is back", name=name)
            if name == seat.name
            else say("{name} took over from {other}", name=name, other=before)
        )
        words = say("{who} in round {number}", who=who, number=number)
        if game.stopped and not game.is_round_ended(number):
            words = say("{who} after round {number}", who=who, number=number - 1)
        found[number], before = words, name
    return found


def joins_in_words(game: Game, seat: Seat) -> Phrase:
    """Who sat down just now, and with what."""
    number, contract = seat.joined_in, seat.starting_contract
    keeps_score = game.rules_in(number).keeps_score
    points = say_plural("{count} point", "{count} points", seat.starting_score)
    name = seat.holder_in(number).name
    if game.variant.progress == "common":
        return (
            say("{name} joins you: {points}", name=name, points=points)
            if keeps_score
            else say("{name} joins you", name=name)
        )
    if not keeps_score:
        return say("{name} joins you: contract {contract}", name=name, contract=contract)
    return say(
        "{name} joins you: contract {contract}, {points}",
        name=name,
        contract=contract,
        points=points,
    )


def _joined(game: Game, seat: Seat, name: str) -> Phrase:
    number, contract, score = seat.joined_in, seat.starting_contract, seat.starting_score
    if not game.rules_in(number).keeps_score:
        return say(
            "{name} joined in round {number}, on contract {contract}",
            name=name,
            number=number,
            contract=contract,
        )
    if game.variant.progress == "common":
        return say(
            "{name} joined in round {number} with a score of {score}",
            name=name,
            number=number,
            score=score,
        )
    return say(
        "{name} joined in round {number}, on contract {contract} with a score of {score}",
        name=name,
        number=number,
        contract=contract,
        score=score,
    )


def words_of_taps() -> Mapping[str, Phrase]:
    """What taps say, by the name of the field and, where it matters, what it holds.

    A device fills in `{name}` and `{count}`, and shows the words of a tap that was not done, or was
    taken back.
    """
    name, places = "{name}", (("count", "{count}"),)
    ticks = {
        f"{field} {str(ticked).lower()}": cast("EntryFields", {field: ticked})
        for field in TICKS
        for ticked in (True, False)
    }
    counts = {
        "typed": ("{count} point", "{count} points"),
        "counted": ("{count} card", "{count} cards"),
        "buys": ("{count} buy", "{count} buys"),
    }
    return {
        **{kind: entry_words(name, {}, entered) for kind, entered in ticks.items()},
        **{
            kind + suffix: of_player(name, Phrase(one, places, many, number))
            for kind, (one, many) in counts.items()
            for suffix, number in ((" one", 1), ("", 2))
        },
        "typed blank": of_player(name, say("points removed")),
        "out": entry_words(name, {}, {"went_out": True}),
        "out false": entry_words(name, {}, {"went_out": False}),
        "out nobody": say("No one went out"),
        "out nobody false": say("Undone: no one went out"),
        "first_down": first_down_words(name),
    }


def score_remarks(game: Game, status: GameStatus) -> Iterator[Phrase]:
    """What is to be known of the scores beside the rounds: what they lack, and corrections."""
    lacking = [
        say("{name} in round {number}", name=game.names_in(number)[seat], number=number)
        for number, seat in status.not_counted
    ]
    corrected = [
        say(
            "{name} {points} in round {number}",
            name=game.names_in(number)[seat],
            points=localization.format_signed(points),
            number=number,
        )
        for (number, seat), points in game.decisions.correction_sums.items()
        if points and game.keeps_score
    ]
    if lacking:
        yield say("These points are unknown and add nothing: {which}.", which=join_phrases(lacking))
    if corrected:
        yield say("Extra points: {which}.", which=join_phrases(corrected))


def named_corrections(game: Game) -> list[tuple[str, Correction]]:
    """Who held the seat in the round that is corrected, and the correction."""
    corrections = game.decisions.corrections
    return [(game.names_in(one.number).get(one.seat, ""), one) for one in corrections]


def shown_verdict(parts: Mapping[str, Any] | None, text: str) -> RecordedVerdict:
    """A recorded verdict; where it was not kept in parts, or cannot be said so, its English text.

    An imported document may hold parts that fit the English sentence and no translation of it.
    """
    if parts is None:
        return recorded_verdict_from_english(text)
    try:
        verdict = read_recorded_verdict(parts)
        localization.render_phrase(verdict.message)
        localization.render_phrase(verdict.source or "")
    except (MalformedPhrase, LookupError, ValueError):
        return recorded_verdict_from_english(text)
    return verdict


def asked_cards(question: str) -> Phrase | None:
    """The cards of a recorded question, meld by meld; None where it has none."""
    asked = parse_qsl(question)
    names = ("m", "add") if {("ask", "layoff"), ("ask", "swap")} & {*asked} else ("m",)
    melds = [typed_cards(text) for name in names for one, text in asked if one == name]
    return concatenate(melds, " · ") if melds else None


def verdict_in_words(question: str, verdict: Phrase) -> Phrase:
    """A verdict on a recorded question, and whose it was: with house rules the group's."""
    if any(name.startswith(RULE) for name, _text in parse_qsl(question)):
        return say("By your rules then: {verdict}", verdict=verdict)
    return say("The rules said: {verdict}", verdict=verdict)


def typed_cards(text: str) -> Phrase:
    """Cards that were typed, as a sentence writes them; the text itself where they are none."""
    try:
        return cards_phrase(cards_as_entered(text))
    except UnreadableCard:
        return Phrase("{text}", (("text", text),))


def house_rules_of_game(game: Game) -> tuple[Phrase, ...]:
    """The house rules of a game now, but for what was chosen for one late joiner."""
    played = game.lasting_rules
    return rules_in_words(played, house_rules_played(played, game.variant))
