"""The database file: its rows, its locks, and the files that are none."""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import ormsgpack
import pytest

from support_desk.approval import pending, thread
from support_desk.errors import Refused, StorageError
from support_desk.graph import build_desk
from support_desk.store import Store

NOW = "2026-12-01T09:00:00+00:00"
VERDICT = '{"action": "approve", "reviewer": "Ana", "reason": "Fine.", "digest": "d", "reply": null}'


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "desk.sqlite", clock=lambda: NOW) as opened:
        yield opened


def test_ids_are_the_desks_own_and_a_text_may_come_twice(store):
    assert [store.add_ticket("help"), store.add_ticket("help", "Bo")] == ["T1", "T2"]
    assert store.ticket("T2") == {
        "number": 2, "text": "help", "submitter": "Bo", "status": "drafting", "waits_for": None, "settled": 0,
        "submitted_at": NOW, "id": "T2",
    }


@pytest.mark.parametrize("ticket_id", ["T2", "T0", "1", "t1", "", "T1 ", "T01", "T-1", "T1.0", "T" + "9" * 30, "T\udcff", "x' OR '1'='1"])
def test_what_is_no_id_is_no_ticket(store, ticket_id):
    store.add_ticket("help")

    with pytest.raises(Refused, match="^There is no ticket"):
        store.ticket(ticket_id)


def test_an_id_is_never_used_twice_even_after_its_row_is_gone(store):
    store.add_ticket("help")
    with store._transaction() as desk:
        desk.execute("DELETE FROM tickets")

    assert store.add_ticket("help") == "T2"


def test_the_file_itself_holds_one_decision_on_a_ticket_and_one_reply_under_a_key(store):
    store.claim(store.add_ticket("help"), "a pause", VERDICT)
    store.put_reply("T1", "Hello.")

    for table in ("decisions", "outbox"):
        with pytest.raises(sqlite3.IntegrityError), store._transaction() as desk:
            desk.execute(f"INSERT INTO {table} SELECT * FROM {table}")


def test_a_ticket_waits_once_its_run_has_settled_at_a_pause(store):
    for ticket_id in (store.add_ticket("a"), store.add_ticket("b"), store.add_ticket("c")):
        assert ticket_id in store.unsettled()

    store.settle("T1", "drafting", "approve")
    store.settle("T2", "closed", None)

    assert [row["id"] for row in store.waiting()] == ["T1"]
    assert store.unsettled() == ["T3"]


def test_the_first_claim_wins_and_the_second_is_told_who_said_what_and_when(store):
    store.settle(store.add_ticket("help"), "drafting", "approve")

    store.claim("T1", "a pause", VERDICT)
    with pytest.raises(Refused) as caught:
        store.claim("T1", "a pause", VERDICT.replace("Ana", "Bo"))

    assert str(caught.value) == f"Ticket T1 is already decided: Ana said approve at {NOW}."
    assert store.decision("T1")["verdict"] == VERDICT
    assert (store.unsettled(), store.waiting()) == (["T1"], [])


def test_a_key_keeps_its_first_reply(store):
    store.put_reply("T1", "Hello.")
    store.put_reply("T1", "Hello.")
    with pytest.raises(ValueError, match="^another reply is already in the outbox under T1$"):
        store.put_reply("T1", "Good bye.")

    assert [(row["key"], row["reply"], row["state"]) for row in store.outbox()] == [("T1", "Hello.", "queued")]


def test_a_reply_is_claimed_by_one_and_in_order(store):
    store.put_reply("T2", "b")
    store.put_reply("T1", "a")

    assert [store.claim_reply()["key"], store.claim_reply()["key"], store.claim_reply()] == ["T2", "T1", None]
    store.mark_reply("T1", "sent")
    assert [row["state"] for row in store.outbox()] == ["claimed", "sent"]


def test_a_transaction_that_fails_leaves_nothing_behind(store):
    with pytest.raises(sqlite3.IntegrityError):
        store.mark_reply("T1", "sent")
        store.put_reply("T1", "a")
        store.mark_reply("T1", "lost")

    assert [row["state"] for row in store.outbox()] == ["queued"]


