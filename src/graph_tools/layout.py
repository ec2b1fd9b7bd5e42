"""Place a graph's nodes, lines and words: dot does, and then what should be straight is made straight."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import graphviz

from graph_tools.labels import shown, stand_in, wrapped
from graph_tools.model import END, Edge, GraphModel, Node
from graph_tools.palette import NODE_SIZE, SMALL_SIZE
from graph_tools.renderer import run_dot
from graph_tools.words import WAITS, called

BEND = 6  # a line that leaves the vertical by no more is drawn straight
FAN = 3   # a node with more ways on has no main one: its targets are spread evenly
SVG = "{http://www.w3.org/2000/svg}"
GAP = " " * 2         # between a line and its words
BADGE_ROOM = " " * 9  # beside the words, for the step numbers of a run: one layout serves both pictures

GRAPH = {"rankdir": "TB", "nodesep": "0.4", "ranksep": "0.42", "pad": "0.3", "splines": "spline"}
NODE = {"shape": "box", "fontname": "Arial", "fontsize": str(NODE_SIZE), "margin": "0.2,0.1", "height": "0.45"}
EDGE = {"fontname": "Arial", "fontsize": str(SMALL_SIZE), "penwidth": "1.3", "arrowsize": "0.75"}
ENDS = {"height": "0.3", "width": "0.7", "margin": "0.15,0.04"}


@dataclass(frozen=True)
class Box:
    """Where a node is: its top left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Half way across."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class Line:
    """Where an edge is: its SVG path, the points of its arrow head, and where each line of its words starts."""

    path: str
    heads: list[str]
    words: list[tuple[float, float]]


@dataclass(frozen=True)
class Layout:
    """Where everything is: boxes in the order of the nodes, lines in the order of the drawn edges."""

    width: float
    height: float
    shift: str  # the SVG transform that brings all coordinates onto a page of this size
    boxes: list[Box]
    lines: list[Line]


def layout(model: GraphModel) -> Layout:
    """The places of all nodes and drawn edges. RendererMissing when graphviz-pure is not installed."""
    places = _places(ElementTree.fromstring(run_dot(_source(model))))
    box = dict(zip([node.name for node in model.nodes], places.boxes, strict=True))
    edges = model.drawn_edges()
    parallel = Counter((edge.source, edge.target) for edge in edges)
    lines = [
        _straightened(line, box[edge.source], box[edge.target]) if parallel[edge.source, edge.target] == 1 else line
        for edge, line in zip(edges, places.lines, strict=True)
    ]
    return replace(places, lines=lines)


def node_lines(node: Node) -> list[str]:
    """The lines of a node's label."""
    return wrapped(called(node.name), 24, 6) + [WAITS] * (node.kind == "pause")


def edge_lines(edge: Edge) -> list[str]:
    """The lines of an edge's words."""
    return wrapped(shown(edge.answer), 28, 6) if edge.answer else []


def _places(drawing: Element) -> Layout:
    width, height = map(float, drawing.get("viewBox").split()[2:])
    page = drawing.find(f"{SVG}g")
    shift = re.search(r"translate\(\S+ \S+\)", page.get("transform")).group()
    groups = {group.get("id"): group for group in page.findall(f"{SVG}g")}
    boxes = [_box(group) for group in _numbered(groups, "n")]
    lines = [_line(group) for group in _numbered(groups, "e")]
    return Layout(width, height, shift, boxes, lines)


def _numbered(groups: dict[str, Element], letter: str) -> list[Element]:
    """The groups n0, n1, … or e0, e1, … in this order, whatever order they are drawn in."""
    return [groups[name] for name in (f"{letter}{place}" for place in range(len(groups))) if name in groups]


def _box(group: Element) -> Box:
    points = [tuple(map(float, point.split(","))) for point in group.find(f"{SVG}polygon").get("points").split()]
    across, down = zip(*points)
    return Box(min(across), min(down), max(across) - min(across), max(down) - min(down))


def _line(group: Element) -> Line:
    heads = [polygon.get("points") for polygon in group.findall(f"{SVG}polygon")]
    words = [(float(text.get("x")), float(text.get("y"))) for text in group.findall(f"{SVG}text")]
    return Line(group.find(f"{SVG}path").get("d"), heads, words)


def _straightened(line: Line, source: Box, target: Box) -> Line:
    """The line straight down when it all but is: dot bends lines by a point or two beside their words."""
    middle, top, tip = source.middle, source.y + source.height + 0.6, target.y - 1.2
    across = [target.middle, *(float(x) for x in re.findall(r"(-?[\d.]+),", line.path))]
    if top > tip or len(line.heads) > 1 or max(abs(x - middle) for x in across) > BEND:
        return line
    neck = tip - 7.5
    head = f"{middle - 2.63:.2f},{neck:.2f} {middle:.2f},{tip:.2f} {middle + 2.63:.2f},{neck:.2f}"
    words = [(middle, y) for _, y in line.words]
    return Line(f"M{middle:.2f},{top:.2f}V{neck:.2f}", [head], words)


def _source(model: GraphModel) -> str:
    """The graph in DOT. Only stand-ins for names are in it, so that no name can act."""
    graph = graphviz.Digraph(graph_attr=GRAPH, node_attr=NODE, edge_attr=EDGE)
    ids = {node.name: f"n{place}" for place, node in enumerate(model.nodes)}
    for node in model.nodes:
        label = "\\n".join(map(stand_in, node_lines(node)))
        graph.node(ids[node.name], label, id=ids[node.name], **(ENDS if node.kind in ("start", "end") else {}))
    main = _main_path(model)
    for place, edge in enumerate(model.drawn_edges()):
        ends = [ids[edge.source], ids[edge.target]]
        graph.edge(*(reversed(ends) if edge.back else ends), id=f"e{place}", **_attributes(edge, main))
    return graph.source


def _attributes(edge: Edge, main: set[tuple[str, str]]) -> dict[str, str]:
    attributes = {"label": "".join(GAP + stand_in(line) + BADGE_ROOM + "\\l" for line in edge_lines(edge))}
    if edge.back:
        attributes["dir"] = "back"  # dot ranks the loop from top to bottom, and the arrow points up
    if edge.kind == "join":
        attributes["arrowtail" if edge.back else "arrowhead"] = "normaltee"
    if (edge.source, edge.target) in main:
        attributes["weight"] = "100"
    elif edge.kind == "always" and edge.target != END:
        attributes["weight"] = "5"
    return attributes


def _main_path(model: GraphModel) -> set[tuple[str, str]]:
    """The edges to draw straight down: from start, the first way on of each node, up to a node that fans out."""
    onward: dict[str, list[Edge]] = {}
    for edge in model.edges:
        if not edge.back:
            onward.setdefault(edge.source, []).append(edge)
    path, name = set(), model.nodes[0].name
    while edges := onward.get(name):
        in_parallel = sum(edge.kind == "always" for edge in edges) > 1
        if len(edges) > FAN or in_parallel:
            break
        path.add((name, edges[0].target))
        name = edges[0].target
    return path
