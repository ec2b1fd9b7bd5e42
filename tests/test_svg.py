"""The picture holds every node and edge, shows every name as text, can be read in light and dark, and never varies."""

import hashlib
import os
import re
import subprocess
import sys
import textwrap
from xml.etree import ElementTree

import pytest
from langgraph.graph import END, START, StateGraph

from graph_tools import palette, renderer
from graph_tools.canonical import to_json
from graph_tools.labels import shown, stand_in, wrapped
from graph_tools.layout import layout
from graph_tools.model import read_graph
from graph_tools.renderer import RendererMissing
from graph_tools.svg import STYLE_VERSION, svg
from tests.graphs import compiled

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "end", "style", "draft reply", "check[1]", "vérif", "日本", 'a"b', "<b>x</b>", "<script>alert(1)</script>",
    r"\N", r"\G", "&lt;", "&#65;", "new\nline", "\x07", "\x00", "\ud800", "\ufffe", "🙂", "\u202eevil", " ", "</text>",
    '"]; n9 [label=pwn]',
]


def build(*parts, **more):
    return read_graph(compiled(*parts, **more), title="A <title>", description="What it does.")


def desk():
    return build(
        ["draft", "check", "revise", "approve"],
        [(START, "draft"), ("draft", "check"), ("revise", "draft")],
        {"check": {"sound": "approve", "try again": "revise"}, "approve": {"approved": END, "not approved": END}},
        pauses=["approve"],
    )


def drawn(model):
    return ElementTree.fromstring(svg(model))


def groups(picture, kind):
    return [group for group in picture.iter(f"{SVG}g") if group.get("class", "").split()[:1] == [kind]]


def words(group):
    return [text.text or "" for text in group.findall(f"{SVG}text")]


def test_every_node_is_drawn_once_with_its_name_and_its_kind():
    nodes = groups(drawn(desk()), "node")

    assert [(node.get("id"), node.get("class"), words(node)) for node in nodes] == [
        ("node-0", "node start", ["start"]),
        ("node-1", "node node", ["draft"]),
        ("node-2", "node node", ["check"]),
        ("node-3", "node node", ["revise"]),
        ("node-4", "node pause", ["approve", "waits for a person"]),
        ("node-5", "node end", ["end"]),
    ]


def test_every_edge_is_drawn_once_with_its_answer_and_what_it_says_on_hover():
    edges = groups(drawn(desk()), "edge")

    assert [(edge.get("class"), edge.find(f"{SVG}title").text, words(edge)) for edge in edges] == [
        ("edge always", "start -> draft", []),
        ("edge always", "draft -> check", []),
        ("edge choice", 'check -> approve, if "sound"', ["sound"]),
        ("edge choice", 'check -> revise, if "try again"', ["try again"]),
        ("edge always back", "revise -> draft", []),
        ("edge choice", 'approve -> end, if "approved / not approved"', ["approved / not approved"]),
    ]


def test_an_edge_begins_and_ends_at_its_own_nodes():
    model = desk()
    places = layout(model)
    box = dict(zip([node.name for node in model.nodes], places.boxes))

    for edge, line in zip(model.drawn_edges(), places.lines):
        tip = [tuple(map(float, point.split(","))) for point in line.heads[0].split()][1]
        assert distance(tip, box[edge.target]) < 4
        assert distance(begin_of(line, back=edge.back), box[edge.source]) < 4


def begin_of(line, back):
    """The end of the path that has no arrow head."""
    numbers = list(map(float, re.findall(r"-?[\d.]+", line.path)))
    return tuple(numbers[-2:]) if back else tuple(numbers[:2])


def distance(point, box):
    """How far a point is outside a box."""
    (x, y), right, bottom = point, box.x + box.width, box.y + box.height
    return max(box.x - x, x - right, 0) + max(box.y - y, y - bottom, 0)


def test_a_loop_runs_down_and_its_last_edge_leads_back_up():
    model = desk()
    top = {node.name: box.y for node, box in zip(model.nodes, layout(model).boxes)}

    assert top[START] < top["draft"] < top["check"] < top["revise"]


