"""What the desk remembers about one ticket while a graph works on it."""

from operator import add
from typing import Annotated, Literal, TypedDict

Category = Literal["setup", "hardware", "unsupported"]
Status = Literal["drafting", "needs_human", "approved", "rejected", "answered", "closed", "queued"]


class Evidence(TypedDict):
    """One note that may be cited: its id (such as "D2"), its title and its full text."""

    id: str
    title: str
    text: str


class TicketState(TypedDict, total=False):
    """One ticket on its way to an answer. Nodes return only the keys they change."""

    text: str                            # the ticket as received, trimmed; never changed afterwards
    category: Category                   # set by `classify`
    evidence: list[Evidence]             # best first, at most two; replaced by each lookup
    reply: str                           # the newest draft, or what a person wrote in its place
    citations: list[str]                 # ids of the notes that the reply cites, in order
    llm_used: bool                       # True when a language model wrote the reply
    fallback: str                        # why the template wrote in the model's place; "" when it did not
    problems: list[str]                  # codes from the newest check; [] when the structure is sound
    checks_ok: bool                      # True when the newest check found no problem
    attempts: Annotated[int, add]        # revisions so far, from 0; only `revise` adds to it
    status: Status                       # where the ticket stands
    decision: dict[str, str]             # what the person decided: action, reviewer, reason, digest, reply
    trace: Annotated[list[str], add]     # node names, oldest first; a node returns [its own name]