@pytest.mark.parametrize("name", ["a b é.sqlite", "a#b%20.sqlite", *(["what?.sqlite"] if os.name != "nt" else [])])
def test_a_file_may_have_any_name(tmp_path, name):
    with Store(tmp_path / name) as store:
        store.add_ticket("help")

    assert [path.name for path in tmp_path.iterdir()] == [name]
    with Store(tmp_path / name, create=False) as store:
        assert store.ticket("T1")["text"] == "help"


def test_a_file_that_cannot_be_used_is_told_in_one_line(tmp_path):
    (tmp_path / "text").write_text("no database at all, only words" * 100, encoding="utf-8")
    for path, why in [
        (tmp_path / "none" / "desk.sqlite", "Cannot open the database"),
        (tmp_path, "Cannot open the database"),
        (tmp_path / "text", "Cannot use the database"),
    ]:
        with pytest.raises(StorageError, match=f"^{why}.*\\.$"):
            Store(path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whom file modes stop")
def test_a_file_that_may_only_be_read_is_told_in_one_line(tmp_path):
    path = tmp_path / "desk.sqlite"
    path.touch(0o444)

    with pytest.raises(StorageError, match="^Cannot use the database .*readonly database. Name another file.$"):
        Store(path)


def test_a_file_of_another_program_is_told_in_one_line_and_closed(tmp_path):
    path = tmp_path / "desk.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.executescript("CREATE TABLE seats (row); CREATE INDEX tickets ON seats (row);")

    with pytest.raises(StorageError, match="^Cannot use the database .* Name another file.$"):
        Store(path)


def test_nobody_reads_what_another_thread_has_not_committed(store):
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        with store._transaction() as desk:
            desk.execute("INSERT INTO outbox (key, reply, queued_at) VALUES ('T1', 'Hello.', '')")
            seen = pool.submit(store.outbox)
            with pytest.raises(TimeoutError):
                seen.result(timeout=0.2)
            1 / 0

    assert seen.result() == []


def test_a_command_that_only_reads_creates_no_file(tmp_path):
    with pytest.raises(StorageError):
        Store(tmp_path / "desk.sqlite", create=False)

    assert list(tmp_path.iterdir()) == []


def test_a_commit_waits_for_the_disk_and_readers_do_not_wait_for_writers(store):
    assert store._desk.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert store._desk.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_a_planted_checkpoint_runs_no_code(tmp_path):
    path, planted = tmp_path / "desk.sqlite", tmp_path / "planted"
    with Store(path) as store:
        graph = build_desk(checkpointer=store.checkpointer)
        graph.invoke({"text": "My pip install has a missing module"}, thread("T1"), durability="sync")
        call = ormsgpack.Ext(0, ormsgpack.packb(["os", "mkdir", str(planted)]))  # 0: call this with one argument
        store._checkpoints.execute("UPDATE writes SET value = ? WHERE channel = '__interrupt__'", (ormsgpack.packb(call),))

    with Store(path) as store:
        build_desk(checkpointer=store.checkpointer).get_state(thread("T1"))

    assert not planted.exists()


@pytest.mark.parametrize("strict", ["false", "true"])
def test_a_pause_resumes_without_a_warning_in_a_process_that_never_saw_it(tmp_path, strict):
    path = tmp_path / "desk.sqlite"
    with Store(path) as store:
        graph = build_desk(checkpointer=store.checkpointer, outbox=store.put_reply)
        graph.invoke({"text": "My pip install has a missing module"}, thread("T1"), durability="sync")
        digest = pending(graph, "T1").shown["digest"]
    resume = (
        "import sys; from support_desk.store import Store; from support_desk.graph import build_desk;"
        "from support_desk.approval import resume\n"
        "with Store(sys.argv[1]) as store:\n"
        "    graph = build_desk(checkpointer=store.checkpointer, outbox=store.put_reply)\n"
        "    decision = {'action': 'approve', 'reviewer': 'Ana', 'reason': 'Fine.', 'digest': sys.argv[2]}\n"
        "    print(resume(graph, 'T1', decision)['status'])\n"
    )

    ended = subprocess.run([sys.executable, "-W", "error", "-c", resume, str(path), digest], capture_output=True,
                           text=True, env=os.environ | {"LANGGRAPH_STRICT_MSGPACK": strict})

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "queued\n", "")
