"""Part 8. The whole desk, used: a queue, people who decide, an outbox, and a score on golden tickets.

Every golden ticket goes through the desk that the lessons built. The table says how often the desk did what
a person would want, and then names each ticket where it did not, and why.
"""

if __name__ == "__main__":  # whichever Python runs this file, go on with the one that has the course
    import pathlib, runpy
    runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "use_venv.py"))

from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from course import by_hand, script
from support_desk import console
from support_desk.desk import Desk
from support_desk.golden import GoldenTicket, load_golden
from support_desk.graph import build_desk
from support_desk.sending import into_folder

build_graph = build_desk


@contextmanager
def temporary_desk():
    """A desk on a database file that is gone afterwards, with the folder beside it."""
    with TemporaryDirectory() as folder, Desk(Path(folder) / "desk.sqlite") as desk:
        yield desk, Path(folder)


def outcome(desk: Desk, golden: GoldenTicket) -> dict:
    """What the desk did with one golden ticket, beside what a person would want."""
    ticket = desk.submit(golden["text"])
    state = desk.show(ticket["id"])["state"]
    return {
        "id": ticket["id"],
        "text": golden["text"],
        "category": state["category"],
        "wanted_category": golden.get("wanted_category", golden["category"]),
        "note": next((note["id"] for note in state.get("evidence", [])), None),
        "wanted_note": golden.get("wanted_note", golden["note"]),
        "limit": golden.get("limit"),
        "waits_for": ticket["waits_for"],
    }


def is_right(outcome: dict, key: str) -> bool:
    """True when the desk did with this key what a person would want."""
    return outcome[key] == outcome[f"wanted_{key}"]


def score(outcomes: list[dict]) -> dict:
    """The counts of the table, and the tickets where something went wrong."""
    return {
        "tickets": len(outcomes),
        "category_right": sum(is_right(each, "category") for each in outcomes),
        "note_right": sum(is_right(each, "note") for each in outcomes),
        "wait_for": dict(Counter(each["waits_for"] for each in outcomes)),
        "limits": dict(Counter(each["limit"] for each in outcomes if each["limit"]).most_common()),
        "wrong": [each for each in outcomes if not (is_right(each, "category") and is_right(each, "note"))],
    }


def say_score(result: dict) -> None:
    """Print the table, and what went wrong, ticket by ticket."""
    total = result["tickets"]
    script.say("category", f"{result['category_right']} of {total} as a person would want")
    script.say("first note", f"{result['note_right']} of {total} as a person would want")
    for node, count in result["wait_for"].items():
        script.say("queue", f"{count} wait at {node}")
    script.say("limits", ", ".join(f"{limit} {count}" for limit, count in result["limits"].items()))
    for each in result["wrong"]:
        print()
        script.say(each["id"], script.one_line(each["text"]), f"{each['limit']}: "
                   f"{each['category']}, {each['note'] or 'no note'}; "
                   f"wanted {each['wanted_category']}, {each['wanted_note'] or 'no note'}")


def use(desk: Desk, folder: Path) -> None:
    """Decide the oldest ticket in the queue, and deliver its reply."""
    ticket_id = desk.queue()[0]["id"]
    shown = desk.pause(ticket_id).shown
    decision = {"action": "approve", "reviewer": "Ana", "reason": "It says what the note says."}
    decided = desk.decide(ticket_id, {**decision, "digest": shown["digest"]})
    script.say("decided", f"{ticket_id} is {decided['status']}")
    script.say("delivered", script.in_words(desk.deliver(into_folder(folder / "replies"))))


def main() -> None:
    """Score the desk on the golden tickets, or hand it one ticket of the learner's own."""
    options = script.command(__doc__, ticket=None).parse_args()
    with temporary_desk() as (desk, folder):
        if options.ticket is not None:
            ticket = desk.submit(script.ticket_of(options))
            by_hand.say_pause(options, desk.pause(ticket["id"]))
            return
        result = score([outcome(desk, golden) for golden in load_golden()])
        if options.json:
            script.say_json(result)
            return
        say_score(result)
        print()
        use(desk, folder)


if __name__ == "__main__":
    console.start(main)
