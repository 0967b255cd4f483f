"""What is said of each contract while custom rules are edited."""

import re
from html import unescape

from flask.testing import FlaskClient

from tests.web.test_own_rule_sets import form_of


def test_the_contract_that_is_being_built_alone_stays_open(client):
    sent = {**form_of("frustration", contract=["set of 3", "run of 4"]), "arrange": "tap:1:r5"}
    shown = client.post("/rules/custom/draft", data=sent).get_data(as_text=True)
    folds = re.findall(r"<details class=\"fold taps-fold\" data-as-sent (open)? *>", shown)
    assert folds == ["", "open"]


def said_of_contracts(client: FlaskClient, base: str, contracts: list[str], **changes) -> list[str]:
    sent = {**form_of(base, contract=contracts, **changes), "arrange": "look"}
    shown = unescape(client.post("/rules/custom/draft", data=sent).get_data(as_text=True))
    said = re.findall(
        r'<p class="typed-said[^>]* id="said-contract-[0-9]+" *>(.*?)</p>', shown, re.S
    )
    return [re.sub("<[^>]+>", "", one).strip() for one in said]


def test_what_the_cards_dealt_are_too_few_for_is_said_whatever_else_is_wrong(client):
    for others, changes in (([], {}), (["hat"], {}), ([], {"name": ""})):
        said = said_of_contracts(client, "frustration", ["s3 r10", *others], **changes)
        assert said[0].startswith("Contract 1 takes 13 cards and one more")
    bought = said_of_contracts(client, "aggravation-rummy", ["s3 r10", "s3 r4"])
    assert bought == [
        "✓ set of 3 and run of 10: 13 cards, only after buying",
        "✓ set of 3 and run of 4: 7 cards",
    ]


def test_a_contract_that_names_a_suit_asks_for_rules_by_which_runs_have_one(client):
    said = said_of_contracts(client, "frustration", ["run of 4 of the same suit"])
    assert said[0].startswith("Runs take any suits by these rules.")
    said = said_of_contracts(client, "carioca", ["run of 4 of the same suit"])
    assert said == ["✓ run of 4: 4 cards"]
