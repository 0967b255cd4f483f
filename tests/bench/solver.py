"""The hand solver's speed: feasibility beside CP-SAT, whole turns, hands in play, an adversary.

Every figure is of one process. The same hands are asked of both programs in the same run, and
answers that differ are counted. Steps are the solver's own count, the same on every machine; times
are processor time, so that other work on the machine shows little, beside that of a plain loop.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from typing import TypeVar

from app.rules.cards import RANKS, SUITS, Card
from app.rules.rule_sets import family_rule_sets
from app.rules.solver import BUDGET, Solution, TableMeld, TooManyWays, can_lay, solve
from app.rules.variant import Variant
from tests.bench.adversary import SIZES, Case, climb, seeds
from tests.bench.play import MOST_HELD, Question, questions_in_play
from tests.strategies import deck

SEED = 20061
HAND = 14
MELDS = 6
LONG = 40
WILDS = 8
IN_PLAY = 30_000
UNDECIDED_IN = 10_000
"""Of so many hands in play fewer than one may be left undecided."""
SIZES_IN_PLAY = (14, 20)
CLIMB = 120
SLOWEST, TIMES = 8, 3
"""So many of the slowest questions are asked again so often, and the least time taken."""

Answer = TypeVar("Answer")


def report(*, short: bool = False, long: bool = False) -> int:
    """Measure and print; 1 if answers differed, or too much was taken or left undecided."""
    rng = random.Random(SEED)
    _say(f"A loop of a million additions takes {_loop() * 1000:.0f} ms")
    differing = _feasibility(rng, 5 if short else 20)
    _whole_turns(rng, 10 if short else 40)
    _long_hands(rng, 1 if short else 4)
    undecided = _in_play(rng, IN_PLAY // 10 if short else IN_PLAY)
    above = sum(_adversary(rng, size, 1 if short else 6) for size in SIZES)
    if long:
        _million(rng, 1_000_000)
    return 1 if differing or undecided or above else 0


def _loop() -> float:
    start = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number
    return time.process_time() - start


def _feasibility(rng: random.Random, hands: int) -> int:
    from tests.bench.yardstick import can_lay_by_model

    questions = [
        Question(rules, number, tuple(rng.sample(deck(rules), HAND)))
        for rules, number in _contracts()
        for _ in range(hands)
    ]
    for rules, number in _contracts():
        for _ in range(20):
            can_lay(rules, number, rng.sample(deck(rules), HAND))
    ours, answers = _timed(questions, lambda one: can_lay(one.rules, one.number, one.hand))
    theirs, models = _timed(
        questions, lambda one: can_lay_by_model(one.rules, one.number, one.hand)
    )
    differing = sum(one != other for one, other in zip(answers, models, strict=True))
    _say(f"Feasibility, {HAND} random cards, every contract: {sum(answers)} can be laid")
    _row("ours", ours)
    _row("CP-SAT", theirs)
    _say(f"  median {_at(theirs, 0.5) / _at(ours, 0.5):.0f} times as fast as CP-SAT; our 99th")
    _say(f"  percentile is {_at(ours, 0.99) / _at(theirs, 0.5):.3f} of its median")
    _say(f"  answers that differ: {differing}")
    return differing


def _whole_turns(rng: random.Random, hands: int) -> None:
    questions = []
    for rules, number in _contracts():
        for _ in range(hands):
            cards = deck(rules)
            rng.shuffle(cards)
            table = _table(rng, rules, cards[HAND:])
            questions.append(Question(rules, number, tuple(cards[:HAND]), table))
    _say(f"Whole turns, {HAND} random cards, {MELDS} melds on the table")
    _turns(questions)


def _long_hands(rng: random.Random, hands: int) -> None:
    _say(f"Whole turns, {LONG} cards with {WILDS} wild ones, three decks, empty table")
    questions = []
    for rules, number in _contracts():
        cards = deck(rules, 3)
        wilds = [card for card in cards if rules.is_wild(card)]
        naturals = [card for card in cards if not rules.is_wild(card)]
        count = min(WILDS, len(wilds))
        for _ in range(hands):
            hand = rng.sample(wilds, count) + rng.sample(naturals, LONG - count)
            questions.append(Question(rules, number, tuple(hand)))
    _turns(questions)


def _turns(questions: list[Question]) -> None:
    taken, found = _timed(questions, lambda one: solve(one.rules, one.number, one.hand, one.table))
    _row("all", taken)
    layable = [time for time, one in zip(taken, found, strict=True) if one.can_lay_down]
    _row("layable", layable)
    for rules in family_rule_sets().values():
        own = [
            time
            for time, question, one in zip(taken, questions, found, strict=True)
            if question.rules is rules and one.can_lay_down
        ]
        _row(f"  {rules.id}", own)
    _say(f"  undecided: {sum(not one.is_proven_best for one in found)}")


def _in_play(rng: random.Random, hands: int) -> bool:
    """Ask all hands of simulated rounds; true if too many were left undecided."""
    taken: list[float] = []

    def ask(question: Question) -> Solution:
        start = time.process_time()
        found = solve(question.rules, question.number, question.hand, question.table)
        taken.append(time.process_time() - start)
        return found

    asked = [
        (len(question.hand), found.is_proven_best, found.steps_taken)
        for question, found in islice(questions_in_play(rng, ask), hands)
    ]
    undecided = sum(not is_proven_best for _, is_proven_best, _ in asked)
    _say(f"Hands of simulated rounds, up to {MOST_HELD} cards")
    _row("all", taken)
    for least, most in pairwise((0, *SIZES_IN_PLAY, MOST_HELD)):
        own = [
            time for time, (cards, _, _) in zip(taken, asked, strict=False) if least < cards <= most
        ]
        _row(f"  {least + 1} to {most} cards", own)
    steps = max(steps for _, _, steps in asked)
    _say(f"  undecided: {undecided} of {len(asked)}; most steps {steps} of {BUDGET}")
    return undecided * UNDECIDED_IN >= max(len(asked), UNDECIDED_IN)


def _adversary(rng: random.Random, size: int, climbs: int) -> int:
    """Climb towards slow hands; how many questions took more than the budget, or were refused."""
    asked: list[tuple[int, float, float, Case | None]] = []
    refused = 0

    def cost(question: Question) -> float:
        nonlocal refused
        start = whole = time.process_time()
        steps = 0
        try:
            steps = solve(*question).steps_taken
            whole = time.process_time()
            can_lay(question.rules, question.number, question.hand)
        except TooManyWays:
            refused += 1
        end = time.process_time()
        asked.append((steps, whole - start, end - whole, None))
        return end - start

    for start in islice(seeds(rng, size), climbs):
        for case, _ in climb(rng, start, cost, CLIMB):
            asked[-1] = (*asked[-1][:3], case)
    slow = sorted((one for one in asked if one[3]), key=lambda one: -one[1])[:SLOWEST]
    seconds, slowest = max((_least_time(one[3]), str(one[3])) for one in slow if one[3])
    above = sum(one[0] > BUDGET for one in asked)
    _say(
        f"Adversary, from {size} cards: {len(asked)} asked, {above} above the budget, "
        f"{refused} refused"
    )
    _say(
        f"  most steps {max(one[0] for one in asked)} of {BUDGET}, slowest {seconds:.3f} s, "
        f"slowest to tell whether it can be laid {max(one[2] for one in asked):.3f} s"
    )
    _say(f"  the slowest: {slowest}")
    return above + refused


def _least_time(case: Case) -> float:
    """What the answer takes, whatever else the machine does."""
    question = case.question()
    assert question is not None
    return min(_timed([question] * TIMES, lambda one: solve(*one))[0])


def _million(rng: random.Random, hands: int) -> None:
    contracts = list(_contracts())
    undecided = layable = 0
    slowest = 0.0
    begun = time.process_time()
    for _ in range(hands):
        rules, number = rng.choice(contracts)
        hand = rng.sample(deck(rules), rng.randint(rules.deal, 20))
        start = time.process_time()
        found = solve(rules, number, hand)
        slowest = max(slowest, time.process_time() - start)
        undecided += not found.is_proven_best
        layable += found.can_lay_down
    _say(f"{hands} random hands of up to 20 cards in {time.process_time() - begun:.0f} s:")
    _say(f"  {layable} layable, {undecided} undecided, slowest {slowest * 1000:.0f} ms")


def _contracts() -> Iterator[tuple[Variant, int]]:
    for rules in family_rule_sets().values():
        for contract in rules.contracts:
            yield rules, contract.number


def _timed(
    questions: Sequence[Question], ask: Callable[[Question], Answer]
) -> tuple[list[float], list[Answer]]:
    taken: list[float] = []
    answers: list[Answer] = []
    for question in questions:
        start = time.process_time()
        answers.append(ask(question))
        taken.append(time.process_time() - start)
    return taken, answers


def _table(rng: random.Random, rules: Variant, cards: Sequence[Card]) -> tuple[TableMeld, ...]:
    """Legal melds from these cards, as other players could have laid them."""
    rest = list(cards)
    melds: list[TableMeld] = []
    while len(melds) < MELDS:
        meld = _set(rng, rules, rest) if rng.random() < 0.5 else _run(rng, rules, rest)
        if meld is not None:
            melds.append(meld)
            for card in meld.cards:
                rest.remove(card)
    return tuple(melds)


def _set(rng: random.Random, rules: Variant, cards: Sequence[Card]) -> TableMeld | None:
    rank = rng.choice(RANKS)
    same = [card for card in cards if card.rank == rank and not rules.is_wild(card)]
    wild = [card for card in cards if rules.is_wild(card)][: rng.randint(0, 1)]
    chosen = (*same[: rng.randint(2, 4)], *wild)
    naturals = len(chosen) - len(wild)
    return TableMeld("set", chosen) if len(chosen) >= 3 and naturals >= 2 else None


def _run(rng: random.Random, rules: Variant, cards: Sequence[Card]) -> TableMeld | None:
    line, rest = rules.run_ranks, list(cards)
    size, suit = rng.randint(4, 6), rng.choice(SUITS)
    start = rng.randint(0, len(line) - size)
    chosen, wilds = [], 0
    for rank in line[start : start + size]:
        checked_text = [card for card in rest if card.rank == rank and not rules.is_wild(card)]
        if rules.run_suit == "same":
            checked_text = [card for card in checked_text if card.suit == suit]
        if not checked_text and not wilds:
            checked_text = [card for card in rest if rules.is_wild(card)]
            wilds += 1
        if not checked_text:
            return None
        chosen.append(checked_text[0])
        rest.remove(checked_text[0])
    return TableMeld("run", tuple(chosen))


def _at(taken: Sequence[float], share: float) -> float:
    ordered = sorted(taken)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def _row(name: str, taken: Sequence[float]) -> None:
    if taken:
        figures = (f"{_at(taken, share) * 1000:9.3f}" for share in (0.5, 0.9, 0.99, 1))
        _say(f"  {name:28} {len(taken):6}  ms at 50/90/99/100 %: {' '.join(figures)}")


def _say(text: str) -> None:
    print(text, flush=True)
