"""Drafters that break one rule each, to see what the checks and the loop do about it."""

from support_desk.drafting import Drafter, draft_demo
from support_desk.state import TicketState


def unknown_id(state: TicketState) -> TicketState:
    """Cites D999, which is in no evidence."""
    return {"reply": "Everything is explained in our handbook. [D999]", "citations": ["D999"]}


def no_marker(state: TicketState) -> TicketState:
    """Gives good advice and cites nothing."""
    return {"reply": draft_demo(state)["reply"].rpartition(" [")[0], "citations": []}


def duplicate(state: TicketState) -> TicketState:
    """Lists the same note twice."""
    sound = draft_demo(state)
    return {**sound, "citations": sound["citations"] * 2}


def malformed(state: TicketState) -> TicketState:
    """Writes its marker in lower case."""
    sound = draft_demo(state)
    return {**sound, "reply": sound["reply"].replace("[D", "[d")}


def empty(state: TicketState) -> TicketState:
    """Writes nothing."""
    return {"reply": "", "citations": []}


def unrelated(state: TicketState) -> TicketState:
    """Claims something that its note never said, with a valid id: no structural check can find that."""
    note = state["evidence"][0]
    return {"reply": f"Cats sleep for most of the day. [{note['id']}]", "citations": [note["id"]]}


def once_wrong(state: TicketState) -> TicketState:
    """Cites D999 in its first draft and writes a sound second one."""
    return draft_demo(state) if state["attempts"] else unknown_id(state)


DRAFTERS: dict[str, Drafter] = {
    "demo": draft_demo,
    "unknown-id": unknown_id,
    "no-marker": no_marker,
    "duplicate": duplicate,
    "malformed": malformed,
    "empty": empty,
    "unrelated": unrelated,
    "once-wrong": once_wrong,
}
