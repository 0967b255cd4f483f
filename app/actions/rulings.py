"""Recording a dispute, and switching a house rule on for the rest of a game."""

from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.faults import refuse
from app.actions.seats import seat_in_game
from app.actions.texts import fitting
from app.actions.transaction import Change, open_change
from app.exchange.limits import MOST_RULINGS
from app.rules.house_rules import SWITCHABLE, read_house_rule
from app.rules.loading import FaultyRules, with_house_rules
from app.rules.statements import Statement
from app.rules.wording import say
from app.store.queries.rulings import changed_rules_of, rules_in_round
from app.store.rulings import RecordedRuling, RuleChange


@dataclass(frozen=True, slots=True)
class Ruled:
    """A dispute to record; `switch` names a house rule and its new value as a form sends it."""

    question: str
    said: Statement
    asked_by: int | None = None
    decided: str = ""
    reason: str = ""
    switch: tuple[str, str] | None = None


def record_ruling(session: Session, game_id: int, ruled: Ruled, actor: Actor) -> None:
    """Record a dispute in the round that is being played. Raises `Refused`."""
    change = open_change(session, game_id, actor)
    if change.repeated:
        return
    seat = ruled.asked_by
    if seat is not None:
        seat_in_game(change.table, seat, "asked_by")
    question = fitting("question", ruled.question, RecordedRuling.question)
    decided = fitting("decided", ruled.decided.strip(), RecordedRuling.decided)
    reason = fitting("reason", ruled.reason.strip(), RecordedRuling.reason)
    number = change.open_number
    kept = select(func.count()).where(RecordedRuling.game_id == game_id)
    if (session.scalar(kept) or 0) >= MOST_RULINGS:
        message = say("A game can have at most {most} rulings.", most=MOST_RULINGS)
        raise refuse("question", message)
    session.add(
        RecordedRuling(
            game_id=game_id,
            round_number=number,
            at=actor.at,
            device_id=actor.device,
            question=question,
            verdict=ruled.said.text,
            said=ruled.said.to_plain(),
            asked_by_id=seat,
            decided=decided,
            reason=reason,
        )
    )
    change.note(
        "ruling",
        round_number=number,
        seat=seat,
        after={
            "question": question,
            "verdict": ruled.said.text,
            "said": ruled.said.to_plain(),
            "decided": decided,
        },
    )
    if ruled.switch is not None:
        _switch(change, *ruled.switch)
    change.commit()


def _switch(change: Change, field: str, text: str) -> None:
    """Let a house rule hold from the round that is being played on."""
    if field not in SWITCHABLE:
        raise refuse("switch", say("That rule can’t change during a game."))
    session, number = change.session, change.table.open_number
    before = rules_in_round(
        change.table.variant, changed_rules_of(session, change.table.id), number
    )
    try:
        value = read_house_rule(field, text)
        with_house_rules(before, {field: value})
    except FaultyRules as fault:
        raise refuse("switch", fault.phrase) from None
    session.execute(
        delete(RuleChange).where(
            RuleChange.game_id == change.table.id,
            RuleChange.from_round == number,
            RuleChange.field == field,
        )
    )
    session.add(RuleChange(game_id=change.table.id, from_round=number, field=field, value=value))
    change.note(
        "rule_changed",
        round_number=number,
        before={field: getattr(before, field)},
        after={field: value},
    )
