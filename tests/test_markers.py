"""What a reader sees as a citation marker, and what only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support_desk.markers import has_malformed_marker, markers, says_something


@pytest.mark.parametrize(
    ("reply", "ids"),
    [
        ("Install it. [D2]", ["D2"]),
        ("[D2][D1] and [D2] again", ["D2", "D1"]),
        ("So.[D2], then", ["D2"]),
        ("([D2]) [[D3]]", ["D2", "D3"]),
        ("[D0] [D999]", ["D0", "D999"]),
        ("D2 is the name of a pin", []),
        ("Wire `pins[D1]` [D2]", ["D2"]),
        ("``a ` [D1]`` [D2]", ["D2"]),
        ("```\npins = [D1]\n```\n[D2]", ["D2"]),
        ("~~~python\n[D1]\n~~~\n[D2]", ["D2"]),
        ("    [D1]\n\n[D2]", ["D2"]),
        ("https://example.org/[D1] [D2]", ["D2"]),
        ("[D2]\n```\n[D1]", ["D2"]),
    ],
)
def test_the_markers_that_a_reader_sees_count_once_and_in_order(reply, ids):
    assert markers(reply) == ids


LOOK_ALIKES = [
    "[^D1]", "(D1)", "[ D1 ]", "[d1]", "[D 1]", "[D01]", "[D1.]", "[D1", "D1]", "[D-1]", "<D1>", "{D1}",
    "［D1］", "【D1】", "[Ｄ1]", "[Д1]", "[ꓓ1]", "[D٢]", "[D\u200b2]", "[D\u200b2", "[D①]", "[D²]", "[𝐃2]",
    "[D1](https://example.org)",
    "[D1, D2]", "[D1;D2]", "[D1 and D2]", "[D1-D3]", "[D1–3]", "[D1,,D2]", "[D2, D1, D2]", "(see D2)", "[D1 D2]",
]


@pytest.mark.parametrize("written", LOOK_ALIKES)
def test_what_only_looks_like_a_marker_is_malformed_and_cites_nothing(written):
    reply = f"Install it. {written}"

    assert has_malformed_marker(reply)
    assert markers(reply) == []


@pytest.mark.parametrize(
    "harmless",
    ["D2", "pin D2, then D3", "(D 3 mm)", "[F5]", "items[0]", "[2]", "[12D]", "`[d1]`", "```\n(D1)\n```", "(Dr 5)",
     "https://example.org/(D1)", "[do it]", "a 3D print", ""],
)
def test_ordinary_words_and_code_are_not_malformed_markers(harmless):
    assert not has_malformed_marker(f"Press it\n{harmless}\ntwice. [D2]")


def test_a_marker_swallowed_by_code_that_never_ends_is_malformed():
    assert has_malformed_marker("Try:\n```\npip check [D2]")
    assert not has_malformed_marker("Try:\n```\npip check [D2]\n```")
    assert not has_malformed_marker("Try: [D2]\n```\npip check")


@pytest.mark.parametrize("reply", ["", "  \n", "[D2]", "[D2] [D1]\n", "\u200b\ufeff", "\x00\x1b"])
def test_a_reply_of_markers_and_invisible_characters_says_nothing(reply):
    assert not says_something(reply)


def test_a_single_visible_character_says_something():
    assert says_something("? [D2]")


@given(st.text(alphabet=st.sampled_from("[]()dD12٢ `~\n\t#>-&;,.x\u200b［】ꓓé\ud800\0")))
def test_no_text_makes_it_raise(reply):
    assert isinstance(markers(reply), list)
    assert isinstance(has_malformed_marker(reply), bool)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    ["[", "`", "` `` ", "[D", "```\n", "(D1", "[d1 ", "~~~\n", "    x\n", "[^", "](", "x://", "\u0316\u0300", "ﷺ"],
)
def test_the_longest_hostile_reply_is_read_to_its_end(piece):
    assert has_malformed_marker(piece * (20_000 // len(piece)) + " (D1)\n") in (True, False)
