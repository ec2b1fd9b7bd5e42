"""Lesson 5: a pause that outlives the program, and decisions that are refused before anything goes on."""

import hashlib
import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from course import lessons
from support_desk.approval import pending, resume, thread
from support_desk.retrieval import load_notes
from tests.lesson_runs import CAMERA, PIP, SUNDAY, process, run, script, verdict

LESSON = lessons.load(5)
D1, D2 = [{"id": note.id, "title": note.title, "text": note.text} for note in load_notes()[:2]]
REPLY = f'Our note "Package installation" says: {D2["text"]} [D2]'
SHOWN = {"text": PIP, "category": "setup", "evidence": [D2, D1], "reply": REPLY, "citations": ["D2"], "problems": []}
DIGEST = hashlib.sha256(json.dumps(SHOWN, sort_keys=True).encode()).hexdigest()
ANA = ["--reviewer", "Ana", "--reason", "Because."]
BY_ANA = {"reviewer": "Ana", "reason": "Because.", "digest": DIGEST}


@pytest.fixture
def by_hand(tmp_path):
    """The lesson's commands on one database file, each of which opens and closes the file."""
    return lambda *words, **settings: run(5, "--db", str(tmp_path / "desk.sqlite"), *words, **settings)


def test_its_own_ticket_goes_through_two_processes_to_exactly_this_state():
    assert run(5, "--json").json == {
        **SHOWN, "llm_used": False, "fallback": "", "checks_ok": True, "attempts": 0, "status": "approved",
        "decision": {**BY_ANA, "action": "approve", "reason": "It says what the note says."},
        "trace": ["classify", "lookup", "draft", "check", "approve"],
    }


def test_a_ticket_pauses_in_one_process_and_is_decided_in_another(tmp_path):
    db = str(tmp_path / "desk.sqlite")
    started = process(script(5), "--db", db, "start", PIP)
    decided = process(script(5), "--db", db, "decide", "T1", "approve", *ANA)

    assert (started.status, started.err, decided.status, decided.err) == (0, "", 0, "")
    assert started.out.splitlines()[-3:] == [
        "pause        the run stops here and waits for a person",
        "steps        4: classify, lookup, draft, check",
        "id           T1",
    ]
    assert decided.out.splitlines()[0] == "status       approved"
    assert decided.out.splitlines()[-1] == "trace        classify, lookup, draft, check, approve"


def test_a_reviewer_is_shown_all_that_the_decision_needs(by_hand):
    by_hand("start", PIP)

    assert by_hand("show", "T1", "--json").json == {"waits_for": "approve", **SHOWN, "digest": DIGEST}
    words = " ".join(by_hand("show", "T1").out.split())
    assert all(text in words for text in (PIP, D1["text"], D2["text"], "waits at approve", DIGEST))


REFUSED = [
    (["T1", "aprove", *ANA], 2, "invalid choice: 'aprove'"),
    (["T1", "approve", "--reviewer", "unknown", "--reason", "Fine."], 2, "reviewer: A name"),
    (["T1", "approve", "--reviewer", "Ana", "--reason", " "], 2, "reason"),
    (["T1", "approve", "--reviewer", "Ana"], 2, "--reason"),
    (["T1", "approve", *ANA, "--reply", "Hello."], 2, "no other action takes one"),
    (["T1", "edit", *ANA], 2, "edit and answer need a reply"),
    (["T1", "edit", *ANA, "--reply", "See the handbook. [D999]"], 2, "unknown_citation"),
    (["T1", "answer", *ANA, "--reply", "Hello."], 2, "action"),
    (["T1", "approve", *ANA, "--digest", "0"], 3, "stale"),
    (["T99", "approve", *ANA], 3, "There is no ticket T99"),
]


@pytest.mark.parametrize(("words", "status", "message"), REFUSED, ids=[message for _, _, message in REFUSED])
def test_a_bad_decision_is_refused_in_one_line_and_the_ticket_still_waits(by_hand, words, status, message):
    by_hand("start", PIP)
    before = by_hand("show", "T1").out

    ended = by_hand("decide", *words)

    assert (ended.status, ended.out, ended.err.count("\n")) == (status, "", 1)
    assert message in ended.err
    assert by_hand("show", "T1").out == before
    assert by_hand("decide", "T1", "approve", *ANA, "--digest", DIGEST).status == 0


