"""Finding an answer: by starts of words and synonyms, in each language, the most fitting first."""

import tomllib
from pathlib import Path

import pytest

from app.rules.faq import ASKED_MOST, faq_entries
from app.rules.faq.search import search_entries
from app.rules.faq.topics import FaqEntry
from app.rules.phrases import in_english
from app.rules.rule_sets import family_rule_sets, shipped_rule_sets
from tests.french import french

ASKED = tomllib.loads((Path(__file__).parent / "asked.toml").read_text(encoding="utf-8"))["asked"]
UNANSWERED = {
    "en": [
        "I forgot to discard, what now?",
        "somebody saw my cards",
        "how long may somebody think?",
        "can we play in teams?",
    ],
    "fr": [
        "mon voisin a triché",
        "j'ai oublié de défausser, que faire ?",
        "une carte est tombée par terre",
        "peut-on parler pendant le jeu ?",
    ],
}
WITH_A_NUMBER_OF_PLAYERS = [
    ("en", "how many cards each with six players", "deal"),
    ("en", "how many cards do 4 people get", "deal"),
    ("en", "cards per player for 5", "deal"),
    ("en", "7 players how many cards each", "deal"),
    ("en", "how many decks for 7 players", "decks"),
    ("en", "we are eight, how many decks?", "decks"),
    ("en", "do we need a third deck with 6 people", "decks"),
    ("en", "can 9 people play", "players"),
    ("en", "can we play with 2?", "players"),
    ("en", "is 3 players enough", "players"),
    ("en", "how many jokers with 6 players", "jokers"),
    ("en", "there are 5 of us, how many cards do I deal", "deal"),
    ("fr", "combien de cartes par joueur à six", "deal"),
    ("fr", "combien de cartes chacun à quatre", "deal"),
    ("fr", "on est 7, combien de paquets ?", "decks"),
    ("fr", "combien de paquets pour cinq joueurs", "decks"),
    ("fr", "à huit, combien de cartes distribue-t-on ?", "deal"),
    ("fr", "peut-on jouer à deux", "players"),
    ("fr", "peut-on jouer à neuf", "players"),
    ("fr", "on joue à trois, combien de cartes", "deal"),
    ("fr", "nombre de cartes pour 5 joueurs", "deal"),
    ("fr", "faut-il un autre paquet quand on est six", "decks"),
    ("fr", "combien de jokers à six joueurs", "jokers"),
    ("fr", "nous sommes quatre, combien de cartes par personne", "deal"),
]
LANGUAGES = {"en": in_english, "fr": french}
DISPUTES = tomllib.loads((Path(__file__).parent / "disputes.toml").read_text(encoding="utf-8"))


def found(typed: str, rules: str = "frustration", translate=in_english) -> list[str]:
    return [
        one.id
        for one in search_entries(faq_entries(shipped_rule_sets()[rules]), typed, translate).entries
    ]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("lay off", "layoff-on-others"),
        ("pick up", "discard-draw"),
        ("wrap", "around-the-corner"),
        ("replace", "wild-swap"),
        ("sequence", "run"),
        ("straight", "run"),
        ("steal", "wild-swap"),
        ("reshuffle", "stock-exhausted"),
        ("deuce", "wild-limit"),
        ("tie", "several-finish"),
        ("final discard", "must-discard-to-go-out"),
        ("may I add", "layoff-on-others"),
    ],
)
def test_the_words_that_players_use_find_the_answer(typed: str, first: str) -> None:
    assert first in found(typed)[:3]


def test_a_word_is_found_by_its_start_and_never_by_its_middle() -> None:
    assert "stock-exhausted" in found("reshuf")
    for entry in search_entries(faq_entries(family_rule_sets()["frustration"]), "ace").entries:
        words = " ".join(entry.search_texts(in_english)).lower().replace("-", " ").split()
        assert any(word.startswith("ace") for word in words), entry.id


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("échange", "wild-swap"),
        ("echanger", "wild-swap"),
        ("frime", "wild-limit"),
        ("boucle", "around-the-corner"),
        ("série", "run"),
        ("as", "run-order"),
        ("piger", "discard-draw"),
        ("sans défausser", "must-discard-to-go-out"),
        ("égalité", "several-finish"),
    ],
)
def test_the_words_that_french_players_use_find_the_answer(typed: str, first: str) -> None:
    assert first in found(typed, translate=french)[:4]


