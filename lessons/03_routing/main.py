"""Part 3. A route answers a question, and the builder maps each answer to a node.

The desk has notes on two kinds of question. A route tells whether this ticket is one of them; the others go
to a person.
"""

if __name__ == "__main__":  # whichever Python runs this file, go on with the one that has the course
    import pathlib, runpy
    runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "use_venv.py"))

from operator import add
from typing import Annotated, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from course import script
from support_desk import console
from support_desk.binding import bind
from support_desk.classify import classify, classify_text
from support_desk.state import Category, Status


class TicketState(TypedDict, total=False):
    """One ticket on its way to an answer. Nodes return only the keys they change."""

    text: str
    category: Category
    reply: str
    status: Status                       # needs_human when a person has to take over
    trace: Annotated[list[str], add]


def suggest(state: TicketState) -> TicketState:
    """Write a reply that points to the right shelf; there is no evidence yet, so it cites nothing."""
    return {"reply": f"Please look at the {state['category']} shelf of our notes.", "trace": ["suggest"]}


def human(state: TicketState) -> TicketState:
    """Hand the ticket to a person. The problems found stay, and no draft is presented as final."""
    return {"status": "needs_human", "trace": ["human"]}


def route(state: TicketState) -> Literal["supported", "unsupported"]:
    """Say whether the desk has notes on this kind of question at all."""
    return "unsupported" if state["category"] == "unsupported" else "supported"


def build_graph(*, classifier=classify_text, checkpointer=None) -> CompiledStateGraph:
    """The compiled graph of part 3."""
    builder = StateGraph(TicketState)

    builder.add_node("classify", bind(classify, classifier=classifier))
    builder.add_node("suggest", suggest)
    builder.add_node("human", human)

    builder.add_edge(START, "classify")
    builder.add_conditional_edges("classify", route, {"supported": "suggest", "unsupported": "human"})
    builder.add_edge("suggest", END)
    builder.add_edge("human", END)

    return builder.compile(checkpointer=checkpointer)


def main() -> None:
    """Run the lesson's ticket, or the learner's own."""
    options = script.command(__doc__, ticket="My invoice has the wrong address").parse_args()
    script.run(build_graph(), options)


if __name__ == "__main__":
    console.start(main)
