"""Each route's answers, and the two small nodes of the loop."""

import pytest

from support_desk import routing
from support_desk.binding import bind
from support_desk.routing import after_approve, after_check, after_lookup, after_mentor, human, revise, route


@pytest.mark.parametrize(
    ("category", "answer"), [("setup", "supported"), ("hardware", "supported"), ("unsupported", "unsupported")]
)
def test_the_desk_supports_the_categories_that_have_notes(category, answer):
    assert route({"category": category}) == answer


def test_a_lookup_that_found_one_note_found_something():
    assert after_lookup({"evidence": [{"id": "D1"}]}) == "found"
    assert after_lookup({"evidence": []}) == "nothing found"


@pytest.mark.parametrize("cap", range(6))
def test_the_cap_is_the_number_of_revisions_and_not_one_more(cap):
    answers = [
        after_check({"checks_ok": False, "attempts": attempts}, max_revisions=cap) for attempts in range(cap + 2)
    ]

    assert answers == ["try again"] * cap + ["out of tries"] * 2


def test_a_sound_draft_goes_on_whatever_the_count():
    assert after_check({"checks_ok": True, "attempts": 0}) == "sound"
    assert after_check({"checks_ok": True, "attempts": 99}) == "sound"


def test_by_default_there_is_one_revision():
    assert routing.MAX_REVISIONS == 1
    assert after_check({"checks_ok": False, "attempts": 0}) == "try again"
    assert after_check({"checks_ok": False, "attempts": 1}) == "out of tries"


@pytest.mark.parametrize(("status", "answer"), [("approved", "approved"), ("rejected", "not approved")])
def test_only_an_approval_leads_on(status, answer):
    assert after_approve({"status": status}) == answer


@pytest.mark.parametrize(("status", "answer"), [("answered", "answered"), ("closed", "closed")])
def test_only_an_answer_of_the_mentor_leads_on(status, answer):
    assert after_mentor({"status": status}) == answer


def test_a_revision_counts_one_and_nothing_else():
    assert revise({"attempts": 3, "reply": "x"}) == {"attempts": 1, "trace": ["revise"]}


def test_handing_over_keeps_the_problems():
    assert human({"problems": ["no_citation"]}) == {"status": "needs_human", "trace": ["human"]}


def test_a_bound_route_keeps_its_name_and_its_words():
    bound = bind(after_check, max_revisions=0)

    assert (bound.__name__, bound.__doc__) == ("after_check", after_check.__doc__)
    assert bound({"checks_ok": False, "attempts": 0}) == "out of tries"
