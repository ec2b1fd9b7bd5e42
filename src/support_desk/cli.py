"""The command `support-desk`: one face of `Desk`. It never asks anything back."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from support_desk import console, intake
from support_desk.desk import Desk
from support_desk.sending import into_folder, replies_beside

app = typer.Typer(add_completion=False, no_args_is_help=True, help="A support desk on one database file.")
TEXT_MAY_START_WITH_A_DASH = {"ignore_unknown_options": True}

Id = Annotated[str, typer.Argument(help="the ticket's id, such as T1")]
Json = Annotated[bool, typer.Option("--json", help="print JSON")]
Reviewer = Annotated[str, typer.Option(help="your name")]
Reason = Annotated[str, typer.Option(help="why, for the record")]
Reply = Annotated[str, typer.Option(help="the reply to send")]
Digest = Annotated[str | None, typer.Option(help="of what you read; without it, of what waits now")]


@app.callback()
def desk_file(context: typer.Context, db: Annotated[Path, typer.Option(help="the database file")]) -> None:
    """Remember which file the command works on."""
    context.obj = db


@app.command(context_settings=TEXT_MAY_START_WITH_A_DASH)
def submit(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help='the ticket; "-" reads standard input')],
    submitter: Annotated[str | None, typer.Option(help="who asks; this person cannot decide the ticket")] = None,
    as_json: Json = False,
) -> None:
    """Submit a ticket and print its id."""
    text = intake.read(sys.stdin.buffer) if text == "-" else intake.clean(text)
    with Desk(context.obj) as desk:
        ticket = desk.submit(text, submitter)
    _print({"id": ticket["id"], "status": ticket["status"]}, as_json, ticket["id"])


@app.command()
def queue(context: typer.Context, as_json: Json = False) -> None:
    """List the tickets that wait for a person, oldest first."""
    with _existing(context) as desk:
        tickets = desk.queue()
    _print_table(tickets, ["id", "waits_for", "submitted_at", "text"], as_json)


@app.command()
def show(context: typer.Context, ticket_id: Id, as_json: Json = False) -> None:
    """Show one ticket: what it waits for, with the full evidence, and what was decided."""
    with _existing(context) as desk:
        ticket = desk.show(ticket_id)
    _print_fields(ticket, as_json)


@app.command()
def approve(context: typer.Context, ticket_id: Id, reviewer: Reviewer, reason: Reason, digest: Digest = None,
            as_json: Json = False) -> None:
    """Let the reply go out as it is."""
    _decide(context, ticket_id, as_json, action="approve", reviewer=reviewer, reason=reason, digest=digest)


@app.command()
def edit(context: typer.Context, ticket_id: Id, reply: Reply, reviewer: Reviewer, reason: Reason,
         digest: Digest = None, as_json: Json = False) -> None:
    """Let another reply go out, which passes the same checks."""
    _decide(context, ticket_id, as_json, action="edit", reply=reply, reviewer=reviewer, reason=reason, digest=digest)


@app.command()
def reject(context: typer.Context, ticket_id: Id, reviewer: Reviewer, reason: Reason, digest: Digest = None,
           as_json: Json = False) -> None:
    """Let nothing go out."""
    _decide(context, ticket_id, as_json, action="reject", reviewer=reviewer, reason=reason, digest=digest)


@app.command()
def answer(context: typer.Context, ticket_id: Id, reply: Reply, reviewer: Reviewer, reason: Reason,
           digest: Digest = None, as_json: Json = False) -> None:
    """Answer, as a mentor, a ticket that the desk could not answer."""
    _decide(context, ticket_id, as_json, action="answer", reply=reply, reviewer=reviewer, reason=reason, digest=digest)


@app.command()
def close(context: typer.Context, ticket_id: Id, reviewer: Reviewer, reason: Reason, digest: Digest = None,
          as_json: Json = False) -> None:
    """Close, as a mentor, a ticket without an answer."""
    _decide(context, ticket_id, as_json, action="close", reviewer=reviewer, reason=reason, digest=digest)


@app.command()
def outbox(context: typer.Context, as_json: Json = False) -> None:
    """List the replies that were queued, with their state."""
    with _existing(context) as desk:
        replies = desk.outbox()
    _print_table(replies, ["key", "state", "queued_at", "reply"], as_json)


@app.command()
def deliver(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Option(help="where the replies go; beside the database by default")] = None,
    as_json: Json = False,
) -> None:
    """Write each queued reply to a file of its own, once. No e-mail is sent."""
    with _existing(context) as desk:
        folder = folder or replies_beside(context.obj)
        delivered = desk.deliver(into_folder(folder))
    _print({"delivered": delivered, "folder": str(folder)}, as_json, f"delivered {len(delivered)} to {folder}")


@app.command()
def recover(context: typer.Context, as_json: Json = False) -> None:
    """Bring tickets that a killed process left half way to where they belong; run it when nothing else runs."""
    with _existing(context) as desk:
        recovered = desk.recover()
    _print({"recovered": recovered}, as_json, f"recovered {len(recovered)}")


def main() -> None:
    """Run the command, and end with its status: 0 done, 2 bad input, 3 refused, 4 storage."""
    console.start(lambda: console.run_app(app))


def _existing(context: typer.Context) -> Desk:
    return Desk(context.obj, create=False)


def _decide(context: typer.Context, ticket_id: str, as_json: bool, **decision: str | None) -> None:
    with _existing(context) as desk:
        decision["digest"] = decision["digest"] or desk.pause(ticket_id).shown["digest"]
        ticket = desk.decide(ticket_id, {key: value for key, value in decision.items() if value is not None})
    _print({"id": ticket["id"], "status": ticket["status"]}, as_json, f"{ticket['id']} {ticket['status']}")


def _print(result: Any, as_json: bool, line: str) -> None:
    print(json.dumps(result, indent=2) if as_json else intake.printable(line))


def _print_table(rows: list[dict[str, Any]], columns: list[str], as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*[_cell(row[column]) for column in columns])
    Console().print(table)


def _print_fields(ticket: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(ticket, indent=2))
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    fields = {key: value for key, value in ticket.items() if key not in {"state", "shown"}}
    shown = ticket["shown"] or ticket["state"]
    for key, value in {**fields, **shown}.items():
        if key != "evidence":
            table.add_row(key, _cell(value))
    for note in shown.get("evidence", []):
        table.add_row(note["id"], _cell(f"{note['title']}. {note['text']}"))
    Console().print(table)


def _cell(value: Any) -> Text:
    """A value as plain text: no markup in it, no control character, in whole."""
    return Text(intake.printable(_in_words(value)), overflow="fold")


def _in_words(value: Any) -> str:
    match value:
        case None:
            return ""
        case list():
            return ", ".join(map(str, value))
        case dict():
            return ", ".join(f"{key} {item}" for key, item in value.items())
    return str(value)