def test_nothing_typed_finds_everything_and_nonsense_nothing() -> None:
    every: tuple[FaqEntry, ...] = faq_entries(family_rule_sets()["frustration"])
    assert search_entries(every, " ").entries == every
    assert found("zebra") == []


def test_where_no_answer_has_all_words_those_come_that_have_most() -> None:
    assert found("ace zebra")[0] in found("ace")


@pytest.mark.parametrize("dispute", DISPUTES["dispute"], ids=lambda one: one["entry"])
def test_a_dispute_is_settled_by_what_is_typed_or_is_among_the_ten_on_top(dispute) -> None:
    entries = faq_entries(family_rule_sets()[dispute["rules"]])
    settles = next(one for one in entries if one.id == dispute["entry"])
    assert dispute["says"] in settles.answer.render(in_english)
    if dispute["typed"]:
        assert found(dispute["typed"], dispute["rules"])[0] == dispute["entry"]
    else:
        assert dispute["entry"] in ASKED_MOST


@pytest.mark.parametrize("asked", ASKED, ids=lambda one: f"{one['rules']}-{one['question']}")
def test_a_question_as_it_is_typed_finds_its_answer_among_the_first_three(asked) -> None:
    shown = found(asked["question"], asked["rules"], LANGUAGES[asked["language"]])
    assert asked["finds"] in shown[:3]


@pytest.mark.parametrize("rules", family_rule_sets())
@pytest.mark.parametrize(
    ("language", "typed", "first"),
    [
        ("en", "how many points does a wild card count?", "penalties"),
        ("en", "may I lay off before I laid down?", "layoff-on-others"),
        ("fr", "puis-je ajouter des cartes avant d’avoir posé ?", "layoff-on-others"),
        ("en", "may a set have three wild cards?", "wild-limit"),
        ("fr", "un brelan peut-il avoir trois jokers ?", "wild-limit"),
    ],
)
def test_what_is_asked_in_the_first_minute_is_answered_first_by_each_rule_set(
    rules: str, language: str, typed: str, first: str
) -> None:
    if first == "penalties" and family_rule_sets()[rules].keep_score == "no":
        first = "keep-score"  # which says that no card costs anything
    assert found(typed, rules, LANGUAGES[language])[0] == first


@pytest.mark.parametrize(("language", "typed", "first"), WITH_A_NUMBER_OF_PLAYERS)
def test_how_many_play_is_told_beside_what_is_asked(language: str, typed: str, first: str) -> None:
    for rules in ("frustration", "frustration-rummy"):
        assert found(typed, rules, LANGUAGES[language])[0] == first


def is_answered(typed: str, language: str, rules: str = "aggravation-rummy") -> bool:
    entries = faq_entries(shipped_rule_sets()[rules])
    return search_entries(entries, typed, LANGUAGES[language]).is_answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_no_rule_answers_is_told_from_what_one_does(language: str) -> None:
    assert [typed for typed in UNANSWERED[language] if is_answered(typed, language)] == []
    asked = [one for one in ASKED if one["language"] == language]
    doubted = [one for one in asked if not is_answered(one["question"], language, one["rules"])]
    assert len(doubted) <= len(asked) // 20, doubted


@pytest.mark.parametrize(
    ("typed", "apart"),
    [
        ("can't I swap", "cant I swap"),
        ("player’s meld", "players meld"),
        ("l'as", "l as"),
        ("qu’est-ce", "qu est ce"),
    ],
)
def test_apostrophes_part_what_is_elided_and_join_what_is_shortened(typed, apart) -> None:
    assert found(typed) == found(apart)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("nock", "knock"),
        ("reshufle", "reshuffle"),
        ("discrad", "discard"),
        ("contrcat", "contract"),
    ],
)
def test_a_slip_finds_what_was_meant(typed: str, meant: str) -> None:
    assert found(typed)[0] in found(meant)[:3]
