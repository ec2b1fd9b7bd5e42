"""Part 5. A pause that outlives the program: interrupt, and one SQLite file.

A sound draft waits for a reviewer, and a ticket without one waits for a mentor. The process that paused may
end; another one, later, goes on from the file.
"""

if __name__ == "__main__":  # whichever Python runs this file, go on with the one that has the course
    import pathlib, runpy
    runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "use_venv.py"))

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import interrupt

from course import by_hand, script
from support_desk import console
from support_desk.approval import Answer, Decision, payload, pending, resume, thread
from support_desk.binding import bind
from support_desk.classify import classify, classify_text
from support_desk.drafting import check, draft, draft_demo
from support_desk.retrieval import lookup, retrieve
from support_desk.routing import (
    MAX_REVISIONS, after_approve, after_check, after_lookup, after_mentor, human, revise, route,
)
from support_desk.state import TicketState
from support_desk.store import Store


def approve(state: TicketState) -> TicketState:
    """Wait for a reviewer. A resumed node runs again from its first line, so nothing stands before the pause."""
    decision = interrupt(payload(state), response_schema=Decision)
    return decision.as_update("rejected" if decision.action == "reject" else "approved", "approve")


def mentor(state: TicketState) -> TicketState:
    """Wait for a mentor, who answers in their own words or closes the ticket."""
    answer = interrupt(payload(state), response_schema=Answer)
    return answer.as_update("answered" if answer.action == "answer" else "closed", "mentor")


def build_graph(
    *, classifier=classify_text, retriever=retrieve, drafter=draft_demo, max_revisions=MAX_REVISIONS,
    checkpointer=None,
) -> CompiledStateGraph:
    """The compiled graph of part 5. It can pause without a checkpointer, and then nothing can resume it."""
    builder = StateGraph(TicketState)

    builder.add_node("classify", bind(classify, classifier=classifier))
    builder.add_node("lookup", bind(lookup, retriever=retriever))
    builder.add_node("draft", bind(draft, drafter=drafter))
    builder.add_node("check", check)
    builder.add_node("revise", revise)
    builder.add_node("human", human)
    builder.add_node("approve", approve, metadata={"pause": True})
    builder.add_node("mentor", mentor, metadata={"pause": True})

    builder.add_edge(START, "classify")
    builder.add_conditional_edges("classify", route, {"supported": "lookup", "unsupported": "human"})
    builder.add_conditional_edges("lookup", after_lookup, {"found": "draft", "nothing found": "human"})
    builder.add_edge("draft", "check")
    builder.add_conditional_edges(
        "check",
        bind(after_check, max_revisions=max_revisions),
        {"sound": "approve", "try again": "revise", "out of tries": "human"},
    )
    builder.add_edge("revise", "draft")
    builder.add_edge("human", "mentor")
    builder.add_conditional_edges("approve", after_approve, {"approved": END, "not approved": END})
    builder.add_conditional_edges("mentor", after_mentor, {"answered": END, "closed": END})

    return builder.compile(checkpointer=checkpointer)


def start(options) -> None:
    """Run a new ticket up to its pause, and end."""
    text = script.ticket_of(options)
    with Store(options.db) as store:
        ticket_id = store.add_ticket(text)
        graph = build_graph(checkpointer=store.checkpointer)
        script.show_steps(graph, {"text": text}, thread(ticket_id), quiet=options.json)
        by_hand.say_result(options, {"id": ticket_id}, "id", ticket_id)


def show(options) -> None:
    """Print what the ticket waits for, read from the file."""
    with Store(options.db, create=False) as store:
        by_hand.say_pause(options, pending(build_graph(checkpointer=store.checkpointer), options.id))


def decide(options) -> None:
    """Resume the ticket with a person's decision, in a process that never saw it before."""
    with Store(options.db, create=False) as store:
        graph = build_graph(checkpointer=store.checkpointer)
        decision = by_hand.decision(options, pending(graph, options.id))
        script.say_state(resume(graph, options.id, decision), as_json=options.json)


def main() -> None:
    """Start in one process and decide in another; with --db FILE, run one of them by hand."""
    options = by_hand.options(__doc__, "My pip install has a missing module")
    if options.command:
        {"start": start, "show": show, "decide": decide}[options.command](options)
        return
    with by_hand.Processes(__file__, options) as run:
        run("start", "-")
        run("decide", "T1", *run.fitting_decision(build_graph))
        run.say_final_state(build_graph)


if __name__ == "__main__":
    console.start(main)
