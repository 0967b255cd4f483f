"""What happens to a game, as typed events.

An event says one thing that changed, and what it was before where it was something. It can be
applied to a game, told in words, stored in the log and undone. To add one: write its class in the
module of what it is about, with its `kind` (its name in the log and in documents), `apply` and, if
it can be undone, `undo`; its words belong to `app.web.activity`.
"""

from app.scorebook.events.corrections import ScoreCorrected
from app.scorebook.events.course import (
    DealerChanged,
    DealerFields,
    RoundVoided,
    SeatOrder,
    SeatsChanged,
    dealer_fields,
    round_subject,
)
from app.scorebook.events.event import EVENTS, Event, LogFields, Subject, apply, event_of
from app.scorebook.events.games import (
    ChangeUndone,
    Description,
    GameArchived,
    GameDeleted,
    GameDescribed,
    GameReopened,
    GameRestored,
    GameResumed,
    GameStarted,
    GameStopped,
    GameUnarchived,
    ResultShared,
    ResultUnshared,
    RuleChanged,
    RulingRecorded,
)
from app.scorebook.events.rounds import (
    EntryChanged,
    EntryEvent,
    EntryFields,
    FirstDownChanged,
    NobodyOutChanged,
    RoundEdited,
    RoundEnded,
    RoundReopened,
    changes_to,
    difference,
    entry_subject,
    first_down_subject,
    out_subject,
)
from app.scorebook.events.seats import LEAST_PLAYERS, PlayerJoined, PlayerLeft, left

__all__ = [
    "EVENTS",
    "LEAST_PLAYERS",
    "ChangeUndone",
    "DealerChanged",
    "DealerFields",
    "Description",
    "EntryChanged",
    "EntryEvent",
    "EntryFields",
    "Event",
    "FirstDownChanged",
    "GameArchived",
    "GameDeleted",
    "GameDescribed",
    "GameReopened",
    "GameRestored",
    "GameResumed",
    "GameStarted",
    "GameStopped",
    "GameUnarchived",
    "LogFields",
    "NobodyOutChanged",
    "PlayerJoined",
    "PlayerLeft",
    "ResultShared",
    "ResultUnshared",
    "RoundEdited",
    "RoundEnded",
    "RoundReopened",
    "RoundVoided",
    "RuleChanged",
    "RulingRecorded",
    "ScoreCorrected",
    "SeatOrder",
    "SeatsChanged",
    "Subject",
    "apply",
    "changes_to",
    "dealer_fields",
    "difference",
    "entry_subject",
    "event_of",
    "first_down_subject",
    "left",
    "out_subject",
    "round_subject",
]
