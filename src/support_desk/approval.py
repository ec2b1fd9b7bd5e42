"""Pause for a person, and let the graph go on only with a decision that fits what the person was shown."""

import hashlib
import json
import unicodedata
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from langgraph.types import Command, interrupt
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, model_validator

from support_desk.drafting import citation_checks
from support_desk.errors import BadInput, Refused, first_fault
from support_desk.intake import clean
from support_desk.markers import markers
from support_desk.state import TicketState

MAX_NAME = 100
PLACEHOLDERS = {"unknown", "anonymous", "none", "null", "nobody", "n/a", "reviewer", "name", "user"}


def person(name: str) -> str:
    """The name trimmed and in NFC. BadInput when it is not one short line, or names nobody."""
    name = name.strip()
    is_short_line = len(name) <= MAX_NAME and name.isprintable()
    if not is_short_line or not any(char.isalpha() for char in name) or name.casefold() in PLACEHOLDERS:
        raise BadInput(f"A name is one line of at most {MAX_NAME} characters and names a person: write yours.")
    return unicodedata.normalize("NFC", name)


def name_key(name: str) -> str:
    """What two spellings of one name share: its letters and digits, in one case and one width. No proof of anything."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold()))


class Verdict(BaseModel):
    """What every decision says: who, why, and the digest of what was shown. No field is guessed or converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    action: str
    reviewer: Annotated[str, AfterValidator(person)]
    reason: Annotated[str, AfterValidator(lambda text: clean(text, "reason"))]
    digest: str
    reply: Annotated[str, AfterValidator(lambda text: clean(text, "reply"))] | None = None

    @model_validator(mode="after")
    def reply_goes_with_its_action(self) -> "Verdict":
        if (self.reply is not None) != (self.action in {"edit", "answer"}):
            raise ValueError("edit and answer need a reply, and no other action takes one")
        return self

    def as_update(self, status: str, node: str) -> TicketState:
        """The state's keys that this decision changes."""
        reply = {} if self.reply is None else {"reply": self.reply, "citations": markers(self.reply)}
        return {**reply, "status": status, "decision": self.model_dump(exclude_none=True), "trace": [node]}


class Decision(Verdict):
    """A reviewer's word on a draft that passed the checks."""

    action: Literal["approve", "edit", "reject"]


class Answer(Verdict):
    """A mentor's word on a ticket that the desk could not answer."""

    action: Literal["answer", "close"]


def approve(state: TicketState) -> TicketState:
    """Wait for a reviewer. A resumed node runs again from its first line, so nothing stands before the pause."""
    decision = interrupt(payload(state), response_schema=Decision)
    return decision.as_update("rejected" if decision.action == "reject" else "approved", "approve")


def mentor(state: TicketState) -> TicketState:
    """Wait for a mentor, who answers in their own words or closes the ticket."""
    answer = interrupt(payload(state), response_schema=Answer)
    return answer.as_update("answered" if answer.action == "answer" else "closed", "mentor")


def payload(state: TicketState) -> dict[str, Any]:
    """All that a person needs to decide, the full text of the evidence included, with a digest of all of it."""
    keys = ("text", "category", "evidence", "reply", "citations", "problems")
    shown = {key: state[key] for key in keys if key in state}
    return {**shown, "digest": digest(shown)}


def digest(shown: dict[str, Any]) -> str:
    """The SHA-256 of the canonical JSON, as 64 hexadecimal digits."""
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Pause:
    """Where a ticket waits: the interrupt's id, the node that asks, and what it shows (see `payload`)."""

    id: str
    node: str
    shown: dict[str, Any]


def pending(graph: Any, ticket_id: str) -> Pause:
    """The one pause that the ticket waits at. Refused when the ticket is unknown or waits for nobody."""
    snapshot = graph.get_state(thread(ticket_id))
    if snapshot.created_at is None:
        raise Refused(f"There is no ticket {ticket_id}: check the id.")
    if len(snapshot.interrupts) != 1:
        status = snapshot.values.get("status", "drafting")
        raise Refused(f"Ticket {ticket_id} is not waiting for a person: its status is {status}.")
    return Pause(snapshot.interrupts[0].id, snapshot.next[0], snapshot.interrupts[0].value)


def validate(pause: Pause, decision: Any) -> Verdict:
    """The decision as a strict model: BadInput when it is malformed or unsound, Refused when it is stale."""
    model = {"approve": Decision, "mentor": Answer}[pause.node]
    try:
        verdict = model.model_validate(decision)
    except ValidationError as error:
        raise BadInput(f"The decision cannot be used. {first_fault(error)}.") from None
    if verdict.digest != pause.shown["digest"]:
        raise Refused("The decision is stale: the ticket has changed since it was shown. Look at it again.")
    if verdict.action == "edit":
        _require_sound(verdict.reply, pause.shown)
    return verdict


def resume(graph: Any, ticket_id: str, decision: Any) -> TicketState:
    """The state after the decision. This is the one way on: what `validate` refuses leaves the ticket waiting."""
    pause = pending(graph, ticket_id)
    return reissue(graph, ticket_id, pause.id, validate(pause, decision))


def reissue(graph: Any, ticket_id: str, pause_id: str, verdict: Verdict) -> TicketState:
    """Give a valid decision to the pause it was made for, addressed by the pause's id, saved before each next step."""
    answer = Command(resume={pause_id: verdict.model_dump()})
    return graph.invoke(answer, thread(ticket_id), durability="sync")


def thread(ticket_id: str) -> dict[str, Any]:
    """LangGraph's address of a ticket's run, with a fuse for runs that go wrong: 14 revisions fit."""
    return {"configurable": {"thread_id": ticket_id}, "recursion_limit": 50}


def _require_sound(reply: str, shown: dict[str, Any]) -> None:
    problems = citation_checks(reply, markers(reply), shown["evidence"])
    if problems:
        raise BadInput(f"The edited reply does not pass the checks: {', '.join(problems)}. Mend it and send it again.")
