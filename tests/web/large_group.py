"""A group as large as it may be, as a document: each way to be large has a number of its own."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from app.rules.phrases import Phrase
from app.rules.rule_sets import MOST_CONTRACTS, from_dict, rule_set_by_id, to_dict, with_house_rules
from app.rules.verdicts import LONGEST_VERDICT, RecordedVerdict
from app.scorebook import limits

AT = datetime(2026, 11, 20, tzinfo=UTC)
RUNNING, STOPPED = "abcdefghjkmn", "bcdefghjkmnp"
"""The keys of the two large games: one goes on, one was stopped with a result."""
OWN, REMOVED = "own-0", "own-removed"
"""The keys of a rule set of the group, and of one that it removed."""
MOST = {
    "rounds": limits.MOST_ROUNDS - 2,
    "drafts": limits.MOST_ROUNDS - 20,
    "seats": limits.MOST_SEATS - 4,
    "corrections": limits.MOST_CORRECTIONS - 2,
    "void deals": limits.MOST_DECISIONS - 2,
    "dealers": limits.MOST_DECISIONS - 2,
    "seat changes": limits.MOST_DECISIONS - 2,
    "rule changes": limits.MOST_RULE_CHANGES - 2,
    "stand-ins": limits.MOST_STAND_INS - 2,
    "absences": limits.MOST_ABSENCES - 2,
    "rulings": limits.MOST_RULINGS - 2,
    "log": limits.MOST_LOG_ENTRIES - 100,
    "players": limits.MOST_PLAYERS - 20,
    "games": 400,
    "rule sets": limits.MOST_OWN_RULE_SETS - 2,
    "contracts": MOST_CONTRACTS - 3,
    "letters": 100,
}
"""Each way to be large, and how large; room is left for what is done then.

