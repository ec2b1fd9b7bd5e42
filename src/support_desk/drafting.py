"""Write a reply from the evidence, and check its citations: structure only, never meaning."""

from collections.abc import Callable

from support_desk.markers import has_malformed_marker, markers, says_something
from support_desk.state import Evidence, TicketState

Drafter = Callable[[TicketState], TicketState]

ASK_A_MENTOR = "A workshop mentor needs to review this question: our notes do not cover it."


def draft_demo(state: TicketState) -> TicketState:
    """A reply that copies the first note's guidance into one fixed sentence with its marker. It uses no model."""
    if not state["evidence"]:
        return {"reply": ASK_A_MENTOR, "citations": [], "llm_used": False}
    note = state["evidence"][0]
    reply = f'Our note "{note["title"]}" says: {note["text"]} [{note["id"]}]'
    return {"reply": reply, "citations": [note["id"]], "llm_used": False}


def draft(state: TicketState, *, drafter: Drafter = draft_demo) -> TicketState:
    """Let the drafter write, and keep only the keys that a drafter may change."""
    written = drafter(state)
    return {
        "reply": written["reply"],
        "citations": written["citations"],
        "llm_used": written.get("llm_used", False),
        "fallback": written.get("fallback", ""),
        "status": "drafting",
        "trace": ["draft"],
    }


def citation_checks(reply: str, citations: list[str], evidence: list[Evidence]) -> list[str]:
    """Codes of the structural problems, [] when there are none. It never judges whether a sentence is true.

    A claim that has nothing to do with its note passes, as long as the id exists. The codes, in this order:
    empty_reply (nothing but markers and space), no_citation (evidence was there and none is cited),
    unknown_citation (an id that is not in the evidence), duplicate_citation (an id twice in the list),
    marker_mismatch (the list and the visible markers differ) and malformed_marker (looks like a marker and is
    none: [d2], [D 2], (D2), [D2, D3], look-alike letters and brackets).
    """
    seen = markers(reply)
    known = [note["id"] for note in evidence]
    found = {
        "empty_reply": not says_something(reply),
        "no_citation": bool(evidence) and not citations,
        "unknown_citation": any(cited not in known for cited in [*citations, *seen]),
        "duplicate_citation": len(set(citations)) < len(citations),
        "marker_mismatch": set(citations) != set(seen),
        "malformed_marker": has_malformed_marker(reply),
    }
    return [code for code, is_there in found.items() if is_there]


def check(state: TicketState) -> TicketState:
    """Run the structural checks on the newest draft, and keep what they found."""
    problems = citation_checks(state["reply"], state["citations"], state["evidence"])
    return {"problems": problems, "checks_ok": not problems, "trace": ["check"]}
