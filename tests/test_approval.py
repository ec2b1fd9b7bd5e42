"""The two pauses: what a person is shown, which decisions are refused, and how the one way on resumes."""

import ast
import inspect
from types import SimpleNamespace

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from support_desk import approval
from support_desk.approval import Answer, Decision, Pause, payload, pending, person, resume, thread, validate
from support_desk.errors import BadInput, Refused
from support_desk.graph import build_desk
from support_desk.state import TicketState

SOUND, LOST = "My pip install has a missing module", "The camera image is purple"
NOTE = {"id": "D2", "title": "Package installation", "text": "Install it."}
PAUSE = Pause("an id", "approve", {"evidence": [NOTE], "digest": "d"})
FINE = {"action": "approve", "reviewer": "Ana", "reason": "Fine.", "digest": "d"}


@pytest.fixture
def graph():
    graph = build_desk(checkpointer=InMemorySaver())
    graph.invoke({"text": SOUND}, thread("T1"))
    graph.invoke({"text": LOST}, thread("T2"))
    return graph


def fine(graph, ticket_id, **changes):
    return {**FINE, "digest": pending(graph, ticket_id).shown["digest"], **changes}


@pytest.mark.parametrize(
    ("decision", "why"),
    [
        ("no", "Input should be a valid dictionary"),
        (True, "Input should be a valid dictionary"),
        (None, "Input should be a valid dictionary"),
        ([FINE], "Input should be a valid dictionary"),
        (1, "Input should be a valid dictionary"),
        ({}, "action: Field required"),
        ({key: FINE[key] for key in FINE if key != "action"}, "action: Field required"),
        ({key: FINE[key] for key in FINE if key != "reviewer"}, "reviewer: Field required"),
        ({key: FINE[key] for key in FINE if key != "reason"}, "reason: Field required"),
        ({key: FINE[key] for key in FINE if key != "digest"}, "digest: Field required"),
        ({**FINE, "action": True}, "action: Input should be"),
        ({**FINE, "action": "Approve"}, "action: Input should be"),
        ({**FINE, "action": "aprove"}, "action: Input should be 'approve', 'edit' or 'reject'"),
        ({**FINE, "action": "answer", "reply": "Hi."}, "action: Input should be"),
        ({**FINE, "reason": ""}, "reason: The reason is empty"),
        ({**FINE, "reason": " \n"}, "reason: The reason is empty"),
        ({**FINE, "reason": None}, "reason: Input should be a valid string"),
        ({**FINE, "reason": False}, "reason: Input should be a valid string"),
        ({**FINE, "reason": 0}, "reason: Input should be a valid string"),
        ({**FINE, "reviewer": "unknown"}, "reviewer: A name is one line"),
        ({**FINE, "reviewer": " "}, "reviewer: A name is one line"),
        ({**FINE, "reviewer": "A\nB"}, "reviewer: A name is one line"),
        ({**FINE, "reviewer": "A\u202eB"}, "reviewer: A name is one line"),
        ({**FINE, "reviewer": "12"}, "reviewer: A name is one line"),
        ({**FINE, "reviewer": " Anonymous "}, "reviewer: A name is one line"),
        ({**FINE, "reviewer": "A" * 101}, "reviewer: A name is one line"),
        ({**FINE, "reviewer": b"Ana"}, "reviewer: Input should be a valid string"),
        ({**FINE, "reviewer": ["Ana"]}, "reviewer: Input should be a valid string"),
        ({**FINE, "reason": "a\0b"}, "reason: The reason holds bytes that are no text"),
        ({**FINE, "reason": "a" * 20_001}, "reason: The reason has 20,001 characters"),
        ({**FINE, "digest": None}, "digest: Input should be a valid string"),
        ({**FINE, "reply": ""}, "reply: The reply is empty"),
        ({**FINE, "digest": 0}, "digest: Input should be a valid string"),
        ({**FINE, "reply": "Hi. [D2]"}, "no other action takes one"),
        ({**FINE, "action": "edit"}, "edit and answer need a reply"),
        ({**FINE, "action": "edit", "reply": " "}, "reply: The reply is empty"),
        ({**FINE, "extra": 1}, "extra: Extra inputs are not permitted"),
        ({**FINE, "action": "edit", "reply": "See the book. [D9]"}, "unknown_citation"),
        ({**FINE, "action": "edit", "reply": "See the book."}, "no_citation"),
        ({**FINE, "action": "edit", "reply": "[D2]"}, "empty_reply"),
        ({**FINE, "action": "edit", "reply": "Install it. [D2] [d1]"}, "malformed_marker"),
    ],
)
def test_a_malformed_decision_is_refused_in_one_line(decision, why):
    with pytest.raises(BadInput) as caught:
        validate(PAUSE, decision)

    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_decision_on_other_words_than_those_shown_is_stale():
    with pytest.raises(Refused, match="^The decision is stale: the ticket has changed since it was shown"):
        validate(PAUSE, {**FINE, "digest": "e"})


def test_a_sound_decision_becomes_a_model_of_its_pause():
    assert isinstance(validate(PAUSE, FINE), Decision)
    closing = {**FINE, "action": "close"}
    assert isinstance(validate(Pause("an id", "mentor", {"digest": "d"}), closing), Answer)


