"""Lesson 3: a route answers a question, and the builder maps each answer to a node."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from course import lessons
from tests.lesson_runs import CAMERA, PIP, SUNDAY, altered, run

LESSON = lessons.load(3)


def test_its_own_ticket_gives_exactly_this_state():
    assert run(3, "--json").json == {
        "text": "My invoice has the wrong address",
        "category": "unsupported",
        "status": "needs_human",
        "trace": ["classify", "human"],
    }


def test_it_prints_the_ticket_and_what_each_node_changed():
    ended = run(3)

    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "ticket       My invoice has the wrong address",
        "classify     category: unsupported",
        "human        status: needs_human",
        "steps        2: classify, human",
    ]


@pytest.mark.parametrize(("ticket", "category"), [(PIP, "setup"), (CAMERA, "hardware")])
def test_a_supported_ticket_is_sent_to_its_shelf(ticket, category):
    assert run(3, ticket, "--json").json == {
        "text": ticket,
        "category": category,
        "reply": f"Please look at the {category} shelf of our notes.",
        "trace": ["classify", "suggest"],
    }


def test_an_unsupported_ticket_goes_to_a_person_and_gets_no_reply():
    state = run(3, SUNDAY, "--json").json

    assert state["trace"] == ["classify", "human"]
    assert "reply" not in state


@pytest.mark.parametrize(
    ("category", "answer"), [("setup", "supported"), ("hardware", "supported"), ("unsupported", "unsupported")]
)
def test_the_route_answers_and_changes_nothing(category, answer):
    state = {"category": category}

    assert LESSON.route(state) == answer
    assert state == {"category": category}


def test_the_graph_takes_a_classifier_and_a_checkpointer():
    graph = LESSON.build_graph(classifier=lambda text: "setup", checkpointer=InMemorySaver())

    state = graph.invoke({"text": SUNDAY}, {"configurable": {"thread_id": "T1"}})

    assert state["trace"] == ["classify", "suggest"]


def test_an_answer_that_the_map_does_not_know_is_an_error_as_the_text_says():
    graph = altered(3, (', "unsupported": "human"}', "}")).build_graph()

    assert graph.invoke({"text": PIP})["trace"] == ["classify", "suggest"]
    with pytest.raises(KeyError, match="unsupported"):
        graph.invoke({"text": SUNDAY})


def test_a_route_without_map_and_literal_is_drawn_to_the_end_as_the_text_says():
    no_map = ('route, {"supported": "suggest", "unsupported": "human"}', "route")

    graph = altered(3, no_map, (' -> Literal["supported", "unsupported"]', "")).build_graph()

    assert ("classify", "__end__") in {(edge.source, edge.target) for edge in graph.get_graph().edges}


def test_what_a_route_writes_is_lost_as_the_text_says():
    writes = ("    return \"unsupported\" if", "    state['status'] = 'closed'\n    return \"unsupported\" if")

    state = altered(3, writes).build_graph().invoke({"text": PIP})

    assert "status" not in state


def test_the_alarm_of_the_exercise_can_be_built():
    graph = altered(
        3,
        ('Literal["supported", "unsupported"]', 'Literal["supported", "unsupported", "urgent"]'),
        ('    return "unsupp', '    if "smoke" in state["text"]:\n        return "urgent"\n    return "unsupp'),
        ('"unsupported": "human"}', '"unsupported": "human", "urgent": "alarm"}'),
        ('    builder.add_edge(START', '    builder.add_node("alarm", lambda state: {"reply": "Unplug it."})\n'
                                       '    builder.add_edge("alarm", END)\n    builder.add_edge(START'),
    ).build_graph()

    steps = list(graph.stream({"text": "There is smoke from my board"}, stream_mode="updates"))

    assert [node for step in steps for node in step] == ["classify", "alarm"]
