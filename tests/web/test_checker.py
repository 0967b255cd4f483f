"""The checker's page: as what a meld is asked about, and what is said first of an open contract."""

import html
import re

import pytest
from flask.testing import FlaskClient

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

GARBAGE_3 = "/check?variant=garbage-rummy&contract=3"
OF_CONTRACT = f"{GARBAGE_3}&ask=meld&size=contract"


def shown(client: FlaskClient, address: str) -> str:
    return html.unescape(client.get(address).get_data(as_text=True))


def laid_as(client: FlaskClient, address: str) -> str:
    """How the meld is laid, as the page has it chosen."""
    select = re.search(r'<select[^>]*name="size".*?</select>', shown(client, address), re.DOTALL)[0]
    return re.search(r"<option[^>]*\bselected>(.*?)</option>", select)[1]


def meld_tab(client: FlaskClient, address: str) -> str:
    return re.search(r'<a href="([^"]*)"[^>]*>Meld</a>', shown(client, address))[1]


def test_a_meld_is_first_one_of_the_contract_that_is_known(client: FlaskClient) -> None:
    assert laid_as(client, meld_tab(client, GARBAGE_3)) == "In a contract: set of 3"
    with_run = meld_tab(client, f"{GARBAGE_3}&m=&m=5H+6H+7H+8H")
    assert laid_as(client, with_run) == "In a contract: run of 4"
    unknown = meld_tab(client, "/check?variant=garbage-rummy")
    assert laid_as(client, unknown) == "As an extra meld"


def test_a_meld_of_the_contract_is_the_largest_of_the_kind_that_is_chosen(
    client: FlaskClient,
) -> None:
    assert laid_as(client, f"{OF_CONTRACT}&kind=run") == "In a contract: run of 4"
    two_sets = "/check?variant=frustration&contract=4&ask=meld&size=contract"
    assert laid_as(client, two_sets) == "In a contract: set of 5"
    assert laid_as(client, f"{two_sets}&kind=run") == "As an extra meld"
    assert laid_as(client, f"{GARBAGE_3}&ask=meld&kind=run&size=") == "As an extra meld"


def test_what_stands_of_a_contract_is_said_before_what_is_missing(client: FlaskClient) -> None:
    page = shown(client, f"{GARBAGE_3}&m=&m=5H+JK+7H+8H")
    assert page.index("Already legal: run of 4.") < page.index("Still missing: set of 3.")
    strip = re.search(r'<a class="strip pending".*?</a>', page, re.DOTALL)[0]
    assert "Already legal: run of 4. Still missing: set of 3." in strip
