"""Small graphs for the tests of the drawings, compiled for real."""

from collections.abc import Iterable
from typing import TypedDict

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph


class State(TypedDict):
    """One key, which no node changes."""

    text: str


def compiled(names, edges, choices=None, pauses: Iterable[str] = (), joins=()) -> CompiledStateGraph:
    """A graph of nodes that do nothing, with fixed edges, a route's answers by source, pauses and joins."""
    graph = StateGraph(State)
    for name in names:
        graph.add_node(name, lambda state: {})
    for source, target in edges:
        graph.add_edge(source, target)
    for source, answers in (choices or {}).items():
        graph.add_conditional_edges(source, lambda state: "never asked", answers)
    for sources, target in joins:
        graph.add_edge(sources, target)
    return graph.compile(interrupt_before=list(pauses))
