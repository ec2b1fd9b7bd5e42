"""What every test starts from: no tracing, no keys, a fixed clock, and random tests that repeat."""

import os
import sqlite3

import pytest
from hypothesis import settings

from support_desk.desk import Desk

settings.register_profile("course", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("course")

NOW = "2026-12-01T09:00:00+00:00"


@pytest.fixture(autouse=True)
def no_remote_service(monkeypatch):
    """Tracing variables would send runs to a remote service."""
    for name in list(os.environ):
        if name.startswith(("LANGSMITH_", "LANGCHAIN_")) or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def no_open_database(monkeypatch):
    """A test that leaves a connection open fails. Only Python 3.13 warns of one; Windows cannot delete its file."""
    connect, opened = sqlite3.connect, []
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **more: opened.append(connect(*args, **more)) or opened[-1])
    yield
    left_open = [connection for connection in opened if _is_open(connection)]
    for connection in left_open:
        connection.close()
    assert left_open == []


def _is_open(connection):
    try:
        return connection.total_changes >= 0
    except sqlite3.ProgrammingError:
        return False


@pytest.fixture
def desk(tmp_path):
    """A desk on a file of its own, with a fixed clock."""
    with Desk(tmp_path / "desk.sqlite", clock=lambda: NOW) as opened:
        yield opened
