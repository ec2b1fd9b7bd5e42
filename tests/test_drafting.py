"""The template that writes, and the checks of a reply's structure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support_desk.drafting import ASK_A_MENTOR, check, citation_checks, draft, draft_demo

D1 = {"id": "D1", "title": "Python environments", "text": "Make one."}
D2 = {"id": "D2", "title": "Package installation", "text": "Install it."}


def test_the_template_copies_the_first_note_and_ends_in_its_marker():
    written = draft_demo({"text": "help", "evidence": [D2, D1]})

    assert written == {
        "reply": 'Our note "Package installation" says: Install it. [D2]', "citations": ["D2"], "llm_used": False,
    }


def test_without_evidence_the_template_asks_for_a_mentor_and_cites_nothing():
    written = draft_demo({"text": "help", "evidence": []})

    assert written == {"reply": ASK_A_MENTOR, "citations": [], "llm_used": False}
    assert "workshop mentor needs to review" in ASK_A_MENTOR
    assert citation_checks(ASK_A_MENTOR, [], []) == []


def test_a_draft_keeps_only_what_a_drafter_may_change():
    def pushy(state):
        return {"reply": "Hi. [D2]", "citations": ["D2"], "status": "approved", "attempts": -5, "checks_ok": True}

    assert draft({"evidence": [D2]}, drafter=pushy) == {
        "reply": "Hi. [D2]", "citations": ["D2"], "llm_used": False, "fallback": "", "status": "drafting",
        "trace": ["draft"],
    }


def test_a_drafter_that_raises_is_a_bug_and_raises():
    with pytest.raises(ZeroDivisionError):
        draft({"evidence": [D2]}, drafter=lambda state: 1 / 0)


@pytest.mark.parametrize(
    ("reply", "citations", "evidence", "problems"),
    [
        ("Install it. [D2]", ["D2"], [D2, D1], []),
        ("Install it [D2] or so. [D1]", ["D1", "D2"], [D2, D1], []),
        ("[D2]", ["D2"], [D2], ["empty_reply"]),
        ("", [], [], ["empty_reply"]),
        ("Install it.", [], [D2], ["no_citation"]),
        ("Install it. [D999]", ["D999"], [D2], ["unknown_citation"]),
        ("Install it. [D1]", ["D1"], [], ["unknown_citation"]),
        ("Install it. [D0]", ["D0"], [D2], ["unknown_citation"]),
        ("Install it. [D2]", ["D2", "D2"], [D2], ["duplicate_citation"]),
        ("Install it. [D1]", ["D2"], [D2, D1], ["marker_mismatch"]),
        ("Install it.", ["D2"], [D2], ["marker_mismatch"]),
        ("Install it. [D2] [D1]", ["D2"], [D2, D1], ["marker_mismatch"]),
        ("Install it. [D2]", [], [D2], ["no_citation", "marker_mismatch"]),
        ("Install it. [D2] [D9]", ["D2"], [D2], ["unknown_citation", "marker_mismatch"]),
        ("Install it. [D2] (D1)", ["D2"], [D2, D1], ["malformed_marker"]),
        ("Install it. [D2, D1]", ["D2", "D1"], [D2, D1], ["marker_mismatch", "malformed_marker"]),
        ("", ["D9", "D9"], [D2],
         ["empty_reply", "unknown_citation", "duplicate_citation", "marker_mismatch"]),
    ],
)
def test_each_problem_of_structure_has_its_code(reply, citations, evidence, problems):
    assert citation_checks(reply, citations, evidence) == problems


def test_an_unrelated_claim_with_a_valid_id_passes_for_no_check_reads_the_meaning():
    assert citation_checks("Cats sleep for most of the day. [D2]", ["D2"], [D2]) == []


NOT_THERE = ["marker_mismatch"]
LOOKS_LIKE_ONE = ["marker_mismatch", "malformed_marker"]


@pytest.mark.parametrize("written", ["[D1]", "([D1])", "*[D1]*", "[[D1]]", "so [D1], then", "\n- [D1]", "`[D1]", "[D1][D1]"])
def test_a_marker_counts_wherever_a_reader_sees_it(written):
    assert citation_checks(f"Install it. {written}", ["D1"], [D1, D2]) == []


@pytest.mark.parametrize(
    "written",
    ["[^D1]", "(D1)", "[ D1 ]", "[d1]", "[D 1]", "[D01]", "[D1.]", "[D1", "D1]", "[D-1]", "［D1］", "【D1】", "[Ｄ1]",
     "[Д1]", "[D１]", "[D\u200b1]", "\\[D1\\]", "[D1](https://example.org)", "[D1, D2]", "[D1;D2]", "[D1 and D2]",
     "[D1-D3]", "[D1–3]", "[D1,,D2]", "[D2, D1, D2]", "\n```\npip check [D1]"],
)
def test_what_is_almost_a_marker_cites_nothing_and_is_reported(written):
    assert citation_checks(f"Install it. {written}", ["D1"], [D1, D2]) == LOOKS_LIKE_ONE


@pytest.mark.parametrize(
    "written",
    ["D1", "the pin D1", "`pins[D1]`", "``a ` [D1]``", "\n```\n[D1]\n```", "\n~~~\n[D1]\n~~~", "\n\n    [D1]",
     "https://example.org/[D1]", "[1]", "[D]"],
)
def test_code_addresses_and_plain_words_cite_nothing(written):
    assert citation_checks(f"Install it. {written}", ["D1"], [D1, D2]) == NOT_THERE


@pytest.mark.parametrize("number", ["0", "3", "10", "11", "999", "9" * 5000])
def test_a_well_shaped_id_that_is_in_no_evidence_is_unknown_wherever_it_stands(number):
    cited = f"D{number}"

    assert citation_checks(f"Install it. [{cited}]", [cited], [D1]) == ["unknown_citation"]
    assert citation_checks(f"Install it. [D1] [{cited}]", ["D1"], [D1]) == ["unknown_citation", "marker_mismatch"]
    assert citation_checks("Install it. [D1]", ["D1", cited], [D1]) == ["unknown_citation", "marker_mismatch"]


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "piece",
    ["[", "]", "(d1", "[d1", "[D1]", "d1 ]", "`", "`a", "\\`", "``` ", "~~~\n", "    x\n", "> ", "x://", "a.-+", "1", "\n",
     "\u0316\u0300", "\u0300\u0316\u0345\u0334", "\u200b", "ﷺ", "🙏", "\0", "\ud800", "\ufeff"],
)
def test_twenty_thousand_hostile_characters_are_checked_in_seconds(piece):
    reply = (piece * 20_000)[:20_000]

    assert "marker_mismatch" in citation_checks(reply, ["D9"], [D1])


@given(st.text(), st.lists(st.text()))
def test_the_checks_never_raise_on_text(reply, citations):
    problems = citation_checks(reply, citations, [D2])

    assert ("unknown_citation" in problems) or set(citations) <= {"D2"}


def test_the_check_node_keeps_what_was_found():
    state = {"reply": "Install it. [D2]", "citations": ["D2"], "evidence": [D2]}

    assert check(state) == {"problems": [], "checks_ok": True, "trace": ["check"]}
    assert check({**state, "citations": []}) == {
        "problems": ["no_citation", "marker_mismatch"], "checks_ok": False, "trace": ["check"],
    }
