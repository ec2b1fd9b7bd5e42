"""The command `support-desk`, as a person types it."""

import json
import os
import re
import subprocess
import sys
from io import BytesIO, TextIOWrapper

import pytest

from support_desk import cli

ANA = ["--reviewer", "Ana", "--reason", "Fine."]
PIP = "My pip install has a missing module"


@pytest.fixture
def typed(tmp_path, monkeypatch, capfd):
    """Type a command on one database file: its status, what it prints, what it complains of."""

    def run(*words, stdin=b"", db=tmp_path / "desk.sqlite"):
        monkeypatch.setattr(sys, "argv", ["support-desk", "--db", str(db), *words])
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
        monkeypatch.delenv("FORCE_COLOR", raising=False)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code, *capfd.readouterr()

    return run


def test_a_ticket_goes_from_submission_to_a_file(typed, tmp_path):
    assert typed("submit", PIP) == (0, "T1\n", "")
    assert typed("approve", "T1", *ANA) == (0, "T1 queued\n", "")
    assert typed("deliver") == (0, f"delivered 1 to {tmp_path / 'desk.sqlite-replies'}\n", "")
    assert typed("deliver")[1].startswith("delivered 0")
    assert (tmp_path / "desk.sqlite-replies" / "T1.txt").read_text(encoding="utf-8").endswith("[D2]\n")
    assert typed("recover") == (0, "recovered 0\n", "")


@pytest.mark.parametrize(
    ("text", "words", "status"),
    [
        (PIP, ["edit", "T1", "--reply", "Make one. [D1]", *ANA], "queued"),
        (PIP, ["reject", "T1", *ANA], "rejected"),
        ("The camera image is purple", ["answer", "T1", "--reply", "Bring it.", *ANA], "queued"),
        ("The camera image is purple", ["close", "T1", *ANA], "closed"),
    ],
)
def test_each_decision_has_its_command(typed, text, words, status):
    typed("submit", text)

    assert typed(*words, "--json") == (0, json.dumps({"id": "T1", "status": status}, indent=2) + "\n", "")


def test_every_listing_has_json(typed):
    assert json.loads(typed("submit", PIP, "--submitter", "Bo", "--json")[1]) == {"id": "T1", "status": "drafting"}
    assert [row["id"] for row in json.loads(typed("queue", "--json")[1])] == ["T1"]
    shown = json.loads(typed("show", "T1", "--json")[1])
    assert [note["id"] for note in shown["shown"]["evidence"]] == ["D2", "D1"]
    typed("approve", "T1", *ANA, "--digest", shown["shown"]["digest"])
    assert [(row["key"], row["state"]) for row in json.loads(typed("outbox", "--json")[1])] == [("T1", "queued")]
    assert json.loads(typed("deliver", "--json")[1])["delivered"] == ["T1"]
    assert json.loads(typed("recover", "--json")[1]) == {"recovered": []}


@pytest.mark.parametrize("text", ["-refund please", "-x", "--", "@file", "$(id) %PATH%", "two\nlines"])
def test_a_ticket_is_stored_to_the_letter(typed, text):
    words = ["submit", text] if text != "--" else ["submit", "--", text]

    assert typed(*words)[0] == 0
    assert json.loads(typed("show", "T1", "--json")[1])["text"] == text


