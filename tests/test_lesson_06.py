"""Lesson 6: a process is killed at the worst moment, and still one reply goes out."""

import subprocess
import sys

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from course import lessons
from support_desk.approval import pending, resume, thread
from support_desk.desk import Desk
from support_desk.retrieval import load_notes
from tests.lesson_runs import CAMERA, PIP, altered, run, script, verdict

LESSON = lessons.load(6)
REPLY = f'Our note "Package installation" says: {load_notes()[1].text} [D2]'
ANA = ["--reviewer", "Ana", "--reason", "Because."]


@pytest.fixture
def by_hand(tmp_path):
    """The lesson's commands on one database file, each of which opens and closes the file."""
    return lambda *words: run(6, "--db", str(tmp_path / "desk.sqlite"), *words)


def test_its_own_ticket_goes_through_a_crash_to_exactly_this_state():
    state = run(6, "--json").json

    assert (state["status"], state["attempts"], state["problems"]) == ("queued", 0, [])
    assert (state["reply"], state["citations"]) == (REPLY, ["D2"])
    assert {key: state["decision"][key] for key in ("action", "reviewer")} == {"action": "approve", "reviewer": "Ana"}
    assert state["trace"] == ["classify", "lookup", "draft", "check", "approve", "send"]


def test_one_reply_goes_out_although_the_deciding_process_is_killed(by_hand, tmp_path):
    by_hand("start", PIP)
    command = [sys.executable, script(6), "--db", tmp_path / "desk.sqlite", "decide", "T1", "approve", *ANA, "--hang"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as hanging:
        hanging.stdout.readline()
        hanging.kill()

    assert by_hand("outbox").out == "outbox       T1 queued\n"
    assert by_hand("recover").out == "recovered    T1\n"
    assert [row["reply"] for row in by_hand("outbox", "--json").json] == [REPLY]
    assert [by_hand("deliver").out for _ in range(2)] == ["delivered    T1\n", "delivered    none\n"]
    folder = tmp_path / "desk.sqlite-replies"
    assert [(path.name, path.read_text(encoding="utf-8")) for path in folder.iterdir()] == [("T1.txt", REPLY + "\n")]
    assert by_hand("outbox").out == "outbox       T1 sent\n"
    assert by_hand("recover").out == "recovered    none\n"


def test_the_second_reviewer_is_told_who_was_first(by_hand):
    by_hand("start", PIP)
    by_hand("decide", "T1", "approve", *ANA)

    ended = by_hand("decide", "T1", "reject", "--reviewer", "Bo", "--reason", "No.")

    assert (ended.status, ended.out) == (3, "")
    assert ended.err.startswith("Ticket T1 is already decided: Ana said approve at 20")
    assert len(by_hand("outbox", "--json").json) == 1


@pytest.mark.parametrize(
    ("ticket", "words", "status", "replies"),
    [
        (PIP, ["approve"], "queued", [REPLY]),
        (PIP, ["edit", "--reply", "Ask pip. [D1]"], "queued", ["Ask pip. [D1]"]),
        (PIP, ["reject"], "rejected", []),
        (CAMERA, ["answer", "--reply", "Come by."], "queued", ["Come by."]),
        (CAMERA, ["close"], "closed", []),
    ],
)
def test_only_what_a_person_let_go_reaches_the_outbox(by_hand, ticket, words, status, replies):
    by_hand("start", ticket)

    assert by_hand("decide", "T1", *words, *ANA, "--json").json["status"] == status

    assert [row["reply"] for row in by_hand("outbox", "--json").json] == replies


def test_a_ticket_waits_as_in_lesson_5(by_hand):
    assert by_hand("start", PIP).out == "ticket       T1 waits at approve\n"
    assert by_hand("start", CAMERA).out == "ticket       T2 waits at mentor\n"

    assert by_hand("show", "T2", "--json").json["text"] == CAMERA
    assert [by_hand("show", "T3").status, by_hand("decide", "T1", "approve", *ANA, "--digest", "0").status] == [3, 3]


def test_every_command_closes_the_file(by_hand, tmp_path):
    decide = ["decide", "T1", "reject", *ANA]
    for words in (["start", PIP], ["show", "T1"], decide, ["recover"], ["outbox"], ["deliver"]):
        assert by_hand(*words).status == 0

        assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["desk.sqlite"]


def test_send_queues_under_the_tickets_id_and_the_graph_takes_its_parts():
    queued = []
    graph = LESSON.build_graph(
        outbox=lambda key, reply: queued.append((key, reply)), checkpointer=InMemorySaver(), max_revisions=0,
        classifier=lambda text: "hardware", retriever=lambda text, category: [], drafter=lambda state: 1 / 0,
    )
    graph.invoke({"text": "hello"}, thread("T7"))

    state = resume(graph, "T7", verdict(pending(graph, "T7"), yes=True))

    assert queued == [("T7", "Please bring it to us.")]
    assert state["trace"] == ["classify", "lookup", "human", "mentor", "send"]


def test_without_an_outbox_a_dict_keeps_the_first_reply():
    graph = LESSON.build_graph(checkpointer=InMemorySaver())
    graph.invoke({"text": PIP}, thread("T1"))

    assert resume(graph, "T1", verdict(pending(graph, "T1"), yes=True))["status"] == "queued"


def test_the_outbox_that_hangs_queues_first_and_says_so(monkeypatch, capsys):
    queued, slept = [], []
    monkeypatch.setattr(LESSON, "sleep", slept.append)

    LESSON.hang_after(lambda key, reply: queued.append((key, reply)))("T1", "Hello.")

    assert (queued, slept) == ([("T1", "Hello.")], [60])
    assert capsys.readouterr().out == "send         the reply is queued, and the step is not saved yet\n"


def test_a_key_that_is_new_each_time_sends_twice_as_the_exercise_says(tmp_path):
    key = 'config["configurable"]["thread_id"]'
    build_graph = altered(6, (key, f"{key} + '-' + __import__('uuid').uuid4().hex")).build_graph
    with Desk(tmp_path / "desk.sqlite", build=build_graph) as desk:
        put = desk.store.put_reply
        desk.submit(PIP)
        desk.graph = build_graph(
            checkpointer=desk.store.checkpointer, outbox=lambda key, reply: (put(key, reply), 1 / 0)
        )
        with pytest.raises(ZeroDivisionError):
            desk.decide("T1", verdict(desk.pause("T1"), yes=True))
    with Desk(tmp_path / "desk.sqlite", build=build_graph) as desk:
        desk.recover()

        assert [row["reply"] for row in desk.store.outbox()] == [REPLY, REPLY]


def test_a_ticket_that_is_refused_makes_no_file(by_hand, tmp_path):
    ended = by_hand("start", " ")

    assert (ended.status, ended.err) == (2, "The ticket is empty: write at least a few words.\n")
    assert list(tmp_path.iterdir()) == []
