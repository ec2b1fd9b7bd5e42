"""The Mermaid text holds every node and edge, and no name in it can act."""

import re

import pytest
from langgraph.graph import END, START

from graph_tools.mermaid import mermaid, text
from graph_tools.model import read_graph
from tests.graphs import compiled

HOSTILE = [
    "end", "style", "default", "graph", "draft reply", "check[1]", "a_node", "vérif", "日本", 'a"b', "<b>", "&lt;",
    r"\N", "x\nclick n0 href", "\x07", "🙂", "%%{init", "#35;", "`code`", "$$x$$", "a;b", "-->", "{{x}}",
    "\u202eevil",
]


def test_the_text_of_a_graph_with_a_loop_and_a_pause_is_exactly_this():
    graph = compiled(
        ["draft", "check", "approve"], [(START, "draft"), ("draft", "check"), ("approve", END)],
        {"check": {"sound": "approve", "try again": "draft", "sorry": "draft"}}, pauses=["approve"],
    )

    assert mermaid(read_graph(graph, title="Part 9. A title: short", description="What it does.")) == """\
flowchart TB
    accTitle: Part 9. A title#58; short
    accDescr: What it does. The graph has three nodes between start and end#58; draft, check and approve. \
A loop leads from draft and check back to draft. One node waits for a person#58; approve.
    n0(["start"])
    n1["draft"]
    n2["check"]
    n3{{"approve<br/>waits for a person"}}
    n4(["end"])
    n0 --> n1
    n1 --> n2
    n2 -.->|"sound"| n3
    n2 -.->|"try again #47; sorry"| n1
    n3 --> n4
"""


def test_a_join_says_that_it_waits_for_all():
    graph = compiled(["a", "b", "c"], [(START, "a"), (START, "b")], joins=[(["a", "b"], "c")])

    assert '\n    n1 -->|"when all are done"| n3\n    n2 -->|"when all are done"| n3\n' in mermaid(read_graph(graph))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_or_answer_is_only_text(name):
    graph = compiled([name, "b"], [(START, name)], {name: {name: "b", "no": END}})

    lines = mermaid(read_graph(graph, title=name)).splitlines()

    assert len(lines) == 11
    assert lines[4] == f'    n1["{text(name)}"]'
    assert re.fullmatch(r"[A-Za-z0-9 _.,!?'#;-]+", text(name))
    assert re.fullmatch(r"[A-Za-z0-9 _\-.,!?']*", re.sub(r"#\d+;", "", text(name)))


def test_every_other_character_becomes_its_code():
    assert text("Yes, it's a_b-c. OK!?") == "Yes, it's a_b-c. OK!?"
    assert text('a"<é\n') == "a#34;#60;#233;#92;n"


@pytest.mark.parametrize("word", ["click", "href", "%%{", "classDef", "style n", "linkStyle"])
def test_nothing_can_be_clicked_or_coloured(word):
    graph = compiled(["a", "b"], [(START, "a")], {"a": {"on": "b", "off": END}}, pauses=["b"])

    assert word not in mermaid(read_graph(graph, title="T"))
