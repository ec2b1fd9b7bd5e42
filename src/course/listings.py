"""Keep what a README quotes equal to what it quotes: code from files, and output from commands.

A block that begins with ```python main.py::after_check holds that definition from the file beside the README;
a path with a slash starts at the top of the repository. A block that begins with ```console holds commands,
each after "$ ", and what they print; ```console 9 shows the first nine lines of each. ```console by-hand is left
alone: it serves, installs or needs a person.
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

from course.lessons import ROOT
from support_desk.errors import BadInput

BLOCK = re.compile(r"^```(?P<tag>python \S+::\S+|console(?: \d+)?)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Every page of the course that may quote something."""
    return [ROOT / "README.md", *sorted((ROOT / "lessons").rglob("*.md"))]


def refreshed(page: Path) -> str:
    """The page's text with each quotation as it is now. BadInput when it quotes what does not exist."""

    def quote(block: re.Match) -> str:
        kind, _, detail = block["tag"].partition(" ")
        body = source(page, detail) if kind == "python" else outputs(block["body"], int(detail or 1000))
        return f"```{block['tag']}\n{body}```"

    return BLOCK.sub(quote, page.read_text(encoding="utf-8"))


def source(page: Path, reference: str) -> str:
    """The definition that a reference such as main.py::after_check names, with its decorators."""
    file, _, name = reference.partition("::")
    path = (ROOT if "/" in file else page.parent) / file
    if not path.is_file():
        raise BadInput(f"{page.relative_to(ROOT)} quotes {file}, and there is no such file.")
    code = path.read_text(encoding="utf-8")
    nodes = ast.parse(code).body
    for part in name.split("."):
        node = next((node for node in nodes if part in _names(node)), None)
        nodes = getattr(node, "body", [])
    if node:
        first = min([node.lineno, *[each.lineno for each in getattr(node, "decorator_list", [])]])
        return dedent("\n".join(code.split("\n")[first - 1 : node.end_lineno])) + "\n"
    raise BadInput(f"{page.relative_to(ROOT)} quotes {reference}, and {file} defines no {name}.")


def outputs(body: str, most: int) -> str:
    """The commands of a console block, each with the first lines of what it prints now on both streams."""
    commands = [line for line in body.split("\n") if line.startswith("$ ")]
    return "".join(f"{command}\n{_shortened(_output(command.removeprefix('$ ')), most)}" for command in commands)


def _shortened(printed: str, most: int) -> str:
    lines = printed.splitlines(keepends=True)
    left_out = f"… and {len(lines) - most} more lines\n" if len(lines) > most else ""
    return "".join(lines[:most]) + left_out


def _output(command: str) -> str:
    if not command.startswith("python "):
        raise BadInput(f"A console block runs `{command}`: start it with python, or tag the block by-hand.")
    arguments = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)][1:]
    finished = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    return finished.stdout.decode().replace("\r\n", "\n")


def _names(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            return [target.id for target in node.targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name()):
            return [node.target.id]
    return []
