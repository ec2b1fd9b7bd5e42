"""The one command that sets the course up, tried on a small copy of it with a stand-in for pip and no network."""

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import venv
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals or terminals")
PYTHON, PACKAGES = (
    ("Scripts/python.exe", "Lib/site-packages") if os.name == "nt" else ("bin/python", "lib/python*/site-packages")
)

# Runs tools/start.py as it is, but makes the environment without pip, and puts our stand-in there.
DRIVE = """
import pathlib, runpy, signal, sys
tools = pathlib.Path(__file__).with_name("tools")
signal.signal(signal.SIGINT, signal.default_int_handler)  # also when the tests run in the background
sys.path.insert(0, str(tools))
import make_venv
make_venv.MAKE = [sys.executable, str(pathlib.Path(__file__).with_name("make.py")), str(make_venv.VENV)]
runpy.run_path(str(tools / "start.py"), run_name="__main__")
"""
MAKE = """
import os, pathlib, shutil, sys, time, venv
target = pathlib.Path(sys.argv[1])
if os.environ.get("TRIAL") == "hang in venv":
    (target / "bin").mkdir()
    time.sleep(30)
venv.create(target, symlinks=os.name != "nt")
[packages] = target.glob("Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages")
(packages / "pip").mkdir()
shutil.copy(pathlib.Path(__file__).with_name("pip.py"), packages / "pip/__main__.py")
"""
PIP = """
import json, os, pathlib, sys, time
packages, trial = pathlib.Path(__file__).parents[1], os.environ.get("TRIAL")
with open("calls.jsonl", "a", encoding="utf-8") as calls:
    calls.write(json.dumps([sys.argv[1:], dict(os.environ)]) + "\\n")
print("Collecting langgraph==1.2.24", flush=True)
if trial == "no network":
    sys.exit("ConnectionError: Connection refused")
if trial == "slow":
    time.sleep(0.6)
print("Installing collected packages: langgraph, rich", flush=True)
(packages / "langgraph").mkdir(exist_ok=True)
if trial == "no wheel":
    sys.exit("ERROR: Wheel is invalid.")
if trial == "hang in pip":
    time.sleep(30)
(packages / "pytest.py").write_text("import course.__main__" if "test" in sys.argv[-1] else "")
(packages / "_support_desk_course.pth").write_text(os.path.abspath("src"), encoding="utf-8")
"""
COURSE = """
import json, os, sys
print(json.dumps({"arguments": sys.argv[1:], "folder": os.getcwd(), "prefix": sys.prefix,
                  "path": os.environ.get("PYTHONPATH"), "input": sys.stdin.readline()}))
sys.exit(7 if "fail" in sys.argv else 0)
"""


@pytest.fixture
def course(tmp_path):
    """A small course in a folder whose name is as awkward as names get."""
    return make_course(tmp_path / "My Course (1) é")


def make_course(root: Path) -> Path:
    shutil.copytree(ROOT / "tools", root / "tools", ignore=lambda _, names: {*names} - SETUP_FILES)
    (root / "src/course").mkdir(parents=True)
    (root / "src/course/__main__.py").write_text(COURSE)
    (root / "pyproject.toml").write_text("")
    for name, text in {"drive.py": DRIVE, "make.py": MAKE, "pip.py": PIP}.items():
        (root / name).write_text(text)
    return root


SETUP_FILES = {"start.py", "make_venv.py", "run_pip.py", "use_venv.py", "constraints.txt"}


def command(course: Path, *arguments: str) -> list[str]:
    return [sys._base_executable, str(course / "drive.py"), *arguments]


