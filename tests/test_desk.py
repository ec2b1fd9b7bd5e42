"""The desk's promises: nothing lost, one decision, one effect, only what was approved."""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from types import SimpleNamespace

import pytest
from langgraph.types import Command

from support_desk.approval import thread, validate
from support_desk.desk import Desk
from support_desk.drafting import draft_demo
from support_desk.errors import BadInput, Refused

NOW = "2026-12-01T09:00:00+00:00"
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


def test_the_same_words_twice_are_two_tickets_and_an_approval_acts_on_one(desk):
    assert [desk.submit(SOUND)["id"], desk.submit(SOUND)["id"]] == ["T1", "T2"]

    desk.decide("T1", decision(desk, "T1"))

    assert [row["key"] for row in desk.store.outbox()] == ["T1"]
    assert [ticket["id"] for ticket in desk.queue()] == ["T2"]


@pytest.mark.parametrize("submitter", ["", " ", "nobody", "A\nB"])
def test_a_submitter_who_is_named_is_a_person(desk, submitter):
    with pytest.raises(BadInput):
        desk.submit(SOUND, submitter)

    assert desk.store.unsettled() == []


def test_a_ticket_is_shown_with_its_run_its_pause_and_its_decision(desk):
    desk.submit(SOUND)
    waiting = desk.show("T1")
    desk.decide("T1", decision(desk, "T1"))
    decided = desk.show("T1")

    assert (waiting["shown"]["reply"], waiting["decision"]) == (waiting["state"]["reply"], None)
    assert (decided["shown"], decided["state"]["status"]) == (None, "queued")
    assert (decided["decision"]["ticket"], decided["decision"]["decided_at"]) == ("T1", NOW)


def test_a_ticket_left_half_way_is_shown_and_waits_for_nobody(desk):
    desk.submit(SOUND)
    desk.store.claim("T1", desk.pause("T1").id, '{"reviewer": "Ana", "action": "approve"}')

    assert desk.queue() == []
    assert (desk.show("T1")["shown"], desk.show("T1")["decision"]["ticket"]) == (None, "T1")


def test_a_ticket_that_is_unknown_or_done_is_refused_and_starts_no_run(desk):
    desk.submit(LOST)
    last = decision(desk, "T1", action="close")
    desk.decide("T1", last)
    rows = len(list(desk.store.checkpointer.list(None)))

    for ticket_id in ("T1", "T2", "T01", "t1"):
        with pytest.raises(Refused):
            desk.decide(ticket_id, last)

    assert len(list(desk.store.checkpointer.list(None))) == rows


def test_a_drafter_that_raises_leaves_a_ticket_that_can_be_recovered(tmp_path):
    with Desk(tmp_path / "desk.sqlite", drafter=lambda state: 1 / 0) as desk, pytest.raises(ZeroDivisionError):
        desk.submit(SOUND)

    with Desk(tmp_path / "desk.sqlite") as desk:
        assert (desk.queue(), desk.recover()) == ([], ["T1"])
        assert desk.queue()[0]["waits_for"] == "approve"


def test_one_ticket_that_cannot_be_recovered_does_not_keep_the_next_one_waiting(tmp_path):
    def drafter(state):
        return 1 / 0 if "first" in state["text"] else draft_demo(state)

    with Desk(tmp_path / "desk.sqlite", drafter=drafter) as desk:
        desk.store.add_ticket(f"{SOUND}, says the first")
        desk.store.add_ticket(SOUND)
        with pytest.raises(ZeroDivisionError) as caught:
            desk.recover()

        assert caught.value.__notes__[-1] == "while ticket T1 was recovered"
        assert [ticket["id"] for ticket in desk.queue()] == ["T2"]
        assert desk.store.unsettled() == ["T1"]


def watched(desk):
    """A list that gets what each later run of the graph is given, and its settings."""
    invoke, runs = desk.graph.invoke, []
    desk.graph.invoke = lambda given, *config, **more: runs.append((given, more)) or invoke(given, *config, **more)
    return runs


def test_every_run_saves_each_step_before_the_next(desk):
    runs = watched(desk)

    desk.submit(SOUND)
    desk.decide("T1", decision(desk, "T1"))

    assert [settings for _, settings in runs] == [{"durability": "sync"}] * 2


