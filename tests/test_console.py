"""How a command ends: with one line and a fitting status."""

import os
import sqlite3
import subprocess
import sys

import pytest

from support_desk import console
from support_desk.errors import BadInput, DeskError, Refused, StorageError


def raising(error):
    def main():
        raise error

    return main


@pytest.mark.parametrize(
    ("main", "status", "said"),
    [
        (lambda: None, 0, ""),
        (lambda: 1, 1, ""),
        (raising(DeskError("broken")), 1, "broken\n"),
        (raising(BadInput("no ticket")), 2, "no ticket\n"),
        (raising(Refused("not \x1b[31myours")), 3, "not \\x1b[31myours\n"),
        (raising(StorageError("no file")), 4, "no file\n"),
        (raising(sqlite3.OperationalError("database is locked")), 4,
         "The database cannot be used: database is locked. Try again, or name another file.\n"),
        (raising(PermissionError(13, "Permission denied", "out.txt")), 4,
         "A file cannot be used: [Errno 13] Permission denied: 'out.txt'. Check its path and its folder.\n"),
        (raising(Refused("no ticket T1\nT2\u2028T3")), 3, "no ticket T1 T2 T3\n"),
        (raising(KeyboardInterrupt()), 130, ""),
    ],
)
def test_a_command_ends_with_its_status_and_at_most_one_line(capsys, monkeypatch, main, status, said):
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    monkeypatch.setattr(sys.stderr, "reconfigure", lambda **_: None, raising=False)

    with pytest.raises(SystemExit) as ended:
        console.start(main)

    assert ended.value.code == status
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_console_that_cannot_show_a_character_shows_its_escape(encoding):
    code = "from support_desk import console; console.start(lambda: print('пур 🙏'))"

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, env=os.environ | {"PYTHONIOENCODING": encoding})

    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.split() == [rb"\u043f\u0443\u0440", rb"\U0001f64f"]


def test_a_reader_that_leaves_early_is_no_error():
    code = "from support_desk import console; console.start(lambda: [print('x' * 99) for _ in range(99999)] and None)"

    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(10)
        process.stdout.close()
        complaint = process.stderr.read()

    assert (process.returncode, complaint) == (0, b"")


def test_a_reader_that_left_before_the_first_line_is_no_error():
    code = "import sys; from support_desk import console; console.start(lambda: print(sys.stdin.readline()))"
    buffered = os.environ | {"PYTHONUNBUFFERED": ""}

    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=buffered) as process:
        process.stdout.close()
        process.stdin.write(b"go\n")
        process.stdin.close()
        complaint = process.stderr.read()

    assert (process.returncode, complaint) == (0, b"")


@pytest.mark.parametrize("name", console.TRACING)
def test_tracing_is_off_before_the_command_starts_and_its_user_is_told(monkeypatch, capfd, name):
    monkeypatch.setenv(name, "True")

    with pytest.raises(SystemExit):
        console.start(lambda: print(os.environ[name]))

    assert capfd.readouterr() == ("false\n", f"Tracing is off here, for it would send tickets away ({name} is set).\n")


def test_a_standard_stream_that_was_closed_is_as_good_as_an_empty_one():
    code = (
        "import sys; sys.stdin = sys.stdout = sys.stderr = None\n"
        "from support_desk import console; console.start(lambda: print(1) or len(sys.stdin.buffer.read()) + 7)"
    )

    assert subprocess.run([sys.executable, "-c", code]).returncode == 7


def test_a_fault_of_the_program_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        console.start(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        console.run_app(lambda **_: 1 / 0)


class Complaint(Exception):
    exit_code = 2

    def format_message(self):
        return self.args[0]


def test_an_apps_complaint_becomes_bad_input_in_one_sentence():
    def app(standalone_mode):
        raise Complaint("Missing option '--db'.")

    with pytest.raises(BadInput, match="^Missing option '--db'. See --help.$"):
        console.run_app(app)


def test_an_app_that_has_only_printed_its_help_adds_no_complaint():
    def app(standalone_mode):
        raise Complaint("")

    assert console.run_app(app) == 2


@pytest.mark.parametrize(("returned", "status"), [(None, 0), (0, 0), (3, 3)])
def test_the_status_of_an_app_is_kept(returned, status):
    assert console.run_app(lambda standalone_mode: returned) == status
