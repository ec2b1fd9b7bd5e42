"""What holds for every lesson: its code, its graph, its page, and what it does with bad input."""

import ast
import inspect
import json
import re
import shlex
import shutil
import socket
import subprocess
import sys
import unicodedata
from functools import cache
from itertools import pairwise
from typing import get_args, get_type_hints

import pytest

from course import drawings, lessons
from support_desk import cli, state
from tests.lesson_runs import (
    CAMERA, PIP, call, drawn_arrows, has_database, paused, process, run, run_own, script, walked,
)

PACKAGE = lessons.ROOT / "src" / "support_desk"
PROGRAMS = {"cli.py", "console.py", "model_process.py"}  # their `main`, `start` and `show` are other things
each_lesson = pytest.mark.parametrize("number", lessons.numbers())
BAD_FACES = {"Cc", "Cf", "Cs"}


# The code


def definitions(path, kind):
    """Every top-level function or constant of a file, as its name and its syntax tree."""
    found = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, kind)]
    names = [node.name if kind is ast.FunctionDef else node.targets[0].id for node in found]
    return {name: ast.dump(node) for name, node in zip(names, found)}


@cache
def package(kind):
    """All top-level functions or constants of the desk; no name stands for two things."""
    modules = [path for path in sorted(PACKAGE.glob("*.py")) if path.name not in PROGRAMS]
    found = [item for path in modules for item in definitions(path, kind).items()]
    assert len(found) == len(dict(found))
    return dict(found)


@each_lesson
def test_a_function_shown_in_a_lesson_equals_the_packages_tree_by_tree(number):
    shown = definitions(script(number), ast.FunctionDef)

    shared = shown.keys() & package(ast.FunctionDef).keys()
    assert [name for name in shared if shown[name] != package(ast.FunctionDef)[name]] == []


@each_lesson
def test_every_node_and_route_shown_in_a_lesson_is_the_packages_too(number):
    builder = lessons.load(number).build_graph().builder
    routes = [name for branches in builder.branches.values() for name in branches]

    shown = definitions(script(number), ast.FunctionDef).keys() & {*builder.nodes, *routes}
    assert shown <= package(ast.FunctionDef).keys()


@each_lesson
def test_a_constant_shown_in_a_lesson_equals_the_packages(number):
    shown = definitions(script(number), ast.Assign)

    shared = shown.keys() & package(ast.Assign).keys()
    assert [name for name in shared if shown[name] != package(ast.Assign)[name]] == []


def test_the_cap_is_one_of_the_shared_constants():
    assert "MAX_REVISIONS" in definitions(script(4), ast.Assign).keys() & package(ast.Assign).keys()


@each_lesson
def test_a_lessons_state_has_some_of_the_desks_keys_with_the_same_types(number):
    keys = get_type_hints(lessons.load(number).build_graph().builder.state_schema, include_extras=True)
    desk = get_type_hints(state.TicketState, include_extras=True)

    assert keys == {key: desk.get(key) for key in keys}


@each_lesson
def test_a_lesson_can_be_read_in_one_sitting(number):
    assert 60 <= len(script(number).read_text(encoding="utf-8").splitlines()) <= 120


@each_lesson
def test_a_graph_is_built_from_keywords_that_all_have_a_default(number):
    parameters = inspect.signature(lessons.load(number).build_graph).parameters.values()

    assert "checkpointer" in {parameter.name for parameter in parameters}
    assert all(parameter.kind == parameter.KEYWORD_ONLY for parameter in parameters)
    assert all(parameter.default is not parameter.empty for parameter in parameters)


WATCH = """
import contextlib, io, json, sys
seen, heavy, printed = {}, {}, io.StringIO()
def watch(event, arguments):
    writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
    if writes or event in {"subprocess.Popen", "os.system", "os.mkdir", "socket.connect", "sqlite3.connect"}:
        seen.setdefault(number, []).append(f"{event} {arguments[:2]}")
from course import lessons
sys.addaudithook(watch)
with contextlib.redirect_stdout(printed):
    for number in lessons.numbers():
        lessons.load(number)
        heavy[number] = sorted({"typer", "rich"} & set(sys.modules))
print(json.dumps({"seen": seen, "heavy": heavy, "printed": printed.getvalue()}))
"""