def test_the_main_path_is_straight():
    model = desk()
    places = layout(model)
    middle = {node.name: round(box.middle) for node, box in zip(model.nodes, places.boxes)}

    assert middle[START] == middle["draft"] == middle["check"] == middle["approve"] == middle[END]
    assert [line.path.count("V") for line in places.lines] == [1, 1, 1, 0, 0, 1]


def test_nodes_do_not_overlap_and_words_keep_clear_of_them():
    model = desk()
    places = layout(model)
    spots = [(x, y - 5, x + 6 * len(edge.answer), y) for edge, line in zip(model.drawn_edges(), places.lines)
             for x, y in line.words]
    boxes = [(box.x, box.y, box.x + box.width, box.y + box.height) for box in places.boxes]

    for first in boxes + spots:
        for second in boxes:
            assert first is second or not overlap(first, second)


def test_beside_words_there_is_room_for_the_step_numbers_of_a_run():
    answer = "off, since nobody asked"
    places = layout(build(["a", "b"], [(START, "a"), ("b", END)], {"a": {"on": "b", answer: END}}))

    begin = places.lines[2].words[0][0]
    edge_of_the_drawing = places.width - 2 * 21.6

    assert edge_of_the_drawing - (begin + width_of(answer) * 11 / 13) > 20


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_two_edges_between_the_same_nodes_do_not_lie_on_each_other():
    model = build(["a", "b"], [(START, "a"), ("a", "b")], {"a": {"yes": "b"}})

    fixed, chosen = [line for edge, line in zip(model.drawn_edges(), layout(model).lines) if edge.target == "b"]

    assert fixed.path != chosen.path


@pytest.mark.parametrize("number", [4, 5, 9])
def test_many_ways_on_are_spread_evenly(number):
    names = [f"work_{place}" for place in range(number)]
    model = build(["plan", *names], [(START, "plan")], {"plan": {name: name for name in names}})

    plan, *work = layout(model).boxes[1:-1]

    assert abs((work[0].middle + work[-1].middle) / 2 - plan.middle) < 2


def test_what_runs_in_parallel_is_spread_evenly():
    model = build(["plan", "a", "b"], [(START, "plan"), ("plan", "a"), ("plan", "b")])

    plan, a, b = layout(model).boxes[1:-1]

    assert abs((a.middle + b.middle) / 2 - plan.middle) < 2


def test_a_jump_looks_like_a_choice_in_picture_and_legend():
    graph = StateGraph(dict).add_node("a", lambda state: {}, destinations={END: "done"}).add_edge(START, "a").compile()

    picture = drawn(read_graph(graph))
    jump = groups(picture, "edge")[1]

    assert jump.get("class") == "edge jump"
    assert jump.find(f"{SVG}path").get("stroke-dasharray") == "5 3"
    assert words(groups(picture, "legend")[0]) == ["always", "only if chosen"]


def test_solid_is_always_dashed_orange_is_chosen_and_an_octagon_waits():
    picture = drawn(desk())
    edges = {edge.get("class").split()[1]: edge for edge in groups(picture, "edge")}
    pause = groups(picture, "node")[4]

    assert edges["always"].find(f"{SVG}path").get("stroke-dasharray") is None
    assert edges["choice"].find(f"{SVG}path").get("stroke-dasharray") == "5 3"
    assert edges["choice"].find(f"{SVG}path").get("stroke") == palette.CHOICE
    assert edges["choice"].find(f"{SVG}text").get("fill") == palette.CHOICE
    assert len(pause.find(f"{SVG}polygon").get("points").split()) == 8


def test_a_join_has_a_bar_that_no_other_arrow_has():
    picture = drawn(build(["a", "b", "c"], [(START, "a"), (START, "b")], joins=[(["a", "b"], "c")]))

    bars = {edge.get("class"): len(edge.findall(f"{SVG}polygon")) for edge in groups(picture, "edge")}

    assert bars == {"edge always": 1, "edge join": 2}


