"""What is legal: cards, melds, contracts, rule sets, the judge and the hand solver.

A library in its own right: it imports no web framework, no database, no clock and no chance.

    cards, contracts, phrases    the values: cards, contracts, translatable sentences
    variant, rule_sets, variants/
                                 a rule set as data, and its files
    consistency, impossible_contracts
                                 whether the fields of a rule set fit together
    house_rules                  the fields of a rule set that a group is asked about, in words
    rule_set_drafts, contract_parser, rule_set_transfer
                                 a custom rule set: typed in a form, sent as a file or a link
    card_supply, shapes, runs    which cards exist, and how they can lie as a meld
    judge                        one question, one answer, whoever asks
    melds, laydown, completion, layoffs, swaps
                                 what the judge asks: a meld and what it may hold, a contract,
                                 what could become one, a lay-off, a swap
    verdicts, grounds, legal_facts, advice, coach
                                 the answer, also as stored: reasons, their sources, why it is
                                 legal, what would help
    alike                        which questions are the same to people, or alike
    deciding                     which house rules decide an answer, and which would change it
    solver/                      the best turn with a hand, within a budget of steps
    faq/                         the questions people argue about, answered from the same fields
    text                         what people type, written one way
    field_types, rule_types      what documents declare of fields, with bounds; needs pydantic
    judge_questions, __main__    the judge's file and JSON interface: python -m app.rules judge

>>> from app.rules.cards import read_cards
>>> from app.rules.melds import judge_meld
>>> from app.rules.rule_sets import rule_set_by_id
>>> verdict = judge_meld(rule_set_by_id("frustration"), "run", read_cards("5H 6D 2C 8S"))
>>> verdict.legal
True
>>> [str(one.stands_for) for one in verdict.readings[0][0]]
['5H', '6D', '7', '8S']
"""
