"""Part 4. A loop that must end: look up, draft, check, revise.

The desk finds notes, writes a reply with a citation, and checks the citation. A reply that fails is tried
once more; then a person takes over.
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
from support_desk.drafting import Drafter, citation_checks, draft, draft_demo
from support_desk.misbehaving import DRAFTERS
from support_desk.retrieval import Retriever, retrieve
from support_desk.routing import human, route
from support_desk.state import Category, Evidence, Status

MAX_REVISIONS = 1


class TicketState(TypedDict, total=False):
    """One ticket on its way to an answer. Nodes return only the keys they change."""

    text: str
    category: Category
    evidence: list[Evidence]             # best first, at most two
    reply: str
    citations: list[str]                 # ids of the notes that the reply cites
    llm_used: bool                       # for part 7, like the next one
    fallback: str
    problems: list[str]                  # codes from the newest check
    checks_ok: bool
    attempts: Annotated[int, add]        # revisions so far, from 0; only `revise` adds to it
    status: Status
    trace: Annotated[list[str], add]


def lookup(state: TicketState, *, retriever: Retriever = retrieve) -> TicketState:
    """The notes that may be cited in the reply."""
    return {"evidence": retriever(state["text"], state["category"]), "trace": ["lookup"]}


def check(state: TicketState) -> TicketState:
    """Run the structural checks on the newest draft, and keep what they found."""
    problems = citation_checks(state["reply"], state["citations"], state["evidence"])
    return {"problems": problems, "checks_ok": not problems, "trace": ["check"]}


def revise(state: TicketState) -> TicketState:
    """Count one revision. The reducer of `attempts` adds the 1; no other node writes that key."""
    return {"attempts": 1, "trace": ["revise"]}


def after_lookup(state: TicketState) -> Literal["found", "nothing found"]:
    """Say whether there is any evidence to write from."""
    return "found" if state["evidence"] else "nothing found"


def after_check(
    state: TicketState, *, max_revisions: int = MAX_REVISIONS
) -> Literal["sound", "try again", "out of tries"]:
    """Say whether the draft may go on, may be tried again, or goes to a person."""
    if state["checks_ok"]:
        return "sound"
    return "try again" if state["attempts"] < max_revisions else "out of tries"


def build_graph(
    *, classifier=classify_text, retriever=retrieve, drafter: Drafter = draft_demo,
    max_revisions: int = MAX_REVISIONS, checkpointer=None,
) -> CompiledStateGraph:
    """The compiled graph of part 4."""
    builder = StateGraph(TicketState)

    builder.add_node("classify", bind(classify, classifier=classifier))
    builder.add_node("lookup", bind(lookup, retriever=retriever))
    builder.add_node("draft", bind(draft, drafter=drafter))
    builder.add_node("check", check)
    builder.add_node("revise", revise)
    builder.add_node("human", human)

    builder.add_edge(START, "classify")
    builder.add_conditional_edges("classify", route, {"supported": "lookup", "unsupported": "human"})
    builder.add_conditional_edges("lookup", after_lookup, {"found": "draft", "nothing found": "human"})
    builder.add_edge("draft", "check")
    builder.add_conditional_edges(
        "check",
        bind(after_check, max_revisions=max_revisions),
        {"sound": END, "try again": "revise", "out of tries": "human"},
    )
    builder.add_edge("revise", "draft")
    builder.add_edge("human", END)

    return builder.compile(checkpointer=checkpointer)


def main() -> None:
    """Run the lesson's ticket, or the learner's own, with a drafter that behaves or one that does not."""
    command = script.command(__doc__, ticket="My pip install has a missing module")
    command.add_argument("--drafter", choices=list(DRAFTERS), default="demo", help="who writes the reply")
    options = command.parse_args()
    script.run(build_graph(drafter=DRAFTERS[options.drafter]), options)


if __name__ == "__main__":
    console.start(main)
