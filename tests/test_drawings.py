"""The drawings are written whole or not at all, a stale one is named, and bad input ends in one line."""

import json
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from course import drawings, lessons
from graph_tools import renderer
from graph_tools.renderer import RendererMissing
from support_desk.errors import BadInput

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "tools" / "render_graphs.py"
ALL_THREE = ["part-04.json", "part-04.mmd", "part-04.svg"]


def build(*, with_revise=True):
    """A part's graph, with its loop or without."""
    graph = StateGraph(dict)
    for name in ("draft", "check"):
        graph.add_node(name, lambda state: {})
    graph.add_edge(START, "draft").add_edge("draft", "check")
    again = {}
    if with_revise:
        graph.add_node("revise", lambda state: {}).add_edge("revise", "draft")
        again = {"try again": "revise"}
    return graph.add_conditional_edges("check", lambda state: "sound", {"sound": END, **again}).compile()


def lesson(build_graph=build, doc="Part 4. A loop that must end.\n\nIt looks\nup notes.\n"):
    module = types.ModuleType("lesson_04", doc)
    module.build_graph = build_graph
    return module


@pytest.fixture
def course(monkeypatch):
    """A course of one part, number 4, whose lesson a test may replace: course[4] = lesson(…)."""
    parts = {4: lesson()}
    monkeypatch.setattr(lessons, "numbers", lambda: list(parts))
    monkeypatch.setattr(lessons, "load", lambda number: parts[number])
    return parts


def no_program():
    raise RendererMissing("No SVG: install graphviz-pure.")


