"""Draw the parts of a picture into an SVG element: an arrow, a node's shape, words."""

from xml.etree.ElementTree import Element, SubElement

from graph_tools import palette
from graph_tools.layout import Box, Line


def draw_line(group: Element, kind: str, line: Line) -> None:
    """A solid grey arrow, or a dashed orange one for a way that is only taken if chosen."""
    chosen = kind in ("choice", "jump")
    colour = palette.CHOICE if chosen else palette.LINE
    dashes = {"stroke-dasharray": "5 3"} if chosen else {}
    SubElement(group, "path", {"d": line.path, "fill": "none", "stroke": colour, "stroke-width": "1.3", **dashes})
    for points in line.heads:
        SubElement(group, "polygon", points=points, fill=colour)


def draw_shape(group: Element, kind: str, box: Box) -> None:
    """An octagon for a pause, a pill for start and end, a rounded box for any other node."""
    match kind:
        case "pause":
            _draw_octagon(group, box)
        case "start" | "end":
            _draw_box(group, box, box.height / 2, palette.END_SURFACE, palette.END_INK)
        case _:
            _draw_box(group, box, 7, palette.SURFACE, palette.LINE)


def write(group: Element, words: str, x: float, y: float, size: int, colour: str, **more: str) -> None:
    """Words from (x, y) on, y being their base line."""
    SubElement(group, "text", {
        "x": f"{x:.2f}", "y": f"{y:.2f}", "font-family": "Arial", "font-size": str(size), "fill": colour, **more,
    }).text = words


def _draw_box(group: Element, box: Box, radius: float, fill: str, stroke: str) -> None:
    SubElement(group, "rect", {
        "x": f"{box.x:.2f}", "y": f"{box.y:.2f}", "width": f"{box.width:.2f}", "height": f"{box.height:.2f}",
        "rx": f"{radius:.2f}", "fill": fill, "stroke": stroke, "stroke-width": "1.2",
    })


def _draw_octagon(group: Element, box: Box) -> None:
    """A box with its four corners cut off."""
    cut = min(10, box.height / 3)
    left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    corners = [
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    ]
    SubElement(group, "polygon", {
        "points": " ".join(f"{x:.2f},{y:.2f}" for x, y in corners),
        "fill": palette.PAUSE_SURFACE, "stroke": palette.PAUSE_LINE, "stroke-width": "1.6",
    })
