"""Each drafter that misbehaves breaks exactly the rule that it is named for."""

import pytest

from support_desk.drafting import citation_checks
from support_desk.misbehaving import DRAFTERS

STATE = {"text": "help", "attempts": 0, "evidence": [{"id": "D2", "title": "Install", "text": "Install it."}]}


@pytest.mark.parametrize(
    ("name", "problems"),
    [
        ("demo", []),
        ("unknown-id", ["unknown_citation"]),
        ("no-marker", ["no_citation"]),
        ("duplicate", ["duplicate_citation"]),
        ("malformed", ["marker_mismatch", "malformed_marker"]),
        ("empty", ["empty_reply", "no_citation"]),
        ("unrelated", []),
        ("once-wrong", ["unknown_citation"]),
    ],
)
def test_a_drafter_breaks_the_rule_that_it_is_named_for(name, problems):
    written = DRAFTERS[name](STATE)

    assert citation_checks(written["reply"], written["citations"], STATE["evidence"]) == problems


def test_the_one_that_is_wrong_once_is_right_the_second_time():
    assert DRAFTERS["once-wrong"]({**STATE, "attempts": 1})["citations"] == ["D2"]
