"""Draw the lessons' graphs, or any graph, into files, and say which drawings no longer show their graph."""

import importlib
import json
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

import typer

from course import lessons
from graph_tools.canonical import diff, to_json
from graph_tools.mermaid import mermaid
from graph_tools.model import GraphError, GraphModel, read_graph
from graph_tools.renderer import RendererMissing
from graph_tools.svg import fingerprint, svg
from support_desk.console import run_app, start
from support_desk.errors import BadInput

GENERATED = lessons.ROOT / "assets" / "generated"
app = typer.Typer(add_completion=False)
WRITERS = {".json": to_json, ".mmd": mermaid, ".svg": svg}


@dataclass(frozen=True)
class Drawing:
    """A graph to draw: what to call it, the files' name without a suffix, and the model."""

    called: str
    stem: str
    model: GraphModel


def part(number: int) -> Drawing:
    """The drawing of a lesson's graph. BadInput when there is no such lesson, or its graph cannot be drawn."""
    lesson = _run(f"part {number}", lambda: lessons.load(number))
    title, _, description = (lesson.__doc__ or "").strip().partition("\n")
    return _drawing(f"part {number}", f"part-{number:02}", getattr(lesson, "build_graph", None), title, description)


def any_graph(target: str) -> Drawing:
    """The drawing of `package.module:function`, which returns a compiled graph or is one.

    Modules in the current directory are found too. BadInput when there is no such function or it gives no graph.
    """
    module, _, name = target.partition(":")
    if not (module and name):
        raise BadInput(f"{target!r} names no graph: write it as package.module:function.")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    graph = _run(target, lambda: attrgetter(name)(importlib.import_module(module)))
    return _drawing(target, re.sub(r"\W+", "-", target), graph, target, "")


def render(model: GraphModel) -> dict[str, str]:
    """Each file's text by its suffix: .json, .mmd, .svg. RendererMissing when graphviz-pure is not installed."""
    return {suffix: write(model) for suffix, write in WRITERS.items()}


def stale(number: int, folder: Path = GENERATED) -> list[str]:
    """What a lesson's drawings in the folder get wrong, a line each; [] when they show its graph."""
    return differences(part(number), folder)


def differences(drawing: Drawing, folder: Path) -> list[str]:
    """What this graph's drawings in the folder get wrong, a line each. Without a renderer, SVG bytes go unchecked."""
    files = {suffix: folder / f"{drawing.stem}{suffix}" for suffix in WRITERS}
    missing = [f"{file.name} is missing" for file in files.values() if not file.is_file()]
    if missing:
        return missing
    found = {suffix: file.read_bytes() for suffix, file in files.items()}
    return _json_changes(drawing, found[".json"]) or _other_changes(drawing, found[".mmd"], found[".svg"])


def strays(folder: Path) -> list[str]:
    """The drawings in the folder that belong to no lesson, a line each."""
    kept = {f"part-{number:02}" for number in lessons.numbers()}
    names = sorted(file.name for file in folder.glob("part-*"))
    lost = [name for name in names if re.match(r"part-\d*", name).group() not in kept]
    return [f"{name} belongs to no lesson: delete it" for name in lost]


