"""Part 1. A graph: functions that read a state and return a partial update.

Two nodes run one after the other. Each gets the whole state and returns only the keys that it changes.
"""

if __name__ == "__main__":  # whichever Python runs this file, go on with the one that has the course
    import pathlib, runpy
    runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "use_venv.py"))

from operator import add
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from course import script
from support_desk import console


class TicketState(TypedDict, total=False):
    """One ticket on its way to an answer. Nodes return only the keys they change."""

    text: str                            # the ticket as received, trimmed
    reply: str                           # what the desk answers
    trace: Annotated[list[str], add]     # the nodes that ran, oldest first; lesson 2 explains the `add`


def receive(state: TicketState) -> TicketState:
    """Trim the ticket's text."""
    return {"text": state["text"].strip(), "trace": ["receive"]}


def acknowledge(state: TicketState) -> TicketState:
    """Write a reply that says only what is known: a ticket arrived, and how long it is."""
    words = len(state["text"].split())
    return {"reply": f"Thank you. We received your ticket ({words} words).", "trace": ["acknowledge"]}


def build_graph(*, checkpointer=None) -> CompiledStateGraph:
    """The compiled graph of part 1."""
    builder = StateGraph(TicketState)

    builder.add_node("receive", receive)
    builder.add_node("acknowledge", acknowledge)

    builder.add_edge(START, "receive")
    builder.add_edge("receive", "acknowledge")
    builder.add_edge("acknowledge", END)

    return builder.compile(checkpointer=checkpointer)


def main() -> None:
    """Run the lesson's ticket, or the learner's own."""
    options = script.command(__doc__, ticket="My pip install has a missing module").parse_args()
    script.run(build_graph(), options)


if __name__ == "__main__":
    console.start(main)
