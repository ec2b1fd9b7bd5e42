"""Say in plain words what a picture shows: for those who cannot see it, and for naming what changed."""

from collections.abc import Sequence

from graph_tools.labels import shown
from graph_tools.model import END, START, Edge, GraphModel

WAITS = "waits for a person"
JOINS = "when all are done"
NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def describe(model: GraphModel) -> str:
    """The model's description, then its nodes, loops and pauses."""
    steps = [node.name for node in model.nodes if node.name not in (START, END)]
    names = f": {listed(steps)}" if steps else ""
    sentences = [
        model.description,
        f"The graph has {_count(len(steps), 'node')} between start and end{names}.",
        *(f"A loop leads from {listed(loop)} back to {called(loop[0])}." for loop in model.loops),
    ]
    if model.pauses:
        who = _count(len(model.pauses), "node").capitalize()
        sentences.append(f"{who} {'waits' if len(model.pauses) == 1 else 'wait'} for a person: {listed(model.pauses)}.")
    return shown(" ".join(" ".join(sentences).split()))


def edge_in_words(edge: Edge) -> str:
    """The edge as "check -> revise, if "try again"": the source, the target, and when it is taken."""
    how = {"join": f", {JOINS}", "jump": ", by a jump"}.get(edge.kind, "")
    answer = f', if "{shown(edge.answer)}"' if edge.answer else ""
    implied = ", since nothing leads on" if edge.implied else ""
    return f"{called(edge.source)} -> {called(edge.target)}{how}{answer}{implied}"


def called(name: str) -> str:
    """A node's name as a reader sees it."""
    return {START: "start", END: "end"}.get(name) or shown(name)


def listed(names: Sequence[str]) -> str:
    """The names as "a, b and c"."""
    *most, last = map(called, names)
    return f"{', '.join(most)} and {last}" if most else last


def _count(number: int, noun: str) -> str:
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{word} {noun}{'' if number == 1 else 's'}"
