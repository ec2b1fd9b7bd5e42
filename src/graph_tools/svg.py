"""Draw a model as SVG: for light and dark pages, readable as text, the same bytes on every machine."""

import hashlib
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from graph_tools import palette
from graph_tools.canonical import to_json
from graph_tools.labels import shown
from graph_tools.layout import Box, Line, edge_lines, layout, node_lines
from graph_tools.model import Edge, GraphModel, Node
from graph_tools.shapes import draw_line, draw_shape, write
from graph_tools.words import JOINS, WAITS, called, describe, edge_in_words

STYLE_VERSION = "1"  # a new one, whenever the same graph is drawn in other bytes
GAP = 6              # between a line and its words
LEADING = 15.6       # from one line of a node's label to the next

LEGEND = {"always": ("always", 36), "choice": ("only if chosen", 73), "join": (JOINS, 90), "pause": (WAITS, 92)}
LEGEND_HEIGHT, SAMPLE, BETWEEN = 30, 28, 24


def fingerprint(model: GraphModel) -> str:
    """Sixteen digits that change with the graph, with its words, and with the style of the pictures."""
    return hashlib.sha256((STYLE_VERSION + to_json(model)).encode()).hexdigest()[:16]


def svg(model: GraphModel) -> str:
    """The picture as an SVG file's text. RendererMissing when graphviz-pure is not installed."""
    places = layout(model)
    kinds = _legend_kinds(model)
    width = max(places.width, _legend_width(kinds) + 40)
    height = places.height + LEGEND_HEIGHT
    root = _canvas(model, width, height)
    centred = f"translate({(width - places.width) / 2:.2f} 0) {places.shift}"
    graph = SubElement(root, "g", {"class": "graph", "transform": centred})
    for place, (edge, line) in enumerate(zip(model.drawn_edges(), places.lines, strict=True)):
        _draw_edge(graph, f"edge-{place}", edge, line)
    for place, (node, box) in enumerate(zip(model.nodes, places.boxes, strict=True)):
        _draw_node(graph, f"node-{place}", node, box)
    _draw_legend(root, kinds, (width - _legend_width(kinds)) / 2, height - 19)
    ElementTree.indent(root, "")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _canvas(model: GraphModel, width: float, height: float) -> Element:
    """The picture without a graph: its size, its words for screen readers, its style and its ground."""
    mark = fingerprint(model)
    root = Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "width": f"{width:.0f}", "height": f"{height:.0f}",
        "viewBox": f"0 0 {width:.2f} {height:.2f}", "data-graph": mark,
        "role": "img", "aria-labelledby": f"title-{mark} about-{mark}",
    })
    SubElement(root, "title", id=f"title-{mark}").text = shown(model.title) or "A graph"
    SubElement(root, "desc", id=f"about-{mark}").text = describe(model)
    SubElement(root, "style").text = palette.STYLE
    SubElement(root, "rect", {
        "class": "canvas", "x": "0.5", "y": "0.5", "width": f"{width - 1:.2f}", "height": f"{height - 1:.2f}",
        "rx": "8", "fill": palette.CANVAS, "stroke": palette.FRAME,
    })
    return root


def _draw_edge(graph: Element, name: str, edge: Edge, line: Line) -> None:
    group = SubElement(graph, "g", {"id": name, "class": f"edge {edge.kind}{' back' if edge.back else ''}"})
    SubElement(group, "title").text = edge_in_words(edge)
    draw_line(group, edge.kind, line)
    halo = {"stroke": palette.CANVAS, "stroke-width": "0"}  # the style widens it where it can be put under the words
    for words, (x, y) in zip(edge_lines(edge), line.words, strict=True):
        write(group, words, x + GAP, y, palette.SMALL_SIZE, palette.CHOICE, **halo)


def _draw_node(graph: Element, name: str, node: Node, box: Box) -> None:
    group = SubElement(graph, "g", {"id": name, "class": f"node {node.kind}"})
    SubElement(group, "title").text = called(node.name) + (f": {shown(node.doc)}" if node.doc else "")
    draw_shape(group, node.kind, box)
    lines = node_lines(node)
    y = box.y + box.height / 2 - (len(lines) - 1) * LEADING / 2
    for words in lines:
        size, colour = _ink(node.kind, words)
        write(group, words, box.middle, y + 0.35 * size, size, colour, **{"text-anchor": "middle"})
        y += LEADING


def _ink(kind: str, words: str) -> tuple[int, str]:
    """The size and the colour of one line of a node's label."""
    if kind == "pause" and words == WAITS:
        return palette.SMALL_SIZE, palette.PAUSE_LINE
    return palette.NODE_SIZE, palette.END_INK if kind in ("start", "end") else palette.INK


def _legend_kinds(model: GraphModel) -> list[str]:
    """What this graph's legend explains; a jump looks like a choice."""
    kinds = {thing.kind for thing in (*model.nodes, *model.edges)}
    return [kind for kind in LEGEND if kind in kinds or kind == "choice" and "jump" in kinds]


def _legend_width(kinds: list[str]) -> float:
    return sum(SAMPLE + LEGEND[kind][1] + BETWEEN for kind in kinds) - BETWEEN


def _draw_legend(root: Element, kinds: list[str], x: float, y: float) -> None:
    legend = SubElement(root, "g", {"class": "legend"})
    for kind in kinds:
        words, width = LEGEND[kind]
        if kind == "pause":
            draw_shape(legend, kind, Box(x, y - 6.5, 20, 13))
        else:
            draw_line(legend, kind, _sample(kind, x, y))
        write(legend, words, x + SAMPLE, y + 4, palette.SMALL_SIZE, palette.LINE)
        x += SAMPLE + width + BETWEEN


def _sample(kind: str, x: float, y: float) -> Line:
    """A short arrow for the legend; a join's has a bar behind its head."""
    head = f"{x + 15:.2f},{y - 2.6:.2f} {x + 22:.2f},{y:.2f} {x + 15:.2f},{y + 2.6:.2f}"
    bar = f"{x + 13:.2f},{y - 4:.2f} {x + 15:.2f},{y - 4:.2f} {x + 15:.2f},{y + 4:.2f} {x + 13:.2f},{y + 4:.2f}"
    return Line(f"M{x:.2f},{y:.2f}h15", [head, bar] if kind == "join" else [head], [])
