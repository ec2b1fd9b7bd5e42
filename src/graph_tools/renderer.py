"""Run the `dot` that the graphviz-pure wheel brings, through the graphviz package.

Nothing is taken from a Graphviz on the system: other versions place things elsewhere, and need fonts.
"""

import shutil
import subprocess
import sysconfig
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from graphviz.backend import dot_command, execute

INSTALL = "python -m pip install graphviz-pure==0.2.2"
SECONDS = 30


class RendererMissing(RuntimeError):
    """There is no working graphviz-pure here: one line with the command that installs it."""


def run_dot(source: str) -> str:
    """The SVG that `dot` makes of a graph in DOT. RendererMissing when it is not there, fails, or takes too long."""
    dot_command.DOT_BINARY = program()
    try:
        return execute.run_check(
            dot_command.command("dot", "svg"),
            input=source, encoding="utf-8", capture_output=True, quiet=True, timeout=SECONDS,
        ).stdout
    except (OSError, subprocess.SubprocessError, execute.ExecutableNotFound) as error:
        reason = " ".join(str(error).split())
        raise RendererMissing(f"No SVG: graphviz-pure failed ({reason}). Install it again: {INSTALL}") from error


def program() -> Path:
    """The program in the graphviz-pure wheel, beside this Python or where pip put it."""
    found = shutil.which("graphviz-pure", path=sysconfig.get_path("scripts")) or _in_wheel()
    if not found:
        raise RendererMissing(f"No SVG: graphviz-pure is not installed. Install it: {INSTALL}")
    return Path(found)


def _in_wheel() -> Path | None:
    try:
        files = distribution("graphviz-pure").files or []
    except PackageNotFoundError:
        return None
    return next((Path(file.locate()) for file in files if Path(file.name).stem == "graphviz-pure"), None)
