"""The standings of a game: on its record, as a picture, and for whom they are shared with."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from urllib.parse import quote

from app.rules.phrases import Phrase, join_phrases, say
from app.scorebook.game import PastLine, Seat
from app.store.queries.games import LoadedGame
from app.web.game_parts.standings import StandingView, standing_views, winners_in_words
from app.web.game_parts.words import score_remarks

_CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html?data="
"""Where BG Stats takes a play from other programs, as JSON in the address (their support page
"Push plays to BG Stats from other apps or websites")."""


@dataclass(frozen=True, slots=True)
class ResultView:
    """The final standings of a game, or how it stands."""

    game: LoadedGame
    lines: Sequence[StandingView]
    reason: Phrase | None
    round_count: int = 0
    remarks: tuple[Phrase, ...] = ()
    """What is to be known of the scores beside the rounds."""
    stopped: bool = False
    """The table ended it, with a result or without one."""
    seconds: int | None = None
    """How long it took, where that is known."""

    @property
    def winners(self) -> Phrase | None:
        return winners_in_words([one.name for one in self.lines if one.won])

    @property
    def picture_remarks(self) -> tuple[Phrase, ...]:
        """The lines at the foot of the picture, which say the reason of a stopped game, too."""
        return (self.reason, *self.remarks) if self.stopped and self.reason else self.remarks

    @property
    def heading(self) -> Phrase | str:
        """Who won; where nobody did, the name of the game or of its rules."""
        return self.winners or self.game.name

    @property
    def in_words(self) -> Phrase:
        """The standings as a sentence."""
        return join_phrases(
            [
                say(
                    "{place}. {name} {figure}",
                    place=one.place,
                    name=one.player_names,
                    figure=" · ".join(figure.in_short for figure in one.figures),
                )
                for one in self.lines
                if one.place is not None
            ]
            or [say("{name}", name=one.player_names) for one in self.lines if not one.absence]
            or [say("No one is left.")]
        )


def result_of_game(loaded: LoadedGame) -> ResultView:
    """The standings of a game, best first."""
    past = loaded.game.past_result
    if past is not None:
        lines = _past_standings(loaded.game.seats, past["players"])
        return ResultView(loaded, lines, say("results only"))
    status = loaded.status
    return ResultView(
        loaded,
        standing_views(loaded),
        status.reason,
        status.next_round - 1,
        tuple(score_remarks(loaded.game, status)),
        stopped=status.stopped is not None,
        seconds=loaded.seconds,
    )


def _past_standings(seats: Sequence[Seat], lines: Sequence[PastLine]) -> list[StandingView]:
    in_order = sorted(zip(seats, lines, strict=True), key=lambda one: one[1]["place"])
    return [
        StandingView(
            name=seat.name,
            mark=seat.mark,
            place=line["place"],
            won=line["place"] == 1,
            score=line["score"],
            player_id=seat.player,
            player_names=seat.name,
        )
        for seat, line in in_order
    ]


def play_for_bg_stats(view: ResultView, first_player: int | None = None) -> str:
    """The address that hands a finished game to BG Stats as a play."""
    about, rules = view.game.columns, view.game.variant
    play: dict[str, object] = {
        "sourceName": "Meldkeeper",
        "sourcePlayId": about.key,
        "playDate": about.started_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "name": rules.name,
            "sourceGameId": rules.id,
            "highestWins": rules.win == "highest_score",
            "noPoints": all(one.score is None for one in view.lines),
        },
        "comments": "\n".join(text for text in (about.title, about.note) if text),
        "players": [_bg_stats_player(one, first_player) for one in view.lines],
    }
    if view.seconds is not None:
        play["durationMin"] = view.seconds // 60
    return _CREATE_PLAY + quote(json.dumps(play, ensure_ascii=False), safe="")


def _bg_stats_player(line: StandingView, first_player: int | None) -> Mapping[str, object]:
    player = {
        "name": line.name,
        "sourcePlayerId": str(line.player_id),
        "startPlayer": line.player_id == first_player,
        "winner": line.won,
        "rank": line.place,
        "score": line.score,
    }
    return {name: value for name, value in player.items() if value is not None}
