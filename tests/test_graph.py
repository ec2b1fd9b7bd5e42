"""The whole desk as a graph: its loop ends, its routes fit their maps, and it takes no way that is not declared."""

import copy
import typing

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from support_desk.approval import pending, resume, thread
from support_desk.drafting import draft_demo
from support_desk.graph import build_desk
from support_desk.misbehaving import DRAFTERS, unknown_id
from support_desk.state import TicketState

PIP = "My pip install has a missing module"


def run(text=PIP, **parts):
    return build_desk(**parts).invoke({"text": text})


def test_the_default_ticket_waits_with_a_sound_draft():
    state = run()

    assert state["category"] == "setup"
    assert [note["id"] for note in state["evidence"]] == ["D2", "D1"]
    assert state["reply"].endswith("[D2]")
    assert (state["checks_ok"], state["problems"], state["attempts"]) == (True, [], 0)
    assert state["trace"] == ["classify", "lookup", "draft", "check"]


def test_a_drafter_that_cites_an_unknown_note_is_stopped_after_two_drafts():
    state = run(drafter=unknown_id)

    assert state["trace"] == ["classify", "lookup", "draft", "check", "revise", "draft", "check", "human"]
    assert (state["attempts"], state["status"], state["problems"]) == (1, "needs_human", ["unknown_citation"])


@pytest.mark.parametrize("cap", range(6))
@pytest.mark.parametrize("name", ["unknown-id", "no-marker", "duplicate", "malformed", "empty"])
def test_every_drafter_that_misbehaves_is_stopped_at_the_cap(name, cap):
    state = run(drafter=DRAFTERS[name], max_revisions=cap)

    assert state["trace"].count("draft") == cap + 1
    assert state["trace"].count("revise") == state["attempts"] == cap
    assert state["trace"][-1] == "human"


def test_a_drafter_that_fails_once_is_tried_exactly_once_more():
    state = run(drafter=DRAFTERS["once-wrong"])

    assert state["trace"] == ["classify", "lookup", "draft", "check", "revise", "draft", "check"]
    assert (state["attempts"], state["checks_ok"]) == (1, True)


def test_an_unrelated_claim_passes_every_check_and_reaches_the_reviewer():
    state = run(drafter=DRAFTERS["unrelated"])

    assert state["checks_ok"] is True
    assert state["reply"].startswith("Cats")


@pytest.mark.parametrize(
    ("text", "trace"),
    [
        ("The camera image is purple", ["classify", "lookup", "human"]),
        ("When do you open?", ["classify", "human"]),
    ],
)
def test_what_the_notes_do_not_cover_goes_to_a_person_undrafted(text, trace):
    state = run(text)

    assert state["trace"] == trace
    assert "reply" not in state


def test_a_drafter_that_raises_stops_the_run():
    with pytest.raises(ZeroDivisionError):
        run(drafter=lambda state: 1 / 0)


def test_every_route_has_an_answer_in_its_map_for_each_that_it_can_give():
    for branches in build_desk().builder.branches.values():
        for branch in branches.values():
            answers = typing.get_args(typing.get_type_hints(branch.path.func)["return"])
            assert set(branch.ends) == set(answers)


def test_every_answer_leads_where_the_text_says_and_the_end_is_in_its_map():
    branches = build_desk().builder.branches

    assert {source: (name, route.ends) for source, routes in branches.items() for name, route in routes.items()} == {
        "classify": ("route", {"supported": "lookup", "unsupported": "human"}),
        "lookup": ("after_lookup", {"found": "draft", "nothing found": "human"}),
        "check": ("after_check", {"sound": "approve", "try again": "revise", "out of tries": "human"}),
        "approve": ("after_approve", {"approved": "send", "not approved": END}),
        "mentor": ("after_mentor", {"answered": "send", "closed": END}),
    }


def test_every_node_is_named_after_its_function_although_some_are_bound():
    nodes = build_desk().builder.nodes

    assert {name: node.runnable.func.__name__ for name, node in nodes.items()} == {name: name for name in nodes}


def test_the_nodes_that_pause_are_the_two_that_say_so():
    nodes = build_desk().builder.nodes

    assert [name for name, node in nodes.items() if (node.metadata or {}).get("pause")] == ["approve", "mentor"]


def test_what_varies_is_given_to_the_builder():
    note = {"id": "D7", "title": "Ask", "text": "Ask Bo."}
    state = run("?", classifier=lambda text: "hardware", retriever=lambda text, category: [note])

    assert (state["category"], state["citations"]) == ("hardware", ["D7"])


def test_a_route_reads_the_state_and_changes_nothing_of_it():
    state = {"checks_ok": False, "attempts": 0, "category": "setup", "evidence": [], "status": "approved"}
    before = copy.deepcopy(state)

    for routes in build_desk().builder.branches.values():
        for branch in routes.values():
            branch.path.func(state)

    assert state == before


def test_no_node_has_a_fixed_way_on_beside_a_choice_or_a_jump():
    builder = build_desk().builder
    fixed = {source for source, _ in builder.edges}

    assert fixed.isdisjoint(builder.branches)
    assert not any(node.ends for node in builder.nodes.values())


def test_a_count_kept_in_a_route_is_lost_and_only_a_run_shows_it():
    def after(state):
        state["attempts"] = state.get("attempts", 0) + 1
        return "again" if state["attempts"] < 2 else "done"

    builder = StateGraph(TicketState)
    builder.add_node("draft", lambda state: {"trace": ["draft"]})
    builder.add_edge(START, "draft")
    builder.add_conditional_edges("draft", after, {"again": "draft", "done": END})

    with pytest.raises(RecursionError):
        builder.compile().invoke({"text": PIP}, {"recursion_limit": 10})


@pytest.mark.parametrize(
    ("decision", "status", "sent"),
    [
        ({"action": "approve"}, "queued", True),
        ({"action": "edit", "reply": "Ask pip. [D1]"}, "queued", True),
        ({"action": "reject"}, "rejected", False),
    ],
)
def test_nothing_goes_out_but_what_was_approved(decision, status, sent):
    outbox = {}
    graph = build_desk(checkpointer=InMemorySaver(), outbox=outbox.setdefault)
    graph.invoke({"text": PIP}, thread("T1"))

    digest = pending(graph, "T1").shown["digest"]
    state = resume(graph, "T1", {**decision, "reviewer": "Ana", "reason": "Fine.", "digest": digest})

    assert state["status"] == status
    assert outbox == ({"T1": decision.get("reply", draft_demo(state)["reply"])} if sent else {})


def test_without_an_outbox_the_reply_goes_nowhere_but_the_state():
    graph = build_desk(checkpointer=InMemorySaver())
    graph.invoke({"text": PIP}, thread("T1"))
    decision = {"action": "approve", "reviewer": "Ana", "reason": "Fine.", "digest": pending(graph, "T1").shown["digest"]}

    assert resume(graph, "T1", decision)["status"] == "queued"


def test_an_approval_leaves_another_ticket_with_the_same_words_waiting():
    outbox = {}
    graph = build_desk(checkpointer=InMemorySaver(), outbox=outbox.setdefault)
    for ticket_id in ("T1", "T2"):
        graph.invoke({"text": PIP}, thread(ticket_id))
    decision = {"action": "approve", "reviewer": "Ana", "reason": "Fine.", "digest": pending(graph, "T1").shown["digest"]}

    resume(graph, "T1", decision)

    assert list(outbox) == ["T1"]
    assert pending(graph, "T2").node == "approve"
