"""Part 6. After a crash, act once: a claim, an outbox, and an idempotency key.

A process is killed just after it queued a reply. Another one recovers the ticket and runs the same step
again, and still one reply goes out.
"""

if __name__ == "__main__":  # whichever Python runs this file, go on with the one that has the course
    import pathlib, runpy
    runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "use_venv.py"))

from time import sleep

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from course import by_hand
from support_desk import console
from support_desk.approval import approve, mentor
from support_desk.binding import bind
from support_desk.classify import classify, classify_text
from support_desk.desk import Desk
from support_desk.drafting import check, draft, draft_demo
from support_desk.retrieval import lookup, retrieve
from support_desk.routing import (
    MAX_REVISIONS, after_approve, after_check, after_lookup, after_mentor, human, revise, route,
)
from support_desk.sending import Outbox
from support_desk.state import TicketState


def send(state: TicketState, config: RunnableConfig, *, outbox: Outbox) -> TicketState:
    """Queue the reply under the ticket's id. The key makes a second run of this node, after a crash, harmless."""
    outbox(config["configurable"]["thread_id"], state["reply"])
    return {"status": "queued", "trace": ["send"]}


def build_graph(
    *, classifier=classify_text, retriever=retrieve, drafter=draft_demo, max_revisions=MAX_REVISIONS,
    outbox: Outbox | None = None, checkpointer=None,
) -> CompiledStateGraph:
    """The compiled graph of part 6. Without an outbox, a dict keeps the first reply under each key."""
    builder = StateGraph(TicketState)

    builder.add_node("classify", bind(classify, classifier=classifier))
    builder.add_node("lookup", bind(lookup, retriever=retriever))
    builder.add_node("draft", bind(draft, drafter=drafter))
    builder.add_node("check", check)
    builder.add_node("revise", revise)
    builder.add_node("human", human)
    builder.add_node("approve", approve, metadata={"pause": True})
    builder.add_node("mentor", mentor, metadata={"pause": True})
    builder.add_node("send", bind(send, outbox=outbox or {}.setdefault))

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
    builder.add_conditional_edges("approve", after_approve, {"approved": "send", "not approved": END})
    builder.add_conditional_edges("mentor", after_mentor, {"answered": "send", "closed": END})
    builder.add_edge("send", END)

    return builder.compile(checkpointer=checkpointer)


def hang_after(put: Outbox) -> Outbox:
    """An outbox that queues the reply, says so, and then hangs: the place where a kill hurts most."""

    def outbox(key: str, reply: str) -> None:
        put(key, reply)
        print("send         the reply is queued, and the step is not saved yet", flush=True)
        sleep(60)

    return outbox


def crash_and_recover(options) -> None:
    """One ticket through six processes, the second of which is killed inside `send`."""
    with by_hand.Processes(__file__, options) as run:
        run("start", "-")
        run.until_killed("decide", "T1", *run.fitting_decision(build_graph), "--hang")
        run("recover")
        run("outbox")
        run("deliver")
        run("deliver")
        run.say_final_state(build_graph)


def main() -> None:
    """Crash, recover and deliver; with --db FILE, run one command by hand."""
    options = by_hand.options(__doc__, "My pip install has a missing module", "recover", "deliver", "outbox")
    if options.command is None:
        crash_and_recover(options)
        return
    with Desk(options.db, create=options.command == "start", build=build_graph) as desk:
        if options.hang:
            desk.graph = build_graph(checkpointer=desk.store.checkpointer, outbox=hang_after(desk.store.put_reply))
        by_hand.run(options, desk)


if __name__ == "__main__":
    console.start(main)
