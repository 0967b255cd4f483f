"""What version 1.0.0 said in other words: what was decided since, one rewording after another.

Each pair is a pattern of an old text and what is said in its place; they are applied in order.
A text that is reworded again gets one more line, and nothing is recorded anew.
"""

import re
from collections.abc import Callable

Rewordings = tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]

# A moment is written as browsers write it, so that they need not write it again.
_NO_SECONDS = (r"(\d:\d\d):\d\d(?=\s[AP]M\b| · )", r"\1")

# A sum is told by what it comes to, and what was before it only where that is something else.
_SUMS = (
    (r"\b\d+(?:\+\d+)+\b", lambda found: str(sum(map(int, found[0].split("+"))))),
    (r"\b(\d+)( points) \((?:before|avant)\s?: \1\)", r"\1\2"),
)

ACTIVITY: dict[str, Rewordings] = {
    # The words that everybody knows: "lay down" for "meet", "edit" for "mend", "end" for "close".
    "en": (
        _NO_SECONDS,
        *_SUMS,
        # What stands in the head of a change is set apart by its style, and a device by a number.
        (r" · a phone\b", " a device (3)"),
        (r"^\w+ \d+, \d{4}, .* · .*", lambda found: found[0].replace(" · ", " ")),
        (r"^Why: ", "Reason: "),
        (r"^Round (\d+) was closed$", r"Round \1 ended"),
        (r"^Round (\d+) was opened again$", r"Round \1 reopened"),
        (r"^Round (\d+) was mended$", r"Round \1 edited"),
        (r"^The game started: (.*); ", r"The game started: \1. "),
        (r"^The game was archived$", "Game archived"),
        (r"^The game was reopened$", "Game reopened for edits; it’s still over"),
        (r"^The game came out of the archive$", "Game unarchived"),
        (r"^The game was put into the bin$", "Game deleted"),
        (r"^The game was taken out of the bin$", "Game restored"),
        (r"^The game has no name any more$", "The game has no name anymore"),
        (r"^The note was changed$", "Someone changed the note"),
        (r"^The result was shared by an address$", "Public link created"),
        (r"^The result is no longer shared$", "Public link removed"),
        (r"^An earlier change was undone$", "An earlier change undone"),
        (r"^Nobody went out$", "No one went out"),
        (r"^Not: nobody went out$", "Undone: no one went out"),
        (r"laid the last contract first$", "laid down the last contract first"),
        (r"^Nobody laid down the last .* first$", "Undone: who laid down the last contract first"),
        # House rules are told in sentences, not as answers.
        (r" ?Are 2s wild\? 2s are ordinary cards$", " 2s are ordinary cards."),
        (r" ?Are 2s wild\? 2s are wild$", " 2s are wild."),
        # A ruling shows the verdict as it was said and is never judged again.
        (r"^A dispute: ", "The rules said: "),
        (r"^(The rules said: [LN][a-z ]+): (.*)\. The table", r"\1. \2 The table"),
        (r"^The rules said: Legal\. The table", "The rules said: Legal The table"),
        (r" The table decided: ", " The group decided: "),
        # A row's change is one sentence with one name: the old one named the player in each part.
        *[(r"\b([A-Z]\w+)\b(:? .*?)(?:, | and )\1:? ", r"\1\2, ")] * 2,
        (r"went out, met the contract", "went out, laid down"),
        (r"did not go out", "didn’t go out"),
        (r"go out, did not meet the contract", "go out, not laid down"),
        (r"met the contract", "laid down their contract"),
        (r"did not meet the contract", "didn’t lay down their contract"),
        (r"no points any more", "points removed"),
        (r"\(before: ", "(was "),
        (r", lifted exactly the cards for the deal", ", exact deal"),
        (r", did not lift exactly the cards for the deal", ", no exact deal"),
        (r" did not lift exactly the cards for the deal", ": no exact deal"),
        (r"\b(?:bonus for the )?exact deal\b", "dealer bonus"),
    ),
    "fr": (
        _NO_SECONDS,
        *_SUMS,
        (r" · un téléphone\b", " · un appareil (3)"),
        (r"^\d+ \w+\.? \d{4}.* · .*", lambda found: found[0].replace(" · ", " ")),
        (r"^Pourquoi : ", "Raison : "),
        (r"^La manche (\d+) a été close$", r"La manche \1 est terminée"),
        (r"^La manche (\d+) a été corrigée$", r"La manche \1 est modifiée"),
        (r"^La manche (\d+) a été rouverte$", r"La manche \1 est rouverte"),
        (r"^La partie a commencé : (.*) ; ", r"La partie commence : \1. "),
        (r"^La partie a été archivée$", "La partie est archivée"),
        (
            r"^La partie a été rouverte$",
            "Partie rouverte pour modifications ; elle reste finie",
        ),
        (r"^La partie est sortie des archives$", "La partie n’est plus archivée"),
        (r"^La partie a été mise à la corbeille$", "La partie est supprimée"),
        (r"^La partie a été reprise de la corbeille$", "La partie est rétablie"),
        (r"^Le résultat a été partagé par une adresse$", "Un lien public est créé"),
        (r"^Le résultat n’est plus partagé$", "Le lien public est supprimé"),
        (r"^Un changement plus ancien a été annulé$", "Un changement précédent est annulé"),
        (r"^Retiré : personne n’est sorti$", "Annulé : personne ne sort"),
        (
            r"^Personne n’a posé le dernier contrat en premier$",
            "Annulé : qui pose le dernier contrat en premier",
        ),
        (r"^Personne n’est sorti$", "Personne ne sort"),
        (r" a quitté la partie$", " quitte la partie"),
        (r" est de la partie$", " rejoint la partie"),
        (r"^(\w+) a posé le dernier contrat en premier$", r"\1 pose le dernier contrat en premier"),
        (
            r"Les 2 sont-ils des frimes \? les 2 sont des cartes ordinaires$",
            "Les 2 sont des cartes ordinaires.",
        ),
        # 1.0.0 had kept verdicts in English and judged each question again to say it in French.
        # A verdict is shown as it was said then, so that no later rule changes what was ruled.
        (r"^Un litige : Permis\.", "Verdict : Valable"),
        (r"^Un litige : Pas permis : ", "Verdict : Pas valable. "),
        (r"^Un litige : Pas encore : ", "Verdict : Not yet. "),
        (
            r"le contrat (\d+) demande (\d+) jeux de (\d+), et il y a ici (\d+) combinaisons\.",
            r"contract \1 asks for \2 sets of \3, and here are \4 melds",
        ),
        (r"combinaison (\d+) \(jeu de (\d+)\) : un jeu", r"meld \1 (set of \2): un jeu"),
        (
            r"un jeu est d’une seule valeur, et voici ([\d ]+)\.",
            r"a set is of one rank, and here are \1",
        ),
        (r" La table a décidé : ", " Décision du club : "),
        *[(r"\b([A-Z]\w+)\b( .*?)(?:, | et )\1(?: :)? ", r"\1\2, ")] * 2,
        (r"^(\w+) : sortie, contrat posé", r"\1 sort, pose"),
        (r"^(\w+) : sortie", r"\1 sort"),
        (r"^(\w+) : pas de sortie", r"\1 ne sort pas"),
        (r"(sort pas), contrat pas posé", r"\1, ne pose pas"),
        (r"^(\w+) : contrat posé", r"\1 pose son contrat"),
        (r"^(\w+) : contrat pas posé", r"\1 ne pose pas son contrat"),
        (r"plus de points", "points effacés"),
        (r"^(\w+) n’a pas soulevé exactement les cartes de la donne", r"\1 : pas de donne exacte"),
        (r", a soulevé exactement les cartes de la donne", ", donne exacte"),
        (r", n’a pas soulevé exactement les cartes de la donne", ", pas de donne exacte"),
        (r"\bdonne exacte\b", "bonus de donne"),
    ),
}  # fmt: skip

