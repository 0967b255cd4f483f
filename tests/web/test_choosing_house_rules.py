"""House rules as they are chosen for a new game."""

import re

import pytest
from flask.testing import FlaskClient


@pytest.mark.parametrize(("language", "whole"), [("en", "yes, and you also draw"), ("fr", "oui, ")])
def test_what_is_chosen_of_a_house_rule_is_read_whole_below_its_list(
    client: FlaskClient, language: str, whole: str
) -> None:
    there = {"headers": {"Accept-Language": language}}
    fresh = client.get("/games/new/frustration", **there).get_data(as_text=True)
    about = re.compile(r'id="about-buying"[^>]*>(?:<b class="sentence">([^<]*)</b>)?')
    assert about.findall(fresh) == [""]
    sent = {"rule-buying": "one_more_card"}
    there["headers"] |= {"HX-Request": "true"}
    answer = client.post("/games/new/frustration/effect", data=sent, **there)
    told = about.findall(answer.get_data(as_text=True))
    assert len(told) == 1
    assert told[0].startswith(whole)
