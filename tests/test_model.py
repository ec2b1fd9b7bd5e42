"""The model is the graph: every node, edge, answer, join, jump, pause and loop, and nothing that is not there."""

import functools
import json
import operator
from dataclasses import replace
from typing import Annotated, Literal, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send

from graph_tools.canonical import diff, from_json, to_json
from graph_tools.model import Edge, GraphError, Node, read_graph


class State(TypedDict, total=False):
    log: Annotated[list[str], operator.add]


def step(state):
    """Do one thing.

    And nothing else.
    """
    return {}


def builder(names, edges=(), choices=None):
    """A builder with these nodes, edges (pairs), and choices (source -> path map)."""
    graph = StateGraph(State)
    for name in names.split():
        graph.add_node(name, step)
    for source, target in edges:
        graph.add_edge(source, target)
    for source, answers in (choices or {}).items():
        graph.add_conditional_edges(source, lambda state: "never asked", answers)
    return graph


def read(*args, **kwargs):
    return read_graph(builder(*args, **kwargs).compile())


def desk():
    """A small desk with a loop: draft, check, revise."""
    return builder(
        "draft check revise human",
        [(START, "draft"), ("draft", "check"), ("revise", "draft"), ("human", END)],
        {"check": {"sound": END, "try again": "revise", "out of tries": "human"}},
    )


def pairs(model, kind=None):
    return [(edge.source, edge.target) for edge in model.edges if kind in (None, edge.kind)]


def test_nodes_come_in_the_order_of_declaration_between_start_and_end():
    nodes = read_graph(desk().compile()).nodes

    assert [node.name for node in nodes] == [START, "draft", "check", "revise", "human", END]
    assert [node.kind for node in nodes] == ["start", "node", "node", "node", "node", "end"]


def test_edges_come_in_the_order_of_their_sources_with_the_routes_answers():
    edges = read_graph(desk().compile()).edges

    assert edges == (
        Edge(START, "draft", "always"),
        Edge("draft", "check", "always"),
        Edge("check", END, "choice", "sound"),
        Edge("check", "revise", "choice", "try again"),
        Edge("check", "human", "choice", "out of tries"),
        Edge("revise", "draft", "always", back=True),
        Edge("human", END, "always"),
    )


def test_a_loop_is_the_way_round_from_where_it_is_entered():
    assert read_graph(desk().compile()).loops == (("draft", "check", "revise"),)


def test_loops_inside_loops_are_all_found_and_so_is_a_node_that_leads_to_itself():
    answers = {"b": {"again": "b", "on": "c", "over": "a"}, "c": {"all over": "a", "done": END}}
    model = read("a b c", [(START, "a"), ("a", "b")], answers)

    assert model.loops == (("b",), ("a", "b", "c"), ("a", "b"))


def test_a_long_chain_of_nodes_is_read():
    names = [f"step_{number}" for number in range(2000)]

    model = read(" ".join(names), [(START, names[0]), *zip(names, names[1:])])

    assert len(model.edges) == 2001
    assert model.loops == ()


def test_two_answers_to_one_target_are_both_kept_and_drawn_as_one_edge():
    model = read("a b", [(START, "a")], {"a": {"yes": "b", "no": "b", "stop": END}})

    assert [edge.answer for edge in model.edges if edge.target == "b"] == ["yes", "no"]
    assert [edge.answer for edge in model.drawn_edges() if edge.source == "a"] == ["yes / no", "stop"]


def test_a_fixed_edge_and_a_choice_to_the_same_target_stay_two():
    model = read("a b", [(START, "a"), ("a", "b")], {"a": {"yes": "b", "no": END}})

    assert pairs(model, "always") == [(START, "a"), ("a", "b"), ("b", END)]
    assert pairs(model, "choice") == [("a", "b"), ("a", END)]


@pytest.mark.parametrize("answers", [["b", END], {"b": "b", END: END}], ids=["list", "dict"])
def test_an_answer_that_only_names_its_target_is_kept_and_not_drawn(answers):
    model = read("a b", [(START, "a")], {"a": answers})

    assert [edge.answer for edge in model.edges if edge.kind == "choice"] == ["b", END]
    assert [edge.answer for edge in model.drawn_edges()] == ["", "", "", ""]


def test_an_answer_that_names_its_target_is_drawn_beside_another_one():
    model = read("a b", [(START, "a")], {"a": {"yes": "b", "b": "b"}})

    assert [edge.answer for edge in model.drawn_edges()] == ["", "yes / b", ""]


