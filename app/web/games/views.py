"""The addresses of games: a new one, its page, who plays, the next one."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import SystemRandom

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    render_template,
    url_for,
)

from app.actions import games as act
from app.actions import groups as group_actions
from app.actions.games import StartPlan
from app.actions.groups import Role
from app.actions.players import hand_over_seat, join_game, leave_game, read_name
from app.actions.rulesets import set_usual_rules
from app.extensions import db
from app.rules.phrases import say
from app.rules.rule_sets import rule_sets_in_family
from app.rules.variant import Variant
from app.scorebook.dealing import has_dealer, plan_deal
from app.scorebook.refusals import ConfirmationNeeded, Refused, StaleVersion
from app.scorebook.round_results import is_over
from app.scorebook.warnings import one_too_many
from app.store.queries.games import recent_variants
from app.store.queries.seasons import seasons_of
from app.web.activity import change_to_tell, note_started_again, own_change
from app.web.checker.tour import offers_tour
from app.web.game_parts.rows import overlay_with_shown_warnings
from app.web.game_parts.season_tables import SeasonTable, season_table_view
from app.web.game_parts.seating import Seating, SeatView
from app.web.game_parts.standings import overtaking_in_words, round_in_words
from app.web.game_parts.viewer import claimable_players, current_viewer, stop_asking_player
from app.web.games.forms import JoinForm, LeaveForm, NewGameForm, SeatedQuery, StandInForm
from app.web.games.starting_rules import (
    OfferedRules,
    chosen_rule_set,
    offered_rules,
    playing_time,
    too_many_players,
    with_sent_rules,
)
from app.web.games.view_models import (
    GamePage,
    game_page,
    idle_page,
    joiner_start,
    next_game_of,
    seat_menu,
    stop_page,
)
from app.web.games.who_plays import marks_seated, names_to_add, names_to_tap, questions_of
from app.web.infrastructure.access import (
    changes_nothing,
    current_game,
    in_game,
    in_group,
    may,
    needs,
    open_to_all,
    own_or_new_group,
)
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import (
    PageForm,
    asked_line,
    asked_number,
    asked_values,
    errors_of,
    sent_yes,
)
from app.web.infrastructure.fragment_cache import cached_fragment
from app.web.infrastructure.htmx import announce, go_to, render_page_or_fragment
from app.web.infrastructure.live_check import is_for_another_role
from app.web.infrastructure.push import stream_headers
from app.web.rulesets.house_rules import (
    compare_form_rules,
    rule_groups,
    rules_from_form,
    standard_texts,
)
from app.web.rulesets.lookup import (
    editions_for,
    games_to_choose,
    own_points_rule_sets,
    rule_set_or_404,
    rule_set_sections,
)

games = Blueprint("games", __name__, url_prefix="/games")

_MOST_PLAYED = 3


@games.get("/new")
@open_to_all
def choose() -> str:
    """The rule sets to choose from; a few of this group's come first."""
    group = asker.group_if_any
    played = recent_variants(db.session(), group, _MOST_PLAYED) if group else ()
    sections = games_to_choose(rule_set_sections(), played)
    seating = SeatedQuery.from_query().seating
    return render_template("games/choose.html", sections=sections, seated=seating.address_args)


@games.get("/new/<variant_id>")
@open_to_all
def new(variant_id: str) -> Response:
    """Who plays, who deals, and by which house rules; those of the group to begin with."""
    variant = rule_set_or_404(variant_id)
    offered, sent = offered_rules(variant), SeatedQuery.from_query()
    form = NewGameForm(player=sent.player.data, dealer=sent.dealer.data, rule=offered.starting())
    return _new_game_answer(variant, form, offered=offered)


@games.post("/new/<variant_id>")
@open_to_all
@changes_nothing
def arrange(variant_id: str) -> Response:
    """The table arranged anew, or its house rules all at once; nothing started."""
    form = NewGameForm.from_body()
    variant = chosen_rule_set(variant_id, form)
    offered = offered_rules(variant)
    offered.choose(form)
    seating = form.seating.after_button(form.arrange.data, SystemRandom())
    try:
        for name in seating.names[len(form.seating.names) :]:
            read_name(name)
    except Refused as refused:
        return _new_game_answer(variant, form, unapplied=refused)
    if seating.names:
        announce(seating.order_in_words)
        if has_dealer(variant):
            announce(say("{name} deals first.", name=seating.names[seating.dealer]))
    return _new_game_answer(variant, form, seating, offered=offered)