@pytest.mark.parametrize(
    ("model", "legend"),
    [
        (build(["a"], [(START, "a")]), ["always"]),
        (build(["a"], [], {START: {"yes": "a", "no": END}, "a": {"stop": END}}), ["only if chosen"]),
        (build(["a", "b"], [(START, "a")], joins=[(["a"], "b")]), ["always", "when all are done"]),
        (desk(), ["always", "only if chosen", "waits for a person"]),
    ],
)
def test_the_legend_explains_what_occurs_and_nothing_else(model, legend):
    assert words(groups(drawn(model), "legend")[0]) == legend


def test_the_picture_says_what_it_shows():
    picture = drawn(desk())
    title, about = picture.get("aria-labelledby").split()

    assert picture.get("role") == "img"
    assert (picture[0].get("id"), picture[0].text) == (title, "A <title>")
    assert (picture[1].get("id"), picture[1].text) == (about, (
        "What it does. The graph has four nodes between start and end: draft, check, revise and approve. "
        "A loop leads from draft, check and revise back to draft. One node waits for a person: approve."
    ))


def test_the_picture_carries_the_fingerprint_of_its_graph_and_style():
    expected = hashlib.sha256((STYLE_VERSION + to_json(desk())).encode()).hexdigest()[:16]

    assert drawn(desk()).get("data-graph") == expected


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_or_answer_is_shown_as_text(name):
    picture = drawn(build([name, "b"], [(START, name)], {name: {name: "b", "no": END}}))

    node, edge = groups(picture, "node")[1], groups(picture, "edge")[1]
    assert "".join(words(node)).replace(" ", "") == shown(name).replace(" ", "")
    assert "".join(words(edge)) == shown(name).strip()
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= {
        "svg", "title", "desc", "style", "g", "rect", "path", "polygon", "text",
    }
    assert not any(key.startswith("on") or "href" in key for element in picture.iter() for key in element.attrib)


def test_ids_are_unique_whatever_the_names_are():
    ids = [element.get("id") for element in drawn(desk()).iter() if element.get("id")]

    assert len(ids) == len(set(ids)) == 14


@pytest.mark.parametrize("name", ["retrieve_the_relevant_documents_of_today", "W" * 40, "日本語" * 20, "a b " * 500])
def test_a_long_name_is_wrapped_and_stays_in_its_box(name):
    model = build([name], [(START, name)])

    box = layout(model).boxes[1]
    lines = words(groups(drawn(model), "node")[1])

    assert 2 <= len(lines) <= 6
    assert max(map(width_of, lines)) <= box.width - 10
    assert 15.6 * len(lines) <= box.height


def width_of(line):
    """The line's width in Arial at 13 points, or a little more."""
    widths = {**dict.fromkeys(" !,./:;It[]fij'l|", 0.28), **dict.fromkeys("()-r", 0.34), **dict.fromkeys("mMW%", 0.95)}
    return sum(13 * widths.get(char, 1.0 if ord(char) > 255 else 0.78 if char.isupper() else 0.56) for char in line)


def test_wrapping_breaks_after_spaces_and_underscores_and_cuts_what_has_none():
    assert wrapped("find_the_notes now", 9, 6) == ["find_the_", "notes now"]
    assert wrapped("abcdefghij", 4, 6) == ["abcd", "efgh", "ij"]
    assert wrapped("abcdefghij", 4, 2) == ["abcd", "efg…"]


def test_the_layout_program_sees_only_harmless_ascii():
    assert all(re.fullmatch(r"[A-Za-z0-9 _.,!?@-]*", stand_in(name)) for name in map(shown, HOSTILE))


def test_only_colours_with_a_dark_counterpart_are_used():
    used = {element.get(key) for element in drawn(desk()).iter() for key in ("fill", "stroke")}

    assert used - {None, "none"} <= set(palette.DARK)
    assert all(f'[fill="{light}"]{{fill:{dark}}}' in palette.STYLE for light, dark in palette.DARK.items())
    assert all(f'[stroke="{light}"]{{stroke:{dark}}}' in palette.STYLE for light, dark in palette.DARK.items())


