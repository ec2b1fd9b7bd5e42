"""Decide what comes next: routes answer a question, and the builder maps each answer to a node."""

from typing import Literal

from support_desk.state import TicketState

MAX_REVISIONS = 1


def route(state: TicketState) -> Literal["supported", "unsupported"]:
    """Say whether the desk has notes on this kind of question at all."""
    return "unsupported" if state["category"] == "unsupported" else "supported"


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


def after_approve(state: TicketState) -> Literal["approved", "not approved"]:
    """Say whether the person let the reply go out."""
    return "approved" if state["status"] == "approved" else "not approved"


def after_mentor(state: TicketState) -> Literal["answered", "closed"]:
    """Say whether the mentor wrote an answer."""
    return "answered" if state["status"] == "answered" else "closed"


def revise(state: TicketState) -> TicketState:
    """Count one revision. The reducer of `attempts` adds the 1; no other node writes that key."""
    return {"attempts": 1, "trace": ["revise"]}


def human(state: TicketState) -> TicketState:
    """Hand the ticket to a person. The problems found stay, and no draft is presented as final."""
    return {"status": "needs_human", "trace": ["human"]}
