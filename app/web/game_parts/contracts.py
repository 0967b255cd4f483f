"""The contracts of a rule set, and what attempts at them came to, as a table shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.rules.phrases import Phrase, say
from app.rules.rule_sets import shipped_rule_sets
from app.scorebook.statistics import ContractStats, hardest, kind_of


@dataclass(frozen=True, slots=True)
class ContractView:
    """A contract's line in a table of how hard it is.

    `words` are those of the rule set's contract of that number; or its kind alone, where games
    played one of another kind, or by custom rules. The contracts that games had instead of one of
    the same kind are not told apart from it.
    """

    contract_stats: ContractStats
    words: Phrase
    is_hardest: bool


CONTRACT_KINDS = {"sets": say("sets"), "runs": say("runs"), "mixed": say("sets and runs")}
"""What each kind of contract asks for."""


def contract_views(variant_id: str, stats: Sequence[ContractStats]) -> tuple[ContractView, ...]:
    """The contracts of a rule set and what attempts at them came to."""
    worst = hardest(stats)
    found = shipped_rule_sets().get(variant_id)
    words = {(one.number, kind_of(one)): one.words for one in found.contracts} if found else {}
    return tuple(
        ContractView(one, words.get((one.number, one.kind), CONTRACT_KINDS[one.kind]), one is worst)
        for one in stats
    )