@pytest.fixture
def run(monkeypatch, tmp_path, capsys):
    """Run the command with words, and --out OUT, in an empty directory; what it ended with and printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def run(*arguments, out="out"):
        monkeypatch.setattr(sys, "argv", ["render_graphs.py", *arguments, "--out", out])
        with pytest.raises(SystemExit) as end:
            drawings.main()
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return run


def files(folder="out"):
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def test_one_part_is_written_as_three_files_whose_names_are_said(course, run):
    status, out, err = run("--part", "4")

    assert (status, err) == (0, "")
    assert out.split() == ["wrote", "out/part-04.json", "wrote", "out/part-04.mmd", "wrote", "out/part-04.svg"]
    assert files() == ALL_THREE


def test_the_title_and_the_description_come_from_the_lessons_docstring(course):
    model = drawings.part(4).model

    assert (model.title, model.description) == ("Part 4. A loop that must end.", "It looks up notes.")


def test_files_are_utf8_with_plain_newlines_and_equal_what_render_returns(course, run):
    course[4] = lesson(doc="Part 4. Größe.")

    run("--part", "4")

    for suffix, text in drawings.render(drawings.part(4).model).items():
        assert Path("out", f"part-04{suffix}").read_bytes() == text.encode("utf-8")
        assert "\r" not in text and text.endswith("\n")


def test_all_parts_are_written_and_are_clean(course, run):
    course[11] = lesson()

    assert run("--all")[0] == 0
    assert files() == ALL_THREE + ["part-11.json", "part-11.mmd", "part-11.svg"]
    assert run("--all", "--check") == (0, "clean: 2 of 2 drawings show their graph\n", "")


def test_a_removed_loop_is_named_edge_by_edge_and_nothing_is_written(course, run):
    run("--part", "4")
    before = {name: Path("out", name).read_bytes() for name in files()}
    course[4] = lesson(lambda: build(with_revise=False))

    status, out, _ = run("--part", "4", "--check")

    assert status == 1
    assert out.splitlines() == [
        "part 4: node revise was removed",
        'part 4: edge check -> revise, if "try again" was removed',
        "part 4: edge revise -> draft was removed",
    ]
    assert {name: Path("out", name).read_bytes() for name in files()} == before


def test_a_new_answer_is_a_stale_drawing(course, run):
    course[4] = lesson(lambda: build(with_revise=False))
    run("--part", "4")
    course[4] = lesson()

    assert drawings.stale(4, Path("out")) == [
        "node revise was added", 'edge check -> revise, if "try again" was added', "edge revise -> draft was added",
    ]


def test_missing_drawings_are_named_and_check_makes_no_folder(course, run):
    status, out, _ = run("--part", "4", "--check")

    assert status == 1
    assert out.splitlines() == [f"part 4: {name} is missing" for name in ALL_THREE]
    assert files() == []


@pytest.mark.parametrize(
    ("name", "edit", "line"),
    [
        ("part-04.json", lambda text: text.replace("  ", " "), "part-04.json is not as this command writes it"),
        ("part-04.json", lambda text: text[:-9], "part-04.json is not as this command writes it"),
        ("part-04.json", lambda text: "[]", "part-04.json is not as this command writes it"),
        ("part-04.json", lambda text: "{}", "part-04.json is not as this command writes it"),
        ("part-04.json", lambda text: text.replace("always", "choice", 1), None),
        ("part-04.mmd", lambda text: text + "click n0", "part-04.mmd is not as this command writes it"),
        ("part-04.mmd", lambda text: text.replace("\n", "\r\n"), "part-04.mmd is not as this command writes it"),
        ("part-04.svg", lambda text: "<svg/>", "part-04.svg shows another graph, or is in another style"),
        ("part-04.svg", lambda text: text.replace("draft</", "drift</"), "part-04.svg is not as this command draws it"),
    ],
)
def test_a_drawing_changed_by_hand_is_stale(course, run, name, edit, line):
    run("--part", "4")
    file = Path("out", name)
    file.write_bytes(edit(file.read_text(encoding="utf-8")).encode())

    lines = drawings.stale(4, Path("out"))

    assert lines == [line] if line else len(lines) == 2


def test_a_drawing_without_a_lesson_is_reported(course, run):
    run("--all")
    for name in ("part-05.svg", "part-041.svg", "part-x.json", "part-04-run.svg", "other.svg"):
        Path("out", name).touch()

    status, out, _ = run("--all", "--check")

    assert status == 1
    assert out.splitlines() == [f"{name} belongs to no lesson: delete it"
                                for name in ("part-041.svg", "part-05.svg", "part-x.json")]


def test_without_the_renderer_text_and_json_are_written_and_one_line_says_why(course, run, monkeypatch):
    monkeypatch.setattr(renderer, "program", no_program)

    status, out, err = run("--part", "4")

    assert (status, err) == (1, "No SVG: install graphviz-pure.\n")
    assert out.count("wrote") == 2
    assert files() == ALL_THREE[:2]


def test_without_the_renderer_a_check_goes_by_the_fingerprint(course, run, monkeypatch):
    run("--part", "4")

    monkeypatch.setattr(renderer, "program", no_program)
    assert drawings.stale(4, Path("out")) == []

    picture = Path("out", "part-04.svg")
    picture.write_text(picture.read_text(encoding="utf-8").replace('data-graph="', 'data-graph="0'), encoding="utf-8")
    assert drawings.stale(4, Path("out")) == ["part-04.svg shows another graph, or is in another style"]


def test_a_graph_is_found_in_the_current_directory_by_function_or_as_it_is(course, run):
    Path("shop").mkdir()
    Path("shop", "till.py").write_text(
        "from langgraph.graph import START, StateGraph\n"
        "graph = StateGraph(dict).add_node('pay', lambda state: {}).add_edge(START, 'pay').compile()\n"
        "def build(size=1):\n    return graph\n", encoding="utf-8",
    )

    assert run("--graph", "shop.till:build")[0] == 0
    assert run("--graph", "shop.till:graph")[0] == 0
    assert run("--graph", "shop.till:graph", "--check")[1] == "clean: 1 of 1 drawings show their graph\n"
    assert [name for name in files() if name.endswith(".json")] == ["shop-till-build.json", "shop-till-graph.json"]
    assert json.loads(Path("out/shop-till-build.json").read_text(encoding="utf-8"))["title"] == "shop.till:build"


BAD = """
from langgraph.graph import START, StateGraph
number = 5
draft = StateGraph(dict)
def needs(argument): return 1
def fails(): raise KeyError("two\\nlines")
def leaves(): raise SystemExit(0)
def routed():
    graph = StateGraph(dict).add_node("a", lambda state: {}).add_edge(START, "a")
    return graph.add_conditional_edges("a", lambda state: "a").compile()