@pytest.mark.parametrize(
    "wrong", [{"action": "approve"}, {"action": "edit", "reply": "Hi. [D2]"}, {"action": "answer"}, {"reply": "Hi."}]
)
def test_a_mentor_can_only_answer_with_a_reply_or_close_without_one(wrong):
    with pytest.raises(BadInput):
        validate(Pause("an id", "mentor", {"digest": "d"}), {**FINE, "action": "close", **wrong})


def test_a_name_is_trimmed_and_composed():
    assert person("  Jose\u0301 ") == "Jos\u00e9"
    assert validate(PAUSE, {**FINE, "reviewer": "Jose\u0301"}).reviewer == "Jos\u00e9"


@pytest.mark.timeout(10)
def test_a_name_of_a_million_accents_is_refused_at_once():
    with pytest.raises(BadInput):
        person("a" + "\u0316\u0300" * 500_000)


@pytest.mark.parametrize("bad", ["no", True, {}, None, {**FINE, "reason": ""}, {**FINE, "digest": "0" * 64}])
def test_after_a_refusal_the_ticket_still_waits_at_the_same_pause_and_is_decided_once(graph, bad):
    before = pending(graph, "T1")
    with pytest.raises((BadInput, Refused)):
        resume(graph, "T1", bad)

    assert pending(graph, "T1") == before
    assert resume(graph, "T1", fine(graph, "T1"))["status"] == "queued"
    with pytest.raises(Refused, match="^Ticket T1 is not waiting for a person: its status is queued"):
        resume(graph, "T1", {**FINE, "digest": before.shown["digest"]})


def test_an_unknown_id_is_refused_and_starts_no_run(graph):
    with pytest.raises(Refused, match="^There is no ticket T99: check the id"):
        resume(graph, "T99", FINE)

    assert list(graph.checkpointer.list(thread("T99"))) == []
    assert {each.config["configurable"]["thread_id"] for each in graph.checkpointer.list(None)} == {"T1", "T2"}


def test_a_decision_goes_to_the_pause_that_it_names_and_to_no_other(graph):
    decision = validate(pending(graph, "T1"), fine(graph, "T1"))
    before = pending(graph, "T1")

    approval.reissue(graph, "T1", pending(graph, "T2").id, decision)

    assert pending(graph, "T1") == before


def test_each_step_after_a_decision_is_saved_before_the_next():
    given = []
    graph = SimpleNamespace(invoke=lambda *words, **settings: given.append((words, settings)))

    approval.reissue(graph, "T1", "an id", validate(PAUSE, FINE))

    [((command, config), settings)] = given
    assert list(command.resume) == ["an id"]
    assert config["configurable"] == {"thread_id": "T1"}
    assert settings == {"durability": "sync"}


def test_an_edit_replaces_the_reply_and_its_citations(graph):
    state = resume(graph, "T1", fine(graph, "T1", action="edit", reply="Make one. [D1]"))

    assert (state["reply"], state["citations"], state["status"]) == ("Make one. [D1]", ["D1"], "queued")
    assert state["decision"]["reviewer"] == "Ana"


def test_a_mentor_answers_in_their_own_words_or_closes(graph):
    state = resume(graph, "T2", fine(graph, "T2", action="answer", reply="Bring it to us."))

    assert (state["status"], state["reply"], state["citations"]) == ("queued", "Bring it to us.", [])
    assert state["trace"] == ["classify", "lookup", "human", "mentor", "send"]


def test_the_payload_holds_the_full_evidence_and_its_digest_covers_it():
    state = {"text": "t", "category": "setup", "evidence": [NOTE], "reply": "r", "citations": ["D2"], "problems": []}
    changed = {**state, "evidence": [{**NOTE, "text": "Install it!"}]}
    reordered = {**state, "evidence": [dict(reversed(NOTE.items()))]}

    assert payload(state)["evidence"] == [NOTE]
    assert payload(state)["digest"] != payload(changed)["digest"]
    assert payload(state)["digest"] == payload(reordered)["digest"]
    assert payload(state) == payload(dict(reversed(state.items())))
    for key in state:
        assert payload(state)["digest"] != payload({**state, key: "other"})["digest"]


@pytest.mark.parametrize("node", [approval.approve, approval.mentor])
def test_a_pausing_node_has_one_pause_nothing_before_it_and_no_try_around_it(node):
    tree = ast.parse(inspect.getsource(node))
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "interrupt"]
    first = tree.body[0].body[1]

    assert len(calls) == 1
    assert isinstance(first, ast.Assign) and first.value is calls[0]
    assert not any(isinstance(each, ast.Try) for each in ast.walk(tree))


def pausing(node):
    builder = StateGraph(TicketState)
    builder.add_node("ask", node)
    builder.add_edge(START, "ask")
    builder.add_edge("ask", END)
    graph = builder.compile(checkpointer=InMemorySaver())
    graph.invoke({"text": "t"}, thread("T1"))
    return graph


def test_what_stands_before_a_pause_happens_once_more_with_each_resume():
    ran = []

    def ask(state):
        ran.append("before")
        return {"reply": interrupt("?")}

    pausing(ask).invoke(Command(resume="yes"), thread("T1"))

    assert ran == ["before", "before"]


def test_a_broad_except_swallows_the_pause():
    def ask(state):
        try:
            return {"status": interrupt("?")}
        except Exception:
            return {"status": "approved"}

    assert pausing(ask).get_state(thread("T1")).values["status"] == "approved"