@games.post("/new/<variant_id>/effect")
@open_to_all
@changes_nothing
def preview_house_rules(variant_id: str) -> Response:
    """What the house rules come to, as they are chosen; nothing is kept."""
    form = NewGameForm.from_body()
    variant = chosen_rule_set(variant_id, form)
    comparison = compare_form_rules(variant, form.rule.data)
    changes = [
        say("{question} {answer}.", question=one.question, answer=one.after)
        for one in comparison.differences
    ]
    for words in changes or [comparison.fault or comparison.no_difference]:
        announce(words)
    if length := playing_time(comparison.played, form.seating):
        announce(length)
    return _new_game_answer(variant, form, fragment="games/_previewed.html")


@games.post("/new/<variant_id>/rules")
@needs(Role.MANAGE)
def keep_rules(variant_id: str) -> Response:
    """Keep the house rules as those with which the group's games begin."""
    form = NewGameForm.from_body()
    variant = chosen_rule_set(variant_id, form)
    try:
        with_sent_rules(variant, form)
        house_rules = rules_from_form(variant, form.rule.data)
        in_group(set_usual_rules, variant.id, house_rules)
    except Refused as refused:
        return _new_game_answer(variant, form, unapplied=refused)
    return _new_game_answer(variant, form, rules_saved=True)


@games.post("")
@open_to_all
def start() -> Response:
    """Start the game, in a new group unless the device can score in the one that it looks at."""
    form = NewGameForm.from_body()
    variant, seating = chosen_rule_set(form.variant.data, form), form.seating.with_typed()
    try:
        form.require_valid()
        plan = StartPlan(
            with_sent_rules(variant, form),
            seating.names,
            seating.dealer,
            called=form.called.data,
            title=form.title.data,
        )
        act.validate_names(plan.names)
        if questions_of(seating, not_shown=seating.names[len(form.seating.names) :]):
            return _new_game_answer(variant, form, seating)
        group, actor = own_or_new_group()
        accepted = frozenset(form.accepted.data)
        key = act.start_game(db.session(), actor, group, plan, accepted=accepted)
    except (Refused, ConfirmationNeeded) as unapplied:
        db.session.rollback()
        return _new_game_answer(variant, form, seating, unapplied=unapplied)
    return go_to(url_for("games.show", key=key))


@games.get("/<key>")
@needs(Role.WATCH)
def show(key: str) -> Response:
    """The game: the round that is being played, or the result; of a past result the record."""
    loaded = current_game()
    if loaded.results_only:
        return go_to(url_for("history.record", key=key))
    return render_page_or_fragment(
        "games/game.html",
        "games/_update.html",
        cached=True,
        page=game_page(loaded, current_viewer()),
        told_change=own_change(loaded),
        claimable_players=claimable_players(loaded),
        idle=idle_page(loaded),
    )


@games.post("/<key>/mine")
@needs(Role.WATCH)
def claim_player(key: str) -> Response:
    """Say whose device this is: asked of one that came in, or said in a player's menu."""
    player, game = asked_number("player"), current_game().game
    holders = [seat.holder_in(game.open_number) for seat in game.seats]
    names = dict[int | None, str]((one.player, one.name) for one in holders)
    with suppress(Refused):  # no button of the game's names anybody else
        group_actions.claim_player(db.session(), asker.device, asker.group, player)
        stop_asking_player()
        name = names.get(player)
        announce(say("{name}: your row comes first.", name=name) if name else say("Saved."))
    return go_to(url_for("games.show", key=key))


