"""The desk's promises: nothing lost, one decision, one effect, only what was approved."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from support_desk.approval import thread
from support_desk.desk import Desk
from support_desk.errors import BadInput, Refused

SOUND, LOST = "My pip install has a missing module", "The camera image is purple"


def decision(desk, ticket_id, reviewer="Ana", action="approve", **more):
    digest = desk.show(ticket_id)["shown"]["digest"]
    return {"action": action, "reviewer": reviewer, "reason": "Fine.", "digest": digest, **more}


def test_a_ticket_waits_for_the_right_person_and_the_queue_is_in_order(desk):
    first, second = desk.submit(f" {SOUND}\n", "Bo"), desk.submit(LOST)

    assert (first["id"], first["status"], first["waits_for"], first["text"]) == ("T1", "drafting", "approve", SOUND)
    assert (second["id"], second["status"], second["waits_for"]) == ("T2", "needs_human", "mentor")
    assert [ticket["id"] for ticket in desk.queue()] == ["T1", "T2"]


def test_what_is_no_ticket_leaves_no_row(desk):
    for text in ("", "a\0b"):
        with pytest.raises(BadInput):
            desk.submit(text)

    assert desk.store.unsettled() == []


def test_an_approved_reply_is_queued_and_delivered_once(desk):
    desk.submit(SOUND)
    decided = desk.decide("T1", decision(desk, "T1"))
    carried = []

    assert (decided["status"], decided["waits_for"]) == ("queued", None)
    assert desk.deliver(lambda key, reply: carried.append(key)) == ["T1"]
    assert desk.deliver(lambda key, reply: carried.append(key)) == []
    assert carried == ["T1"]


@pytest.mark.parametrize(("text", "action", "status"), [(SOUND, "reject", "rejected"), (LOST, "close", "closed")])
def test_a_ticket_that_was_rejected_or_closed_sends_nothing(desk, text, action, status):
    desk.submit(text)

    assert desk.decide("T1", decision(desk, "T1", action=action))["status"] == status
    assert desk.store.outbox() == []


def test_the_second_decision_is_told_who_was_first(desk):
    desk.submit(SOUND)
    late = decision(desk, "T1", reviewer="Eve", action="reject")
    desk.decide("T1", decision(desk, "T1"))

    with pytest.raises(Refused) as caught:
        desk.decide("T1", late)

    assert str(caught.value) == "Ticket T1 is already decided: Ana said approve at 2026-12-01T09:00:00+00:00."


@pytest.mark.parametrize("reviewer", ["Bo", "bo", " BO "])
def test_nobody_decides_a_ticket_of_their_own(desk, reviewer):
    desk.submit(SOUND, "Bo")

    with pytest.raises(Refused, match="own: somebody else has to decide it"):
        desk.decide("T1", decision(desk, "T1", reviewer=reviewer))

    assert desk.show("T1")["decision"] is None
    assert desk.queue()[0]["id"] == "T1"


def test_a_bad_decision_claims_nothing_and_the_ticket_still_waits(desk):
    desk.submit(SOUND)
    for bad in ("aprove", "", None, {"action": "approve"}, decision(desk, "T1", reviewer="unknown")):
        with pytest.raises(BadInput):
            desk.decide("T1", bad)

    assert desk.decide("T1", decision(desk, "T1"))["status"] == "queued"
    assert len(desk.store.outbox()) == 1


def test_threads_racing_for_one_ticket_agree_on_one_decision(desk):
    desk.submit(SOUND)
    wanted = [decision(desk, "T1", reviewer=f"Person {chr(65 + each)}") for each in range(6)]

    def decide(each):
        try:
            return desk.decide("T1", each)["status"]
        except Refused as refused:
            return str(refused)

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(decide, wanted))

    assert results.count("queued") == 1
    assert len(desk.store.outbox()) == 1
    assert all("already decided: Person" in each or "not waiting" in each for each in results if each != "queued")


CHILD = """
import os, signal, sys
from support_desk.desk import Desk