def test_answers_that_are_no_strings_are_written_as_python_writes_them():
    model = read("a b", [(START, "a")], {"a": {True: "b", 0: END}})

    assert [edge.answer for edge in model.edges if edge.kind == "choice"] == ["True", "0"]


def test_a_route_that_returns_a_literal_declares_its_targets():
    def choose(state) -> Literal["b", "__end__"]:
        return "b"

    graph = builder("a b", [(START, "a")])
    graph.add_conditional_edges("a", choose)

    assert pairs(read_graph(graph.compile()), "choice") == [("a", "b"), ("a", END)]


def test_two_routes_of_one_node_are_both_read():
    graph = builder("a b c", [(START, "a")], {"a": {"yes": "b", "no": END}})
    graph.add_conditional_edges("a", step, {"more": "c", "less": END})

    assert [(edge.target, edge.answer) for edge in read_graph(graph.compile()).edges if edge.source == "a"] == [
        ("b", "yes"), (END, "no"), ("c", "more"), (END, "less"),
    ]


def test_a_choice_at_the_start_is_read():
    model = read("a b", [("a", END), ("b", END)], {START: {"new": "a", "known": "b"}})

    assert model.edges[:2] == (Edge(START, "a", "choice", "new"), Edge(START, "b", "choice", "known"))


def test_a_fan_out_through_a_path_map_is_a_choice():
    graph = builder("plan work", [(START, "plan"), ("work", END)])
    graph.add_conditional_edges("plan", lambda state: [Send("work", state)] * 3, ["work"])

    assert pairs(read_graph(graph.compile()), "choice") == [("plan", "work")]


def test_a_join_is_told_from_plain_edges_and_two_joins_are_told_apart():
    graph = builder("a b c d", [(START, "a"), (START, "b"), (START, "c")])
    graph.add_edge(["a", "b"], "d")
    graph.add_edge(["c", "b"], "d")

    model = read_graph(graph.compile())

    assert pairs(model, "join") == [("a", "d"), ("b", "d"), ("c", "d")]
    assert model.joins == ((("a", "b"), "d"), (("c", "b"), "d"))


def test_jumps_are_read_from_an_annotation_and_from_destinations_with_their_labels():
    def review(state) -> Command[Literal["a", "send"]]:
        return Command(goto="send")

    graph = StateGraph(State)
    graph.add_node("a", step)
    graph.add_node("review", review)
    graph.add_node("send", step, destinations={"a": "bounced", END: "sent"})
    graph.add_edge(START, "a")
    graph.add_edge("a", "review")

    assert [edge for edge in read_graph(graph.compile()).edges if edge.kind == "jump"] == [
        Edge("review", "a", "jump", back=True), Edge("review", "send", "jump"),
        Edge("send", "a", "jump", "bounced", back=True), Edge("send", END, "jump", "sent"),
    ]


def test_an_error_handler_is_a_jump_beside_the_ordinary_way_on():
    graph = StateGraph(State)
    graph.add_node("a", step, error_handler=lambda state: {})
    graph.add_edge(START, "a")

    edges = read_graph(graph.compile()).edges

    assert [edge for edge in edges if edge.source == "a"] == [
        Edge("a", END, "always", implied=True), Edge("a", "__error_handler__a", "jump", "error"),
    ]


def test_a_node_without_an_edge_out_ends_the_run_and_a_run_agrees():
    graph = builder("a b", [(START, "a")], {"a": {"yes": "b"}}).compile()

    assert Edge("b", END, "always", implied=True) in read_graph(graph).edges
    assert builder("a", [(START, "a")]).compile().invoke({"log": ["x"]}) == {"log": ["x"]}


def test_an_edge_to_the_end_that_is_taken_away_is_missed_though_the_run_ends_there_all_the_same():
    declared = json.loads(to_json(read_graph(builder("a", [(START, "a"), ("a", END)]).compile())))
    implied = json.loads(to_json(read_graph(builder("a", [(START, "a")]).compile())))

    assert diff(declared, implied) == [
        "edge a -> end was removed", "edge a -> end, since nothing leads on was added",
    ]


def test_a_cycle_without_an_exit_gets_no_invented_end():
    model = read("a b", [(START, "a")], {"a": {"b": "b"}, "b": {"a": "a"}})

    assert pairs(model) == [(START, "a"), ("a", "b"), ("b", "a")]
    assert [node.name for node in model.nodes] == [START, "a", "b"]


def test_a_subgraph_is_one_node():
    graph = StateGraph(State)
    graph.add_node("inner", builder("x y", [(START, "x"), ("x", "y")]).compile())
    graph.add_edge(START, "inner")

    assert read_graph(graph.compile()).nodes[1] == Node("inner", "node", "")


