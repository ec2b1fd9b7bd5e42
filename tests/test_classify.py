"""The classifier counts cue words, and says "unsupported" when the count decides nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support_desk.classify import HARDWARE_CUES, SETUP_CUES, classify, classify_text
from support_desk.text import tokens


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("My pip install has a missing module", "setup"),
        ("The camera image is purple", "hardware"),
        ("When do you open on Saturday?", "unsupported"),
        ("PIP INSTALL", "setup"),
        ("ｃａｍｅｒａ", "hardware"),
        ("", "unsupported"),
        ("🙂🔧", "unsupported"),
    ],
)
def test_a_ticket_gets_the_category_of_its_cue_words(text, category):
    assert classify_text(text) == category


def test_the_category_with_more_cue_words_wins():
    assert classify_text("install the package, then plug in the board") == "setup"
    assert classify_text("plug the usb cable into the board, then install") == "hardware"


def test_a_tie_is_left_to_a_person():
    assert classify_text("import serial") == "unsupported"


def test_a_cue_word_counts_once_however_often_it_is_written():
    assert classify_text("pip pip pip on the board with a cable") == "hardware"


def test_a_cue_word_inside_a_longer_word_does_not_count():
    assert classify_text("pipeline, boarding, cabled") == "unsupported"


def test_no_word_is_a_cue_for_both_categories():
    assert not SETUP_CUES & HARDWARE_CUES


@pytest.mark.parametrize("cues", [SETUP_CUES, HARDWARE_CUES], ids=["setup", "hardware"])
def test_every_cue_is_one_word_as_a_ticket_would_give_it(cues):
    assert all(tokens(cue) == {cue} for cue in cues)


def test_the_node_returns_the_category_and_its_own_name_and_nothing_else():
    assert classify({"text": "pip install"}) == {"category": "setup", "trace": ["classify"]}


def test_the_node_takes_another_classifier_and_leaves_the_state_alone():
    state = {"text": "pip install", "trace": ["receive"]}

    update = classify(state, classifier=lambda text: "hardware" if text == "pip install" else "setup")

    assert update == {"category": "hardware", "trace": ["classify"]}
    assert state == {"text": "pip install", "trace": ["receive"]}


@given(st.text() | st.text(st.characters(categories=["Cs", "Cc", "Mn", "Cf", "So"])))
def test_any_text_gets_one_of_the_three_categories(text):
    assert classify_text(text) in {"setup", "hardware", "unsupported"}
