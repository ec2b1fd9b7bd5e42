"""The state's two reducers: what a run starts with, and how updates join."""

from typing import get_type_hints

from langgraph.graph import END, START, StateGraph

from support_desk.state import TicketState


def run(update, given):
    builder = StateGraph(TicketState)
    builder.add_node("node", lambda state: update)
    builder.add_edge(START, "node")
    builder.add_edge("node", END)
    return builder.compile().invoke(given)


def test_a_run_starts_at_no_attempts_and_an_empty_trace():
    assert run({}, {"text": "help"}) == {"text": "help", "attempts": 0, "trace": []}


def test_attempts_add_up_and_names_join_while_every_other_key_is_replaced():
    state = run({"attempts": 1, "trace": ["b"], "problems": ["y"]}, {"attempts": 2, "trace": ["a"], "problems": ["x"]})

    assert state == {"attempts": 3, "trace": ["a", "b"], "problems": ["y"]}


def test_the_two_keys_with_a_reducer_are_the_two_that_a_node_only_adds_to():
    hints = get_type_hints(TicketState, include_extras=True)

    assert [key for key, hint in hints.items() if hasattr(hint, "__metadata__")] == ["attempts", "trace"]
