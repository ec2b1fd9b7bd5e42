"""A model as canonical JSON, and what changed between two of them."""

import json
from dataclasses import asdict, replace
from typing import Any

from graph_tools.model import Edge, GraphModel, Node
from graph_tools.words import called, edge_in_words


def to_json(model: GraphModel) -> str:
    """The model as JSON in ASCII: sorted keys, nodes and edges in the model's order, one newline at the end."""
    content = {**asdict(model), "pauses": model.pauses}
    content["joins"] = [{"sources": sources, "target": target} for sources, target in model.joins]
    return json.dumps(content, indent=2, sort_keys=True) + "\n"


def from_json(text: str) -> GraphModel:
    """The model that `to_json` wrote. ValueError, KeyError or TypeError when it did not."""
    content = json.loads(text)
    return GraphModel(
        content["title"],
        content["description"],
        nodes=tuple(Node(**node) for node in content["nodes"]),
        edges=tuple(Edge(**edge) for edge in content["edges"]),
        joins=tuple((tuple(join["sources"]), join["target"]) for join in content["joins"]),
        loops=tuple(map(tuple, content["loops"])),
    )


def diff(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What was added, removed or changed between two models' JSON objects, a line each; [] when they are equal.

    KeyError or TypeError when one of them is no model's.
    """
    lines = [f"the {key} was changed" for key in ("title", "description") if old[key] != new[key]]
    lines += _compare(_nodes(old), _nodes(new))
    lines += _compare(_edges(old), _edges(new))
    if old != new and not lines:
        lines.append("nodes, edges or joins are in another order")
    return lines


def _nodes(content: dict[str, Any]) -> dict[Any, tuple[str, dict]]:
    """The nodes in words and as they are, by what identifies them."""
    return {node["name"]: (f"node {called(node['name'])}", node) for node in content["nodes"]}


def _edges(content: dict[str, Any]) -> dict[Any, tuple[str, dict]]:
    """The edges in words and as they are, by what identifies them."""
    edges = [(Edge(**edge), edge) for edge in content["edges"]]
    return {replace(edge, back=False): (f"edge {edge_in_words(edge)}", fields) for edge, fields in edges}


def _compare(old: dict[Any, tuple[str, dict]], new: dict[Any, tuple[str, dict]]) -> list[str]:
    """A line for each thing that is only old, or only new, or has another value somewhere."""
    removed = [f"{words} was removed" for key, (words, _) in old.items() if key not in new]
    added = [f"{words} was added" for key, (words, _) in new.items() if key not in old]
    changed = [
        f"{words} was changed: {field} was {old[key][1].get(field)!r} and is {value!r}"
        for key, (words, thing) in new.items() if key in old
        for field, value in thing.items() if value != old[key][1].get(field)
    ]
    return removed + added + changed
