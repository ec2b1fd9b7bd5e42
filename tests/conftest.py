"""What every test starts from: no tracing, no keys, a fixed clock, and random tests that repeat."""

import os

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


@pytest.fixture
def desk(tmp_path):
    """A desk on a file of its own, with a fixed clock."""
    with Desk(tmp_path / "desk.sqlite", clock=lambda: NOW) as opened:
        yield opened