@games.get("/<key>/live")
@needs(Role.WATCH)
def live(key: str) -> Response:
    """Nothing where the device shows the game as it is, else the game or its big screen anew.

    A game that is over is shown anew, too, once its players are at the next one. 205 where the
    device can score and its page was made for one that only watches, or the reverse: it then loads
    itself anew (a big screen is the same for all).
    """
    if is_for_another_role(asked_values(), asker.permission):
        return make_response("", 205)
    version = asked_number("v")
    waits = asked_line("waits") == "next" and is_over(current_game().game)
    if version == asker.permission.version and not (waits and next_game_of(current_game())):
        return make_response("", 204)
    loaded = current_game()
    page = game_page(loaded, current_viewer(since=version), overlay_with_shown_warnings(loaded))
    if asked_line("view") == "screen":
        return make_response(_screen("games/_screen.html", page))
    change = change_to_tell(loaded)
    return make_response(cached_fragment("games/_update.html", page=page, told_change=change))


@games.get("/<key>/stream")
@needs(Role.WATCH)
def stream(key: str) -> Response:
    """Lead a device that shows the newest version on to its group's stream, held by the proxy."""
    if not current_app.config["PUSH_URL"]:
        abort(404)
    return make_response("", 204, stream_headers(asker.permission, asked_number("v")))


@games.get("/<key>/screen")
@needs(Role.WATCH)
def screen(key: str) -> str:
    """The big screen, which everybody at the table sees."""
    return _screen("games/screen.html", game_page(current_game(), current_viewer()))


def _screen(template: str, page: GamePage) -> str:
    loaded = current_game()
    return render_template(
        template,
        page=page,
        season=_running_season(page),
        last_round=None if page.over else next(round_in_words(loaded), None),
        overtaking=tuple(overtaking_in_words(loaded)),
    )


@games.post("/<key>/reopen")
@needs(Role.SCORE)
def play_on(key: str) -> Response:
    """Let a game that was stopped go on."""
    in_game(act.play_on)
    return go_to(url_for("games.show", key=key))


@games.get("/<key>/stop")
@needs(Role.SCORE)
def ask_stop(key: str) -> Response:
    """Whether to stop the game with a result or without one; a game that is over is shown."""
    if current_game().status.over:
        return go_to(url_for("games.show", key=key))
    return _stop_answer(PageForm())


@games.post("/<key>/stop")
@needs(Role.SCORE)
def stop(key: str) -> Response:
    form, result = PageForm(), sent_yes("result")
    if not form.submit(lambda: in_game(act.stop_game, result=result)):
        return _stop_answer(form, 422)
    return go_to(url_for("games.show", key=key))


@games.post("/<key>/rematch")
@needs(Role.SCORE)
def rematch(key: str) -> Response:
    """Start the next game with the same table; the deal passes on."""
    form = PageForm()
    if not form.submit(lambda: in_group(act.start_rematch, asker.game)):
        return _players_answer(form)
    note_started_again(form.result)
    return go_to(url_for("games.show", key=form.result))


@games.post("/<key>/start/undo")
@needs(Role.SCORE)
def undo_start(key: str) -> Response:
    """Delete a game that this device started just now; one that was gone on with since stays."""
    try:
        in_game(act.undo_start)
    except StaleVersion:
        db.session.rollback()
        return go_to(url_for("games.show", key=key))
    announce(say("The game was deleted."))
    return go_to(url_for("home.index"))


@games.get("/<key>/players")
@needs(Role.WATCH)
def players(key: str) -> Response:
    """Who plays; somebody may join, leave, come back or play on for another."""
    return _players_answer()


@games.post("/<key>/players")
@needs(Role.SCORE)
def join(key: str) -> Response:
    """Give somebody a seat from the open round on, or the old seat again."""
    form = JoinForm.from_body()
    asked = {field: form.chosen_start(field) for field in ("contract", "score")}
    return _change_players(
        key, form, lambda: in_game(join_game, form.name.data, after=form.after.data, **asked)
    )


@games.post("/<key>/players/<int:seat>/leave")
@needs(Role.SCORE)
def leave(key: str, seat: int) -> Response:
    """Let somebody go before the open round, or in the middle of it."""
    form = LeaveForm.from_body()
    return _change_players(
        key, form, lambda: in_game(leave_game, seat, cards=form.cards.data), seat
    )


@games.post("/<key>/players/<int:seat>/stand-in")
@needs(Role.SCORE)
def stand_in(key: str, seat: int) -> Response:
    """Let another player play a seat on, and go back to the game."""
    form = StandInForm.from_body()
    if not form.submit(lambda: in_game(hand_over_seat, seat, form.name.data)):
        return _players_answer(form, seat)
    return go_to(url_for("games.show", key=key))


