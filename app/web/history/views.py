"""The addresses of the history, and of what is done to a game beside playing it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import get_args

from flask import Blueprint, Response, abort, make_response, render_template, url_for
from wtforms.widgets import TextArea

from app.actions import games as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.scorebook.refusals import Conflict, Refused
from app.scorebook.statistics import ContractStats, hardest_first, sums_by
from app.store.games import StoredGame
from app.store.queries.access import chosen_group_name
from app.store.queries.games import LoadedGame, shared_game
from app.store.queries.group_records import game_tallies, longest_streaks, most_played
from app.store.queries.history import (
    PageCursor,
    State,
    Toward,
    WantedGames,
    deleted_games,
    games_page,
)
from app.store.queries.log import round_edits_of
from app.store.queries.players import (
    PlayerContractStats,
    contract_stats,
    player_contract_stats,
    players_with_sums,
)
from app.store.queries.rulings import rulings_of
from app.store.queries.seasons import seasons_before_change
from app.web.game_parts.charts import HeatMap, heat_map
from app.web.game_parts.contracts import contract_views
from app.web.game_parts.selection import asked_filter, keep_selection
from app.web.history.best import LEAST_ROUNDS, best_players
from app.web.history.record import game_record_page, past_result_page
from app.web.history.result import result_of_game
from app.web.history.view_models import ListedGameView, duration_in_words, group_record_views
from app.web.infrastructure.access import current_game, in_game, in_group, needs, open_to_all
from app.web.infrastructure.actors import said_by
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import (
    LineField,
    PageForm,
    TextField,
    WordChoiceField,
    YesField,
    sent_yes,
)
from app.web.infrastructure.fragment_cache import outside_fragments
from app.web.infrastructure.htmx import go_to


class DescriptionForm(PageForm):
    """The name of a game and a note about it, and those that were shown to who writes them."""

    title, seen_title = LineField(StoredGame.title), LineField(StoredGame.title)
    note = TextField(StoredGame.note, widget=TextArea())
    seen_note = TextField(StoredGame.note)

    @property
    def seen(self) -> tuple[str, str] | None:
        """What was shown; None where the form does not say."""
        said = self.seen_title.raw_data and self.seen_note.raw_data
        return (self.seen_title.data, self.seen_note.data) if said else None


class GameListQuery(PageForm):
    """Which games are listed, and from where on; what cannot be read is left out."""

    state = WordChoiceField(get_args(State), default="")
    search_text = LineField(80, name="words")
    after, before = LineField(60), LineField(60)
    """`newer` of a `GameListPage`, and `older`."""
    end = YesField()

    @property
    def page_position(self) -> tuple[PageCursor | None, Toward]:
        """From where on, and which way."""
        newer = PageCursor.read(self.after.data)
        cursor = newer or PageCursor.read(self.before.data)
        return cursor, "newer" if newer or self.end.data else "older"

    @property
    def address_args(self) -> dict[str, object]:
        """State and words as an address carries them, without the page."""
        found = {"state": self.state.data, "words": self.search_text.data}
        return {name: value for name, value in found.items() if value}


history = Blueprint("history", __name__)
history.add_app_template_filter(duration_in_words, "duration")
history.app_url_defaults(outside_fragments(keep_selection))  # which each `url_for` asks

_ON_A_PAGE = 20
_STATES: Mapping[State, Phrase] = {
    "": say("All"),
    "finished": say("Finished"),
    "running": say("In progress"),
    "archived": say("Archived"),
}
_MOST_DELETED = 200


@history.get("/history")
@needs(Role.WATCH)
def index() -> str:
    """A page of all games but the archived, newest first, or of those that were asked for."""
    session, query = db.session(), GameListQuery.from_query()
    cursor, direction = query.page_position
    game_filter = asked_filter()
    wanted = WantedGames(game_filter.selection, query.state.data, query.search_text.data)
    if wanted.state:
        game_filter = replace(game_filter, words=[_STATES[wanted.state], *game_filter.words])
    page = games_page(session, asker.group, wanted, _ON_A_PAGE, beyond=cursor, toward=direction)
    return render_template(
        "history/history.html",
        games=[ListedGameView(one) for one in page.games],
        query=query,
        wanted=wanted,
        states=_STATES,
        game_filter=game_filter,
        newer=page.newer,
        older=page.older,
    )


@history.get("/history/records")
@needs(Role.WATCH)
def records() -> str:
    """The group's best players and records, and which contracts cost the most rounds."""
    session = db.session()
    game_filter = asked_filter()
    selection = game_filter.selection
    tallies = game_tallies(session, asker.group, selection)
    most = most_played(tallies)
    names = dict(game_filter.players)
    streaks = longest_streaks(session, asker.group, selection)
    best, least_games = best_players(players_with_sums(session, asker.group, selection), *streaks)
    of_most = replace(selection, variants=(most,))
    stats = player_contract_stats(session, asker.group, of_most) if most else []
    return render_template(
        "history/records.html",
        games=sum(one.games for one in tallies),
        game_filter=game_filter,
        best=best,
        least_games=least_games,
        least_rounds=LEAST_ROUNDS,
        records=group_record_views(session, asker.group, selection, game_filter.names, tallies),
        contracts_of=game_filter.names.get(most, most),
        contracts=contract_views(most, hardest_first(contract_stats(stats).get(most, []))),
        heat_map=_heat_map(stats, names),
    )


