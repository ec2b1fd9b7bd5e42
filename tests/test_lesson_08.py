"""Lesson 8: the whole desk, and a table that says what the file of golden tickets says."""

import json
from collections import Counter
from importlib.resources import files

import pytest

from course import lessons
from support_desk import cli
from support_desk.graph import build_desk
from support_desk.retrieval import load_notes
from tests.lesson_runs import CAMERA, PIP, SUNDAY, call, run

LESSON = lessons.load(8)
LINES = (files("support_desk") / "data" / "tickets.jsonl").read_text(encoding="utf-8").splitlines()
GOLDEN = [json.loads(line) for line in LINES]
MISSED = [ticket for ticket in GOLDEN if "limit" in ticket]


def right(key, tickets=GOLDEN):
    """How many tickets record no other wish than what the desk does."""
    return sum(ticket.get(f"wanted_{key}", ticket[key]) == ticket[key] for ticket in tickets)


@pytest.fixture(scope="module")
def table():
    ended = run(8)
    assert (ended.status, ended.err) == (0, "")
    return ended.out.splitlines()


def test_the_score_equals_what_the_tickets_say(monkeypatch):
    some = GOLDEN[::5]
    monkeypatch.setattr(LESSON, "load_golden", lambda: some)

    score = run(8, "--json").json

    found = sum(ticket["note"] is not None for ticket in some)
    missed = [ticket for ticket in some if "limit" in ticket]
    assert score["tickets"] == len(some)
    assert (score["category_right"], score["note_right"]) == (right("category", some), right("note", some))
    assert score["wait_for"] == {"approve": found, "mentor": len(some) - found}
    assert score["limits"] == Counter(ticket["limit"] for ticket in missed)
    assert [each["text"] for each in score["wrong"]] == [ticket["text"] for ticket in missed]


def test_the_table_shows_the_same_numbers(table):
    found = sum(ticket["note"] is not None for ticket in GOLDEN)

    assert table[:4] == [
        f"category     {right('category')} of {len(GOLDEN)} as a person would want",
        f"first note   {right('note')} of {len(GOLDEN)} as a person would want",
        f"queue        {found} wait at approve",
        f"queue        {len(GOLDEN) - found} wait at mentor",
    ]
    counts = Counter(ticket["limit"] for ticket in MISSED).most_common()
    shown = " ".join(table).partition("limits")[2].partition(" T")[0]
    assert " ".join(shown.split()) == ", ".join(f"{limit} {count}" for limit, count in counts)


@pytest.mark.parametrize("ticket", MISSED, ids=lambda ticket: f"T{GOLDEN.index(ticket) + 1}-{ticket['limit']}")
def test_every_missed_ticket_is_listed_with_its_limit(table, ticket):
    place = next(n for n, line in enumerate(table) if line.startswith(f"T{GOLDEN.index(ticket) + 1} "))

    assert table[place - 1] == ""
    assert table[place].split(maxsplit=1)[1][:30] == " ".join(ticket["text"].split())[:30]
    assert table[place + 1].strip() == (
        f"{ticket['limit']}: {ticket['category']}, {ticket['note'] or 'no note'}; "
        f"wanted {ticket['wanted_category']}, {ticket['wanted_note'] or 'no note'}"
    )


def test_no_other_ticket_is_listed(table):
    assert sum(line.split()[:1] == [f"T{n}"] for line in table for n in range(1, len(GOLDEN) + 1)) == len(MISSED)


def test_the_oldest_ticket_is_decided_and_delivered(table):
    assert table[-3:] == ["", "decided      T1 is queued", "delivered    T1"]


@pytest.mark.parametrize(
    ("ticket", "node", "category"),
    [(PIP, "approve", "setup"), (CAMERA, "mentor", "hardware"), (SUNDAY, "mentor", "unsupported")],
)
def test_a_ticket_of_ones_own_is_shown_as_a_person_would_see_it(ticket, node, category):
    shown = run(8, ticket, "--json").json

    assert (shown["waits_for"], shown["text"], shown["category"]) == (node, ticket, category)
    assert len(shown["digest"]) == 64


def test_a_ticket_of_ones_own_is_shown_with_the_full_text_of_its_notes():
    words = " ".join(run(8, "-", stdin=PIP.encode()).out.split())

    assert words.startswith("waits at approve")
    assert all(note.text in words for note in load_notes()[:2])


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    assert [run(8, PIP).status, run(8, " ").status] == [0, 2]

    assert list(tmp_path.iterdir()) == []


def test_its_graph_is_the_packages():
    assert LESSON.build_graph is build_desk
    assert LESSON.build_graph().invoke({"text": PIP})["trace"] == ["classify", "lookup", "draft", "check"]


def test_nobody_decides_a_ticket_of_their_own_as_the_text_says(tmp_path):
    desk = ["--db", str(tmp_path / "desk.sqlite")]
    call(cli.main, *desk, "submit", PIP, "--submitter", "Bo")

    assert call(cli.main, *desk, "approve", "T1", "--reviewer", "Bo", "--reason", "Fine.").status == 3
    assert call(cli.main, *desk, "approve", "T1", "--reviewer", " ", "--reason", "Fine.").status == 2
    assert call(cli.main, "--db", str(tmp_path / "none" / "desk.sqlite"), "queue").status == 4
