"""Any rule set that the loader accepts, drawn for hypothesis: all fields, contracts and costs."""

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
_BOUNDED = {"players_max": (2, 12), "players_min": (1, 4), "last_contract": (1, 5)}


def _values(field: str) -> st.SearchStrategy[Any]:
    expected = _TYPES[field]
    if field == "contracts":
        return _CONTRACTS
    if field == "penalties":
        points = st.sampled_from([0, 1, 5, 10, 15, 25, 500])
        return st.fixed_dictionaries(dict.fromkeys((*RANKS, JOKER), points))
    if get_origin(expected) is Literal:
        return st.sampled_from(get_args(expected))
    low, high = _BOUNDED.get(field) or BOUNDS.get(field, (0, 0))
    return st.booleans() if expected is bool else st.integers(low, high)


@st.composite
def plain_rules(draw: st.DrawFn) -> dict[str, Any]:
    """A document in the shape of a file: a shipped one with many fields drawn anew."""
    plain = to_dict(draw(st.sampled_from(list(shipped_rule_sets().values()))))
    changed = draw(st.sets(st.sampled_from(FIELDS)))
    for field in sorted(changed | draw(st.sampled_from([set(), {"contracts"}]))):
        plain[field] = {"value": draw(_values(field)), "decision": draw(_TEXTS)}
    plain |= {name: draw(_TEXTS.map(lambda text: text[:50])) for name in ("name", "summary")}
    if {"win", "progress", "keep_score"} & changed:
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


def rule_sets() -> st.SearchStrategy[Variant]:
    """Any rule set that the loader accepts."""
    return plain_rules().map(_read).filter(lambda one: one is not None)  # type: ignore[return-value]