def variables(trial: str = "", **more: str) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    return {**ours, "TRIAL": trial, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", **more}


def start(course: Path, *arguments: str, trial: str = "", cwd: Path | None = None, **more: str):
    """What the command did: its status, and its two outputs."""
    return subprocess.run(
        command(course, *arguments), env=variables(trial, **more), cwd=cwd or course.parent, input="hello\n",
        capture_output=True, encoding="utf-8", timeout=30,
    )  # fmt: skip


def calls(course: Path) -> list:
    """The arguments and the environment of each call of pip."""
    return [json.loads(line) for line in (course / "calls.jsonl").read_text(encoding="utf-8").splitlines()]


def wait_for(condition) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "waited for 20 seconds"
        time.sleep(0.02)


def first_lines(course: Path) -> list[str]:
    return [
        f"Setting up the course in {course / '.venv'}. This takes a minute, once.",
        "  making .venv",
        "  collecting packages",
    ]


def test_the_first_run_sets_the_course_up_and_starts_the_tour(course):
    done = start(course, cwd=course)

    said = json.loads(done.stdout)
    lines = done.stderr.splitlines()
    assert (done.returncode, said["arguments"], said["input"]) == (0, ["tour"], "hello\n")
    assert Path(said["prefix"]) == course / ".venv"
    assert [line for line in lines if line != "  installing packages"][:3] == first_lines(course)
    assert re.fullmatch(r"The course is set up \(\d+ s\)\.", lines[-1])
    assert "\r" not in done.stderr and "\x1b" not in done.stderr


def test_a_second_run_installs_nothing_and_says_nothing_of_its_own(course):
    start(course)

    done = start(course, "run", "4", "--json")

    said = json.loads(done.stdout)
    assert (done.returncode, done.stderr, len(calls(course))) == (0, "", 1)
    assert said["arguments"] == ["run", "4", "--json"]
    assert said["folder"] == str(course.parent)


def test_tests_run_in_the_folder_of_the_course_and_a_failure_is_passed_on(course):
    done = start(course, "test", "-k", "fail", "fail")

    said = json.loads(done.stdout)
    assert (done.returncode, said["arguments"], said["folder"]) == (7, ["-k", "fail", "fail"], str(course))
    assert calls(course)[0][0] == ["install", "--editable", ".[test]"]


def test_what_the_tests_need_is_added_once_and_is_enough_for_the_course(course):
    start(course)
    (course / ".venv/mine").touch()

    results = [start(course, "test"), start(course, "run", "4"), start(course, "test")]

    assert [result.returncode for result in results] == [0, 0, 0]
    assert [arguments[-1] for arguments, _ in calls(course)] == [".", ".[test]"]
    assert (course / ".venv/mine").exists()


def test_new_pins_are_installed_into_the_environment_that_is_there(course):
    start(course, "test")
    (course / "tools/constraints.txt").write_text("rich==15.0.0\n")

    done = start(course, "run", "4")

    assert done.stderr.splitlines()[0] == "Bringing .venv up to date."
    assert [arguments[-1] for arguments, _ in calls(course)] == [".[test]", ".[test]"]


def test_an_update_that_finds_no_network_leaves_the_course_as_it_was(course):
    start(course)

    failed = start(course, "test", trial="no network")
    after = start(course, "run", "4")

    assert (failed.returncode, after.returncode, after.stderr, len(calls(course))) == (1, 0, "", 2)


def test_an_update_that_fails_half_way_is_not_trusted(course):
    start(course)

    failed = start(course, "test", trial="no wheel")
    after = start(course, "run", "4")

    assert failed.stderr.splitlines()[-1] == (
        "The course could not be set up: pip stopped with ERROR: Wheel is invalid. "
        f"All that it said: {course / '.venv/course-setup.log'}"
    )
    assert after.stderr.splitlines()[0] == "The .venv here is unfinished. Making it again, which takes a minute."


def test_a_file_of_the_learner_does_not_stand_in_for_the_course(course, tmp_path):
    (tmp_path / "course.py").write_text("raise SystemExit('not the course')")

    done = start(course, "run", "4", cwd=tmp_path)

    assert (done.returncode, json.loads(done.stdout)["folder"]) == (0, str(tmp_path))


def test_without_network_one_line_says_so_and_where_the_rest_is(course):
    done = start(course, trial="no network")

    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[3:] == [
        "The course could not be set up: the package index cannot be reached. Check the network and the proxy, then "
        f"run this again. All that pip said: {course / '.venv/course-setup.log'}"
    ]
    assert "Connection refused" in (course / ".venv/course-setup.log").read_text()


@POSIX
@pytest.mark.parametrize("place", ["hang in venv", "hang in pip"])
def test_a_run_that_was_killed_is_started_over_by_the_next(course, place):
    reached = {"hang in venv": course / ".venv/bin", "hang in pip": course / "calls.jsonl"}[place]
    killed = subprocess.Popen(command(course), env=variables(place), stderr=subprocess.DEVNULL, start_new_session=True)
    wait_for(reached.exists)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()

    done = start(course)

    assert done.returncode == 0
    assert done.stderr.splitlines()[0] == "The .venv here is unfinished. Making it again, which takes a minute."


@POSIX
def test_pip_that_outlives_a_killed_run_is_waited_for(course):
    killed = subprocess.Popen(command(course), env=variables("slow"), stderr=subprocess.DEVNULL)
    wait_for((course / "calls.jsonl").exists)
    killed.kill()
    killed.wait()

    done = start(course)

    assert done.returncode == 0
    assert done.stderr.splitlines()[:2] == [
        "Another run is setting up this folder. Waiting for it to end.",
        "The .venv here is unfinished. Making it again, which takes a minute.",
    ]


def test_two_runs_at_once_install_once(course):
    first = subprocess.Popen(
        command(course, "--quiet"), env=variables("slow"), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for((course / "calls.jsonl").exists)

    second = start(course)

    assert (first.wait(), second.returncode, len(calls(course))) == (0, 0, 1)
    assert second.stderr == "Another run is setting up this folder. Waiting for it to end.\n"


@POSIX
@pytest.mark.parametrize("interrupt", [os.killpg, os.kill], ids=["Ctrl-C", "a signal to the command alone"])
def test_an_interrupt_ends_pip_and_says_so_in_one_line(course, interrupt):
    running = subprocess.Popen(
        command(course), env=variables("hang in pip"), stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_for((course / "calls.jsonl").exists)

    interrupt(running.pid, signal.SIGINT)

    _, said = running.communicate(timeout=10)
    assert (running.returncode, said.splitlines()[-1]) == (130, "Stopped. Run the same command again to go on.")
    with pytest.raises(ProcessLookupError):  # nobody is left of its group
        os.killpg(running.pid, 0)


@pytest.mark.parametrize("carry", [shutil.move, shutil.copytree])
def test_a_folder_that_was_moved_or_copied_is_set_up_anew(course, tmp_path, carry):
    start(course)
    carry(course, tmp_path / "elsewhere")

    done = start(tmp_path / "elsewhere")

    said = done.stderr.splitlines()[0]
    assert said == "The .venv here is from another folder. Making it again, which takes a minute."
    assert Path(json.loads(done.stdout)["prefix"]) == tmp_path / "elsewhere/.venv"


@pytest.mark.parametrize("lost", [PYTHON, PACKAGES + "/langgraph", "pyvenv.cfg"])
def test_what_was_deleted_from_the_environment_is_put_back(course, lost):
    start(course)
    [found] = (course / ".venv").glob(lost)
    found.rename(course / "lost")

    done = start(course)

    assert done.stderr.splitlines()[0] == "The .venv here is damaged. Making it again, which takes a minute."
    assert (done.returncode, start(course).stderr) == (0, "")


def test_an_environment_that_somebody_else_made_is_kept(course):
    venv.create(course / ".venv", symlinks=os.name != "nt")
    (course / ".venv/mine").write_text("my work")

    done = start(course)

    assert done.returncode == 0
    assert "The .venv that was here is not from this command. It is now .venv-kept-1." in done.stderr.splitlines()
    assert (course / ".venv-kept-1/mine").read_text() == "my work"


def test_a_file_in_the_place_of_the_environment_is_kept(course):
    (course / ".venv").write_text("my work")
    (course / ".venv-kept-1").mkdir()

    assert start(course).returncode == 0
    assert (course / ".venv-kept-2").read_text() == "my work"


def test_settings_of_the_caller_reach_pip_only_where_they_name_the_packages(course):
    settings = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_CERT": "a.pem", "PIP_DEFAULT_TIMEOUT": "3"}
    harmful = {"PIP_USER": "1", "PIP_TARGET": "x", "PIP_PREFIX": "x", "PIP_REQUIRE_VIRTUALENV": "1", "PIP_NO_DEPS": "1",
               "PYTHONPATH": "x", "VIRTUAL_ENV": "x", "PYTHONSAFEPATH": "1", "PIP_CONSTRAINT": "x"}  # fmt: skip

    done = start(course, HTTPS_PROXY="http://127.0.0.1:9", CONDA_PREFIX="x", **settings, **harmful)

    [(_, seen)] = calls(course)
    seen = {name: value for name, value in seen.items() if name.startswith(("PIP_", "PYTHON", "VIRTUAL", "HTTPS_"))}
    assert (done.returncode, json.loads(done.stdout)["path"]) == (0, None)
    assert seen == settings | {
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "PIP_BUILD_CONSTRAINT": "tools/constraints.txt",
        "PIP_CONSTRAINT": "tools/constraints.txt",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_COLOR": "1",
        "PIP_NO_INPUT": "1",
        "PIP_PROGRESS_BAR": "off",
        "PIP_RETRIES": "2",
        "PIP_USER": "0",
    }


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16"])
def test_any_console_can_show_what_is_said(course, encoding):
    done = subprocess.run(command(course), env=variables(PYTHONIOENCODING=encoding), input=b"", capture_output=True)

    said = done.stderr.decode(encoding)
    shown = str(course).replace("é", "\\xe9") if encoding == "ascii" else str(course)
    assert done.returncode == 0
    assert f"Setting up the course in {shown}" in said


@POSIX
def test_a_locale_without_the_letters_of_the_path_does_no_harm(course):
    done = start(course, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    [link] = (course / ".venv").glob(PACKAGES + "/*.pth")

    assert done.returncode == 0
    assert link.read_text(encoding="ascii") == "../../../../src"


@POSIX
def test_a_terminal_sees_one_line_that_changes(course):
    import pty

    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        command(course), env=variables("slow"), stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while b"is set up" not in shown:
        shown += os.read(ours, 1000)
    os.write(ours, b"hello\n")
    running.wait()
    os.close(ours)

    lines = [line for line in re.split(r"\r\n|\r", shown.decode()) if line.strip()]
    assert b"\x1b" not in shown and shown.count(b"\n") == 2
    assert [line for line in lines if re.fullmatch(r"  collecting packages: langgraph \(\d s\)", line)]
    assert max(map(len, lines[1:])) < 80


def test_help_installs_nothing(course):
    done = start(course, "--help")

    assert (done.returncode, done.stderr) == (0, "")
    assert "python tools/start.py test" in done.stdout
    assert not (course / ".venv").exists()


def test_flags_that_hide_the_folder_of_the_script_do_no_harm(tmp_path):
    shutil.copy(ROOT / "tools/start.py", tmp_path)
    (tmp_path / "make_venv.py").write_text("def main(arguments): print(arguments); return 3")

    done = subprocess.run([sys.executable, "-I", str(tmp_path / "start.py"), "run"], capture_output=True, text=True)

    assert (done.returncode, done.stdout, done.stderr) == (3, "['run']\n", "")


@pytest.fixture
def tools(course, monkeypatch):
    """The modules of the small course, imported here."""
    monkeypatch.syspath_prepend(course / "tools")
    for name in SETUP_FILES:
        monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
    import make_venv
    import run_pip
    import start

    yield start, make_venv, run_pip
    for name in SETUP_FILES:
        sys.modules.pop(name.removesuffix(".py"), None)


@pytest.mark.parametrize(
    ("newer", "advice"),
    [
        ("python3.12", 'This machine has one. Run: python3.12 "tools/start.py"'),
        (None, "Install one from https://www.python.org/downloads/ and run this with it."),
    ],
)
def test_an_old_python_is_told_which_one_to_take(tools, monkeypatch, capsys, newer, advice):
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    monkeypatch.setattr(sys, "argv", ["tools/start.py"])
    monkeypatch.setattr(tools[0], "newer_python", lambda: newer)

    status = tools[0].main(["test"])

    assert (status, capsys.readouterr().err) == (2, f"The course needs Python 3.11 or newer; this is 3.10. {advice}\n")


def test_a_newer_python_is_named_only_if_it_runs(tools, monkeypatch):
    start = tools[0]
    monkeypatch.setattr(start, "is_new_enough", lambda command: command in (["py", "-3.12"], ["python3.11"]))

    assert start.newer_python() == "python3.11"


def test_a_name_that_starts_no_python_is_not_a_newer_one(tools):
    start = tools[0]

    assert start.is_new_enough([sys.executable])
    assert not start.is_new_enough([sys.executable, "-c", "raise SystemExit(9)"])
    assert not start.is_new_enough(["no-such-python"])


@pytest.mark.parametrize("name", ["start.py", "use_venv.py"])
def test_what_an_old_python_reads_has_no_syntax_that_is_new_to_it(name):
    source = (ROOT / "tools" / name).read_text(encoding="ascii")
    tree = ast.parse(source, feature_version=(3, 4))

    new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Starred, ast.Nonlocal)
    assert not [node for node in ast.walk(tree) if isinstance(node, new)]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.arg) and node.annotation]
    assert not [function.name for function in functions if function.returns or function.args.kwonlyargs]


def runs(name: str) -> bool:
    return subprocess.run([name, "-c", ""], capture_output=True).returncode == 0


def test_real_old_pythons_show_the_line_and_no_syntax_error():
    names = ["python2.7", "python3.6", "python3.7", "python3.8", "python3.9", "python3.10"]
    found = [name for name in names if shutil.which(name) and runs(name)]
    if not found:
        pytest.skip("this machine has no Python older than 3.11")

    for name in found:
        done = subprocess.run([name, str(ROOT / "tools/start.py")], capture_output=True, text=True)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
        assert done.stderr.startswith(f"The course needs Python 3.11 or newer; this is {name.removeprefix('python')}. ")


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_says_how_to_get_it(tools, monkeypatch, capsys, missing):
    _, make_venv, _ = tools
    monkeypatch.setattr(make_venv.importlib.util, "find_spec", lambda name: None if name == missing else name)

    status = make_venv.main([])

    name = "python%d.%d" % sys.version_info[:2]
    assert (status, make_venv.VENV.exists()) == (1, False)
    assert capsys.readouterr().err == (
        f"The course could not be set up: {name} has no venv module. "
        f"On Debian and Ubuntu: sudo apt install {name}-venv\n"
    )


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(28, "No space left on device"), "the disk is full. Make room, about 300 MB, then run this again."),
        (
            OSError(30, "Read-only file system", "/course/.venv"),
            "/course/.venv cannot be written. Close the programs that use .venv, or copy the course to a folder of "
            "your own, then run this again.",
        ),
        (OSError(5, "Input/output error", "/course/.venv"), "[Errno 5] Input/output error: '/course/.venv'."),
    ],
)
def test_a_folder_that_cannot_be_written_is_explained_in_one_line(tools, monkeypatch, capsys, error, line):
    _, make_venv, _ = tools
    monkeypatch.setattr(make_venv, "clear", lambda: (_ for _ in ()).throw(error))

    status = make_venv.main([])

    assert (status, capsys.readouterr().err.splitlines()[1:]) == (1, [f"The course could not be set up: {line}"])


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (
            "OSError: [Errno 28] No space left on device",
            "the disk is full. Make room, about 300 MB, then run this again.",
        ),
        (
            "SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] ConnectionError",
            "the certificate of the package index is not trusted. If a company's proxy is in between, name its "
            "certificate file in PIP_CERT, then run this again.",
        ),
        (
            "ReadTimeoutError(Read timed out.)\nERROR: No matching distribution found for rich",
            "the package index cannot be reached. Check the network and the proxy, then run this again.",
        ),
        (
            "ERROR: Cannot install hatchling<2 because these package versions have conflicting dependencies.",
            "pip finds no hatchling for this Python. Check PIP_INDEX_URL and PIP_NO_INDEX, take a Python from 3.11 to "
            "3.14, then run this again.",
        ),
        ("error: one\nERROR: Wheel is invalid.\nnote: no error of pip", "pip stopped with ERROR: Wheel is invalid."),
        ("", "pip stopped with status 9."),
    ],
)
def test_a_failure_of_pip_is_explained_in_one_line(tools, tmp_path, said, line):
    log = tmp_path / "log"
    log.write_text(said)

    explained = tools[2].explain(log, 9)

    assert explained.replace("All that it said", "All that pip said") == f"{line} All that pip said: {log}"


