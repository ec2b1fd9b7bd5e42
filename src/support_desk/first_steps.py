"""The small nodes that only lessons 1 to 3 use, before the desk can look anything up."""

from support_desk.state import TicketState


def receive(state: TicketState) -> TicketState:
    """Trim the ticket's text."""
    return {"text": state["text"].strip(), "trace": ["receive"]}


def acknowledge(state: TicketState) -> TicketState:
    """Write a reply that says only what is known: a ticket arrived, and how long it is."""
    words = len(state["text"].split())
    return {"reply": f"Thank you. We received your ticket ({words} words).", "trace": ["acknowledge"]}


def record(state: TicketState) -> TicketState:
    """Write a reply that shows what the desk has decided so far."""
    return {"reply": f"Your ticket is filed under {state['category']}.", "trace": ["record"]}


def suggest(state: TicketState) -> TicketState:
    """Write a reply that points to the right shelf; there is no evidence yet, so it cites nothing."""
    return {"reply": f"Please look at the {state['category']} shelf of our notes.", "trace": ["suggest"]}
