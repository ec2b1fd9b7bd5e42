"""The only way in: submit a ticket, see what waits, decide, deliver, and recover after a crash."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from support_desk.approval import Pause, Verdict, name_key, pending, person, reissue, thread, validate
from support_desk.errors import Refused
from support_desk.graph import build_desk
from support_desk.intake import clean
from support_desk.sending import Transport, deliver
from support_desk.store import Store, utc_now


class Desk:
    """A desk on one database file. Use it in a `with` block. `parts` are keywords for its builder."""

    def __init__(
        self, path: str | Path, *, create: bool = True, clock: Callable[[], str] = utc_now,
        build: Callable = build_desk, **parts: Any,
    ) -> None:
        self.store = Store(path, create=create, clock=clock)
        parts = {"outbox": self.store.put_reply, **parts}
        self.graph = build(checkpointer=self.store.checkpointer, **parts)

    def __enter__(self) -> "Desk":
        return self

    def __exit__(self, *_: object) -> None:
        self.store.__exit__()

    def submit(self, text: str, submitter: str | None = None) -> dict[str, Any]:
        """The new ticket after its first run: it waits for a person. BadInput when the text is no ticket."""
        ticket_id = self.store.add_ticket(clean(text), None if submitter is None else person(submitter))
        self._carry_on(ticket_id)
        return self.store.ticket(ticket_id)

    def queue(self) -> list[dict[str, Any]]:
        """The tickets that wait for a person, oldest first."""
        return self.store.waiting()

    def show(self, ticket_id: str) -> dict[str, Any]:
        """One ticket: its row, the state of its run, what the pause shows (None when it waits for nobody)."""
        ticket = self.store.ticket(ticket_id)
        run = self.graph.get_state(thread(ticket_id))
        shown = run.interrupts[0].value if ticket["waits_for"] and run.interrupts else None
        return {**ticket, "state": run.values, "shown": shown, "decision": self.store.decision(ticket_id)}

    def pause(self, ticket_id: str) -> Pause:
        """What the ticket waits at. Refused when it is unknown, already decided, or waits for nobody."""
        self.store.ticket(ticket_id)
        try:
            return pending(self.graph, ticket_id)
        finally:
            self.store.refuse_if_decided(ticket_id)  # last: somebody may decide while we look

    def decide(self, ticket_id: str, decision: Any) -> dict[str, Any]:
        """The ticket after a decision, which is claimed before the graph resumes: the first one wins.

        BadInput when the decision is malformed or unsound. Refused when the ticket is unknown, waits for nobody,
        is the reviewer's own, was decided by somebody else, or has changed since it was shown.
        """
        pause = self.pause(ticket_id)
        verdict = validate(pause, decision)
        if name_key(verdict.reviewer) == name_key(self.store.ticket(ticket_id)["submitter"] or ""):
            raise Refused(f"Ticket {ticket_id} is {verdict.reviewer}'s own: somebody else has to decide it.")
        self.store.claim(ticket_id, pause.id, verdict.model_dump_json())
        self._carry_on(ticket_id)
        return self.store.ticket(ticket_id)

    def outbox(self) -> list[dict[str, Any]]:
        """Every reply that was queued, oldest first: its key, the reply, its state, and when it was queued."""
        return self.store.outbox()

    def deliver(self, transport: Transport) -> list[str]:
        """The keys of the replies that the transport carried now."""
        return deliver(self.store, transport)

    def recover(self) -> list[str]:
        """The ids of the tickets that a killed process left half way; each is brought to where it belongs.

        Call it when no other process works on this file. One ticket that fails does not keep the others waiting:
        its error is raised when all were tried.
        """
        recovered, failed = [], []
        for ticket_id in self.store.unsettled():
            try:
                self._carry_on(ticket_id)
                recovered.append(ticket_id)
            except Exception as error:
                error.add_note(f"while ticket {ticket_id} was recovered")
                failed.append(error)
        if failed:
            raise failed[0]
        return recovered

    def _carry_on(self, ticket_id: str) -> None:
        """Run the ticket from wherever it is until it waits for a person or is done, and keep where it stands."""
        config = thread(ticket_id)
        before = self.graph.get_state(config)
        if before.created_at is None:
            self.graph.invoke({"text": self.store.ticket(ticket_id)["text"]}, config, durability="sync")
        elif before.tasks and not before.interrupts:  # `next` is empty when a node's writes are saved and its step is not
            self.graph.invoke(None, config, durability="sync")
        self._reissue_claimed_decision(ticket_id)
        after = self.graph.get_state(config)
        self.store.settle(ticket_id, after.values["status"], after.next[0] if after.interrupts else None)

    def _reissue_claimed_decision(self, ticket_id: str) -> None:
        claimed = self.store.decision(ticket_id)
        waiting = [pause.id for pause in self.graph.get_state(thread(ticket_id)).interrupts]
        if claimed and claimed["pause"] in waiting:
            reissue(self.graph, ticket_id, claimed["pause"], Verdict.model_validate_json(claimed["verdict"]))
