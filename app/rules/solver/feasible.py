"""placeholder"""
from collections.abc import Sequence
from app.rules.cards import Card
from app.rules.solver.holding import holdings
from app.rules.solver.options import Plan
from app.rules.solver.packing import IMPOSSIBLE, Packing
from app.rules.solver.tables import Rules


def is_layable(rules: Rules, hand: Sequence[Card]) -> bool:
    return any(
        Packing(Plan(rules, h, [], [])).least_loss() < IMPOSSIBLE for h in holdings(rules, hand)
    )
