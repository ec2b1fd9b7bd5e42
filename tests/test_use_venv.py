"""A lesson started with any Python goes on in the course's own, tried with real but nearly empty environments."""

import json
import os
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
WINDOWS = os.name == "nt"

WHOLE = ("langgraph.checkpoint.sqlite", "pydantic", "markdown_it", "graphviz", "typer")
LESSON = """
if __name__ == "__main__":
    import pathlib, runpy
    runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "use_venv.py"))

import json, langgraph, os, sys, warnings
import support_desk
print(json.dumps({"prefix": sys.prefix, "arguments": sys.argv[1:], "folder": os.getcwd(), "desk": support_desk.__file__,
                  "optimised": sys.flags.optimize, "warnings": sys.warnoptions, "input": sys.stdin.read(),
                  "tried": os.environ.get("COURSE_TRIED_VENV"), "path": os.environ.get("PYTHONPATH")}))
sys.exit(7 if "fail" in sys.argv else 0)
"""


CHILD = """
import time
try:
    print("here", flush=True)
    time.sleep(30)
except KeyboardInterrupt:
    raise SystemExit(5)
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A Python without any package."""
    return make_venv(tmp_path_factory.mktemp("bare"))


@pytest.fixture
def course(tmp_path):
    """A course of one lesson, not set up."""
    root = tmp_path / "My Course (1) é"
    (root / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools/use_venv.py", root / "tools")
    for name, text in {"lessons/04_retrieval/main.py": LESSON, "src/support_desk/__init__.py": ""}.items():
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
    return root


def make_venv(folder: Path, *packages: str) -> str:
    """The Python of a new environment that has these packages, each an empty module."""
    venv.create(folder, symlinks=not WINDOWS)
    [site] = folder.glob("Lib/site-packages" if WINDOWS else "lib/python*/site-packages")
    for name in packages:
        module = site
        for part in name.split("."):
            module /= part
            module.mkdir(exist_ok=True)
            (module / "__init__.py").touch()
    return str(folder / ("Scripts/python.exe" if WINDOWS else "bin/python"))


def run(python: str, course: Path, *arguments: str, flags: tuple = (), cwd: Path | None = None, **more: str):
    """What the lesson did, started with this Python."""
    return subprocess.run(
        [python, *flags, str(course / "lessons/04_retrieval/main.py"), *arguments], cwd=cwd or course.parent,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **more}, input="hello", capture_output=True, encoding="utf-8",
    )  # fmt: skip


def test_a_lesson_goes_on_in_the_environment_of_the_course(course, bare):
    make_venv(course / ".venv", *WHOLE)

    done = run(bare, course, "my own ticket", "fail", cwd=course, PYTHONPATH="elsewhere", PYTHONHOME="")

    said = json.loads(done.stdout)
    assert (done.returncode, done.stderr, said["input"]) == (7, "", "hello")
    assert Path(said["prefix"]) == course / ".venv"
    assert (said["arguments"], said["folder"]) == (["my own ticket", "fail"], str(course))
    assert (said["tried"], said["path"]) == (None, None)


def test_flags_of_python_are_passed_on(course, bare):
    make_venv(course / ".venv", *WHOLE)

    done = run(bare, course, flags=("-O", "-W", "error", "-X", "utf8", "-I"))

    said = json.loads(done.stdout)
    assert (done.returncode, said["optimised"], said["warnings"]) == (0, 1, ["error"])


def test_a_python_that_has_langgraph_stays_and_finds_the_desk_of_this_folder(course, tmp_path):
    make_venv(course / ".venv", *WHOLE)
    other = make_venv(tmp_path / "other", *WHOLE, "support_desk")  # a desk from another copy of the course

    said = json.loads(run(other, course).stdout)

    assert Path(said["prefix"]) == tmp_path / "other"
    assert Path(said["desk"]) == course / "src/support_desk/__init__.py"


@pytest.mark.parametrize("missing", WHOLE)
def test_a_python_that_lacks_one_of_the_packages_is_not_taken(course, tmp_path, missing):
    make_venv(course / ".venv", *WHOLE)
    other = make_venv(tmp_path / "other", "langgraph", *(name for name in WHOLE if name != missing))

    said = json.loads(run(other, course).stdout)

    assert Path(said["prefix"]) == course / ".venv"


@pytest.mark.parametrize("inside", [True, False])
def test_without_set_up_one_line_says_what_to_run(course, bare, inside):
    done = run(bare, course, cwd=course if inside else None)

    start = os.path.join("tools", "start.py") if inside else f'"{course / "tools" / "start.py"}"'
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"The course is not set up yet, or not wholly. Run this first: python {start}\n"


@pytest.mark.parametrize(
    "damage", ["no packages", "no pyvenv.cfg", "empty pyvenv.cfg", "python is gone", "python is a text"]
)
def test_a_damaged_environment_ends_with_the_line_and_never_goes_round(course, bare, damage):
    python = Path(make_venv(course / ".venv"))
    if damage == "no pyvenv.cfg":
        (course / ".venv/pyvenv.cfg").unlink()
    elif damage == "empty pyvenv.cfg":
        (course / ".venv/pyvenv.cfg").write_text("")
    elif damage.startswith("python"):
        python.unlink()
    if damage == "python is a text":
        python.write_text("no program")
        python.chmod(0o755)

    done = run(bare, course)

    if WINDOWS and "pyvenv.cfg" in damage:
        assert done.returncode  # the environment's own python.exe says what is missing
    else:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert done.stderr.startswith("The course is not set up yet, or not wholly. Run this first: ")


def test_an_old_python_goes_on_too(course, bare):
    make_venv(course / ".venv", *WHOLE)
    as_old = "import sys\nif 'bare' in sys.prefix: sys.version_info = (3, 9, 18); del sys.orig_argv\n"
    (course / "lessons/04_retrieval/main.py").write_text(as_old + LESSON)

    said = json.loads(run(bare, course, "my own ticket").stdout)

    assert (Path(said["prefix"]), said["arguments"]) == (course / ".venv", ["my own ticket"])


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("status", [0, 7])
def test_the_exit_status_is_passed_on_both_ways(windows, status):
    end = f"[sys.executable, '-c', 'raise SystemExit({status})']"
    code = f"import use_venv, sys; use_venv.WINDOWS = {windows}; use_venv.hand_over({end})"

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "tools")

    assert done.returncode == status


@pytest.mark.skipif(WINDOWS, reason="needs POSIX signals")
@pytest.mark.parametrize("windows", [False, True])
def test_ctrl_c_is_for_the_lesson_to_answer(tmp_path, windows):
    (tmp_path / "lesson.py").write_text(CHILD)
    code = (
        "import signal, sys, use_venv; signal.signal(signal.SIGINT, signal.default_int_handler);"
        f"use_venv.WINDOWS = {windows}; use_venv.hand_over([sys.executable, {str(tmp_path / 'lesson.py')!r}])"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT / "tools",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    running.stdout.readline()

    os.killpg(running.pid, signal.SIGINT)

    _, said = running.communicate(timeout=10)
    assert (running.returncode, said) == (5, b"")


def test_looking_for_the_packages_is_quick():
    code = "import time, runpy; a = time.perf_counter(); runpy.run_path('use_venv.py'); print(time.perf_counter() - a)"

    runs = [subprocess.run([sys.executable, "-c", code], cwd=ROOT / "tools", capture_output=True) for _ in range(5)]

    assert min(float(run.stdout) for run in runs) < 0.05