def test_variables_meant_for_another_python_or_another_use_of_pip_are_left_out(tools, monkeypatch):
    for name in ("PYTHONHOME", "PYTHONPATH", "PYTHONWARNINGS", "__PYVENV_LAUNCHER__", "PIP_ROOT", "PIP_NO_BINARY"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("PIP_RETRIES", "9")

    environment = tools[2].environment()

    assert environment["PIP_RETRIES"] == "9"
    assert {name for name in environment if name.startswith(("PYTHON", "__"))} == set()
    assert not {"PIP_ROOT", "PIP_NO_BINARY"} & {*environment}


def pins(name: str) -> dict[str, str]:
    """Each pinned package and its one version."""
    lines = [Requirement(line) for line in (ROOT / "tools" / name).read_text().splitlines() if line and line[0] != "#"]
    assert all(re.fullmatch(r"==[^*,]+", str(line.specifier)) and not line.marker for line in lines)
    assert len({canonical(line.name) for line in lines}) == len(lines)
    return {canonical(line.name): str(line.specifier)[2:] for line in lines}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def named() -> list[Requirement]:
    """Everything that pyproject.toml asks for by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    lists = [project["project"]["dependencies"], project["build-system"]["requires"], *extras]
    return [Requirement(line) for lines in lists for line in lines]


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-lowest.txt"])
def test_every_package_that_is_asked_for_is_pinned_inside_its_range(name):
    pinned = pins(name)

    outside = [str(asked) for asked in named() if pinned.get(canonical(asked.name), "0") not in asked.specifier]

    assert outside == []


def test_the_lowest_pins_are_the_lower_bounds():
    pinned = pins("constraints-lowest.txt")
    bounds = {canonical(asked.name): re.search(r"[>=]=([\d.]+)", str(asked.specifier))[1] for asked in named()}

    padded = {name: (bound + ".0.0").split(".")[:3] for name, bound in bounds.items()}

    assert {name: (pinned[name] + ".0.0").split(".")[:3] for name in bounds} == padded