Of games a group may have any number: pages of many show some of them. Letters are those of names,
notes, reasons, questions and what was typed, in hundredths of what each may have.
"""
Document = dict[str, Any]


def document_of(sizes: dict[str, int]) -> Document:
    """A group with two games of these sizes, the second of which goes on."""
    return _Builder(sizes).document()


class _Builder:
    def __init__(self, sizes: dict[str, int]) -> None:
        self.sizes = sizes
        self.seats = 3 + sizes["seats"]
        at_least = (sizes[one] for one in ("rounds", "dealers", "seat changes", "rule changes"))
        self.rounds = max(2, *at_least, sizes["stand-ins"], 2 * sizes["absences"] + 1)
        self.first_names = [self.name(f"P{number}") for number in range(self.seats)]
        self.later_names = [self.name(f"S{number}") for number in range(sizes["stand-ins"])]

    def text(self, text: str, most: int) -> str:
        """The text made as long as its share of what it may have."""
        return (text + "x" * (most * self.sizes["letters"] // 100 - len(text)))[:most]

    def name(self, name: str) -> str:
        return self.text(name, limits.LONGEST_NAME)

    def document(self) -> Document:
        sizes = self.sizes
        others = [f"A{number}" for number in range(sizes["players"] - self.seats)] or ["A0", "A1"]
        names = [*self.first_names, *self.later_names, *map(self.name, others)]
        names = names[: max(sizes["players"], self.seats + len(self.later_names) + 2)]
        players = [{"name": name, "since": AT.isoformat()} for name in names]
        players[-1] |= {"merged_into": names[0]}
        own = [(f"own-{number}", None) for number in range(max(1, sizes["rule sets"]))]
        rules = self.rules()
        return {
            "format": "meldkeeper-group",
            "version": 1,
            "group": {"name": self.text("Large", limits.LONGEST_GROUP_NAME)},
            "milestones": False,  # told of each seat, whatever a group holds
            "players": players,
            "rule_sets": {"r": to_dict(rules), **dict(self.rules_of_games())},
            "own_rule_sets": [
                {
                    "key": key,
                    "rules": to_dict(replace(rules, id=key, name=f"Ours {key}")),
                    "version": 1,
                    "created_at": AT.isoformat(),
                    "changed_at": AT.isoformat(),
                    "removed_at": removed,
                }
                for key, removed in [*own, (REMOVED, AT.isoformat())]
            ],
            "usual_rules": [
                {"rule_set": key, "rules": {"last_contract": 2}, "changed_at": AT.isoformat()}
                for key, _removed in own
            ],
            "games": [
                *self.past_games(names),
                {**self.game(), "key": STOPPED, "stopped": "result", "finished_at": later(1)},
                {**self.game(), **self.goes_on(), "key": RUNNING},
            ],
        }

    def rules(self) -> Any:
        house = {"keep_score": "yes", "max_deals": 0}
        plain = to_dict(with_house_rules(rule_set_by_id("frustration-rummy"), house))
        contracts = 3 + self.sizes["contracts"]
        plain["contracts"]["value"] = [("s3 s3", "r4 s3")[n % 2] for n in range(contracts)]
        plain["last_contract"]["value"] = contracts
        return from_dict(plain)

    def rules_of_games(self) -> Iterator[tuple[str, Document]]:
        """A rule set of its own for every tenth game."""
        for number in range(0, 2 + self.sizes["games"], 10):
            rules = rule_set_by_id("frustration-rummy")
            yield f"g{number}", to_dict(replace(rules, summary=f"As in {number}."))

    def past_games(self, names: list[str]) -> Iterator[Document]:
        """Games with results only, the first of them deleted."""
        for number in range(2 + self.sizes["games"]):
            first, second = names[number % self.seats], names[(number + 1) % self.seats]
            yield {
                "key": f"p{number:015x}",
                "rules": f"g{number // 10 * 10}",
                "version": 0,
                "started_at": later(-number - 1),
                "finished_at": later(-number),
                "deleted_at": None if number else later(0),
                "seats": [{"player": first, "deals_first": True}, {"player": second}],
                "paper": [{"seat": 1, "place": 1}, {"seat": 2, "place": 2}],
            }

    def game(self) -> Document:
        sizes, reason = self.sizes, self.text("It was so.", limits.LONGEST_DECISION)
        order = list(range(1, self.seats + 1))
        return {
            "rules": "r",
            "version": 1,
            "started_at": AT.isoformat(),
            "title": self.text("Game", limits.LONGEST_TITLE),
            "note": self.text("Note", limits.LONGEST_NOTE),
            "seats": list(self.seat_documents()),
            "rounds": [self.round(n, closed=True) for n in range(1, self.rounds + 1)],
            "rule_changes": [
                {"from_round": n, "field": "run_suit", "value": ("same", "any")[n % 2]}
                for n in range(1, sizes["rule changes"] + 1)
            ],
            "course": {
                "voids": [
                    {"number": n, "dealer": 1, "reason": reason}
                    for n in range(1, sizes["void deals"] + 1)
                ],
                "dealers": [{"number": n, "seat": 1} for n in range(1, sizes["dealers"] + 1)],
                "seat_changes": [
                    {"number": n, "before": order[::-1] if n % 2 else order}
                    for n in range(1, sizes["seat changes"] + 1)
                ],
                "corrections": [
                    {"number": n % self.rounds + 1, "seat": 1, "points": 5, "reason": reason}
                    for n in range(max(1, sizes["corrections"]))
                ],
                "notes": [{"number": n, "note": reason} for n in range(1, self.rounds + 1)],
            },
        }

    def goes_on(self) -> Document:
        """What the game has beside that goes on: open rounds, rulings, and the log."""
        after, last = self.rounds + 1, min(self.rounds + self.sizes["drafts"], limits.MOST_ROUNDS)
        rounds = [self.round(n, closed=n < after) for n in range(1, max(last, after) + 1)]
        log = list(self.log())
        return {
            "rounds": rounds,
            "log": log,
            "version": len(log),
            "rulings": [self.ruling() for _ in range(1 + self.sizes["rulings"])],
        }

    def seat_documents(self) -> Iterator[Document]:
        """Of the first three seats one is held by many, one was often left."""
        for number, name in enumerate(self.first_names):
            seat: Document = {"player": name, "deals_first": number == 0}
            if number == 1:
                seat["stand_ins"] = [
                    {"from_round": n, "player": one}
                    for n, one in enumerate(self.later_names, start=1)
                ]
            if number == 2:
                away = range(1, self.sizes["absences"] + 1)
                seat["missed"] = [{"first": 2 * n, "last": 2 * n} for n in away]
            yield seat

    def round(self, number: int, *, closed: bool) -> Document:
        typed = "5" + "+0" * (len(self.text("", limits.LONGEST_TYPED)) // 2 - 1)
        rows = [
            {"seat": seat, "penalty": 5, "typed": typed}
            for seat in range(1, self.seats + 1)
            if seat != 3 or number % 2 or number > 2 * self.sizes["absences"]
        ]
        ended = {"closed_at": AT.isoformat()} if closed else {}
        return {"number": number, "nobody_out": closed, "rows": rows, **ended}

    def ruling(self) -> Document:
        message = Phrase(self.text("Legal", LONGEST_VERDICT))
        said = RecordedVerdict(message)
        return {
            "round": 1,
            "at": AT.isoformat(),
            "question": self.text("ask=meld&m=5H 6H 7H", limits.LONGEST_QUESTION),
            "verdict": said.english_text,
            "said": said.to_dict(),
            "decided": self.text("Fine", limits.LONGEST_DECISION),
        }

    def log(self) -> Iterator[Document]:
        """Rounds that were edited, of what is entered in them, and last a tap in the open round."""
        edits = range(1, max(1, self.sizes["log"] // 3))
        for edit in edits:
            number = edit % self.rounds + 1
            at = {"at": later(edit), "round": number, "by": "Phone"}
            for place, said in enumerate(("4", "5")):
                change = {"before": {"typed": said}, "after": {"typed": "45"[place]}}
                version = 3 * edit - 2 + place
                yield {**at, "version": version, "kind": "row", "seat": 1 + place, **change}
            yield {**at, "version": 3 * edit, "kind": "mended"}
        open_round = {"at": later(0), "round": self.rounds + 1, "by": "Phone", "kind": "row"}
        change = {"seat": 1, "before": {"met": True}, "after": {"met": False}}
        yield {**open_round, **change, "version": 3 * len(edits) + 1}


def later(minutes: int) -> str:
    """A moment, as a document says it."""
    return (AT + timedelta(minutes=minutes)).isoformat()