def test_recovery_runs_nothing_of_a_ticket_that_was_done_before_the_kill(desk):
    desk.submit(SOUND)
    desk.decide("T1", decision(desk, "T1"))
    with desk.store._transaction() as rows:
        rows.execute("UPDATE tickets SET status = 'drafting', settled = 0")
    runs = watched(desk)

    assert (desk.recover(), runs) == (["T1"], [])
    assert desk.show("T1")["status"] == "queued"


def test_recovery_gives_a_waiting_ticket_its_decision_and_never_runs_it_on_without_one(desk):
    desk.submit(SOUND)
    verdict = validate(desk.pause("T1"), decision(desk, "T1"))
    desk.store.claim("T1", desk.pause("T1").id, verdict.model_dump_json())
    runs = watched(desk)

    assert desk.recover() == ["T1"]

    assert [type(given) for given, _ in runs] == [Command]
    assert desk.show("T1")["status"] == "queued"


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


@pytest.mark.parametrize("reviewer", ["Zoë", "zoë", " ZOË ", "Zoe\u0308", "Ｚoë", "Zoë."])
def test_nobody_decides_a_ticket_of_their_own(desk, reviewer):
    desk.submit(SOUND, "Zoë")

    with pytest.raises(Refused, match="own: somebody else has to decide it"):
        desk.decide("T1", decision(desk, "T1", reviewer=reviewer))

    assert desk.show("T1")["decision"] is None
    assert desk.queue()[0]["id"] == "T1"


def test_a_bad_decision_claims_nothing_and_the_ticket_still_waits(desk):
    desk.submit(SOUND)
    before = desk.pause("T1")
    for bad in ("aprove", "", None, {"action": "approve"}, decision(desk, "T1", reviewer="unknown"),
                decision(desk, "T1", action="edit", reply="See the book."), {**decision(desk, "T1"), "digest": "d"}):
        with pytest.raises((BadInput, Refused)):
            desk.decide("T1", bad)

    assert (desk.pause("T1"), desk.show("T1")["decision"]) == (before, None)
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
    assert all("already decided: Person" in each for each in results if each != "queued")


def test_one_who_is_beaten_while_the_desk_looks_is_told_by_whom(desk, tmp_path):
    desk.submit(SOUND)
    mine, theirs = decision(desk, "T1"), decision(desk, "T1", reviewer="Eve", action="reject")
    look = desk.graph.get_state
    with Desk(tmp_path / "desk.sqlite") as other:
        desk.graph = SimpleNamespace(get_state=lambda config: other.decide("T1", theirs) and look(config))

        with pytest.raises(Refused, match="^Ticket T1 is already decided: Eve said reject at "):
            desk.decide("T1", mine)


