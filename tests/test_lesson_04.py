"""Lesson 4: lookup, draft, check, revise, and a loop that ends whatever the drafter does."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from course import lessons
from support_desk.misbehaving import DRAFTERS, once_wrong, unknown_id
from support_desk.retrieval import load_notes, retrieve
from tests.lesson_runs import CAMERA, PIP, SUNDAY, altered, run

LESSON = lessons.load(4)
D1, D2 = [{"id": note.id, "title": note.title, "text": note.text} for note in load_notes()[:2]]
REPLY = f'Our note "Package installation" says: {D2["text"]} [D2]'
ONE_DRAFT = ["classify", "lookup", "draft", "check"]
TWO_DRAFTS = [*ONE_DRAFT, "revise", "draft", "check"]


def test_its_own_ticket_gives_exactly_this_state():
    state = run(4, "--json").json

    assert state == {
        "text": PIP, "category": "setup", "evidence": [D2, D1], "reply": REPLY, "citations": ["D2"],
        "llm_used": False, "fallback": "", "problems": [], "checks_ok": True, "attempts": 0, "status": "drafting",
        "trace": ONE_DRAFT,
    }
    assert state["reply"].endswith("[D2]")


def test_it_prints_the_ticket_and_what_each_node_changed():
    ended = run(4)

    lines = ended.out.splitlines()
    assert (ended.status, ended.err) == (0, "")
    assert lines[:3] == [
        "ticket       My pip install has a missing module",
        "classify     category: setup",
        "lookup       evidence: D2 Package installation; D1 Python environments",
    ]
    assert lines[3].startswith('draft        reply: Our note "Package installation" says: Install the package')
    assert lines[-3:] == [
        "check        problems: none",
        "             checks_ok: yes",
        "steps        4: classify, lookup, draft, check",
    ]


def test_a_drafter_that_cites_an_unknown_note_is_stopped_after_exactly_two_drafts():
    state = run(4, "--drafter", "unknown-id", "--json").json

    assert state["trace"] == ["classify", "lookup", "draft", "check", "revise", "draft", "check", "human"]
    assert (state["status"], state["problems"]) == ("needs_human", ["unknown_citation"])
    assert (state["attempts"], state["checks_ok"]) == (1, False)


OUTCOMES = {
    "demo": (ONE_DRAFT, []),
    "unknown-id": ([*TWO_DRAFTS, "human"], ["unknown_citation"]),
    "no-marker": ([*TWO_DRAFTS, "human"], ["no_citation"]),
    "duplicate": ([*TWO_DRAFTS, "human"], ["duplicate_citation"]),
    "malformed": ([*TWO_DRAFTS, "human"], ["marker_mismatch", "malformed_marker"]),
    "empty": ([*TWO_DRAFTS, "human"], ["empty_reply", "no_citation"]),
    "unrelated": (ONE_DRAFT, []),
    "once-wrong": (TWO_DRAFTS, []),
}


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_every_drafter_has_its_exact_outcome(drafter):
    trace, problems = OUTCOMES[drafter]

    state = run(4, "--drafter", drafter, "--json").json

    assert (state["trace"], state["problems"]) == (trace, problems)
    assert state["checks_ok"] is (problems == [])
    assert state["attempts"] == trace.count("revise")
    assert state["status"] == ("needs_human" if problems else "drafting")


def test_a_claim_that_has_nothing_to_do_with_its_note_passes_every_check():
    state = run(4, "--drafter", "unrelated", "--json").json

    assert state["reply"] == "Cats sleep for most of the day. [D2]"
    assert state["checks_ok"] is True


def test_a_ticket_that_finds_no_note_goes_to_a_person_without_a_draft():
    assert run(4, CAMERA, "--json").json == {
        "text": CAMERA, "category": "hardware", "evidence": [], "attempts": 0, "status": "needs_human",
        "trace": ["classify", "lookup", "human"],
    }


def test_an_unsupported_ticket_is_not_even_looked_up():
    assert run(4, SUNDAY, "--json").json["trace"] == ["classify", "human"]


@pytest.mark.parametrize("cap", range(6))
def test_the_cap_bounds_the_drafts_and_ends_in_no_exception(cap):
    state = LESSON.build_graph(drafter=unknown_id, max_revisions=cap).invoke({"text": PIP})

    assert state["trace"].count("draft") == cap + 1
    assert (state["attempts"], state["status"]) == (cap, "needs_human")


def test_one_bad_draft_leads_to_exactly_one_more():
    state = LESSON.build_graph(drafter=once_wrong).invoke({"text": PIP})

    assert state["trace"][2:] == ["draft", "check", "revise", "draft", "check"]
    assert (state["attempts"], state["checks_ok"]) == (1, True)


def test_another_node_on_the_way_does_not_use_up_the_revisions():
    detour = ('    builder.add_edge("draft", "check")\n', """
    builder.add_node("spell", lambda state: {"trace": ["spell"]})
    builder.add_edge("draft", "spell")
    builder.add_edge("spell", "check")
""")

    state = altered(4, detour).build_graph(drafter=once_wrong).invoke({"text": PIP})

    assert state["trace"][2:] == ["draft", "spell", "check", "revise", "draft", "spell", "check"]
    assert state["attempts"] == 1


def test_two_revisions_as_in_the_exercise_give_three_drafts():
    state = altered(4, ("MAX_REVISIONS = 1", "MAX_REVISIONS = 2")).build_graph(drafter=unknown_id).invoke({"text": PIP})

    assert (state["trace"].count("draft"), state["attempts"]) == (3, 2)


def test_the_graph_takes_a_classifier_a_retriever_and_a_checkpointer():
    graph = LESSON.build_graph(
        classifier=lambda text: "hardware", retriever=lambda text, category: [{**D1, "title": category}],
        checkpointer=InMemorySaver(),
    )

    state = graph.invoke({"text": SUNDAY}, {"configurable": {"thread_id": "T1"}})

    assert state["evidence"] == [{**D1, "title": "hardware"}]
    assert state["trace"] == ONE_DRAFT


def test_a_drafter_gets_the_state_and_only_a_drafters_keys_are_kept():
    def drafter(state):
        return {"reply": f"{state['category']} [D2]", "citations": ["D2"], "status": "approved", "attempts": 7}

    state = LESSON.build_graph(drafter=drafter).invoke({"text": PIP})

    assert (state["reply"], state["llm_used"]) == ("setup [D2]", False)
    assert (state["status"], state["attempts"]) == ("drafting", 0)


def test_a_drafter_that_raises_is_a_bug_and_raises():
    with pytest.raises(ZeroDivisionError):
        LESSON.build_graph(drafter=lambda state: 1 / 0).invoke({"text": PIP})


def test_a_drafter_that_nobody_knows_is_refused_with_those_there_are():
    ended = run(4, "--drafter", "shakespeare")

    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert all(name in ended.err for name in DRAFTERS)


def test_a_synonym_finds_no_note_as_the_text_says():
    assert retrieve("webcam", "hardware") == []
