"""The desk says about every golden ticket what the file records, hits and misses alike."""

import re
from typing import get_args

import pytest

from support_desk.classify import HARDWARE_CUES, SETUP_CUES, classify_text
from support_desk.golden import Limit, load_golden
from support_desk.retrieval import load_notes, retrieve
from support_desk.state import Category
from support_desk.text import tokens

TICKETS = load_golden()
MISSES = [ticket for ticket in TICKETS if "limit" in ticket]
WANTED = {"limit", "wanted_category", "wanted_note"}


def name(ticket):
    """A test id from the first words of the ticket, in plain letters."""
    words = re.findall("[a-z0-9]+", ticket["text"][:60].casefold())
    return "-".join([f"{TICKETS.index(ticket) + 1:02}", ticket.get("limit", "").replace(" ", "_"), *words[:7]])


def vocabulary():
    return SETUP_CUES | HARDWARE_CUES | {keyword for note in load_notes() for keyword in note.keywords}


@pytest.mark.parametrize("ticket", TICKETS, ids=name)
def test_a_golden_ticket_gets_the_recorded_category_and_note(ticket):
    category = classify_text(ticket["text"])
    evidence = retrieve(ticket["text"], category)

    assert category == ticket["category"]
    assert (evidence[0]["id"] if evidence else None) == ticket["note"]


@pytest.mark.parametrize("ticket", MISSES, ids=name)
def test_a_recorded_limit_is_a_real_miss(ticket):
    assert (ticket["category"], ticket["note"]) != (ticket["wanted_category"], ticket["wanted_note"])


@pytest.mark.parametrize("ticket", TICKETS, ids=name)
def test_a_golden_ticket_is_well_formed(ticket):
    shelves = {note.id: note.category for note in load_notes()}

    assert set(ticket) in ({"text", "category", "note"}, {"text", "category", "note"} | WANTED)
    for prefix in ["", "wanted_"][: 1 + ("limit" in ticket)]:
        note, category = ticket[f"{prefix}note"], ticket[f"{prefix}category"]
        assert category in get_args(Category)
        assert note is None or shelves[note] == category
    assert ticket["text"] == ticket["text"].strip() != ""


def test_the_tickets_start_with_the_two_that_the_lessons_use():
    assert [ticket["text"] for ticket in TICKETS[:2]] == [
        "My pip install has a missing module",
        "The camera image is purple",
    ]


def test_there_are_enough_tickets_and_none_is_there_twice():
    assert len({ticket["text"] for ticket in TICKETS}) == len(TICKETS) >= 64


def test_between_a_sixth_and_a_quarter_of_the_tickets_are_honest_misses():
    assert 1 / 6 <= len(MISSES) / len(TICKETS) <= 1 / 4


def test_every_kind_of_limit_is_shown_and_no_other():
    assert {ticket["limit"] for ticket in MISSES} == set(get_args(Limit))


def test_every_note_is_the_best_answer_to_some_ticket():
    hits = {ticket["note"] for ticket in TICKETS if "limit" not in ticket}

    assert hits == {note.id for note in load_notes()} | {None}


def test_plurals_are_missed_in_both_directions():
    words = set().union(*(tokens(ticket["text"]) for ticket in MISSES if ticket["limit"] == "plural"))

    assert any(word.removesuffix("s") in vocabulary() for word in words - vocabulary())
    assert any(word + "s" in vocabulary() for word in words - vocabulary())


def test_a_wrong_note_wins_by_an_accidental_word_in_the_right_category():
    accidents = [ticket for ticket in MISSES if ticket["limit"] == "accidental word"]

    assert all(ticket["note"] and ticket["category"] == ticket["wanted_category"] for ticket in accidents)


def test_a_ticket_with_a_misleading_cue_word_is_put_on_the_wrong_shelf():
    misled = [ticket for ticket in MISSES if ticket["limit"] == "cue word misleads"]

    assert all(ticket["category"] != ticket["wanted_category"] for ticket in misled)


@pytest.mark.parametrize("category", get_args(Category))
def test_every_category_has_tickets(category):
    assert sum(ticket["category"] == category for ticket in TICKETS) >= 10