def test_a_pause_is_declared_by_metadata_or_when_compiling():
    graph = builder("a b c", [(START, "a"), ("a", "b"), ("b", "c"), ("c", "d"), ("d", END)])
    graph.add_node("d", step, metadata={"pause": True})

    assert read_graph(graph.compile()).pauses == ["d"]
    assert read_graph(graph.compile(interrupt_before=["a"], interrupt_after=["c"])).pauses == ["a", "c", "d"]
    assert read_graph(graph.compile(interrupt_before="*")).pauses == ["a", "b", "c", "d"]


def test_a_node_that_declares_no_pause_is_none_whatever_else_its_metadata_says():
    graph = builder("a", [(START, "a"), ("a", "b")])
    graph.add_node("b", step, metadata={"pause": False, "owner": "desk"})

    assert read_graph(graph.compile()).pauses == []


def test_the_docstring_is_found_under_partials_and_wrappers_and_on_objects():
    class Callable:
        """Answer a call."""

        def __call__(self, state):
            return {}

    async def later(state):
        """Do it later."""

    partial = functools.partial(functools.partial(step))
    wrapped = functools.update_wrapper(functools.partial(step), step)
    graph = StateGraph(State)
    for name, function in [("a", partial), ("b", wrapped), ("c", Callable()), ("d", later), ("e", lambda state: {})]:
        graph.add_node(name, function)
        graph.add_edge(START, name)

    docs = [node.doc for node in read_graph(graph.compile()).nodes[1:-1]]

    assert docs == ["Do one thing.", "Do one thing.", "Answer a call.", "Do it later.", ""]


def test_a_route_without_declared_targets_is_refused_with_its_name_and_the_mend():
    def choose(state):
        return "b"

    graph = builder("a b", [(START, "a"), ("a", "b")])
    graph.add_conditional_edges("a", choose)

    with pytest.raises(GraphError) as refusal:
        read_graph(graph.compile())

    assert str(refusal.value) == (
        "Nothing says where the route 'choose' of node 'a' may lead: "
        "give add_conditional_edges a path map, or let the route return a Literal of node names."
    )


def test_an_undeclared_jump_is_refused_because_its_target_is_never_reached():
    graph = StateGraph(State)
    graph.add_node("review", lambda state: Command(goto="send"))
    graph.add_node("send", step)
    graph.add_edge(START, "review")

    with pytest.raises(GraphError, match=r"'send' is never reached .* Command\[Literal\[...\]\] or destinations\.$"):
        read_graph(graph.compile())


def test_an_unreachable_loop_is_refused():
    with pytest.raises(GraphError, match="'b' is never reached"):
        read("a b c", [(START, "a"), ("b", "c"), ("c", "b")])


@pytest.mark.parametrize(
    ("thing", "mend"), [(builder("a", [(START, "a")]), "call its compile"), ("text", "StateGraph.compile()"), (None, "")]
)
def test_what_is_no_compiled_graph_is_refused_with_its_type(thing, mend):
    with pytest.raises(GraphError) as refusal:
        read_graph(thing)

    assert type(thing).__name__ in str(refusal.value)
    assert mend in str(refusal.value)


def test_where_langgraphs_own_drawing_is_right_the_model_agrees_with_it():
    compiled = desk().compile()

    model, drawn = read_graph(compiled), compiled.get_graph()

    assert set(pairs(model)) == {(edge.source, edge.target) for edge in drawn.edges}
    assert {(e.source, e.target, e.answer) for e in model.edges if e.kind == "choice"} == {
        (edge.source, edge.target, edge.data) for edge in drawn.edges if edge.conditional
    }
    assert {node.name for node in model.nodes} == set(drawn.nodes)


# LangGraph does not document the builder: these say what the model relies on.


def test_the_builder_keeps_edges_as_a_set_of_pairs():
    assert desk().compile().builder.edges == {
        (START, "draft"), ("draft", "check"), ("revise", "draft"), ("human", END),
    }


def test_the_builder_keeps_joins_as_a_set_of_sources_and_target():
    graph = builder("a b c", [(START, "a"), (START, "b")]).add_edge(["a", "b"], "c")

    assert graph.compile().builder.waiting_edges == {(("a", "b"), "c")}


def test_the_builder_keeps_a_routes_answers_by_source_and_name_and_none_when_undeclared():
    graph = builder("a b", [(START, "a"), ("a", "b")]).add_conditional_edges("a", step, {"yes": "b"})
    graph.add_conditional_edges("b", step)

    branches = graph.compile().builder.branches

    assert branches["a"]["step"].ends == {"yes": "b"}
    assert branches["b"]["step"].ends is None


