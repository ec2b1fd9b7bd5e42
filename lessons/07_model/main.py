"""Part 7. A writer nobody trusts: a real language model behind the same drafter contract.

The replies were recorded from a small model, good and bad. The checks catch some of the bad ones, a person
gets some, and some pass every check. With --live the model writes anew.
"""

if __name__ == "__main__":  # whichever Python runs this file, go on with the one that has the course
    import pathlib, runpy
    runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "use_venv.py"))

from collections import Counter
from pathlib import Path

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from course import script
from support_desk import console
from support_desk.approval import approve, mentor
from support_desk.binding import bind
from support_desk.classify import classify, classify_text
from support_desk.drafting import check, draft
from support_desk.models import draft_with_model, live, recorded, recorded_tickets
from support_desk.retrieval import lookup, retrieve
from support_desk.routing import (
    MAX_REVISIONS, after_approve, after_check, after_lookup, after_mentor, human, revise, route,
)
from support_desk.sending import Outbox, send
from support_desk.state import TicketState

draft_from_recording = bind(draft_with_model, ask=recorded)


def build_graph(
    *, classifier=classify_text, retriever=retrieve, drafter=draft_from_recording, max_revisions=MAX_REVISIONS,
    outbox: Outbox | None = None, checkpointer=None,
) -> CompiledStateGraph:
    """The compiled graph of part 7: the same as in part 6, with another drafter."""
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


def outcome(state: TicketState) -> str:
    """What became of the model's drafts."""
    if state["fallback"]:
        return "the template wrote it"
    if not state["checks_ok"]:
        return "caught, went to a person"
    return "caught once, second draft passed" if state["attempts"] else "passed at once"


def run_recorded(*, as_json: bool) -> None:
    """Run every recorded ticket: what became of the drafts, beside what a person says of the last one."""
    graph = build_graph()
    runs = [{**each, "outcome": outcome(graph.invoke({"text": each["text"]}))} for each in recorded_tickets()]
    table = Counter(f"{run['outcome']}, and {run['verdict']}" for run in runs)
    if as_json:
        script.say_json({"tickets": len(runs), "table": table, "runs": runs})
        return
    for run in runs:
        script.say(run["verdict"], script.one_line(run["text"]), f"{run['outcome']}. {run['why']}")
    print()
    for words, count in table.most_common():
        script.say(str(count), words)


def main() -> None:
    """Run every recorded ticket; with a ticket of the learner's own, that one; with --live, ask the model itself."""
    command = script.command(__doc__, ticket=None)
    command.add_argument("--live", action="store_true", help="ask the model now (tools/start.py model installs it)")
    command.add_argument("--gguf", type=Path, metavar="FILE", help="ask a model of your own instead")
    options = command.parse_args()
    asks_now = options.live or options.gguf
    if options.ticket is not None:
        ask = live(options.gguf) if asks_now else recorded
        script.run(build_graph(drafter=bind(draft_with_model, ask=ask)), options)
    elif asks_now:
        command.error("a live model needs a ticket: the judgements in the table belong to the recorded replies")
    else:
        run_recorded(as_json=options.json)


if __name__ == "__main__":
    console.start(main)
