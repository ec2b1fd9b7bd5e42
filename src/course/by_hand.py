"""What lessons 5 and 6 share: commands that are each a process of their own, on one database file."""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course import script
from support_desk.approval import Pause, pending, thread
from support_desk.desk import Desk
from support_desk.sending import into_folder, replies_beside
from support_desk.store import Store

FITTING_DECISIONS = {
    "approve": ["approve", "--reviewer", "Ana", "--reason", "It says what the note says."],
    "mentor": ["answer", "--reviewer", "Ana", "--reason", "No note covers it.", "--reply", "Please bring it to us."],
}


def options(doc: str, ticket: str, *more_commands: str) -> argparse.Namespace:
    """The parsed command line. `command` is None without --db; the lesson then runs all processes itself."""
    if any(word == "--db" or word.startswith("--db=") for word in sys.argv):
        options = _by_hand_parser(doc, ticket, more_commands).parse_args()
        if options.command == "start":
            options.ticket = script.ticket_of(options)  # before a file is made for it
        return options
    commands = " | ".join(("start", "show", "decide", *more_commands))
    by_hand = f"\nBy hand, one process at a time: --db FILE {commands}   (--db FILE --help tells more)"
    parser = script.command(doc + by_hand, ticket)
    parser.set_defaults(command=None)
    return parser.parse_args()


def run(options: argparse.Namespace, desk: Desk) -> None:
    """Run one command on a desk, and print what came of it."""
    match options.command:
        case "start":
            ticket = desk.submit(script.ticket_of(options))
            say_result(options, ticket, "ticket", f"{ticket['id']} waits at {ticket['waits_for']}")
        case "show":
            say_pause(options, desk.pause(options.id))
        case "decide":
            desk.decide(options.id, decision(options, desk.pause(options.id)))
            script.say_state(desk.show(options.id)["state"], as_json=options.json)
        case "recover":
            recovered = desk.recover()
            say_result(options, recovered, "recovered", script.in_words(recovered))
        case "deliver":
            delivered = desk.deliver(into_folder(replies_beside(options.db)))
            say_result(options, delivered, "delivered", script.in_words(delivered))
        case "outbox":
            rows = desk.outbox()
            lines = [f"{row['key']} {row['state']}" for row in rows]
            say_result(options, rows, "outbox", *(lines or ["none"]))


def say_result(options: argparse.Namespace, result: Any, name: str, *lines: str) -> None:
    """Print a command's result: as JSON, or in lines beside a name."""
    if options.json:
        script.say_json(result)
    else:
        script.say(name, *lines)


def decision(options: argparse.Namespace, pause: Pause) -> dict[str, Any]:
    """The decision that the command line makes about a pause; without --digest, about what waits now."""
    given = {key: getattr(options, key) for key in ("action", "reviewer", "reason", "digest", "reply")}
    given["digest"] = options.digest or pause.shown["digest"]
    return {key: value for key, value in given.items() if value is not None}


def say_pause(options: argparse.Namespace, pause: Pause) -> None:
    """Print what a person needs to decide, the full text of each note included."""
    if options.json:
        script.say_json({"waits_for": pause.node, **pause.shown})
        return
    script.say("waits at", pause.node)
    for key, value in pause.shown.items():
        if key != "evidence":
            script.say(key, script.in_words(value))
    for note in pause.shown.get("evidence", []):
        script.say(note["id"], f"{note['title']}. {note['text']}")


class Processes:
    """Run a lesson's script again and again, each time as a new process, on one temporary database file."""

    def __init__(self, file: str, options: argparse.Namespace) -> None:
        self._file, self._quiet, self._text = file, options.json, script.ticket_of(options)
        self._folder = TemporaryDirectory()
        self.db = str(Path(self._folder.name) / "desk.sqlite")
        self._count = 0

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def __call__(self, *words: str) -> None:
        """One process, to its end. When it fails, it has said why, and this process ends with the same status."""
        process = self._begin(words)
        printed, _ = process.communicate(self._text.encode())
        self._show(printed)
        if process.returncode:
            raise SystemExit(process.returncode)

    def until_killed(self, *words: str) -> None:
        """One process, killed as soon as it has printed a line. One that fails before that ends this process too."""
        process = self._begin(words)
        with process:
            first_line = process.stdout.readline()
            if not first_line:
                raise SystemExit(process.wait())
            process.kill()
        self._show(first_line + b"             killed\n")

    def fitting_decision(self, build_graph: Callable) -> list[str]:
        """The words of a decision that fits what ticket T1 waits for."""
        with Store(self.db, create=False) as store:
            return FITTING_DECISIONS[pending(build_graph(checkpointer=store.checkpointer), "T1").node]

    def say_final_state(self, build_graph: Callable) -> None:
        """With --json, print ticket T1's state as it stands in the file."""
        if self._quiet:
            with Store(self.db, create=False) as store:
                script.say_json(build_graph(checkpointer=store.checkpointer).get_state(thread("T1")).values)

    def _begin(self, words: tuple[str, ...]) -> subprocess.Popen:
        self._count += 1
        self._show(f"\nprocess {self._count}: {words[0]}\n".encode())
        command = [sys.executable, self._file, "--db", self.db, *words]
        utf_8 = os.environ | {"PYTHONIOENCODING": "utf-8"}
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=utf_8)

    def _show(self, printed: bytes) -> None:
        if not self._quiet:
            sys.stdout.write(printed.decode().replace("\r\n", "\n"))
            sys.stdout.flush()


def _by_hand_parser(doc: str, ticket: str, more_commands: tuple[str, ...]) -> script.Parser:
    parser = script.Parser(description=doc)
    parser.add_argument("--db", required=True, metavar="FILE", help="the database file")
    parser.set_defaults(hang=False)
    commands = parser.add_subparsers(dest="command", required=True)
    start = commands.add_parser("start", help="run a new ticket up to its pause")
    start.add_argument("ticket", nargs="?", default=ticket)
    show = commands.add_parser("show", help="print what a ticket waits for")
    decide = commands.add_parser("decide", help="make the decision that a ticket waits for")
    for with_id in (show, decide):
        with_id.add_argument("id", help="the ticket's id, such as T1")
    decide.add_argument("action", choices=["approve", "edit", "reject", "answer", "close"])
    decide.add_argument("--reviewer", required=True)
    decide.add_argument("--reason", required=True)
    decide.add_argument("--reply", help="for edit and answer")
    decide.add_argument("--digest", help="of what you read; without it, of what waits now")
    decide.add_argument("--hang", action="store_true", help="hang inside `send`, to be killed there")
    for name in more_commands:
        commands.add_parser(name)
    for each in commands.choices.values():
        each.add_argument("--json", action="store_true", help="print the result as one JSON object")
    return parser
