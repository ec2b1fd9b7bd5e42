"""Fixing what varies in a node keeps the node's own name."""

from langgraph.graph import END, START, StateGraph

from support_desk.binding import bind
from support_desk.state import TicketState


def greet(state, *, word="hello"):
    """Say a word."""
    return {"reply": f"{word} {state['text']}"}


def test_a_bound_function_keeps_its_name_its_words_and_what_it_wraps():
    bound = bind(greet, word="bye")

    assert (bound.__name__, bound.__doc__, bound.__wrapped__) == ("greet", "Say a word.", greet)
    assert bound({"text": "Ana"}) == {"reply": "bye Ana"}
    assert greet({"text": "Ana"}) == {"reply": "hello Ana"}


def test_langgraph_takes_the_name_of_a_bound_node():
    builder = StateGraph(TicketState)
    builder.add_node(bind(greet, word="bye"))
    builder.add_edge(START, "greet")
    builder.add_edge("greet", END)

    assert builder.compile().invoke({"text": "Ana"})["reply"] == "bye Ana"