def write(texts: dict[str, str], folder: Path) -> None:
    """Put all files, by name, into the folder, or none. BadInput when it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".drawing-", dir=folder) as staging:
            for name, text in texts.items():
                Path(staging, name).write_text(text, encoding="utf-8", newline="\n")
            _move_all(Path(staging), folder, list(texts))
    except OSError as error:
        reason = "it is a file" if folder.is_file() else error.strerror or error
        raise BadInput(f"Nothing was written into {folder} ({reason}): name another folder with --out.") from None


def _move_all(staging: Path, folder: Path, names: list[str]) -> None:
    """Move the files, and put the folder back as it was when one cannot be moved."""
    before = {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}
    moved = []
    try:
        for name in names:
            (staging / name).replace(folder / name)
            moved.append(name)
    except BaseException:
        for name in moved:
            (folder / name).write_bytes(before[name]) if name in before else (folder / name).unlink()
        raise


def _drawing(called: str, stem: str, source: Any, title: str, description: str) -> Drawing:
    graph = _run(called, source) if callable(source) else source
    try:
        model = read_graph(graph, title=title, description=" ".join(description.split()))
    except GraphError as error:
        raise BadInput(f"{called}: {error}") from None
    return Drawing(called, stem, model)


def _run(called: str, action: Callable[[], Any]) -> Any:
    """What the action returns. BadInput, in one line, for whatever goes wrong in code that is not ours."""
    try:
        return action()
    except BadInput:
        raise
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise BadInput(f"{called} gives no graph ({reason}): check its name and its code.") from None


def _json_changes(drawing: Drawing, found: bytes) -> list[str]:
    expected = to_json(drawing.model)
    if found == expected.encode():
        return []
    by_hand = [f"{drawing.stem}.json is not as this command writes it"]
    try:
        return diff(json.loads(found), json.loads(expected)) or by_hand
    except (ValueError, LookupError, TypeError, AttributeError):
        return by_hand


def _other_changes(drawing: Drawing, mmd: bytes, picture: bytes) -> list[str]:
    lines = []
    if mmd != mermaid(drawing.model).encode():
        lines.append(f"{drawing.stem}.mmd is not as this command writes it")
    if f'data-graph="{fingerprint(drawing.model)}"'.encode() not in picture:
        lines.append(f"{drawing.stem}.svg shows another graph, or is in another style")
    elif not _same_picture(drawing.model, picture):
        lines.append(f"{drawing.stem}.svg is not as this command draws it")
    return lines


def _same_picture(model: GraphModel, picture: bytes) -> bool:
    try:
        return svg(model).encode() == picture
    except RendererMissing:
        return True  # the fingerprint must do


@app.command()
def command(
    number: Annotated[int | None, typer.Option("--part", help="draw this lesson's graph")] = None,
    every: Annotated[bool, typer.Option("--all", help="draw the graphs of all lessons")] = False,
    graph: Annotated[str | None, typer.Option(help="draw what package.module:function returns")] = None,
    check: Annotated[bool, typer.Option("--check", help="write nothing; say which drawings are stale")] = False,
    out: Annotated[
        Path | None, typer.Option(help="the folder of the drawings: assets/generated, or here for --graph")
    ] = None,
) -> None:
    """Draw compiled graphs as .svg, .mmd (Mermaid) and .json, or check drawings made earlier."""
    if [number is not None, every, graph is not None].count(True) != 1:
        raise BadInput("Choose what to draw: one of --part N, --all and --graph package.module:function.")
    numbers = lessons.numbers() if every else [number]
    drawings = [any_graph(graph)] if graph is not None else list(map(part, numbers))
    folder = out or (GENERATED if graph is None else Path.cwd())
    raise typer.Exit(_check(drawings, folder, every) if check else _draw(drawings, folder))


def _draw(drawings: list[Drawing], folder: Path) -> int:
    """Write all files; without a renderer all but the SVG, and then the status is 1."""
    texts, missing = {}, None
    for drawing in drawings:
        try:
            files = render(drawing.model)
        except RendererMissing as error:
            files, missing = {".json": to_json(drawing.model), ".mmd": mermaid(drawing.model)}, error
        texts |= {drawing.stem + suffix: text for suffix, text in files.items()}
    write(texts, folder)
    for name in texts:
        print(f"wrote {folder / name}")
    if missing:
        print(missing, file=sys.stderr)
    return 1 if missing else 0


def _check(drawings: list[Drawing], folder: Path, every: bool) -> int:
    """Print what is stale; the status is 1 when anything is."""
    lines = [f"{drawing.called}: {line}" for drawing in drawings for line in differences(drawing, folder)]
    lines += strays(folder) if every else []
    for line in lines or [f"clean: {len(drawings)} of {len(drawings)} drawings show their graph"]:
        print(line)
    return 1 if lines else 0


def main() -> None:
    """Run the command; what is wrong with the input ends in one line."""
    start(lambda: run_app(app))