@pytest.fixture(scope="module")
def imports():
    return process("-B", "-c", WATCH).json


def test_importing_a_lesson_prints_writes_and_starts_nothing(imports):
    assert (imports["printed"], imports["seen"]) == ("", {})


def test_the_first_four_lessons_import_neither_typer_nor_rich(imports):
    assert [imports["heavy"][str(number)] for number in range(1, 5)] == [[]] * 4


# The graph


@each_lesson
def test_a_routes_answers_are_exactly_those_that_the_builder_maps(number):
    for branches in lessons.load(number).build_graph().builder.branches.values():
        for branch in branches.values():
            route = branch.path.func
            answers = get_type_hints(getattr(route, "func", route))["return"]
            assert set(get_args(answers)) == branch.ends.keys()


@each_lesson
def test_the_arrows_that_runs_take_are_exactly_those_that_are_drawn(number):
    build_graph = lessons.load(number).build_graph

    assert walked(build_graph) == drawn_arrows(number)


@each_lesson
def test_the_nodes_drawn_as_pauses_are_exactly_those_at_which_runs_pause(number):
    assert paused(lessons.load(number).build_graph) == set(drawings.part(number).model.pauses)


@each_lesson
def test_the_committed_drawings_show_the_graph_of_today(number):
    assert drawings.stale(number) == []


def test_no_drawing_is_left_over():
    assert drawings.strays(drawings.GENERATED) == []


# The page

SECTIONS = [
    "What you will have at the end", "Run it", "The graph", "Read the arrows with the code", "The idea",
    "Predict, then run", "Make it fail on purpose", "What this does not prove", "Exercise",
    "What changed in the graph", "Next",
]
ARROWS = re.compile(r"\*\*(\w+(?: → \w+)+)(?:, \"([^\"]+)\")?\*\*")
TAG = re.compile(r"^```(.*)\n(?:.*\n)*?```$", re.MULTILINE)
PATH = re.compile(r"\b(?:tools|src|lessons|assets|tests)/[\w./-]*\w")


def page_of(number):
    return (lessons.folder(number) / "README.md").read_text(encoding="utf-8")


def section(number, title):
    return page_of(number).partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def pages():
    return [lessons.ROOT / "README.md", *sorted((lessons.ROOT / "lessons").rglob("*.md"))]


each_page = pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(lessons.ROOT).as_posix())


@each_lesson
def test_a_page_has_its_header_and_its_sections_in_order(number):
    header, *_ = page_of(number).partition("\n## ")

    assert header.startswith(f"# Part {number}. ")
    assert re.findall(r"\*\*([\w ]+):\*\*", header) == ["You need", "Time", "Tested with"]
    assert re.findall("^## (.+)$", page_of(number), re.MULTILINE) == SECTIONS


@each_lesson
def test_the_time_on_a_page_is_the_time_in_the_table_of_all_lessons(number):
    minutes = re.search(r"\*\*Time:\*\* (\d+) minutes", page_of(number))[1]
    table = (lessons.ROOT / "README.md").read_text(encoding="utf-8").splitlines()

    [row] = [line for line in table if f"](lessons/{lessons.folder(number).name}/README.md) |" in line]
    assert row.startswith(f"| [{number}. ") and row.endswith(f"| {minutes} |")


@each_lesson
def test_every_drawn_arrow_is_read_aloud_and_no_other(number):
    drawn = {(source.strip("_"), target.strip("_")) for source, target in drawn_arrows(number)}

    chains = [chain.split(" → ") for chain, _ in ARROWS.findall(section(number, "Read the arrows with the code"))]
    assert {arrow for chain in chains for arrow in pairwise(chain)} == drawn


@each_lesson
def test_the_answers_on_a_page_are_those_of_the_arrow(number):
    branches = lessons.load(number).build_graph().builder.branches
    drawn = {}
    for source, branch in [(source, branch) for source, each in branches.items() for branch in each.values()]:
        for answer, target in branch.ends.items():
            drawn.setdefault((source, target.replace("__end__", "end")), []).append(answer)

    for chain, answers in ARROWS.findall(section(number, "Read the arrows with the code")):
        assert not answers or drawn[tuple(chain.split(" → "))] == answers.split(" / ")