def test_a_dash_reads_standard_input(typed):
    assert typed("submit", "-", stdin="Hélp, pip\n".encode()) == (0, "T1\n", "")
    assert typed("submit", "-", stdin=b"\xff")[::2] == (
        2, "Standard input is not UTF-8 (byte 0): save the ticket as UTF-8.\n",
    )


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["submit", " "], 2, "The ticket is empty"),
        (["submit", "a", "--submitter", "nobody"], 2, "A name is one line"),
        (["approve", "T1"], 2, "Missing option"),
        (["approve", "T1", "--reviewer", "unknown", "--reason", "Fine."], 2, "A name is one line"),
        (["approve", "T1", "--reviewer", "Ana", "--reason", ""], 2, "The reason is empty"),
        (["edit", "T1", "--reply", "See the book. [D9]", *ANA], 2, "unknown_citation"),
        (["frobnicate"], 2, "No such command"),
        (["approve", "T9", *ANA], 3, "There is no ticket T9"),
        (["show", "T9"], 3, "There is no ticket T9"),
        (["show", "T1\nT2"], 3, "There is no ticket T1 T2: check the id."),
        (["show", "T\x1b[31m\udcff"], 3, r"There is no ticket T\x1b[31m\udcff: check the id."),
        (["submit", "a", "--submitter", ""], 2, "A name is one line"),
        (["submit", "a", "b"], 2, "unexpected extra argument"),
        (["submit"], 2, "Missing argument"),
        (["submit", "a\udcff"], 2, "no text (NUL or broken Unicode)"),
        (["submit", "a" * 20_001], 2, "20,001 characters"),
        (["answer", "T1", "--reply", "Hi.", *ANA], 2, "action: Input should be"),
        (["approve", "T1", *ANA, "--digest", "0"], 3, "stale"),
        (["approve", "T1", "--reviewer", "bo", "--reason", "Fine."], 3, "own"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line_with_its_status(typed, words, status, said):
    typed("submit", PIP, "--submitter", "Bo")

    code, out, complaint = typed(*words)

    assert (code, out, complaint.count("\n")) == (status, "", 1)
    assert said in complaint


def test_a_second_decision_is_refused_with_the_first_ones_name(typed):
    typed("submit", PIP)
    typed("approve", "T1", *ANA)

    code, _, complaint = typed("reject", "T1", "--reviewer", "Eve", "--reason", "No.")

    assert code == 3
    assert re.fullmatch(r"Ticket T1 is already decided: Ana said approve at \S+\.\n", complaint)


@pytest.mark.parametrize("words", [["queue"], ["show", "T1"], ["approve", "T1", *ANA], ["outbox"], ["deliver"], ["recover"]])
def test_a_command_on_a_missing_file_creates_none(typed, tmp_path, words):
    code, _, complaint = typed(*words, db=tmp_path / "none.sqlite")

    assert (code, complaint.count("\n")) == (4, 1)
    assert list(tmp_path.iterdir()) == []


def test_nothing_printed_can_act_on_the_terminal(typed):
    typed("submit", "\x1b[31mred \u202epip install")

    for words in (["queue"], ["show", "T1"], ["show", "T1", "--json"]):
        printed = typed(*words)[1]
        assert "\x1b" not in printed and "\u202e" not in printed
        assert "x1b" in printed or "u001b" in printed


@pytest.mark.parametrize("name", ["", "/", "."])
@pytest.mark.parametrize("command", ["queue", "deliver"])
def test_a_database_without_a_name_is_a_storage_error(typed, name, command):
    code, out, complaint = typed(command, db=name)

    assert (code, out, complaint.count("\n")) == (4, "", 1)
    assert complaint.startswith("Cannot open the database")


def test_a_file_that_is_no_database_is_left_as_it_is(typed, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("only words", encoding="utf-8")

    for words in (["submit", PIP], ["queue"]):
        code, out, complaint = typed(*words, db=path)
        assert (code, out) == (4, "")
        assert complaint == f"Cannot use the database {path}: file is not a database. Name another file.\n"

    assert path.read_text(encoding="utf-8") == "only words"


def test_replies_that_have_no_folder_to_go_to_stay_queued(typed, tmp_path):
    typed("submit", PIP)
    typed("approve", "T1", *ANA)
    (tmp_path / "taken").write_text("a file", encoding="utf-8")

    code, out, complaint = typed("deliver", "--folder", str(tmp_path / "taken"))

    assert (code, out, complaint.count("\n")) == (4, "", 1)
    assert complaint.startswith("A file cannot be used")
    assert typed("deliver")[1].startswith("delivered 1")


def test_a_listing_shows_a_person_every_word(typed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    typed("submit", "[bold]pip[/bold] :smile: import missing", "--submitter", "Bo")

    listed, shown = typed("queue")[1], typed("show", "T1")[1]

    assert "T1  approve" in listed and "[bold]pip[/bold] :smile: import missing" in listed
    for words in ("Bo", "Package installation. Install the package with", "digest", "[bold]pip[/bold]"):
        assert words in shown
    typed("approve", "T1", *ANA)
    assert "T1   queued" in typed("outbox")[1]
    decided = typed("show", "T1")[1]
    assert "action approve, reviewer Ana, reason Fine." in decided and "'reviewer'" not in decided


def test_without_a_command_the_help_is_printed_and_nothing_else(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(sys, "argv", ["support-desk"])

    with pytest.raises(SystemExit) as ended:
        cli.main()

    printed, complaint = capfd.readouterr()
    assert (ended.value.code, complaint) == (2, "")
    assert "A support desk on one database file." in printed


def test_an_interrupted_command_ends_with_130_and_no_words(typed, monkeypatch):
    def interrupted(stream):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.intake, "read", interrupted)

    assert typed("submit", "-") == (130, "", "")


def test_as_a_process_of_its_own_it_speaks_to_an_ascii_console_without_colour(tmp_path):
    command = [sys.executable, "-c", "from support_desk.cli import main; main()", "--db", tmp_path / "é #%.sqlite"]
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}

    ticket = "pip 🙏 import".encode()
    submitted = subprocess.run([*command, "submit", "-"], input=ticket, capture_output=True, env=ascii_only)
    shown = subprocess.run([*command, "show", "T1"], capture_output=True, env=ascii_only)

    assert (submitted.returncode, submitted.stdout.split(), submitted.stderr) == (0, [b"T1"], b"")
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert rb"pip \U0001f64f import" in shown.stdout and b"\x1b" not in shown.stdout