_MOST_IN_HEAT_MAP = 12


def _heat_map(stats: Sequence[PlayerContractStats], names: Mapping[int, str]) -> HeatMap | None:
    """Who needs how many rounds for which contract, of those who tried most.

    None where nobody tried one twice in a game, as where all go on to the next together.
    """
    if all(one.stats.most_rounds < 2 for one in stats):
        return None
    by_player: dict[int, list[ContractStats]] = {}
    for one in stats:
        by_player.setdefault(one.player, []).append(one.stats)

    def most_first(player: int) -> tuple[int, str]:
        return -sum(one.sums.rounds for one in by_player[player]), names.get(player, "?")

    shown = {
        names.get(player, "?"): sums_by((one.number, one.sums) for one in by_player[player])
        for player in sorted(by_player, key=most_first)[:_MOST_IN_HEAT_MAP]
    }
    words = say(
        "Rounds that each player needs for each contract. "
        "The stronger the shade, the more; a dash: never completed."
    )
    return heat_map(words, shown)


@history.get("/history/deleted")
@needs(Role.MANAGE)
def show_deleted() -> str:
    """The games that were deleted and can still be restored."""
    games = deleted_games(db.session(), asker.group, datetime.now(UTC), _MOST_DELETED)
    return render_template("history/deleted.html", games=[ListedGameView(one) for one in games])


@history.post("/history/deleted/<deleted>")
@needs(Role.MANAGE)
def restore(deleted: str) -> Response:
    """Put a deleted game back among the others."""
    try:
        in_group(act.restore_game, deleted)
    except Refused:
        abort(404)
    return go_to(url_for("history.record", key=deleted))


@history.get("/games/<key>/rounds")
@needs(Role.WATCH)
def record(key: str) -> str:
    return _game_record()


@history.post("/games/<key>/about")
@needs(Role.SCORE)
def describe(key: str) -> Response:
    """Give a game a name and a note."""
    form = DescriptionForm.from_body()
    title, note = form.title.data, form.note.data
    try:
        if form.submit(lambda: in_game(act.describe_game, title, note, form.seen)):
            return go_to(url_for("history.record", key=key))
    except Conflict as conflict:
        db.session.rollback()
        about = current_game().columns
        page = render_template(
            "history/described.html", about=about, form=form, other=said_by(conflict)
        )
        return make_response(page, 409)
    return make_response(_game_record(form), 422)


@history.post("/games/<key>/archive")
@needs(Role.MANAGE)
def archive(key: str) -> Response:
    """Put a game out of the way, or back into the lists."""
    in_game(act.archive_game, archived=sent_yes("archived"))
    return go_to(url_for("history.record", key=key))


@history.post("/games/<key>/bin")
@needs(Role.MANAGE)
def delete(key: str) -> Response:
    """Delete a game; for a while it can be restored."""
    in_game(act.delete_game)
    return go_to(url_for("history.show_deleted"))


@history.post("/games/<key>/share")
@needs(Role.MANAGE)
def share(key: str) -> Response:
    """Let strangers see the final standings, or no longer."""
    in_game(act.share_result, shared=sent_yes("shared"))
    return go_to(url_for("history.record", key=key) + "#share")


@history.get("/games/<key>/result.svg")
@needs(Role.WATCH)
def picture(key: str) -> Response:
    """The standings of a game as a picture."""
    return _picture(current_game(), chosen_group_name(db.session(), asker.group))


@history.get("/results/<share>")
@open_to_all
def shared(share: str) -> Response:
    """The final standings of a game that somebody shares; nothing else of it."""
    view = result_of_game(shared_game(db.session(), share) or abort(404))
    page = render_template("history/shared.html", view=view, share=share)
    response = make_response(page)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@history.get("/results/<share>/result.svg")
@open_to_all
def shared_picture(share: str) -> Response:
    """The picture of a result that somebody shares, which tells nothing else of the group."""
    return _picture(shared_game(db.session(), share) or abort(404))


def _game_record(form: DescriptionForm | None = None) -> str:
    """The record as this device may see and change it; `form` is one that was refused."""
    session, loaded = db.session(), current_game()
    about = loaded.columns
    if about.results_only:
        page = past_result_page(loaded)
    else:
        edits, rulings = round_edits_of(session, about.id), rulings_of(session, about.id)
        page = game_record_page(loaded, edits, rulings)
    return render_template(
        "history/record.html",
        page=page,
        form=form
        or DescriptionForm(
            title=about.title, seen_title=about.title, note=about.note, seen_note=about.note
        ),
        seasons=seasons_before_change(session, asker.group, about.key),
    )


def _picture(loaded: LoadedGame, group: str | None = None) -> Response:
    drawn = render_template("history/result.svg", view=result_of_game(loaded), group=group)
    return Response(drawn, mimetype="image/svg+xml")