CHILD = """
import os, signal, sys
from support_desk.approval import Decision
from support_desk.desk import Desk
from support_desk.errors import Refused

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
    if where == "approve":
        Decision.as_update = die
    if where == "carry":
        desk.deliver(die)
    if where == "mark_reply":
        store.mark_reply = die
        desk.deliver(lambda key, reply: print("carried", flush=True))
    if where in ("add_ticket", "check") or where == "settle" and not store.waiting():
        desk.submit("My pip install has a missing module")
    digest = desk.show("T1")["shown"]["digest"]
    if where == "race":
        print("ready", flush=True)
        sys.stdin.readline()
    try:
        desk.decide("T1", {"action": "approve", "reviewer": sys.argv[3], "reason": "Fine.", "digest": digest})
        print("decided")
    except Refused as refused:
        print(refused)
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
@pytest.mark.parametrize("where", ["claim", "approve", "put_reply", "settle"])
def test_a_process_killed_while_it_decides_still_decides_once_and_sends_once(tmp_path, where):
    path = tmp_path / "desk.sqlite"
    with Desk(path) as desk:
        desk.submit(SOUND)
    assert child(path, where).returncode == -9

    with Desk(path) as desk:
        with pytest.raises(Refused, match="already decided: Ana said approve"):
            desk.pause("T1")
        assert (desk.queue(), desk.show("T1")["shown"]) == ([], None)
        assert desk.recover() == ["T1"]
        assert desk.show("T1")["status"] == "queued"
        assert [row["key"] for row in desk.store.outbox()] == ["T1"]
        assert desk.show("T1")["state"]["trace"][-2:] == ["approve", "send"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize(("where", "printed"), [("carry", ""), ("mark_reply", "carried\n")])
def test_a_process_killed_while_it_delivers_leaves_a_reply_that_is_not_sent_again(tmp_path, where, printed):
    path = tmp_path / "desk.sqlite"
    with Desk(path) as desk:
        desk.submit(SOUND)
        desk.decide("T1", decision(desk, "T1"))
    killed = child(path, where)
    assert (killed.returncode, killed.stdout) == (-9, printed)

    with Desk(path) as desk:
        assert desk.recover() == []
        assert desk.deliver(lambda key, reply: None) == []
        assert [row["state"] for row in desk.store.outbox()] == ["claimed"]


def test_processes_racing_for_one_ticket_agree_on_one_decision(tmp_path):
    path = tmp_path / "desk.sqlite"
    with Desk(path) as desk:
        desk.submit(SOUND)
    racing = [
        subprocess.Popen([sys.executable, "-c", CHILD, str(path), "race", name], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True)
        for name in ("Ana", "Bo")
    ]
    for each in racing:
        assert each.stdout.readline() == "ready\n"

    for each in racing:
        each.stdin.write("go\n")
        each.stdin.flush()
    said = sorted(each.communicate()[0] for each in racing)

    assert re.fullmatch(r"Ticket T1 is already decided: (Ana|Bo) said approve at \S+\.\n", said[0])
    assert said[1] == "decided\n"
    with Desk(path) as desk:
        assert len(desk.store.outbox()) == 1
        assert desk.recover() == []


def test_a_resumed_ticket_was_drafted_once_and_its_pause_ran_no_effect_twice(desk):
    desk.submit(SOUND)
    desk.decide("T1", decision(desk, "T1"))

    state = desk.graph.get_state(thread("T1")).values
    assert state["trace"] == ["classify", "lookup", "draft", "check", "approve", "send"]
    assert len(desk.store.outbox()) == 1


def kill_at(desk, place):
    """Break the process off at its n-th SQL statement, on either connection."""
    statements = count(1)

    def trace(statement):
        if next(statements) == place:
            os._exit(9)

    for connection in (desk.store._desk, desk.store._checkpoints):
        connection.set_trace_callback(trace)


def killed_child(path, place, action):
    """Run the action on the file in a child process that dies at this place; False when it came to its end."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    try:
        desk = Desk(path)
        kill_at(desk, place)
        action(desk)
        os._exit(0)
    except BaseException:
        os._exit(1)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Python 3.12 warns of a fork beside threads
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_kill_at_any_statement_of_a_submission_loses_no_ticket(tmp_path):
    for place in count(1):
        path = tmp_path / f"{place}.sqlite"
        died = killed_child(path, place, lambda desk: desk.submit(SOUND))
        with Desk(path) as desk:
            desk.recover()
            kept = [(row["waits_for"], row["status"]) for row in desk.store._rows("SELECT * FROM tickets")]
        assert kept in ([], [("approve", "drafting")]), place
        if not died:
            break

    assert place > 30


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_kill_at_any_statement_of_a_decision_loses_neither_the_decision_nor_the_reply(tmp_path):
    def decide(desk):
        desk.decide("T1", decision(desk, "T1"))

    with Desk(tmp_path / "waiting.sqlite") as desk:
        desk.submit(SOUND)
    for place in count(1):
        path = tmp_path / f"{place}.sqlite"
        shutil.copy(tmp_path / "waiting.sqlite", path)
        died = killed_child(path, place, decide)
        with Desk(path) as desk:
            desk.recover()
            ticket = desk.show("T1")
            sent = [row["key"] for row in desk.outbox()]
        assert (ticket["status"], ticket["waits_for"], bool(ticket["decision"]), sent) in (
            ("drafting", "approve", False, []), ("queued", None, True, ["T1"]),
        ), place
        if not died:
            break

    assert place > 30