@each_page
def test_every_link_and_picture_on_a_page_leads_somewhere(page):
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))

    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []


@each_page
def test_every_path_that_a_page_names_is_there(page):
    named = PATH.findall(re.sub(r"\]\([^)]*\)", "", page.read_text(encoding="utf-8")))

    assert [path for path in named if not (lessons.ROOT / path).exists()] == []


@each_page
def test_every_block_on_a_page_is_checked_or_says_why_not(page):
    known = r"python \S+::\S+|console( \d+)?|console by-hand|text"

    tags = TAG.findall(page.read_text(encoding="utf-8"))
    assert [tag for tag in tags if not re.fullmatch(known, tag)] == []


@pytest.mark.parametrize(
    ("number", "statuses"),
    [
        (4, [0]),
        (5, [0, 0, 0, 0, 2, 2, 3, 3]),
        (6, [0, 0, 0, 0, 0, 3]),
        (8, [0, 0, 0, 0, 0, 0, 3]),
    ],
)
def test_the_commands_to_type_by_hand_end_as_the_page_says(number, statuses, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```console by-hand\n(.*?)^```$", page_of(number), re.MULTILINE | re.DOTALL)
    commands = [shlex.split(line.removeprefix("$ ")) for line in "".join(blocks).splitlines()]

    ended = [type_in(number, *command) for command in commands]

    assert [each.status for each in ended] == statuses


def type_in(number, program, *words):
    if program == "support-desk":
        return call(cli.main, *words)
    assert words[0] == script(number).relative_to(lessons.ROOT).as_posix()
    return run(number, *words[1:])


# Good and bad input


def one_line(ended):
    return ended.out == "" and ended.err.count("\n") == 1 and len(ended.err) < 400 and "Traceback" not in ended.err


BAD_WORDS = {
    "empty": [""],
    "blank": [" \t\n "],
    "too long": ["x" * 20_001],
    "NUL": ["a\0b"],
    "a lone surrogate": ["caf\udce9"],
    "no letters": ["\u200b\ufeff"],
    "an unknown option": ["--colour"],
    "a dash": ["-x"],
    "an option of two lines": ["-x\ny"],
    "a long option": ["--" + "x" * 10],
    "two tickets": ["My", "printer"],
}
BAD_INPUT = {
    "nothing": b"",
    "blank": b" \r\n\t",
    "NUL": b"a\0b",
    "Latin-1": "Gerät".encode("latin-1"),
    "UTF-16": "My pip".encode("utf-16"),
    "UTF-16 without a mark": "My pip".encode("utf-16-le"),
    "too long": b"x" * 20_001,
    "much too long": "ж".encode() * 1_000_000,
}

ODD = ["-refund please", "-help me", "--db or not", "-5", "@file", "%PATH% $(id) {0} %s"]


@each_lesson
@pytest.mark.parametrize("words", BAD_WORDS.values(), ids=BAD_WORDS)
def test_a_bad_argument_ends_in_one_line_and_status_2(number, words):
    ended = run(number, *words)

    assert ended.status == 2
    assert one_line(ended)


@each_lesson
@pytest.mark.parametrize("given", BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_standard_input_ends_in_one_line_and_status_2(number, given):
    ended = run(number, "-", "--json", stdin=given)

    assert ended.status == 2
    assert one_line(ended)


@each_lesson
@pytest.mark.parametrize("words", BAD_WORDS.values(), ids=BAD_WORDS)
def test_a_bad_ticket_is_refused_by_hand_too(number, words, tmp_path):
    if has_database(number):
        ended = run(number, "--db", str(tmp_path / "desk.sqlite"), "start", *words)

        assert ended.status == 2
        assert one_line(ended)


@each_lesson
@pytest.mark.parametrize("words", [*[[odd] for odd in ODD], ["--", "-x"]], ids=str)
def test_a_ticket_may_look_like_something_else(number, words, tmp_path):
    ended = run_own(number, words[-1], tmp_path, *words[:-1])

    assert (ended.status, ended.err) == (0, "")


@each_lesson
def test_a_ticket_of_twenty_thousand_characters_is_taken(number, tmp_path):
    ended = run_own(number, "-", tmp_path, "--json", stdin="🙂".encode() * 20_000)

    assert ended.status == 0
    assert ended.json


@each_lesson
def test_help_ends_with_status_0_and_names_the_options(number):
    ended = run(number, "--help")

    assert (ended.status, ended.err) == (0, "")
    assert all(name in ended.out for name in ("--json", "--help", "ticket", "Part"))


@each_lesson
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_no_console_is_broken_or_taken_over_by_a_ticket(number, encoding, tmp_path):
    hostile = "🙂 Мой pip install \x1b[2J\x07 \u202eelbisivni\u2066 é\r→"

    ended = run_own(number, hostile, tmp_path, encoding=encoding)

    assert (ended.status, ended.err) == (0, "")
    assert {char for char in ended.out if unicodedata.category(char) in BAD_FACES} == {"\n"}


@each_lesson
def test_a_complaint_about_a_hostile_ticket_is_harmless_too(number):
    ended = run(number, "--\x1b[2J🙂\u202e", encoding="cp1252")

    assert (ended.status, ended.err.count("\n")) == (2, 1)
    assert {char for char in ended.err if unicodedata.category(char) in BAD_FACES} == {"\n"}


@each_lesson
def test_no_lesson_connects_to_anything_and_no_key_changes_what_it_prints(number, tmp_path_factory, monkeypatch):
    calls = []
    monkeypatch.setattr(socket.socket, "connect", lambda *args: calls.append(args))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: calls.append(args))
    for name in ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.delenv(name, raising=False)

    without = run_own(number, PIP, tmp_path_factory.mktemp("without"))
    for vendor in ("OPENAI", "ANTHROPIC", "LANGSMITH", "LANGCHAIN", "TAVILY"):
        monkeypatch.setenv(f"{vendor}_API_KEY", "bogus-key")

    assert run_own(number, PIP, tmp_path_factory.mktemp("with")) == without
    assert (without.status, without.err, calls) == (0, "", [])


# In a process of its own


def test_what_only_a_real_process_shows_of_bad_input():
    lesson = script(4)

    for ended in (
        process(lesson, b"caf\xe9") if sys.platform != "win32" else process(lesson, ""),
        process(lesson, "-", stdin=b"\xff\xfe\0"),
        process(lesson, "My", "printer"),
    ):
        assert ended.status == 2
        assert one_line(ended)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs a privilege to make a symlink")
def test_a_lesson_runs_through_a_symlink(tmp_path):
    (tmp_path / "link").symlink_to(lessons.folder(4))

    ended = process("main.py", CAMERA, cwd=tmp_path / "link")

    assert ended == run(4, CAMERA)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows tells a writer in another way that the reader left")
@pytest.mark.parametrize("number", [4, 5])
def test_a_reader_that_leaves_is_no_error(number):
    with subprocess.Popen([sys.executable, script(number)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writing:
        writing.stdout.close()
        complaint = writing.stderr.read()

    assert (complaint, writing.returncode) == (b"", 0)


FAULTS = {
    "a missing key": lambda notes: notes[1].pop("title"),
    "an id twice": lambda notes: notes[1].update(id="D1"),
    "a wrong category": lambda notes: notes[1].update(category="unsupported"),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of what a lesson needs, to be spoilt."""
    root = tmp_path_factory.mktemp("copy")
    for folder in ("lessons", "src", "tools"):
        shutil.copytree(lessons.ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.mark.parametrize(("number", "fault"), list(zip([4, 5, 8], FAULTS)))
def test_a_broken_file_of_notes_is_told_in_one_line(copy, number, fault):
    notes = json.loads((PACKAGE / "data" / "knowledge.json").read_text(encoding="utf-8"))
    FAULTS[fault](notes)
    broken = copy / "src" / "support_desk" / "data" / "knowledge.json"
    broken.write_text(json.dumps(notes), encoding="utf-8")

    ended = process(script(number, copy), "--json")

    assert ended.status == 2
    assert one_line(ended)
    assert str(broken) in ended.err and "note 2" in ended.err
