"""Any rule set that the loader accepts, drawn for hypothesis: all fields, contracts and costs.

One in some has no contracts, and only the fields of such a rule set.
"""

from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from app.rules.cards import JOKER, RANKS
from app.rules.rule_sets import BOUNDS, FIELDS, FaultyRules, from_dict, shipped_rule_sets, to_dict
from app.rules.variant import Variant

_TYPES = get_type_hints(Variant)
_TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1)
_PARTS = st.builds("{}{}".format, st.sampled_from("sr"), st.integers(2, 8))
_CONTRACTS = st.lists(
    st.lists(_PARTS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=5
)
EVERY = tuple(shipped_rule_sets().values())
WITH_CONTRACTS = tuple(one for one in EVERY if one.contracts)
_BOUNDED = {"players_max": (2, 12), "players_min": (1, 4), "last_contract": (1, 5)}


def _values(field: str, base: Variant) -> st.SearchStrategy[Any]:
    expected = _TYPES[field]
    if field == "contracts":
        return _CONTRACTS
    if field == "penalties":
        points = st.sampled_from([0, 1, 5, 10, 15, 25, 500])
        return st.fixed_dictionaries(dict.fromkeys((*RANKS, JOKER), points))
    if get_origin(expected) is Literal:
        return st.sampled_from([one for one in get_args(expected) if base.can_choose(field, one)])
    low, high = _BOUNDED.get(field) or BOUNDS.get(field, (0, 0))
    return st.booleans() if expected is bool else st.integers(low, high)


@st.composite
def plain_rules(draw: st.DrawFn, among: Sequence[Variant] = EVERY) -> dict[str, Any]:
    """A document in the shape of a file: one of some rule sets with many fields drawn anew."""
    base = draw(st.sampled_from(among))
    plain = to_dict(base)
    contracts = {"contracts"} if base.contracts else set[str]()
    own = [one for one in FIELDS if base.has_field(one) and (base.contracts or one != "contracts")]
    changed = draw(st.sets(st.sampled_from(own)))
    for field in sorted(changed | draw(st.sampled_from([set(), contracts]))):
        plain[field] = {"value": draw(_values(field, base)), "decision": draw(_TEXTS)}
    plain |= {name: draw(_TEXTS.map(lambda text: text[:50])) for name in ("name", "summary")}
    if base.contracts and {"win", "progress", "keep_score"} & changed:
        plain["keep_score"]["value"] = "yes"
        if plain["progress"]["value"] == "common":
            plain["win"]["value"] = "lowest_score"
    if "contracts" in changed and draw(st.booleans()):
        del plain["last_contract"]
    return plain


def _read(plain: dict[str, Any]) -> Variant | None:
    try:
        return from_dict(plain)
    except FaultyRules:
        return None


def rule_sets(among: Sequence[Variant] = EVERY) -> st.SearchStrategy[Variant]:
    """Any rule set that the loader accepts, made of one of these."""
    return plain_rules(among).map(_read).filter(lambda one: one is not None)  # type: ignore[return-value]