def die(*_):
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

path, where = sys.argv[1:3]
with Desk(path) as desk:
    store, graph = desk.store, desk.graph
    def dying_after(function):
        def run(*arguments, **keywords):
            function(*arguments, **keywords)
            die()
        return run
    if where == "add_ticket":
        store.add_ticket = dying_after(store.add_ticket)
    if where == "settle":
        store.settle = die
    if where == "claim":
        store.claim = dying_after(store.claim)
    if where == "put_reply":
        from support_desk.graph import build_desk
        desk.graph = build_desk(checkpointer=store.checkpointer, outbox=dying_after(store.put_reply))
    if where == "check":
        from support_desk.graph import build_desk
        def dying_drafter(state): die()
        desk.graph = build_desk(checkpointer=store.checkpointer, outbox=store.put_reply, drafter=dying_drafter)
    if where == "carry":
        desk.deliver(die)
    if where in ("add_ticket", "check") or where == "settle" and not store.waiting():
        desk.submit("My pip install has a missing module")
    digest = desk.show("T1")["shown"]["digest"]
    desk.decide("T1", {"action": "approve", "reviewer": sys.argv[3], "reason": "Fine.", "digest": digest})
    print("decided")
"""


def child(path, where, reviewer="Ana"):
    return subprocess.run([sys.executable, "-c", CHILD, str(path), where, reviewer], capture_output=True, text=True)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("where", ["add_ticket", "check", "settle"])
def test_a_process_killed_while_it_takes_a_ticket_in_loses_nothing(tmp_path, where):
    path = tmp_path / "desk.sqlite"
    assert child(path, where).returncode == -9

    with Desk(path) as desk:
        assert desk.recover() == ["T1"]
        assert (desk.show("T1")["waits_for"], desk.store.outbox()) == ("approve", [])
        assert desk.recover() == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("where", ["claim", "put_reply", "settle"])
def test_a_process_killed_while_it_decides_still_decides_once_and_sends_once(tmp_path, where):
    path = tmp_path / "desk.sqlite"
    with Desk(path) as desk:
        desk.submit(SOUND)
    assert child(path, where).returncode == -9

    with Desk(path) as desk:
        with pytest.raises(Refused, match="already decided: Ana said approve"):
            desk.pause("T1")
        assert desk.recover() == ["T1"]
        assert desk.show("T1")["status"] == "queued"
        assert [row["key"] for row in desk.store.outbox()] == ["T1"]
        assert desk.show("T1")["state"]["trace"][-2:] == ["approve", "send"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_process_killed_while_it_delivers_leaves_a_reply_that_is_not_sent_again(tmp_path):
    path = tmp_path / "desk.sqlite"
    with Desk(path) as desk:
        desk.submit(SOUND)
        desk.decide("T1", decision(desk, "T1"))
    assert child(path, "carry").returncode == -9

    with Desk(path) as desk:
        assert desk.deliver(lambda key, reply: None) == []
        assert [row["state"] for row in desk.store.outbox()] == ["claimed"]


def test_processes_racing_for_one_ticket_agree_on_one_decision(tmp_path):
    path = tmp_path / "desk.sqlite"
    with Desk(path) as desk:
        desk.submit(SOUND)

    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(lambda name: child(path, "nowhere", name), ["Ana", "Bo", "Cy", "Di"]))

    assert [each.stdout for each in ended].count("decided\n") == 1
    with Desk(path) as desk:
        assert len(desk.store.outbox()) == 1
        assert desk.recover() == []


def test_a_resumed_ticket_was_drafted_once_and_its_pause_ran_no_effect_twice(desk):
    desk.submit(SOUND)
    desk.decide("T1", decision(desk, "T1"))

    state = desk.graph.get_state(thread("T1")).values
    assert state["trace"] == ["classify", "lookup", "draft", "check", "approve", "send"]
    assert len(desk.store.outbox()) == 1
