"""The words of the screens: one plain word for one thing, as `.github/CONTRIBUTING.md` lists them.

What can be checked of that list is checked here, over every English message of the app. Left out
are the words that people search by, which are there to be typed and not to be read.
"""

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.words.catalogues import gather_texts

TOP = Path(__file__).parent.parent.parent

RETIRED = {
    r"phones?": "device",
    r"somebody|nobody|everybody|anybody": "a player, no one, everyone, anyone",
    r"whoever": "anyone who",
    r"mend(?:ed|s)?|corrected": "edit",
    r"penalt(?:y|ies)": "points",
    r"met|fulfil(?:led|s)?": "lay down",
    r"clos(?:e|es|ed|ing) (?:the )?round": "end round",
    r"bin": "recently deleted",
    r"(?:bring|brought) (?:in|it in)": "import",
    r"take (?:it )?back": "restore",
    r"put out|let(?:s)? (?:someone )?in": "remove device, invite",
    r"way in": "invite code, invite link",
    r"letters|signs": "characters",
    r"disputes?": "ruling",
    r"activity": "all changes",
    r"exact deal": "dealer bonus",
    r"not counted": "points unknown",
    r"stock": "draw pile",
    r"(?:turns?|goes|go) (?:a?round )?the corner": "go on after the ace",
    r"by lot|lots": "at random",
    r"the host": "server admin",
    r"naturals?|outnumbers?": "not wild, ordinary",
    r"on paper": "results only",
    r"as written|as before": "standard",
    r"may": "can",
    r"cannot|do not|does not|is not|are not|did not|was not": "the contraction",
    r"void|played? (?:it )?again": "deal again",
    r"editions?": "version",
    r"colour\w*|centre|favourite": "the American spelling",
}
"""What is no longer said, and what is said instead."""

KEPT = {
    "The text says a player “may” lay the contract down.",  # quotes the source
    "This is the best found. There may be a better turn.",  # no permission
    # of people who let others in
    "If someone has it who shouldn’t: %(num)s device joined with it or was let in by one that did.",
    "If someone has it who shouldn’t: %(num)s devices joined with it or were let in by one that "
    "did.",
}


SEVERAL = {
    "{points} points",  # a sum, as it was typed
    "{variant} is for {asked} players. With one more you are {count}.",
    "{low}–{high} rounds",
    "{name} missed rounds {first}–{last}",
    "%(span)s players",
    "{fewest}–{most} players",
    "{cards} cards",
    "{players_min} to {players_max} players.",
    "{variant} is for {asked} players, and you are {count}.",
    "from {number} players on",
    "You add a deck from {number} players on.",
    "{dealt} cards to deal, and the decks hold {held}",
    "Contract {number} takes {size} cards, but a hand never has more than {held}",
    "Contract {number} takes {size} cards and one more for the discard, but a hand never has more "
    "than {held}",
    "A {part} needs {size} cards, and you have {count}.",  # a meld has two at least
    "An extra set needs at least {least} cards",
    "An extra run needs at least {least} cards",
    "It takes {largest_size} cards; after the draw you hold {held}.",
    "Yes, it takes {largest_size} cards: the {deal} dealt and 1 more.",
    "Can I lay contract {largest_contract} from {deal} cards?",
    "Yes, with {joker_count} jokers, or {more_jokers} with a third deck.",
    "All {deal} cards were left, not {cards}. Did {name} lay down?",
    "All {deal} cards count at least {least}, not {penalty}. Did {name} lay down?",
    "{name} can’t have {cards} left: it’s {deal} without laying down, at most {most} after.",
    "{name} can’t have {penalty}, even after laying down. All {deal} cards count at least {least}.",
    "The last {count} games, the latest on the right: {won} won, average place {place}. The higher "
    "the bar, the fewer players were ahead.",
}
"""What is never one, or not known to be."""

VERBS = {"appears", "beats", "deals", "has", "is", "takes", "wins"}


@cache
def messages() -> tuple[tuple[str, ...], ...]:
    """Each English message with its plural; not rule sets' own texts, nor words to search by.

    Nor the words of tables, which are a contract in English.
    """
    found = []
    for message in gather_texts():
        own = all(file.startswith("app/rules/variants") for file, _ in message.locations)
        to_search = all(file == "app/rules/faq/search.toml" for file, _ in message.locations)
        of_tables = all(file == "app/exchange/table_words.py" for file, _ in message.locations)
        terms = re.fullmatch(r"(?:[\w’' -]+, )+[\w’' -]+", str(message.id))
        if message.id and not (own or to_search or of_tables or terms):
            found.append((message.id,) if isinstance(message.id, str) else tuple(message.id))
    return tuple(found)


def sentences() -> list[str]:
    return [one for forms in messages() for one in forms if one not in KEPT]


@pytest.mark.parametrize("retired", RETIRED)
def test_a_retired_word_is_said_nowhere(retired) -> None:
    pattern = re.compile(rf"\b(?:{retired})\b", re.IGNORECASE)
    found = [one for one in sentences() if pattern.search(re.sub(r"\{\w+\}|%\(\w+\)s", "", one))]
    assert found == [], f"say: {RETIRED[retired]}"


def test_quotes_and_apostrophes_are_typographic() -> None:
    assert [one for one in sentences() if re.search(r"[\"']", one)] == []


def test_a_percentage_stands_close_to_its_sign() -> None:
    assert [one for one in sentences() if re.search(r"(?<=[\w}]) %(?!\()", one)] == []


def test_an_error_does_not_say_what_is_needed_here() -> None:
    assert [one for one in sentences() if re.match(r"Here .* needed|This is no ", one)] == []


def test_what_is_counted_has_its_plural() -> None:
    """`{count} rounds` would say "1 rounds"; a limit ("up to", {most}) is never one.

    What is counted anywhere has a plural somewhere, by which its word is known.
    """
    number = r"(?:\{(?!most\})\w+\}|%\(\w+\)s)"
    plurals = [forms[1] for forms in messages() if len(forms) > 1]
    ends = {end for one in plurals for end in re.findall(rf"{number} (?:[a-z]+ )?(\w+s)\b", one)}
    words = "|".join(ends - VERBS)
    counted = re.compile(
        rf"(?<!up to )(?<!more than )(?<!contract ){number} (?:[a-z]+ )?(?:{words})\b"
    )
    alone = {forms[0] for forms in messages() if len(forms) == 1} - SEVERAL
    assert sorted(one for one in alone if counted.search(one)) == []


def test_what_a_command_or_log_counts_has_its_plural() -> None:
    """By `counted`; a constant is never one."""
    found = []
    for file in (*(TOP / "app").rglob("*.py"), TOP / "tests/simulation.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            parts = node.values if isinstance(node, ast.JoinedStr) else []
            for number, said in pairwise(parts):
                if (
                    isinstance(number, ast.FormattedValue)
                    and not re.match("[A-Z]{2}", ast.unparse(number.value))
                    and isinstance(said, ast.Constant)
                    and re.match(r" (?!bytes\b)[a-z]{3,}s\b", str(said.value))
                ):
                    found.append(f"{file.relative_to(TOP)}: {ast.unparse(node)}")
    assert found == []
