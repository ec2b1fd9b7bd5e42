"""Read a compiled LangGraph graph into a model: its nodes, edges, pauses and loops, in the order of declaration.

The source is the graph's builder. `get_graph()` loses answers, joins and undeclared routes, and invents edges.
"""

import functools
import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph


class GraphError(ValueError):
    """The graph cannot be drawn as it runs: one sentence with the node and how to mend it."""


@dataclass(frozen=True)
class Node:
    """A step of the graph, or one of its two ends. A pause waits for a person."""

    name: str
    kind: Literal["start", "end", "node", "pause"]
    doc: str = ""  # first line of the function's docstring


@dataclass(frozen=True)
class Edge:
    """A way from one node to another.

    It is taken always, for a route's answer (choice), when every source of a join is done (join), or because the
    node itself says where to go (jump). It is `back` when it closes a loop.
    """

    source: str
    target: str
    kind: Literal["always", "choice", "join", "jump"]
    answer: str = ""
    back: bool = False
    implied: bool = False  # nobody declared it: LangGraph ends a run at a node that nothing leads on from


@dataclass(frozen=True)
class GraphModel:
    """What a graph's pictures show. Edges follow the order of their sources, and an answer each has an edge each."""

    title: str
    description: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    joins: tuple[tuple[tuple[str, ...], str], ...]  # (sources that all must be done, target)
    loops: tuple[tuple[str, ...], ...]              # per edge that closes a loop: the nodes on the way round

    @property
    def pauses(self) -> list[str]:
        """The names of the nodes that wait for a person."""
        return [node.name for node in self.nodes if node.kind == "pause"]

    def drawn_edges(self) -> list[Edge]:
        """One edge per source, target and kind, its answers as "a / b". An answer that names the target goes unsaid."""
        answers: dict[Edge, list[str]] = {}
        for edge in self.edges:
            answers.setdefault(replace(edge, answer=""), []).append(edge.answer)
        return [
            replace(edge, answer="" if words == [edge.target] else " / ".join(filter(None, dict.fromkeys(words))))
            for edge, words in answers.items()
        ]


def read_graph(compiled: Any, *, title: str = "", description: str = "") -> GraphModel:
    """The model of a compiled StateGraph; a subgraph in it is one node.

    GraphError when it is no such graph, when a route does not declare its targets, or when a node is never reached.
    """
    builder = _builder(compiled)
    edges = list(_edges(builder))
    reached, loops = walk(edges)
    _require_all_reached(builder.nodes, reached)
    return GraphModel(
        title,
        description,
        nodes=tuple(node for node in _nodes(compiled) if node.name in reached),
        edges=tuple(replace(edge, back=(edge.source, edge.target) in loops) for edge in edges),
        joins=_joins(builder),
        loops=tuple(loops.values()),
    )


def walk(edges: Iterable[Edge]) -> tuple[set[str], dict[tuple[str, str], tuple[str, ...]]]:
    """The nodes reached from start depth first, and for each (source, target) that closes a loop the way round it."""
    targets: dict[str, list[str]] = {}
    for edge in edges:
        targets.setdefault(edge.source, []).append(edge.target)
    reached, loops = {START}, {}
    path, untried = [START], [iter(targets[START])]
    while path:
        target = next(untried[-1], None)
        if target is None:
            path.pop()
            untried.pop()
        elif target in path:
            loops[path[-1], target] = tuple(path[path.index(target):])
        elif target not in reached:
            reached.add(target)
            path.append(target)
            untried.append(iter(targets.get(target, ())))
    return reached, loops


def _builder(compiled: Any) -> StateGraph:
    if not isinstance(compiled, CompiledStateGraph):
        uncompiled = isinstance(compiled, StateGraph)
        mend = "call its compile() first" if uncompiled else "give what StateGraph.compile() returns"
        raise GraphError(f"This {type(compiled).__name__} is not a compiled graph: {mend}.")
    return compiled.builder


def _nodes(compiled: CompiledStateGraph) -> Iterator[Node]:
    yield Node(START, "start")
    for name, spec in compiled.builder.nodes.items():
        yield Node(name, "pause" if _pauses(compiled, name, spec) else "node", _first_line(spec.runnable))
    yield Node(END, "end")


def _pauses(compiled: CompiledStateGraph, name: str, spec: Any) -> bool:
    declared = (spec.metadata or {}).get("pause", False)
    lists = (compiled.interrupt_before_nodes, compiled.interrupt_after_nodes)
    return bool(declared) or any(names == "*" or name in names for names in lists)


def _first_line(runnable: Any) -> str:
    """The first line of the docstring of a node's function; a subgraph has none."""
    function = getattr(runnable, "func", None) or getattr(runnable, "afunc", None)
    return (inspect.getdoc(_as_written(function)) or "").partition("\n")[0] if function else ""


def _as_written(function: Any) -> Any:
    """The function under any partial or wrapper."""
    inner = function.func if isinstance(function, functools.partial) else getattr(function, "__wrapped__", None)
    return _as_written(inner) if inner else function


def _edges(builder: StateGraph) -> Iterator[Edge]:
    for name in (START, *builder.nodes):
        onward = [*_fixed(builder, name), *_choices(builder, name), *_jumps(builder, name)]
        yield from dict.fromkeys(onward) if onward else [Edge(name, END, "always", implied=True)]
        yield from _on_error(builder, name)


def _fixed(builder: StateGraph, name: str) -> list[Edge]:
    always = [Edge(name, target, "always") for source, target in builder.edges if source == name]
    join = [Edge(name, target, "join") for sources, target in builder.waiting_edges if name in sources]
    order = [*builder.nodes, END]  # the builder keeps both in sets, in no order
    return sorted(always + join, key=lambda edge: (edge.kind, order.index(edge.target)))


def _choices(builder: StateGraph, name: str) -> Iterator[Edge]:
    for route, branch in builder.branches.get(name, {}).items():
        if not branch.ends:
            raise GraphError(
                f"Nothing says where the route {route!r} of node {name!r} may lead: "
                "give add_conditional_edges a path map, or let the route return a Literal of node names."
            )
        yield from (Edge(name, target, "choice", str(answer)) for answer, target in branch.ends.items())


def _jumps(builder: StateGraph, name: str) -> Iterator[Edge]:
    targets = builder.nodes[name].ends if name != START else ()
    for target in targets or ():
        yield Edge(name, target, "jump", targets[target] if isinstance(targets, dict) else "")


def _on_error(builder: StateGraph, name: str) -> Iterator[Edge]:
    if name != START and (handler := builder.nodes[name].error_handler_node):
        yield Edge(name, handler, "jump", "error")


def _joins(builder: StateGraph) -> tuple[tuple[tuple[str, ...], str], ...]:
    order = [*builder.nodes, END]
    return tuple(sorted(builder.waiting_edges, key=lambda join: [order.index(join[1]), *map(order.index, join[0])]))


def _require_all_reached(names: Iterable[str], reached: set[str]) -> None:
    for name in names:
        if name not in reached:
            raise GraphError(
                f"Node {name!r} is never reached from the start: add an edge to it, or declare the jump that "
                "leads to it, with Command[Literal[...]] or destinations."
            )