def test_the_builder_keeps_function_metadata_jumps_and_error_handler_of_a_node():
    graph = StateGraph(State)
    graph.add_node("a", step, metadata={"pause": True}, destinations=("a",), error_handler=step)
    graph.add_node("b", functools.partial(step))
    graph.add_edge(START, "a").add_edge("a", "b")

    nodes = graph.compile().builder.nodes

    assert list(nodes) == ["__error_handler__a", "a", "b"]
    assert nodes["a"].runnable.func is step
    assert nodes["a"].metadata == {"pause": True}
    assert nodes["a"].ends == ("a",)
    assert nodes["a"].error_handler_node == "__error_handler__a"
    assert nodes["b"].ends == ()


def test_the_compiled_graph_keeps_where_it_was_told_to_stop():
    compiled = desk().compile(interrupt_before=["human"], interrupt_after="*")

    assert compiled.interrupt_before_nodes == ["human"]
    assert compiled.interrupt_after_nodes == "*"


# The canonical JSON and what changed in it.


def test_the_json_of_a_small_graph_is_exactly_this():
    model = read_graph(builder("a", [(START, "a")]).compile(), title="One", description="A step.")

    assert to_json(model) == """{
  "description": "A step.",
  "edges": [
    {
      "answer": "",
      "back": false,
      "implied": false,
      "kind": "always",
      "source": "__start__",
      "target": "a"
    },
    {
      "answer": "",
      "back": false,
      "implied": true,
      "kind": "always",
      "source": "a",
      "target": "__end__"
    }
  ],
  "joins": [],
  "loops": [],
  "nodes": [
    {
      "doc": "",
      "kind": "start",
      "name": "__start__"
    },
    {
      "doc": "Do one thing.",
      "kind": "node",
      "name": "a"
    },
    {
      "doc": "",
      "kind": "end",
      "name": "__end__"
    }
  ],
  "pauses": [],
  "title": "One"
}
"""


def test_json_holds_every_answer_loop_join_and_pause():
    graph = builder("a b c", [(START, "a")], {"a": {"yes": "b", "no": "b"}, "c": {"again": "a", "done": END}})
    graph.add_edge(["a", "b"], "c")

    content = json.loads(to_json(read_graph(graph.compile(interrupt_before=["c"]))))

    assert [edge["answer"] for edge in content["edges"]] == ["", "", "yes", "no", "", "again", "done"]
    assert content["joins"] == [{"sources": ["a", "b"], "target": "c"}]
    assert content["loops"] == [["a", "c"]]
    assert content["pauses"] == ["c"]


def test_a_model_comes_back_from_its_json():
    graph = builder("a b c", [(START, "a"), (START, "b"), ("c", "a")]).add_edge(["a", "b"], "c")
    model = read_graph(graph.compile(interrupt_before=["c"]), title="T", description="D")

    assert from_json(to_json(model)) == model


def changes(old, new):
    return diff(json.loads(to_json(old)), json.loads(to_json(new)))


def test_equal_graphs_have_no_difference():
    assert changes(read_graph(desk().compile()), read_graph(desk().compile())) == []


def test_each_removed_and_added_node_and_edge_is_named():
    new = read(
        "draft check human",
        [(START, "draft"), ("draft", "check"), ("human", END)],
        {"check": {"sound": END, "out of tries": "human", "closed": END}},
    )

    assert changes(read_graph(desk().compile()), new) == [
        "node revise was removed",
        'edge check -> revise, if "try again" was removed',
        "edge revise -> draft was removed",
        'edge check -> end, if "closed" was added',
    ]


def test_a_new_pause_title_and_answer_are_named():
    old = read_graph(desk().compile(), title="Old")
    new = read_graph(desk().compile(interrupt_before=["human"]), title="New")

    assert changes(old, new) == [
        "the title was changed", "node human was changed: kind was 'node' and is 'pause'",
    ]


def test_another_order_of_answers_and_other_joins_are_differences_too():
    model = read_graph(desk().compile())

    assert changes(model, replace(model, edges=model.edges[::-1])) == ["nodes, edges or joins are in another order"]
    assert changes(model, replace(model, joins=((("a", "b"), "c"),))) == ["nodes, edges or joins are in another order"]


def test_an_edge_to_a_node_called_end_is_not_taken_for_the_end_of_the_run():
    to_node = read("a end", [(START, "a"), ("a", "end")])
    to_both = read("a end", [(START, "a"), ("a", "end"), ("a", END)])

    assert changes(to_both, to_node) == ["edge a -> end was removed"]
