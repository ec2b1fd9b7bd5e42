"""Lesson 1: two nodes, each of which returns only what it changes."""

from langgraph.checkpoint.memory import InMemorySaver

from course import lessons
from tests.lesson_runs import PIP, altered, run

LESSON = lessons.load(1)


def test_its_own_ticket_gives_exactly_this_state():
    assert run(1, "--json").json == {
        "text": PIP,
        "reply": "Thank you. We received your ticket (7 words).",
        "trace": ["receive", "acknowledge"],
    }


def test_it_prints_the_ticket_and_what_each_node_changed():
    ended = run(1)

    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "ticket       My pip install has a missing module",
        "receive      text: My pip install has a missing module",
        "acknowledge  reply: Thank you. We received your ticket (7 words).",
        "steps        2: receive, acknowledge",
    ]


def test_a_ticket_of_ones_own_comes_as_an_argument_or_on_standard_input():
    assert run(1, "help me", "--json").json["text"] == "help me"
    assert run(1, "-", "--json", stdin=b"help\nme\n").json["text"] == "help\nme"


def test_the_graph_trims_a_ticket_that_nobody_has_trimmed():
    state = LESSON.build_graph().invoke({"text": "  help   me \n"})

    assert state["text"] == "help   me"
    assert state["reply"] == "Thank you. We received your ticket (2 words)."


def test_a_node_returns_what_it_changes_and_leaves_the_state_alone():
    state = {"text": "help me", "trace": ["receive"]}

    assert set(LESSON.receive(state)) == {"text", "trace"}
    assert set(LESSON.acknowledge(state)) == {"reply", "trace"}
    assert state == {"text": "help me", "trace": ["receive"]}


def test_a_checkpointer_keeps_the_state_under_its_thread():
    graph = LESSON.build_graph(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "T1"}}

    graph.invoke({"text": "help"}, config)

    assert graph.get_state(config).values["trace"] == ["receive", "acknowledge"]


def test_a_misspelt_key_is_lost_without_an_error_as_the_text_says():
    state = altered(1, ('"reply": f', '"repyl": f')).build_graph().invoke({"text": "help"})

    assert state == {"text": "help", "trace": ["receive", "acknowledge"]}


def test_a_value_of_another_type_is_not_refused_as_the_text_says():
    state = altered(1, ('state["text"].strip()', "7"), ('len(state["text"].split())', "1")).build_graph()

    assert state.invoke({"text": "help"})["text"] == 7
