"""The outbox and the transport: each reply once, whole or not at all."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support_desk.sending import deliver, into_folder, send
from support_desk.store import Store


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "desk.sqlite") as opened:
        opened.put_reply("T1", "Hello.")
        opened.put_reply("T2", "Good bye.")
        yield opened


def states(store):
    return {row["key"]: row["state"] for row in store.outbox()}


def test_sending_queues_the_reply_under_the_tickets_id():
    outbox = {}

    update = send({"reply": "Hello."}, {"configurable": {"thread_id": "T1"}}, outbox=outbox.setdefault)

    assert outbox == {"T1": "Hello."}
    assert update == {"status": "queued", "trace": ["send"]}


def test_each_reply_is_carried_once_and_a_second_delivery_finds_nothing(store):
    carried = []

    assert deliver(store, lambda key, reply: carried.append((key, reply))) == ["T1", "T2"]
    assert deliver(store, lambda key, reply: carried.append((key, reply))) == []

    assert carried == [("T1", "Hello."), ("T2", "Good bye.")]
    assert states(store) == {"T1": "sent", "T2": "sent"}


def test_when_the_transport_fails_nobody_knows_and_the_desk_does_not_try_again(store):
    def lost(key, reply):
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError):
        deliver(store, lost)

    assert states(store) == {"T1": "unknown", "T2": "queued"}
    assert deliver(store, lambda key, reply: None) == ["T2"]


def test_a_reply_that_a_killed_process_had_claimed_is_not_sent_again(store):
    store.claim_reply()

    assert deliver(store, lambda key, reply: None) == ["T2"]
    assert states(store) == {"T1": "claimed", "T2": "sent"}


def test_a_reply_becomes_a_file_named_by_its_key(tmp_path):
    carry = into_folder(tmp_path / "a" / "replies")

    carry("T1", "Hällo. 🙏\nBye.")
    carry("T1", "Hällo. 🙏\nBye.")

    assert [path.name for path in (tmp_path / "a" / "replies").iterdir()] == ["T1.txt"]
    assert (tmp_path / "a" / "replies" / "T1.txt").read_bytes() == "Hällo. 🙏\nBye.\n".encode()


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    carry = into_folder(tmp_path)

    with pytest.raises(UnicodeEncodeError):
        carry("T1", "half \ud800")

    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_there_stays_as_it_was_when_writing_fails_or_the_reply_is_another(tmp_path, monkeypatch):
    carry = into_folder(tmp_path)
    carry("T1", "Hello.")
    monkeypatch.setattr(os, "replace", lambda source, target: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        carry("T1", "Hello.")
    with pytest.raises(FileExistsError):
        carry("T1", "Good bye.")

    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"T1.txt": "Hello.\n"}


def test_a_folder_that_cannot_be_made_stops_the_delivery_before_a_reply_is_claimed(store, tmp_path):
    (tmp_path / "replies").write_text("a file", encoding="utf-8")

    with pytest.raises(OSError):
        deliver(store, into_folder(tmp_path / "replies"))

    assert states(store) == {"T1": "queued", "T2": "queued"}


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a folder that nobody can write to")
def test_a_folder_that_nobody_can_write_to_stops_the_delivery_before_a_reply_is_claimed(store):
    with pytest.raises(OSError):
        deliver(store, into_folder(Path("/proc/self")))

    assert states(store) == {"T1": "queued", "T2": "queued"}


def test_two_that_deliver_at_once_never_carry_the_same_reply(tmp_path):
    path, carried = tmp_path / "desk.sqlite", []
    with Store(path) as one, Store(path) as other, ThreadPoolExecutor(2) as pool:
        for number in range(10):
            one.put_reply(f"T{number}", "Hello.")
        list(pool.map(lambda store: deliver(store, lambda key, reply: carried.append(key)), [one, other]))

    assert sorted(carried) == [f"T{number}" for number in range(10)]


def test_an_interrupted_delivery_leaves_the_reply_claimed(store):
    def interrupted(key, reply):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        deliver(store, interrupted)

    assert states(store) == {"T1": "claimed", "T2": "queued"}