def _running_season(page: GamePage) -> SeasonTable | None:
    """The table of the season that goes on, for the big screen between two games."""
    if not page.over:
        return None
    now = datetime.now(UTC)
    seasons = seasons_of(db.session(), asker.group, now)
    season = next((one for one in seasons if one.since <= now and not one.is_over(now)), None)
    return season_table_view(season) if season else None


def _stop_answer(form: PageForm, status: int = 200) -> Response:
    page = stop_page(current_game(), form.fault)
    return make_response(render_template("games/stop.html", page=page), status)


def _new_game_answer(
    variant: Variant,
    form: NewGameForm,
    seating: Seating | None = None,
    *,
    unapplied: Refused | ConfirmationNeeded | None = None,
    offered: OfferedRules | None = None,
    fragment: str = "games/_new.html",
    rules_saved: bool = False,
) -> Response:
    """The page of a new game, with what was sent kept; 422 with the reason why it is not done."""
    seating = seating or form.seating
    faults = unapplied.faults if isinstance(unapplied, Refused) else ()
    comparison = compare_form_rules(variant, form.rule.data)
    played = comparison.played or variant
    return render_page_or_fragment(
        "games/new.html",
        fragment,
        status=422 if unapplied else 200,
        variant=variant,
        form=form,
        seating=seating,
        seated=seating.address_args,
        seats=[
            SeatView(place, name, mark, is_dealer=place == seating.dealer)
            for place, (name, mark) in enumerate(
                zip(seating.names, marks_seated(seating), strict=True)
            )
        ],
        **names_to_tap(form, seating),
        questions=questions_of(seating),
        called_already=own_points_rule_sets()
        if variant.id in rule_sets_in_family("other")
        else None,
        deal_plan=plan_deal(played, max(2, len(seating.names))),
        has_dealer=has_dealer(variant),
        too_many=None if unapplied else too_many_players(comparison.played, seating),
        roomier=editions_for(variant, len(seating.names)),
        rule_groups=rule_groups(variant),
        standard_texts=standard_texts(variant),
        comparison=comparison,
        as_last_time=(offered or offered_rules(variant)).are_as_last_time(form),
        length=playing_time(comparison.played, seating),
        offers_tour=offers_tour(),
        faults={fault.field: fault.message for fault in reversed(faults)},
        warnings=unapplied.warnings if isinstance(unapplied, ConfirmationNeeded) else (),
        may_save_rules=may(Role.MANAGE),
        about_rule=asked_line("about"),
        rules_saved=rules_saved,
    )


def _change_players(
    key: str, form: PageForm, change: Callable[[], object], seat: int | None = None
) -> Response:
    """Do what a form of the players asks for and show them; else what is wrong with it."""
    if not form.submit(change):
        return _players_answer(form, seat)
    return go_to(url_for("games.players", key=key, done="yes"))


def _players_answer(sent: PageForm | None = None, about: int | None = None) -> Response:
    """Who plays; with a form that was sent, about a seat or none, and refused, and why.

    What is chosen for a late joiner so far stands in the address.
    """
    loaded, form = current_game(), sent if isinstance(sent, JoinForm) else JoinForm.from_query()
    fault = form.fault
    if sent and sent is not form:
        fault = sent.fault or next(iter(errors_of(sent).values()))
    game, over = loaded.game, loaded.status.over
    about = about or asked_number("seat")
    stand_in = sent if isinstance(sent, StandInForm) else None
    named = stand_in.name.data if stand_in else None
    seats = [seat_menu(game, seat, about, named) for seat in game.seats]
    return render_page_or_fragment(
        "games/players.html",
        status=422 if sent else 200,
        key=loaded.key,
        over=over,
        done=asked_line("done"),
        next_round=loaded.status.next_round,
        has_cards=bool(loaded.variant.contracts),
        seats=seats,
        **names_to_add(loaded, [one.name for one in seats if one.is_playing]),
        start=None if over else joiner_start(game, form),
        one_too_many=one_too_many(game),
        form=form,
        stand_in=stand_in,
        stand_in_fault=fault,
        refusal=None if stand_in else fault,
    )
