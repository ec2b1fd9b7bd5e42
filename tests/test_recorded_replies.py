"""The recorded replies of a real model: what was recorded is what runs, and every reply was judged."""

from collections import Counter

import pytest

from course import lessons
from support_desk.models import key, messages, recorded_tickets

TICKETS = recorded_tickets()


@pytest.mark.parametrize("ticket", TICKETS, ids=lambda ticket: ticket["text"][:30])
def test_a_run_asks_exactly_what_was_recorded_and_gets_the_same_replies(ticket):
    updates = list(lessons.load(7).build_graph().stream({"text": ticket["text"]}, stream_mode="updates"))

    drafts = [update["draft"] for update in updates if "draft" in update]
    assert [draft["reply"] for draft in drafts] == [each["reply"].strip() for each in ticket["replies"]]
    assert all(draft["llm_used"] and draft["fallback"] == "" for draft in drafts)
    assert [note["id"] for note in updates[1]["lookup"]["evidence"]] == ticket["evidence"]


def test_a_changed_note_changes_the_request_so_no_old_reply_fits():
    state = lessons.load(7).build_graph().invoke({"text": TICKETS[2]["text"]})
    first = {"text": state["text"], "evidence": state["evidence"]}
    note = {**state["evidence"][0], "text": state["evidence"][0]["text"] + " "}

    assert key(messages(first)) == TICKETS[2]["replies"][0]["key"]
    assert key(messages({**first, "evidence": [note]})) != TICKETS[2]["replies"][0]["key"]


def test_every_reply_was_judged_by_a_person_with_a_reason():
    assert {ticket["verdict"] for ticket in TICKETS} == {"right", "wrong"}
    assert all(ticket["why"].endswith(".") and len(ticket["why"]) > 15 for ticket in TICKETS)


def test_the_recording_covers_many_notes_and_keeps_the_bad_replies():
    assert len(TICKETS) == 26
    assert len({ticket["evidence"][0] for ticket in TICKETS}) == 16
    assert Counter(ticket["verdict"] for ticket in TICKETS) == {"wrong": 19, "right": 7}
