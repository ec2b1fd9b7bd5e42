"""Write a model as Mermaid text: labels that cannot act, no colours, so that a page picks those of its theme."""

import string

from graph_tools.labels import shown
from graph_tools.model import Edge, GraphModel, Node
from graph_tools.words import JOINS, WAITS, called, describe

PLAIN = set(string.ascii_letters + string.digits + " _-.,!?'")


def mermaid(model: GraphModel) -> str:
    """The graph as a Mermaid flowchart: dashed arrows for what is only taken if chosen, hexagons for pauses."""
    ids = {node.name: f"n{place}" for place, node in enumerate(model.nodes)}
    return "\n    ".join([
        "flowchart TB",
        f"accTitle: {text(model.title) or 'A graph'}",
        f"accDescr: {text(describe(model))}",
        *(ids[node.name] + _shape(node) for node in model.nodes),
        *(f"{ids[edge.source]} {_arrow(edge)} {ids[edge.target]}" for edge in model.drawn_edges()),
    ]) + "\n"


def text(words: str) -> str:
    """The words with every character that could mean something to Mermaid as its #code;."""
    return "".join(char if char in PLAIN else f"#{ord(char)};" for char in shown(words))


def _shape(node: Node) -> str:
    label = text(called(node.name))
    return {
        "start": f'(["{label}"])', "end": f'(["{label}"])', "node": f'["{label}"]',
        "pause": f'{{{{"{label}<br/>{WAITS}"}}}}',
    }[node.kind]


def _arrow(edge: Edge) -> str:
    line = "-.->" if edge.kind in ("choice", "jump") else "-->"
    words = JOINS if edge.kind == "join" else edge.answer
    return f'{line}|"{text(words)}"|' if words else line
