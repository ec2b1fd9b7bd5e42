"""Part 2. A state with a schema: a reducer decides how updates merge.

The schema names every key and its type. A key without a reducer keeps the newest value; `trace` has one,
so each node adds its name to those before it.
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
from support_desk.binding import bind
from support_desk.classify import Classifier, classify_text
from support_desk.state import Category


class TicketState(TypedDict, total=False):
    """One ticket on its way to an answer. Nodes return only the keys they change."""

    text: str                            # no reducer: the newest value replaces the old one
    category: Category                   # setup, hardware or unsupported
    reply: str
    trace: Annotated[list[str], add]     # the reducer `add` joins the old list and the new one


def receive(state: TicketState) -> TicketState:
    """Trim the ticket's text."""
    return {"text": state["text"].strip(), "trace": ["receive"]}


def classify(state: TicketState, *, classifier: Classifier = classify_text) -> TicketState:
    """The ticket's category."""
    return {"category": classifier(state["text"]), "trace": ["classify"]}


def record(state: TicketState) -> TicketState:
    """Write a reply that shows what the desk has decided so far."""
    return {"reply": f"Your ticket is filed under {state['category']}.", "trace": ["record"]}


def build_graph(*, classifier=classify_text, checkpointer=None) -> CompiledStateGraph:
    """The compiled graph of part 2."""
    builder = StateGraph(TicketState)

    builder.add_node("receive", receive)
    builder.add_node("classify", bind(classify, classifier=classifier))
    builder.add_node("record", record)

    builder.add_edge(START, "receive")
    builder.add_edge("receive", "classify")
    builder.add_edge("classify", "record")
    builder.add_edge("record", END)

    return builder.compile(checkpointer=checkpointer)


def main() -> None:
    """Run the lesson's ticket, or the learner's own."""
    options = script.command(__doc__, ticket="My pip install has a missing module").parse_args()
    script.run(build_graph(), options)


if __name__ == "__main__":
    console.start(main)
