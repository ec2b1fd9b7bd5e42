"""The command line that the lesson scripts share: read a ticket, run the graph, show each step."""

import argparse
import json
import sys
import textwrap
from typing import Any, NoReturn

from support_desk import intake
from support_desk.state import TicketState

WIDTH = 100


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line. No option has a single dash, so "-help me" is a ticket."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, add_help=False, allow_abbrev=False)
        self.add_argument("--help", action="help", help="show this help")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and what to do, and end with status 2."""
        unknown = message.startswith("unrecognized")
        hint = "Put a ticket in quotes, and -- before one that starts with a dash." if unknown else "See --help."
        print(f"{self.prog}: {intake.printable(' '.join(message.split()))}. {hint}", file=sys.stderr)
        raise SystemExit(2)


def command(doc: str, ticket: str | None) -> Parser:
    """A parser for one lesson: a ticket of the learner's own, and --json."""
    parser = Parser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ticket", nargs="?", default=ticket, help='your own ticket; "-" reads standard input')
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object, and nothing else")
    return parser


def ticket_of(options: argparse.Namespace) -> str:
    """The ticket that the options name, checked. BadInput when it is no ticket."""
    return intake.read(sys.stdin.buffer) if options.ticket == "-" else intake.clean(options.ticket)


def run(graph: Any, options: argparse.Namespace) -> None:
    """Run the ticket to the end of the graph: show each step, or only the final state as JSON."""
    text = ticket_of(options)
    if options.json:
        state = graph.invoke({"text": text})
        say_json({key: value for key, value in state.items() if key != "__interrupt__"})
        return
    say("ticket", text)
    show_steps(graph, {"text": text})


def show_steps(graph: Any, given: Any, config: dict[str, Any] | None = None, *, quiet: bool = False) -> None:
    """Run the graph and print what each node changed, as it happens. With a config, every step is saved at once."""
    saved = {"durability": "sync"} if config else {}
    steps = []
    for update in graph.stream(given, config, stream_mode="updates", **saved):
        for node, changes in update.items():
            paused = node == "__interrupt__"
            steps += [] if paused else [node]
            if not quiet:
                say(*("pause", "the run stops here and waits for a person") if paused else (node, *_lines(changes)))
    if not quiet:
        say("steps", f"{len(steps)}: {', '.join(steps)}")


def _lines(changes: TicketState) -> list[str]:
    """What a node changed, without the trace: the node's name, printed beside it, says the same."""
    return [f"{key}: {in_words(value)}" for key, value in changes.items() if key != "trace" and value != ""]


def in_words(value: Any) -> str:
    """One value of the state for a person to read: notes as their ids and titles, an empty list as "none"."""
    match value:
        case []:
            return "none"
        case [{"id": _}, *_]:
            return "; ".join(f"{note['id']} {note['title']}" for note in value)
        case list():
            return ", ".join(map(str, value))
        case dict():
            return ", ".join(f"{key} {item}" for key, item in value.items() if key != "digest")
        case bool():
            return "yes" if value else "no"
    return str(value)


def say(name: str, *lines: str) -> None:
    """Print lines beside a name, folded to 100 columns, with control characters shown as escapes."""
    for line in lines or ("",):
        folded = textwrap.wrap(intake.printable(line), WIDTH - 13, break_on_hyphens=False) or [""]
        for part in folded:
            print(f"{name:<13}{part}".rstrip())
            name = ""


def say_state(state: TicketState, *, as_json: bool = False) -> None:
    """Print a final state: whole as JSON, or where the ticket stands and why."""
    if as_json:
        say_json(state)
        return
    for key in ("status", "decision", "reply", "trace"):
        if key in state:
            say(key, in_words(state[key]))


def one_line(text: str, width: int = WIDTH - 15) -> str:
    """The start of a text, in one line."""
    return textwrap.shorten(text, width, placeholder=" …")


def say_json(value: Any) -> None:
    """Print one JSON object, in ASCII: every console can show it."""
    print(json.dumps(value, indent=2))
