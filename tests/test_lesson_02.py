"""Lesson 2: a schema, and a reducer that decides how updates merge."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from course import lessons
from tests.lesson_runs import CAMERA, PIP, SUNDAY, altered, run

LESSON = lessons.load(2)
REDUCER = ("trace: Annotated[list[str], add] ", "trace: list[str] ")


def test_its_own_ticket_gives_exactly_this_state():
    assert run(2, "--json").json == {
        "text": PIP,
        "category": "setup",
        "reply": "Your ticket is filed under setup.",
        "trace": ["receive", "classify", "record"],
    }


def test_it_prints_the_ticket_and_what_each_node_changed():
    ended = run(2)

    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "ticket       My pip install has a missing module",
        "receive      text: My pip install has a missing module",
        "classify     category: setup",
        "record       reply: Your ticket is filed under setup.",
        "steps        3: receive, classify, record",
    ]


@pytest.mark.parametrize(
    ("ticket", "category"),
    [
        (CAMERA, "hardware"),
        (SUNDAY, "unsupported"),
        ("My pip is fine, but the camera is dead", "unsupported"),
    ],
)
def test_a_ticket_is_filed_under_its_category(ticket, category):
    state = run(2, ticket, "--json").json

    assert state["category"] == category
    assert state["reply"] == f"Your ticket is filed under {category}."


def test_another_classifier_gets_the_trimmed_text_and_decides():
    graph = LESSON.build_graph(classifier=lambda text: "hardware" if text == "pip" else "setup")

    assert graph.invoke({"text": " pip "})["category"] == "hardware"


def test_with_a_checkpointer_a_second_run_adds_to_the_trace_and_replaces_the_rest():
    graph = LESSON.build_graph(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "T1"}}

    graph.invoke({"text": "pip"}, config)
    state = graph.invoke({"text": "camera"}, config)

    assert state["trace"] == ["receive", "classify", "record"] * 2
    assert state["category"] == "hardware"


def test_without_the_reducer_only_the_last_name_is_left_as_the_text_says():
    state = altered(2, REDUCER).build_graph().invoke({"text": "pip"})

    assert state["trace"] == ["record"]


def test_a_node_that_returns_the_whole_trace_doubles_the_names_as_the_text_says():
    whole = ('"trace": ["record"]', '"trace": state["trace"] + ["record"]')

    state = altered(2, whole).build_graph().invoke({"text": "pip"})

    assert state["trace"] == ["receive", "classify", "receive", "classify", "record"]


def test_the_number_of_the_exercise_starts_at_zero_and_ends_at_two():
    key = ("    reply: str\n", "    reply: str\n    changes: Annotated[int, add]\n")
    counts = [(f'"trace": ["{node}"]', f'"changes": 1, "trace": ["{node}"]') for node in ("classify", "record")]

    state = altered(2, key, *counts).build_graph().invoke({"text": "pip"})

    assert state["changes"] == 2
