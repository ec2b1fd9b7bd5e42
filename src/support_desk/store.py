"""The one database file: LangGraph's checkpoints beside the desk's own tables. No other module knows SQL."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from support_desk.errors import Refused, StorageError

TABLES = """
CREATE TABLE IF NOT EXISTS tickets (
    number INTEGER PRIMARY KEY AUTOINCREMENT,   -- ticket T7 is number 7
    text TEXT NOT NULL,
    submitter TEXT,                             -- NULL when nobody said
    status TEXT NOT NULL,
    waits_for TEXT,                             -- the node that waits for a person, NULL when none does
    settled INTEGER NOT NULL DEFAULT 0,         -- 0 while a run is under way: what `recover` looks for
    submitted_at TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS decisions (
    ticket TEXT PRIMARY KEY,                    -- a ticket is decided once; a second row cannot exist
    pause TEXT NOT NULL,                        -- the id of the interrupt that the decision answers
    verdict TEXT NOT NULL,                      -- JSON: action, reviewer, reason, digest, reply
    decided_at TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS outbox (
    key TEXT PRIMARY KEY,                       -- the idempotency key: the ticket's id
    reply TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'claimed', 'sent', 'unknown')),
    queued_at TEXT NOT NULL
) STRICT;
"""


def utc_now() -> str:
    """The time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Store:
    """An open database file. Use it in a `with` block, which closes both of its connections.

    LangGraph commits on a connection of its own, so it can never commit half of a desk transaction.
    StorageError when the file cannot be opened, or is no database.
    """

    def __init__(self, path: str | Path, *, create: bool = True, clock: Callable[[], str] = utc_now) -> None:
        self._clock = clock
        self._lock = RLock()
        self._desk = _connect(path, create)
        self._checkpoints = _connect(path, create)
        self._checkpoints.isolation_level = ""  # LangGraph counts on it: all that one node wrote, in one transaction
        plain_data_only = JsonPlusSerializer(allowed_msgpack_modules=None)
        self.checkpointer = SqliteSaver(self._checkpoints, serde=plain_data_only)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self._desk.close()
        self._checkpoints.close()

    def add_ticket(self, text: str, submitter: str | None = None) -> str:
        """The new ticket's id. Ids are the desk's own, T1, T2, …, and never used twice."""
        with self._transaction() as desk:
            added = desk.execute(
                "INSERT INTO tickets (text, submitter, status, submitted_at) VALUES (?, ?, 'drafting', ?)",
                (text, submitter, self._clock()),
            )
        return f"T{added.lastrowid}"

    def ticket(self, ticket_id: str) -> dict[str, Any]:
        """One ticket's row. Refused when there is no such ticket."""
        rows = self._rows("SELECT * FROM tickets WHERE number = ?", _number(ticket_id))
        if not rows:
            raise Refused(f"There is no ticket {ticket_id}: check the id.")
        return rows[0]

    def waiting(self) -> list[dict[str, Any]]:
        """The tickets that wait for a person, oldest first."""
        return self._rows("SELECT * FROM tickets WHERE waits_for IS NOT NULL ORDER BY number")

    def unsettled(self) -> list[str]:
        """The ids of the tickets whose last run did not come to its end, oldest first."""
        return [row["id"] for row in self._rows("SELECT * FROM tickets WHERE NOT settled ORDER BY number")]

    def settle(self, ticket_id: str, status: str, waits_for: str | None) -> None:
        """Keep where a ticket stands after a run has ended or paused."""
        with self._transaction() as desk:
            desk.execute(
                "UPDATE tickets SET status = ?, waits_for = ?, settled = 1 WHERE number = ?",
                (status, waits_for, _number(ticket_id)),
            )

    def claim(self, ticket_id: str, pause_id: str, verdict: str) -> None:
        """Take the decision on one pause for good, before the graph resumes. Refused when somebody was first."""
        with self._transaction() as desk:
            self.refuse_if_decided(ticket_id)
            desk.execute(
                "INSERT INTO decisions (ticket, pause, verdict, decided_at) VALUES (?, ?, ?, ?)",
                (ticket_id, pause_id, verdict, self._clock()),
            )
            desk.execute("UPDATE tickets SET settled = 0, waits_for = NULL WHERE number = ?", (_number(ticket_id),))

    def decision(self, ticket_id: str) -> dict[str, Any] | None:
        """The decision on a ticket: its pause, the verdict as JSON, and when. None while there is none."""
        rows = self._rows("SELECT * FROM decisions WHERE ticket = ?", ticket_id)
        return rows[0] if rows else None

    def refuse_if_decided(self, ticket_id: str) -> None:
        """Refused, saying who decided what and when, if there is a decision on the ticket."""
        decision = self.decision(ticket_id)
        if decision:
            verdict = json.loads(decision["verdict"])
            raise Refused(
                f"Ticket {ticket_id} is already decided: {verdict['reviewer']} said {verdict['action']} "
                f"at {decision['decided_at']}."
            )

    def put_reply(self, key: str, reply: str) -> None:
        """Queue a reply under its key. A second time with the same reply changes nothing; another reply is an error."""
        with self._transaction() as desk:
            desk.execute(
                "INSERT INTO outbox (key, reply, queued_at) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
                (key, reply, self._clock()),
            )
            if self._rows("SELECT reply FROM outbox WHERE key = ?", key)[0]["reply"] != reply:
                raise ValueError(f"another reply is already in the outbox under {key}")

    def outbox(self) -> list[dict[str, Any]]:
        """Every reply that was queued, oldest first, with its state."""
        return self._rows("SELECT * FROM outbox ORDER BY rowid")

    def claim_reply(self) -> dict[str, Any] | None:
        """The oldest queued reply, now claimed by this process alone. None when nothing is queued."""
        with self._transaction() as desk:
            rows = self._rows("SELECT * FROM outbox WHERE state = 'queued' ORDER BY rowid LIMIT 1")
            for row in rows:
                desk.execute("UPDATE outbox SET state = 'claimed' WHERE key = ?", (row["key"],))
        return rows[0] if rows else None

    def mark_reply(self, key: str, state: str) -> None:
        """Keep how a claimed reply ended: sent, or unknown."""
        with self._transaction() as desk:
            desk.execute("UPDATE outbox SET state = ? WHERE key = ?", (state, key))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. IMMEDIATE takes the write lock at once, so what is read here is still true at the commit."""
        with self._lock:
            self._desk.execute("BEGIN IMMEDIATE")
            try:
                yield self._desk
            except BaseException:
                self._desk.execute("ROLLBACK")
                raise
            self._desk.execute("COMMIT")

    def _rows(self, query: str, *values: str | int) -> list[dict[str, Any]]:
        with self._lock:
            rows = [dict(row) for row in self._desk.execute(query, values)]
        return [row | {"id": f"T{row['number']}"} if "number" in row else row for row in rows]


def _number(ticket_id: str) -> int:
    """The number in an id such as T7; 0, which no ticket has, when it is no id."""
    found = re.fullmatch("T([1-9][0-9]{0,17})", ticket_id)
    return int(found[1]) if found else 0


def _connect(path: str | Path, create: bool) -> sqlite3.Connection:
    """A connection that waits for others' locks, and whose commits survive a power cut.

    LangGraph saves from a thread of its own, so the same-thread check is off; each connection has a lock instead.
    """
    mode = "rwc" if create else "rw"
    try:
        connection = sqlite3.connect(
            f"{Path(path).absolute().as_uri()}?mode={mode}", uri=True, timeout=10, isolation_level=None,
            check_same_thread=False,
        )
    except sqlite3.Error as error:
        raise StorageError(f"Cannot open the database {path}: {error}. Check the path and its folder.") from None
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(TABLES)
    except sqlite3.Error as error:
        connection.close()
        raise StorageError(f"Cannot use the database {path}: {error}. Name another file.") from None
    connection.row_factory = sqlite3.Row
    return connection