WORDS = [
    (palette.INK, palette.SURFACE), (palette.INK, palette.PAUSE_SURFACE), (palette.PAUSE_LINE, palette.PAUSE_SURFACE),
    (palette.END_INK, palette.END_SURFACE), (palette.CHOICE, palette.CANVAS), (palette.LINE, palette.CANVAS),
]


@pytest.mark.parametrize(("ink", "ground"), WORDS)
def test_all_words_have_enough_contrast_in_light_and_dark(ink, ground):
    assert contrast(ink, ground) >= 4.5
    assert contrast(palette.DARK[ink], palette.DARK[ground]) >= 4.5


def contrast(one, other):
    """The contrast ratio as WCAG 2 defines it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    parts = [int(colour[place:place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


VARIED = textwrap.dedent("""
    import hashlib
    from langgraph.graph import END, START, StateGraph
    from graph_tools.canonical import to_json
    from graph_tools.mermaid import mermaid
    from graph_tools.model import read_graph
    from graph_tools.svg import svg
    graph = StateGraph(dict)
    names = ["plan", "laws", "news", "papers", "merge", "judge", "end"]
    for name in names:
        graph.add_node(name, lambda state: {})
        if name in ("laws", "news", "papers"):
            graph.add_edge("plan", name)
    graph.add_edge(START, "plan")
    graph.add_edge(["laws", "news", "papers"], "merge")
    graph.add_edge(["news", "laws"], "judge")
    graph.add_conditional_edges("merge", lambda state: 1, {"enough": "end", "more": "plan", "none": END})
    model = read_graph(graph.compile())
    print(*(hashlib.sha256(write(model).encode()).hexdigest() for write in (to_json, mermaid, svg)))
""")


def test_the_bytes_are_the_same_under_every_hash_seed_locale_and_path():
    def digests(**environment):
        kept = {key: os.environ[key] for key in ("PYTHONPATH", "SYSTEMROOT", "TEMP") if key in os.environ}
        command = [sys.executable, "-c", VARIED]
        return subprocess.run(command, env={**kept, **environment}, capture_output=True, check=True, timeout=60).stdout

    seen = {digests(PYTHONHASHSEED=str(seed)) for seed in range(4)}
    seen |= {digests(LC_ALL="C", PATH="/nowhere"), digests(LANG="de_DE.UTF-8", TZ="Asia/Tokyo")}

    assert len(seen) == 1


def test_another_dot_on_the_path_is_not_used(tmp_path, monkeypatch):
    before = svg(desk())
    for name in ("dot", "graphviz-pure"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    assert svg(desk()) == before


def test_without_the_renderer_one_line_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(renderer.shutil, "which", lambda name, path: None)
    monkeypatch.setattr(renderer, "distribution", lambda name: raise_(renderer.PackageNotFoundError(name)))

    with pytest.raises(RendererMissing) as missing:
        svg(desk())

    assert str(missing.value) == (
        "No SVG: graphviz-pure is not installed. Install it: python -m pip install graphviz-pure==0.2.2"
    )


def test_the_renderer_is_found_where_pip_put_it_when_it_is_not_beside_python(monkeypatch):
    beside = renderer.program()
    monkeypatch.setattr(renderer.shutil, "which", lambda name, path: None)

    assert renderer.program().resolve() == beside.resolve()


@pytest.mark.parametrize("script", ["exit 3", "exec sleep 60"], ids=["fails", "hangs"])
@pytest.mark.skipif(os.name == "nt", reason="the stand-in for the renderer is a shell script")
def test_a_renderer_that_fails_or_hangs_ends_in_one_line(script, tmp_path, monkeypatch):
    program = tmp_path / "graphviz-pure"
    program.write_text(f"#!/bin/sh\necho two lines >&2\necho of trouble >&2\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(renderer, "program", lambda: program)
    monkeypatch.setattr(renderer, "SECONDS", 0.3)

    with pytest.raises(RendererMissing) as failure:
        svg(desk())

    assert "\n" not in str(failure.value)
    assert str(failure.value).startswith("No SVG: graphviz-pure failed (")


def raise_(error):
    raise error
