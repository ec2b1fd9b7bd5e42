"""What the tests of the lessons share: run one as a learner does, change its text, read and walk its arrows."""

import inspect
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START
from langgraph.types import Command

from course import drawings, lessons
from support_desk import console
from support_desk.approval import Pause, pending, thread
from support_desk.misbehaving import DRAFTERS

PIP = "My pip install has a missing module"
CAMERA = "The camera image is purple"
SUNDAY = "When do you open on Sunday?"


class Ended(NamedTuple):
    """How a command ended: its exit status, and what it printed on each stream."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What a successful command with --json printed."""
        assert (self.status, self.err) == (0, "")
        return json.loads(self.out)


def call(main: Callable, *words: str, stdin: bytes = b"", encoding: str = "utf-8") -> Ended:
    """A command run in this process, which saves the half second that a new one needs to import LangGraph."""
    out, err = [io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n") for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        patch.setattr(sys, "argv", ["main.py", *words])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        console.start(main)
    out.flush(), err.flush()
    return Ended(ended.value.code, *[stream.buffer.getvalue().decode(encoding) for stream in (out, err)])


def run(number: int, *words: str, **settings: Any) -> Ended:
    """A lesson run in this process; settings are those of `call`."""
    return call(lessons.load(number).main, *words, **settings)


def run_own(number: int, ticket: str, folder: Path, *words: str, **settings: Any) -> Ended:
    """A lesson run on a ticket; lessons 5 to 7 only start it, by hand, for all their processes take seconds."""
    start = ["--db", str(folder / f"{number}.sqlite"), "start"] if has_database(number) else []
    return run(number, *start, *words, ticket, **settings)


def has_database(number: int) -> bool:
    """True when the lesson can be used by hand, with --db FILE."""
    return "--db FILE" in run(number, "--help").out


def process(
    *command: str | bytes | Path, stdin: bytes = b"", cwd: Path = lessons.ROOT, encoding: str = "utf-8", **more: str
) -> Ended:
    """Python run on a command in a process of its own; `more` goes into its environment."""
    ended = subprocess.run([sys.executable, *command], input=stdin, capture_output=True, cwd=cwd, env=os.environ | more)
    printed = [stream.decode(encoding).replace("\r\n", "\n") for stream in (ended.stdout, ended.stderr)]
    return Ended(ended.returncode, *printed)


def script(number: int, root: Path = lessons.ROOT) -> Path:
    """A lesson's main.py, in this repository or in a copy of it."""
    return root / lessons.folder(number).relative_to(lessons.ROOT) / "main.py"


def altered(number: int, *changes: tuple[str, str]) -> ModuleType:
    """A lesson with parts of its text replaced, as by a learner who edits the file."""
    source = script(number).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    module = ModuleType("altered")
    exec(compile(source, str(script(number)), "exec"), vars(module))
    return module


def drawn_arrows(number: int) -> set[tuple[str, str]]:
    """Every arrow in the drawing of a lesson."""
    return {(edge.source, edge.target) for edge in drawings.part(number).model.edges}


def walked(build_graph: Callable) -> set[tuple[str, str]]:
    """Every arrow that a run took, for three tickets, three drafters, and every end of a pause."""
    return {arrow for nodes, _ in _runs(build_graph) for arrow in pairwise([START, *nodes, END])}


def paused(build_graph: Callable) -> set[str]:
    """Every node at which one of the same runs paused."""
    return {pause for _, pause in _runs(build_graph) if pause}


def _runs(build_graph: Callable) -> Iterator[tuple[list[str], str | None]]:
    """The nodes of each run, and the one at which it paused."""
    takes_drafter = "drafter" in inspect.signature(build_graph).parameters
    drafters = [{"drafter": DRAFTERS[name]} for name in ("demo", "unknown-id", "once-wrong")] if takes_drafter else [{}]
    for ticket, parts, yes in product([PIP, CAMERA, SUNDAY], drafters, [True, False]):
        graph = build_graph(checkpointer=InMemorySaver(), **parts)
        nodes = _nodes(graph, {"text": ticket})
        pause = pending(graph, "T1") if graph.get_state(thread("T1")).next else None
        if pause:
            nodes += _nodes(graph, Command(resume={pause.id: verdict(pause, yes)}))
        yield nodes, pause and pause.node


def verdict(pause: Pause, yes: bool) -> dict[str, str]:
    """A decision that lets a reply go out, or none."""
    action = {"approve": ("reject", "approve"), "mentor": ("close", "answer")}[pause.node][yes]
    reply = {"reply": "Please bring it to us."} if action == "answer" else {}
    return {"action": action, "reviewer": "Ana", "reason": "Because.", "digest": pause.shown["digest"], **reply}


def _nodes(graph: Any, given: Any) -> list[str]:
    updates = graph.stream(given, thread("T1"), stream_mode="updates")
    return [node for update in updates for node in update if node != "__interrupt__"]