@pytest.mark.parametrize(
    ("ticket", "words", "status", "last"),
    [
        (PIP, ["approve"], "approved", "approve"),
        (PIP, ["reject"], "rejected", "approve"),
        (PIP, ["edit", "--reply", "Ask pip. [D1]"], "approved", "approve"),
        (CAMERA, ["answer", "--reply", "Come by."], "answered", "mentor"),
        (SUNDAY, ["close"], "closed", "mentor"),
    ],
)
def test_every_decision_ends_the_run_with_its_status(by_hand, ticket, words, status, last):
    by_hand("start", ticket)

    state = by_hand("decide", "T1", *words, *ANA, "--json").json

    assert (state["status"], state["decision"]["action"], state["trace"][-1]) == (status, words[0], last)
    assert state.get("reply") == (words[-1] if "--reply" in words else REPLY if ticket == PIP else None)


def test_an_edited_reply_brings_its_own_citations(by_hand):
    by_hand("start", PIP)

    state = by_hand("decide", "T1", "edit", "--reply", "Activate it [D1], then install it [D2].", *ANA, "--json").json

    assert state["citations"] == ["D1", "D2"]


def test_a_ticket_is_decided_once(by_hand):
    by_hand("start", PIP)
    by_hand("decide", "T1", "reject", *ANA)

    again = by_hand("decide", "T1", "approve", *ANA)

    assert (again.status, again.out) == (3, "")
    assert again.err == "Ticket T1 is not waiting for a person: its status is rejected.\n"


def test_a_second_start_gets_a_new_id_and_leaves_the_waiting_draft_alone(by_hand):
    by_hand("start", PIP)
    before = by_hand("show", "T1").out

    assert by_hand("start", CAMERA, "--json").json == {"id": "T2"}

    assert by_hand("show", "T1").out == before
    assert by_hand("show", "T2", "--json").json["waits_for"] == "mentor"


def test_a_ticket_that_is_no_ticket_leaves_no_file_behind(by_hand, tmp_path):
    assert by_hand("start", " ").status == 2
    assert by_hand("show", "T1").status == 4
    assert list(tmp_path.iterdir()) == []


def test_every_command_closes_the_file(by_hand, tmp_path):
    for words in (["start", PIP], ["show", "T1"], ["decide", "T9", "approve", *ANA], ["decide", "T1", "approve", *ANA]):
        by_hand(*words)

        assert [path.name for path in tmp_path.iterdir()] == ["desk.sqlite"]


def test_the_file_may_be_named_with_an_equals_sign(tmp_path):
    assert run(5, f"--db={tmp_path / 'desk.sqlite'}", "start", PIP, "--json").json == {"id": "T1"}


def test_the_graph_runs_up_to_its_pause_without_arguments():
    state = LESSON.build_graph().invoke({"text": PIP})

    assert state["trace"] == ["classify", "lookup", "draft", "check"]
    assert state["__interrupt__"][0].value == {**SHOWN, "digest": DIGEST}


def test_the_graph_takes_its_parts():
    graph = LESSON.build_graph(
        classifier=lambda text: "setup", retriever=lambda text, category: [D1], max_revisions=0,
        drafter=lambda state: {"reply": "No marker.", "citations": []}, checkpointer=InMemorySaver(),
    )
    graph.invoke({"text": SUNDAY}, thread("T1"))

    state = resume(graph, "T1", verdict(pending(graph, "T1"), yes=False))

    assert state["trace"] == ["classify", "lookup", "draft", "check", "human", "mentor"]
    assert (state["problems"], state["status"]) == (["no_citation"], "closed")


def test_langgraph_alone_runs_a_mistyped_id_as_the_text_says():
    from langgraph.types import Command

    graph = LESSON.build_graph(checkpointer=InMemorySaver())

    with pytest.raises(KeyError, match="text"):
        graph.invoke(Command(resume="yes"), thread("T99"))
    assert graph.get_state(thread("T99")).next == ("classify",)