REASON: Rewordings = (
    (r" was laid$", " was laid down"),
    (r"((?:score|completed)) after (?:1 round|\d+ rounds)\b", r"\1"),
)
"""Why a game ended; after how many rounds is said beside it."""

PAGES: Rewordings = (
    *REASON[1:],
    *ACTIVITY["en"],
    (r"\bMend round\b", "Edit round"),
    (r", corrected\b", ", edited"),
    (r"did not play", "didn’t play"),
    (r"\band not met\b", "and not laid down"),
    (r"\band met it\b", "and laid down"),
    (r", not met\b", ", not laid down"),
    (r", met it\b", ", laid down"),
    (r", penalty (\d)", r", points \1"),
    (r"Its closing was undone\.", "The round was reopened."),
    (r"Closed again without a change\.", "Saved without changes."),
    (r"contract (\d+) was laid$", r"contract \1 was laid down"),
    (r"(Round \d+.* Not \w+): (.*)\. The question", r"\1. \2 · The question"),
    (r"Legal\. The question", "Legal · The question"),
    (
        r"^(Round \d+(?:, [^,]+? asked)?) (.*) · The question",
        r"\1 The rules said: \2 · The question",
    ),
    (
        r"^Does who lays the last contract pay .*\? yes, like everybody$",
        "The player who lays the last contract pays for cards still held.",
    ),
    (r"^How many cards does each player get\? (.*)$", r"Each player gets \1."),
    (
        r"^How many points come off for being first to finish all contracts\? (.*) off$",
        r"Finishing all contracts first takes \1 off.",
    ),
    (
        r"^How many points come off for lifting exactly the cards for the deal\? (.*) off$",
        r"The dealer bonus takes \1 off.",
    ),
    (r"^How many points come off for going out\? (.*) off$", r"Going out takes \1 off."),
    (
        r"^Who wins\? who goes out first with the last contract$",
        "The first to go out on the last contract wins.",
    ),
    (r"^Which contract is the last one\? c(.*)$", r"C\1 is the last one."),
    (
        r"^After how many rounds does the game end at the latest\? (.*)$",
        r"The game ends after \1 at the latest.",
    ),
    (r"share the win!", "tie for the win!"),
)
"""The record of a game: the words of its activity, and its own."""

