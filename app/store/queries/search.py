"""What is typed to find games: where its words may stand, and what is quoted of what was found."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import JSON, ColumnElement, and_, column, exists, func, or_, select
from sqlalchemy.orm import Session

from app.store.games import NAME_OF_RULES, RecordedRuling, StoredGame, StoredSeat, StoredStandIn
from app.store.groups import Player

_MOST_WORDS = 8
_LONGEST_EXCERPT = 200


TextKind = Literal["notes", "voids", "corrections", "rulings"]
"""Of what a text was written."""


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text in which words stand that were sought: of a round, or number 0 for the game's note."""

    kind: TextKind
    number: int
    parts: tuple[tuple[str, bool], ...]
    """Its text, cut where those words begin and end, and whether each part is one of them."""
    ruling: int | None = None
    """The id of the ruling that it is of."""


_WrittenText = tuple[TextKind, int, str, int | None]
"""Its kind, round and words, and the id of the ruling that it is of."""


def has_seat(sat: ColumnElement[bool], stood_in: ColumnElement[bool]) -> ColumnElement[bool]:
    """Is there such a seat, or one with such a stand-in?"""
    stands_in = exists().where(StoredStandIn.seat_id == StoredSeat.id, stood_in)
    return exists().where(StoredSeat.game_id == StoredGame.id, or_(sat, stands_in))


_DECIDED_TEXTS: dict[TextKind, str] = {"notes": "note", "voids": "reason", "corrections": "reason"}
"""What people wrote of the rounds, by the kind of decision, and what it is called there."""


def _has_decided_text(session: Session, kind: TextKind, word: str) -> ColumnElement[bool]:
    """Does that word stand in such a text? Most games have no decisions at all."""
    decided: Any = StoredGame.course
    if session.get_bind().dialect.name == "sqlite":
        each = func.json_each(decided, f"$.{kind}")
    else:
        each = func.json_array_elements(decided[kind])
    text: Any = each.table_valued(column("value", JSON)).c.value[_DECIDED_TEXTS[kind]].as_string()
    return and_(decided.is_not(None), exists().where(text.icontains(word, autoescape=True)))


def _has_ruling(word: str) -> ColumnElement[bool]:
    """Does that word stand in what a group decided in a ruling, or why?"""
    typed = (RecordedRuling.decision, RecordedRuling.reason)
    return StoredGame.id.in_(
        select(RecordedRuling.game_id).where(
            RecordedRuling.removed_at.is_(None),
            or_(*(one.icontains(word, autoescape=True) for one in typed)),
        )
    )


def _sought_words(text: str) -> list[str]:
    return text.split()[:_MOST_WORDS]


def found_texts(session: Session, ids: Sequence[int], search_text: str) -> dict[int, FoundText]:
    """Of each game the text that has most of the words, if any has one of them."""
    words = _sought_words(search_text)
    if not words:
        return {}
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    sought = re.compile(f"({'|'.join(longest_first)})", re.IGNORECASE)
    noted = select(StoredGame.id, StoredGame.note, StoredGame.course)
    found: dict[int, FoundText] = {}
    ruled = defaultdict[int, list[_WrittenText]](list)
    for game, ruling_id, number, *typed in session.execute(
        select(
            RecordedRuling.game_id,
            RecordedRuling.id,
            RecordedRuling.round_number,
            RecordedRuling.decision,
            RecordedRuling.reason,
        ).where(RecordedRuling.game_id.in_(ids), RecordedRuling.removed_at.is_(None))
    ):
        ruled[game] += [("rulings", number, text, ruling_id) for text in typed]
    for game, note, decided in session.execute(noted.where(StoredGame.id.in_(ids))):
        texts: list[_WrittenText] = [
            ("notes", 0, note, None),
            *(
                (kind, one["number"], one.get(name) or "", None)
                for kind, name in _DECIDED_TEXTS.items()
                for one in (decided or {}).get(kind, ())
            ),
            *ruled[game],
        ]
        kind, number, text, ruling = max(
            texts, key=lambda one: len({*map(str.casefold, sought.findall(one[2]))})
        )
        if first := sought.search(text):
            cut = enumerate(sought.split(_excerpt(text, first.start())))
            found[game] = FoundText(
                kind, number, tuple((part, at % 2 == 1) for at, part in cut if part), ruling
            )
    return found


def _excerpt(text: str, at: int) -> str:
    """As much of a long text as fits in a list, with what stands there."""
    begin = max(0, at - _LONGEST_EXCERPT // 2) if len(text) > _LONGEST_EXCERPT else 0
    end = begin + _LONGEST_EXCERPT
    return "…" * (begin > 0) + text[begin:end] + "…" * (end < len(text))


def word_conditions(
    session: Session, group: int, search_text: str
) -> Iterator[ColumnElement[bool]]:
    """Each word stands in the title, a note, what was decided and why, the rules or a name."""
    for word in _sought_words(search_text):
        places = [
            one.icontains(word, autoescape=True)
            for one in (StoredGame.title, StoredGame.note, StoredGame.variant_id, NAME_OF_RULES)
        ]
        places += [_has_decided_text(session, kind, word) for kind in _DECIDED_TEXTS]
        places.append(_has_ruling(word))
        named = session.scalars(
            select(Player.id).where(
                Player.group_id == group, Player.name_key.contains(word.casefold(), autoescape=True)
            )
        ).all()
        if named:
            sat, stood_in = (
                or_(one.player_id.in_(named), one.player_before_merge_id.in_(named))
                for one in (StoredSeat, StoredStandIn)
            )
            places.append(has_seat(sat, stood_in))
        yield or_(*places)
