"""The command line that the lessons share: its complaints, and how it shows a run."""

import io
import sys
from argparse import Namespace

import pytest
from langgraph.graph import END, START, StateGraph

from course import script
from support_desk.errors import BadInput
from support_desk.state import TicketState


@pytest.fixture
def typed(monkeypatch):
    """A function that sets what stands on the command line after the program's name."""
    return lambda *words: monkeypatch.setattr(sys, "argv", ["main.py", *words])


def graph_of(*updates):
    """A graph whose nodes, named one, two and three, return these updates."""
    names = ["one", "two", "three"][: len(updates)]
    builder = StateGraph(TicketState)
    for name, update in zip(names, updates):
        builder.add_node(name, lambda state, update=update: update)
    for source, target in zip([START, *names], [*names, END]):
        builder.add_edge(source, target)
    return builder.compile()


QUOTES = "Put a ticket in quotes, and -- before one that starts with a dash."


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-x"], f"unrecognized arguments: -x. {QUOTES}"),
        (["My", "pip"], f"unrecognized arguments: pip. {QUOTES}"),
        (["a", "-\x1b[2J\nb"], f"unrecognized arguments: -\\x1b[2J b. {QUOTES}"),
        (["--json=7"], "argument --json: ignored explicit argument '7'. See --help."),
    ],
)
def test_a_complaint_is_one_line_that_says_what_to_do(typed, capsys, words, complaint):
    typed(*words)

    with pytest.raises(SystemExit) as ended:
        script.command("A lesson.", "pip").parse_args()

    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"main.py: {complaint}\n")


@pytest.mark.parametrize(
    ("words", "ticket", "as_json"),
    [
        ([], "the lesson's", False),
        (["mine"], "mine", False),
        (["--json", "mine"], "mine", True),
        (["mine", "--json"], "mine", True),
        (["-help me"], "-help me", False),
        (["--", "--json"], "--json", False),
        (["-"], "-", False),
        ([""], "", False),
    ],
)
def test_a_command_takes_one_ticket_and_json(typed, words, ticket, as_json):
    typed(*words)

    options = script.command("A lesson.", "the lesson's").parse_args()

    assert (options.ticket, options.json) == (ticket, as_json)


def test_no_option_can_be_shortened(typed):
    typed("--js")

    with pytest.raises(SystemExit):
        script.command("A lesson.", "pip").parse_args()


def test_a_dash_reads_standard_input_and_other_words_are_the_ticket(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\ufeff pip é \r\n".encode())))

    assert script.ticket_of(Namespace(ticket="-")) == "pip é"
    assert script.ticket_of(Namespace(ticket=" -5 ")) == "-5"
    with pytest.raises(BadInput, match="empty"):
        script.ticket_of(Namespace(ticket=""))


def test_a_run_is_shown_step_by_step_without_the_trace_and_without_empty_text(capsys):
    graph = graph_of({"category": "setup", "trace": ["one"]}, {"fallback": "", "problems": [], "checks_ok": True})

    script.run(graph, Namespace(ticket="pip", json=False))

    assert capsys.readouterr().out.splitlines() == [
        "ticket       pip",
        "one          category: setup",
        "two          problems: none",
        "             checks_ok: yes",
        "steps        2: one, two",
    ]


def test_a_node_that_changes_nothing_still_shows_its_name(capsys):
    script.run(graph_of({"trace": ["one"]}), Namespace(ticket="pip", json=False))

    assert capsys.readouterr().out.splitlines()[1:] == ["one", "steps        1: one"]


def test_json_shows_the_final_state_and_nothing_else(capsys):
    script.run(graph_of({"reply": "é 🙂 \x1b"}), Namespace(ticket="pip", json=True))

    assert capsys.readouterr().out == (
        '{\n  "text": "pip",\n  "reply": "\\u00e9 \\ud83d\\ude42 \\u001b",\n  "attempts": 0,\n  "trace": []\n}\n'
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "none"),
        (["D1", "D2"], "D1, D2"),
        ([{"id": "D1", "title": "One", "text": "…"}, {"id": "D2", "title": "Two", "text": "…"}], "D1 One; D2 Two"),
        ({"action": "approve", "reviewer": "Ana", "digest": "0"}, "action approve, reviewer Ana"),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        (None, "None"),
        ("as it is", "as it is"),
    ],
)
def test_a_value_is_put_into_words(value, words):
    assert script.in_words(value) == words


def test_lines_are_folded_beside_the_name_and_never_longer_than_100(capsys):
    script.say("reply", "word " * 40, "x" * 150, "")

    lines = capsys.readouterr().out.splitlines()
    assert [line[:13] for line in lines] == ["reply        "] + [" " * 13] * 4 + [""]
    assert max(map(len, lines)) <= 100 and not any(line.endswith(" ") for line in lines)
    assert "".join(lines).count("word") == 40 and "".join(lines).count("x") == 150


def test_control_characters_are_shown_and_do_not_act(capsys):
    script.say("ticket", "a\x1b[2Jb\u202ec\rd\x07\ne")

    assert capsys.readouterr().out == "ticket       a\\x1b[2Jb\\u202ec\\rd\\x07 e\n"


def test_a_hyphen_is_no_place_to_break_a_command(capsys):
    script.say("reply", "x" * 80 + " break-system-packages")

    assert capsys.readouterr().out.splitlines()[1].strip() == "break-system-packages"


def test_a_final_state_says_where_the_ticket_stands_and_why(capsys):
    state = {"text": "pip", "reply": "Ask pip.", "status": "approved", "trace": ["draft", "approve"]}

    script.say_state(state)

    assert capsys.readouterr().out.splitlines() == [
        "status       approved", "reply        Ask pip.", "trace        draft, approve",
    ]


def test_one_line_is_the_start_of_a_text():
    assert script.one_line("a\nb\t c") == "a b c"
    assert script.one_line("word " * 40).endswith("word …")
    assert len(script.one_line("word " * 40)) <= 85
