"""The whole desk as one graph: what lesson 8 shows and `Desk` runs."""

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from support_desk.approval import approve, mentor
from support_desk.binding import bind
from support_desk.classify import Classifier, classify, classify_text
from support_desk.drafting import Drafter, check, draft, draft_demo
from support_desk.retrieval import Retriever, lookup, retrieve
from support_desk.routing import (
    MAX_REVISIONS, after_approve, after_check, after_lookup, after_mentor, human, revise, route,
)
from support_desk.sending import Outbox, send
from support_desk.state import TicketState


def build_desk(
    *,
    classifier: Classifier = classify_text,
    retriever: Retriever = retrieve,
    drafter: Drafter = draft_demo,
    max_revisions: int = MAX_REVISIONS,
    outbox: Outbox | None = None,
    checkpointer: BaseCheckpointSaver | None = None,
) -> CompiledStateGraph:
    """The compiled desk. Without an outbox, replies go into a dict that keeps the first one under each key."""
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