"""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Choose what to draw: one of --part N, --all and --graph"),
        (["--check"], "Choose what to draw"),
        (["--part", "4", "--all"], "Choose what to draw"),
        (["--part", "four"], "'--part'"),
        (["--nonsense"], "--nonsense"),
        (["--graph", "desk"], "write it as package.module:function"),
        (["--graph", ""], "write it as package.module:function"),
        (["--graph", "no_such_module:build"], "no_such_module"),
        (["--graph", "broken_module:build"], "SyntaxError"),
        (["--graph", "bad_graphs:nothing"], "has no attribute 'nothing'"),
        (["--graph", "bad_graphs:number"], "This int is not a compiled graph"),
        (["--graph", "bad_graphs:draft"], "call its compile() first"),
        (["--graph", "bad_graphs:needs"], "needs() missing 1 required positional argument"),
        (["--graph", "bad_graphs:fails"], "KeyError"),
        (["--graph", "bad_graphs:leaves"], "SystemExit"),
        (["--graph", "bad_graphs:routed"], "of node 'a' may lead: give add_conditional_edges a path map"),
    ],
)
def test_bad_input_ends_in_one_line_with_status_2_and_writes_nothing(course, run, arguments, said):
    Path("bad_graphs.py").write_text(BAD, encoding="utf-8")
    Path("broken_module.py").write_text("def build(:", encoding="utf-8")

    status, out, err = run(*arguments)

    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert files() == []


def test_an_unknown_part_is_refused_with_the_known_ones():
    with pytest.raises(BadInput, match="There is no lesson 99: choose one of 1, 2"):
        drawings.part(99)


@pytest.mark.parametrize(
    ("module", "said"),
    [
        (types.ModuleType("lesson_04"), "part 4: This NoneType is not a compiled graph"),
        (lesson(lambda: Command()), "part 4: This Command is not a compiled graph"),
    ],
)
def test_a_lesson_that_gives_no_graph_is_refused(course, run, module, said):
    course[4] = module

    status, _, err = run("--part", "4")

    assert status == 2
    assert err.startswith(said)


def test_one_part_that_cannot_be_drawn_leaves_all_unwritten(course, run):
    course[5] = lesson(lambda: 1)

    assert run("--all")[0] == 2
    assert files() == []


def test_a_file_where_the_folder_should_be_is_refused_and_kept(course, run):
    Path("out").write_text("mine", encoding="utf-8")

    status, _, err = run("--part", "4")

    assert (status, err) == (2, "Nothing was written into out (it is a file): name another folder with --out.\n")
    assert Path("out").read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_folder_is_refused(course, run):
    Path("out").mkdir(mode=0o555)

    assert run("--part", "4")[0] == 2
    assert files() == []


@pytest.mark.parametrize("moment", ["write_text", "replace"])
def test_when_the_third_file_cannot_be_written_the_old_three_stay(course, run, monkeypatch, moment):
    run("--part", "4")
    before = {name: Path("out", name).read_bytes() for name in files()}
    course[4] = lesson(lambda: build(with_revise=False))
    original = getattr(Path, moment)

    def full(self, *arguments, **options):
        if self.name == "part-04.svg":
            raise OSError(28, "No space left on device")
        return original(self, *arguments, **options)

    monkeypatch.setattr(Path, moment, full)
    status, _, err = run("--part", "4")

    assert status == 2
    assert err == "Nothing was written into out (No space left on device): name another folder with --out.\n"
    assert {name: Path("out", name).read_bytes() for name in files()} == before


def test_when_the_third_of_three_new_files_cannot_be_written_there_is_none(course, run):
    Path("out", "part-04.svg").mkdir(parents=True)

    assert run("--part", "4")[0] == 2
    assert files() == ["part-04.svg"]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize(
    ("arguments", "status"), [(["--help"], 0), (["--graph", "größe:größe"], 0), (["--graph", "größe:日本"], 2)]
)
def test_the_script_runs_on_every_console(tmp_path, encoding, arguments, status):
    (tmp_path / "größe.py").write_text(
        "from langgraph.graph import START, StateGraph\n"
        "größe = StateGraph(dict).add_node('日本', lambda state: {}).add_edge(START, '日本').compile()\n",
        encoding="utf-8",
    )

    ended = subprocess.run(
        [sys.executable, SCRIPT, *arguments, "--out", "grün"], cwd=tmp_path, capture_output=True, timeout=60,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )

    assert ended.returncode == status
    assert b"Traceback" not in ended.stderr
    assert (tmp_path / "grün" / "größe-größe.svg").exists() == (arguments[0] == "--graph" and status == 0)


def test_drawing_and_checking_a_real_part_works_from_any_directory(tmp_path):
    def script(*arguments):
        command = [sys.executable, SCRIPT, "--part", "4", "--out", "pictures", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert script().returncode == 0
    assert script("--check").stdout == "clean: 1 of 1 drawings show their graph\n"
    assert sorted(os.listdir(tmp_path / "pictures")) == ALL_THREE
    assert os.listdir(tmp_path) == ["pictures"]


def test_the_default_folder_is_the_repositorys_own():
    assert drawings.GENERATED == ROOT / "assets" / "generated"