STATISTICS: Rewordings = (
    (r"(Hana.* Finn.*?) Jo .*left$", r"\1"),  # Jo joined for a round that was not played
    (r" Games Wins Place$", " Games Wins Average place"),
    (r"share the win!", "tie for the win!"),
    (r"Rounds each Tries that worked$", "Average rounds Success rate"),
    (r"Tries that worked$", "Success rate"),
    (r" hardest\b", ""),  # since not said on a tie
    (r"^Closest finish \d+ points? (?=.* tie for the win!)", "Closest finish tie "),
    (r"^Closest finish 0 contracts", "Closest finish level on contracts"),
    (r"^most wins in a row", "longest winning streak"),
    (r"(streak \d+) now 0$", r"\1"),
    (r"^of rounds gone out", "rounds ended by going out"),
    (r"^points when not out", "points a round when not going out"),
    (r"^rounds stuck at most", "most rounds on one contract"),
    (r"times (above|below)", r"\1"),
    (r"\babove\b", "ahead"),
    (r"\bbelow\b", "behind"),
    (r"(\d) level$", r"\1 tied"),
)

REFUSED: Rewordings = (
    (r"cannot be undone here", "can’t be undone here"),
    (r"That was changed again since: undo the", "That has changed again since. Undo the"),
    (r"were played there since: let the", "have been played since. Have the"),
    (r"the player leave\.$", "the player leave the game instead."),
)
"""Why a change is not undone."""


def reworded(text: str, rewordings: Rewordings) -> str:
    """An old text as it is said today."""
    for pattern, said in rewordings:
        text = re.sub(pattern, said, text)
    return text
