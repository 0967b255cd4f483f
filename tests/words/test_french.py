"""The French of the screens: one term for one thing, and sentences that are written as sentences.

Left out are the words that people search by, which are there to be typed and not to be read.
"""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from app.web.infrastructure.localization import CATALOGUES
from tests.words.catalogues import read_catalog

RETIRED = {
    r"jeux? (?:de \d|et suites?)|(?:troisième|chaque|un|deux|trois|aucun|comme) jeux? "
    r"(?:de \d|en|ont|sont)": "groupe, brelan, carré; paquet",
    r"aucun jeu(?! voisin)|comme jeu|dans un jeu": "groupe",
    r"donneu(?:r|rs|se)": "le joueur qui donne",
    r"la marque|de marque|: marque": "les points, le score",
    r"primes?": "bonus",
    r"permis|permise?s?": "valable",
    r"frimes?|frimées?": "joker",
    r"frapp(?:er|ez|ant|e)": "annoncer sa dernière carte",
    r"(?:manche|donne)s? (?:\S+ )?(?:nulle|annulée)s?": "redistribuée",
    r"Rien n’est dit": "le texte ne le dit pas",
    r"remplir|(?:est|soit|être) remplie?|remplit": "réussir",
    r"dix-neuf buts|le but \d+": "objectif",
    r"(?:première|la|une) personne qui (?:donne|pose|sort|a commencé)|première personne": "joueur",
    r"(?:paquets|jeux) sont nommés": "le texte prévoit",
    r"moins de points gagne|sortie gagne": "le score le plus bas gagne, le premier à sortir gagne",
    r"plus (?:petit|grand)s? scores?": "le score le plus bas, le plus élevé",
    r"redonn(?:er|ée?s?|e)": "redistribuer",
    r"restaur(?:er|ée?s?)": "rétablir",
    r"sous (?:«|Manches)": "dans",
    r"sièges?": "place",
    r"propres chiffres": "statistiques",
    r"litiges?|arbitrages?": "décision, questions-réponses",
    r"rien d’entré|entrer des cartes": "saisir",
    r"réunis? avec": "fusionner",
    r"lettres permises|signes": "caractères",
    r"de la table": "posé",
    r"propre place": "à sa place",
    r"retir(?:er|ez|ée?s?) des points|points retirés": "enlever des points",
    r"peut compter|droit de compter": "noter les points",
    r"étapes marquantes|les étapes": "moments forts",
    r"supplémentaires?": "en plus",
    r"distribu(?:er|ez|ée?s?)": "donner",
    r"toute la pile": "toute la défausse",
    r"moitié (?:française|anglaise)|l’anglaise": "le texte français, le texte anglais",
    r"sur (?:le|ce) contrat": "au contrat",
    r"après tout|plus proche": "finalement ; antérieur",
    r"(?:ne |n’a pas )?march(?:e|ent|é)": "fonctionner",
    r"des vrais jokers": "de vrais jokers",
    r"cartes? (?:\w+ )?coût\w+|coût\w+ (?:\w+ )?cartes?": "valoir",
    r"Rummy, d’une famille": "version familiale",
    r"il ne faut pas (?:sortir|de défausse)": "pas besoin de",
}
"""What is no longer said, and what is said instead."""

TERMS = {
    r"extra (?:meld|run|set)s?": "en plus",
    r"whole (?:discard )?pile": "toute la défausse",
    r"(?<!house )[Rr]ule sets?(?!s)": "[Vv]ariante",
    r"[Aa]verage place|[Pp]lace \{place\}(?!:|$)": "[Rr]ang",
    r"[Ee]xtra points": "en plus ou en moins",
    r"results only(?!,)": "résultat seul",
    r"otherwise as": "pour le reste comme",
    r"Ending a Round": "fin d’une manche",
    r"Set Up": "mise en place",
    r"round ends|ends the round": "termine",
    r"[Ee]dited|Edits?": "[Mm]odifi",
    r"on contract": "au contrat",
    r"[Ss]earch": "[Rr]echerch",
    r"\{name\} left(?! the game)": "quitte la partie",
    r"\{name\} joined": "rejoint la partie",
    r"(?:[Yy]our|[Tt]he|[Aa]|this|new) group\b": "[Cc]lub",
}
"""What is said of one thing everywhere, and its one name in French."""

KEPT = {
    # quote a text's own words
    "French text: sets and runs",
    "The text moves on those who “have met their contract”, and going out asks for it laid down.",
}


@cache
def messages() -> tuple[tuple[str, str], ...]:
    """Each English text with each form of its French; no words to search by, no rule-file names."""
    return tuple(_messages())


def _messages() -> Iterator[tuple[str, str]]:
    for message in read_catalog(CATALOGUES / "fr.po"):
        english = message.id if isinstance(message.id, str) else message.id[-1]
        to_search = all(file == "app/rules/faq/search.toml" for file, _ in message.locations)
        terms = re.fullmatch(r"(?:[\w’' -]+, )+[\w’' -]+", english)
        if english and english not in KEPT and not to_search and not terms:
            forms = (message.string,) if isinstance(message.string, str) else message.string
            yield from ((english, str(form)) for form in forms)


@pytest.mark.parametrize("retired", RETIRED)
def test_a_retired_term_is_said_nowhere(retired: str) -> None:
    pattern = re.compile(rf"(?<!\w)(?:{retired})(?!\w)", re.IGNORECASE)
    found = [french for _english, french in messages() if pattern.search(french)]
    assert found == [], f"dites : {RETIRED[retired]}"


