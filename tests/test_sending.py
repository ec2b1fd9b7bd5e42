"""The outbox and the transport: each reply once, whole or not at all."""

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
