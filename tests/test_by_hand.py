"""Commands that are each a process of their own, on one database file."""

import sys
from argparse import Namespace
from pathlib import Path

import pytest

from course import by_hand
from support_desk.approval import Pause, validate
from support_desk.desk import Desk
from tests.lesson_runs import CAMERA, PIP

LOUD = Namespace(ticket=PIP, json=False)


@pytest.fixture
def parsed(monkeypatch):
    """A function that parses the words of a command line, for a lesson with one command more."""

    def parse(*words):
        monkeypatch.setattr(sys, "argv", ["main.py", *words])
        return by_hand.options("A lesson.", "pip", "recover")

    return parse


@pytest.fixture
def child(tmp_path):
    """A function that writes a script for `Processes` to run, and returns its path."""

    def write(code):
        (tmp_path / "child.py").write_text(code, encoding="utf-8")
        return str(tmp_path / "child.py")

    return write


def test_without_a_file_the_lesson_runs_all_processes_itself(parsed):
    options = parsed("mine", "--json")

    assert (options.command, options.ticket, options.json) == (None, "mine", True)


@pytest.mark.parametrize("db", [["--db", "desk.sqlite"], ["--db=desk.sqlite"]])
def test_with_a_file_there_is_a_command(parsed, db):
    assert (parsed(*db, "start").ticket, parsed(*db, "start").hang) == ("pip", False)
    assert parsed(*db, "start", "-help me").ticket == "-help me"
    assert parsed(*db, "start", "--", "-x").ticket == "-x"
    assert (parsed(*db, "show", "T1").db, parsed(*db, "show", "T1").id) == ("desk.sqlite", "T1")
    assert parsed(*db, "recover", "--json").json is True


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--db", "f"], "required: command"),
        (["--db"], "argument --db: expected one argument"),
        (["--db", "f", "deliver"], "invalid choice: 'deliver'"),
        (["--db", "f", "show"], "required: id"),
        (["--db", "f", "decide", "T1", "approve"], "--reviewer, --reason"),
        (["--db", "f", "decide", "T1", "approve", "--rev", "Ana", "--reason", "x"], "--reviewer"),
        (["--db", "f", "start", "two", "tickets"], "unrecognized arguments: tickets"),
        (["start", "pip", "--db", "f"], "--db"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused_in_one_line(parsed, capsys, words, complaint):
    with pytest.raises(SystemExit) as ended:
        parsed(*words)

    out, err = capsys.readouterr()
    assert (ended.value.code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


def test_a_decision_holds_what_was_said_and_by_default_the_digest_of_what_waits(parsed):
    words = ["--db", "f", "decide", "T1", "reject", "--reviewer", "Ana", "--reason", "Long."]
    pause = Pause("1", "approve", {"digest": "of now"})

    said = {"action": "reject", "reviewer": "Ana", "reason": "Long."}
    assert by_hand.decision(parsed(*words), pause) == {**said, "digest": "of now"}
    assert by_hand.decision(parsed(*words, "--digest", "old"), pause) == {**said, "digest": "old"}


@pytest.mark.parametrize(("ticket", "node"), [(PIP, "approve"), (CAMERA, "mentor")])
def test_the_decision_that_a_lesson_makes_fits_its_pause(tmp_path, parsed, ticket, node):
    with Desk(tmp_path / "desk.sqlite") as desk:
        pause = desk.pause(desk.submit(ticket)["id"])

    options = parsed("--db", "f", "decide", "T1", *by_hand.FITTING_DECISIONS[node])

    assert (pause.node, validate(pause, by_hand.decision(options, pause)).reviewer) == (node, "Ana")


def test_a_pause_is_shown_with_the_full_text_of_its_notes(capsys):
    note = {"id": "D1", "title": "Pip", "text": "Use pip."}

    by_hand.say_pause(LOUD, Pause("1", "approve", {"text": "help", "evidence": [note], "problems": []}))

    assert capsys.readouterr().out.splitlines() == [
        "waits at     approve", "text         help", "problems     none", "D1           Pip. Use pip.",
    ]


def test_each_process_is_announced_and_gets_the_ticket_on_standard_input(child, capsys):
    code = "import sys; print(ascii(sys.stdin.buffer.read().decode()), sys.argv[1], *sys.argv[3:])"

    with by_hand.Processes(child(code), Namespace(ticket="é 🙂", json=False)) as run:
        run("start", "-")
        run("decide", "T1")

    assert capsys.readouterr().out.splitlines() == [
        "", "process 1: start", "'\\xe9 \\U0001f642' --db start -",
        "", "process 2: decide", "'\\xe9 \\U0001f642' --db decide T1",
    ]


def test_what_a_process_prints_arrives_whole_whatever_the_console(child, capsys, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")

    with by_hand.Processes(child("print('60 °C → 🙂')"), LOUD) as run:
        run("start")

    assert capsys.readouterr().out.splitlines()[-1] == "60 °C → 🙂"


def test_a_process_that_fails_ends_the_lesson_with_its_status_and_its_own_words(child, capfd):
    code = "import sys; print('The ticket is bad.', file=sys.stderr); sys.exit(2)"

    with pytest.raises(SystemExit) as ended, by_hand.Processes(child(code), LOUD) as run:
        run("start")

    assert ended.value.code == 2
    assert capfd.readouterr().err == "The ticket is bad.\n"
    assert not Path(run.db).parent.exists()


def test_a_process_is_killed_as_soon_as_it_has_printed_a_line(child, capsys, tmp_path):
    code = f"import time; print('here', flush=True); time.sleep(60); open({str(tmp_path / 'late')!r}, 'w')"

    with by_hand.Processes(child(code), LOUD) as run:
        run.until_killed("decide")

    assert capsys.readouterr().out.splitlines() == ["", "process 1: decide", "here", "             killed"]
    assert not (tmp_path / "late").exists()


def test_with_json_the_processes_are_silent(child, capsys):
    with by_hand.Processes(child("print('hello')"), Namespace(ticket=PIP, json=True)) as run:
        run("start")
        run.until_killed("decide")

    assert capsys.readouterr().out == ""


def test_a_result_is_json_or_lines(capsys):
    by_hand.say_result(Namespace(json=True), ["T1"], "recovered", "T1")
    by_hand.say_result(Namespace(json=False), ["T1"], "outbox", "T1 queued", "T2 sent")

    assert capsys.readouterr().out == '[\n  "T1"\n]\noutbox       T1 queued\n             T2 sent\n'


def test_an_empty_outbox_says_so(tmp_path, capsys):
    with Desk(tmp_path / "desk.sqlite") as desk:
        by_hand.run(Namespace(command="outbox", json=False), desk)

    assert capsys.readouterr().out == "outbox       none\n"


def test_every_command_of_the_parser_is_one_that_run_knows(tmp_path, parsed, capsys):
    with Desk(tmp_path / "desk.sqlite") as desk:
        for words in (["start", PIP], ["show", "T1"], ["recover"]):
            by_hand.run(parsed("--db", str(tmp_path / "desk.sqlite"), *words), desk)

            assert capsys.readouterr().out