def test_a_printed_joker_is_a_real_one_where_wild_cards_are_jokers_too() -> None:
    """`joker` is any wild card: where the English counts printed jokers, French says which."""
    counted = re.compile(r"(?:\d|\{count\}|%\(num\)s|two|extra|play with) jokers?\b")
    wrong = [
        (english, french)
        for english, french in messages()
        if counted.search(english) and not re.search("vrais? joker| 2$|jokers de plus", french)
    ]
    assert [french for english, french in wrong if "wild" not in english] == []


def test_no_name_stands_where_it_would_need_an_elision() -> None:
    """« de Anna » is wrong, so a name never follows « de » or « que »."""
    name = re.compile(r"\b(?:de|que|le|la) (?:\{(?:name|other|holder)\}|%\(name\)s)")
    assert [french for _english, french in messages() if name.search(french)] == []


def test_of_one_is_said_with_an_article() -> None:
    """« de 1 joueur » is read with a stumble: « d’un joueur »."""
    said = [one.string for one in read_catalog(CATALOGUES / "fr.po")]
    forms = [one[0] for one in said if isinstance(one, tuple | list)]
    singular = [one for one in forms if re.search(r"\b[Dd]e (?:\{count\}|%\(num\)s)", one)]
    assert singular == []


def test_no_word_is_said_twice_in_a_row() -> None:
    twice = re.compile(r"(?<![\w’])(?!nous|vous)(\w{2,}) \1(?!\w)", re.IGNORECASE)
    assert [one for pair in messages() for one in pair if twice.search(one)] == []


def test_a_place_of_a_text_is_named_without_a_capital() -> None:
    """Its name follows a colon or a semicolon, in the middle of a sentence."""
    names = [french for english, french in messages() if re.match(r"[\w ]+ text: ", english)]
    assert names
    assert [one for one in names if not one[0].islower()] == []


def test_a_sentence_begins_with_a_capital_and_ends_with_a_full_stop_where_the_english_does() -> (
    None
):
    for english, french in messages():
        if re.match(r"[A-Z][a-z’]+ .*\.$", english):
            assert re.search(r"[.…!?]\)?$", french), french
        if re.match(r"[A-Z][a-z’]+ \S+ \S+", english) and re.match(r"\w", french):
            assert not french[0].islower() or _follows_a_colon(english), french


def _follows_a_colon(english: str) -> bool:
    """Is it the name of a place in a text, or what would make cards legal?"""
    return not english.endswith((".", "?", "!")) or english in advice()


@cache
def advice() -> frozenset[str]:
    """The English of what is said after “To make it legal:”."""
    catalog = read_catalog(CATALOGUES / "fr.po")
    of_advice = (one for one in catalog if "app/rules/advice.py" in dict(one.locations))
    return frozenset(str(one.id) for one in of_advice)


def test_what_would_make_cards_legal_goes_on_after_the_colon_without_a_capital() -> None:
    found = [french for english, french in messages() if english in advice()]
    assert found
    assert [one for one in found if not one[0].islower()] == []


def test_a_percentage_stands_apart_by_a_narrow_blank_and_dots_follow_at_once() -> None:
    for _english, french in messages():
        assert not re.search(r"[\w}]\s…", french), french
        assert not re.search(r"(?:\d|\}|\)s)[^\S\u202f]?%(?![(\w])", french.replace("%%", "%")), (
            french
        )


@pytest.mark.parametrize("term", TERMS)
def test_one_thing_has_one_name(term: str) -> None:
    pattern = re.compile(rf"(?<!\w)(?:{term})(?!\w)")
    found = [(english, french) for english, french in messages() if pattern.search(english)]
    assert found
    assert [french for _english, french in found if not re.search(TERMS[term], french)] == []


def test_a_vowel_is_never_left_after_a_word_that_loses_its_own() -> None:
    """« que il » is wrong; after a hyphen, as in « puis-je ajouter », nothing is lost."""
    open_end = re.compile(
        r"(?<![-\w])(?:[Qq]ue|[Dd]e|[Ll]e|[Ll]a|[NnSsJjMmTt]e|lorsque|puisque) "
        r"(?=[aeiouyâàéèêîôû])(?!oui\b|onz|y en\b|un\b[^e])",
    )
    assert [french for _english, french in messages() if open_end.search(french)] == []


def test_no_sentence_begins_with_therefore_after_a_comma() -> None:
    """« …, rien ne continue donc » are two sentences: a semicolon parts them."""
    spliced = re.compile(r", (?:on|il|elle|rien|l’\w+|il n’y a|toute \w+) (?:\S+ ){0,3}donc\b")
    assert [french for _english, french in messages() if spliced.search(french)] == []


def test_who_is_addressed_as_vous_has_a_verb_of_that_person() -> None:
    """« Vous commence » is wrong; in « il vous manque » another word is the subject."""
    subject = re.compile(
        r"(?:^|[.!?:;,] |\b(?:si|quand|que|où|et|dont|mais) )"
        r"vous (?:(?:ne|y|en|le|la|les) |[nyl]’)*(\w+)",
        re.IGNORECASE,
    )
    verbs = [(verb, french) for _english, french in messages() for verb in subject.findall(french)]
    assert verbs
    assert [one for one in verbs if not re.search(r"ez$|^(?:êtes|faites|dites)$", one[0])] == []
