"""Which part of the course may import which, read from the files."""

import ast
import sys

import pytest

from course import lessons

ROOT = lessons.ROOT
OURS = {"course", "graph_tools", "support_desk"}
COMMAND_LINES = {
    "src/support_desk/cli.py", "src/course/cli.py", "src/course/drawings.py", "src/course/model.py",
}
SOURCES = sorted((ROOT / "src").rglob("*.py"))
LESSONS = sorted((ROOT / "lessons").glob("*/main.py"))


def name(path):
    return path.relative_to(ROOT).as_posix()


def modules(path):
    """The full names of all modules that a file imports, wherever in the file it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)} imports by a relative name"
            found.add(node.module)
    return found


def packages(path):
    return {module.partition(".")[0] for module in modules(path)}


def allowed(path):
    """Our packages that a file of ours may import: its own, and those below it."""
    below = {"course": {"graph_tools", "support_desk"}, "graph_tools": set(), "support_desk": set()}
    own = path.relative_to(ROOT / "src").parts[0]
    web = {"graph_tools"} if path.is_relative_to(ROOT / "src" / "support_desk" / "web") else set()
    return {own} | below[own] | web


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_package_imports_only_what_is_below_it(path):
    assert packages(path) & OURS <= allowed(path)


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_a_lesson_imports_the_course_the_desk_langgraph_and_the_standard_library(path):
    others = packages(path) - sys.stdlib_module_names

    assert others <= {"course", "support_desk", "langgraph", "langchain_core"}


@pytest.mark.parametrize("path", [*SOURCES, *LESSONS], ids=name)
def test_only_command_lines_import_typer_and_rich(path):
    assert name(path) in COMMAND_LINES or not packages(path) & {"typer", "rich", "click"}


@pytest.mark.parametrize("path", [*SOURCES, *LESSONS], ids=name)
def test_nothing_that_is_installed_imports_the_tests_or_their_tools(path):
    assert not packages(path) & {"pytest", "_pytest", "hypothesis", "tests", "pytest_socket"}


def test_no_command_line_is_imported_by_another_module():
    command_lines = {path.removeprefix("src/").removesuffix(".py").replace("/", ".") for path in COMMAND_LINES}

    importers = [name(path) for path in [*SOURCES, *LESSONS] if modules(path) & command_lines]
    assert set(importers) <= {"src/course/__main__.py"}
