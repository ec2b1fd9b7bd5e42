"""The overlap between a ticket's words and a note's keywords."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support_desk.knowledge import Note
from support_desk.retrieval import MAX_EVIDENCE, lookup, overlap, retrieve
from support_desk.text import tokens

ANY_TEXT = st.text() | st.text(st.characters(categories=["Cs", "Cc", "Mn", "Mc", "Cf", "So", "Lm", "Sk"]))
SPELLINGS = st.text("aeouAEçßıİк\u0438\u0301\u0306\u0308\u0327가각が\u3099Å\u212b \u200b-_")
NOTE_WORDS = ["pip", "module", "venv", "proxy", "serial port"]


def note(number, *keywords, category="setup"):
    return Note(id=f"D{number}", title=f"Note {number}", text=f"Do {number}.", category=category, keywords=keywords)


def ids(text, *notes, category="setup"):
    return [found["id"] for found in retrieve(text, category, notes=notes)]


def test_the_pip_ticket_finds_package_installation_first():
    found = retrieve("My pip install has a missing module", "setup")

    assert [evidence["title"] for evidence in found] == ["Package installation", "Python environments"]
    assert found[0]["id"] == "D2"


def test_the_purple_camera_finds_nothing():
    assert retrieve("The camera image is purple", "hardware") == []


def test_evidence_is_the_id_the_title_and_the_text_of_a_note_in_a_dict_of_its_own():
    notes = [note(1, "pip")]

    retrieve("pip", "setup", notes=notes)[0]["title"] = "changed"

    assert retrieve("pip", "setup", notes=notes) == [{"id": "D1", "title": "Note 1", "text": "Do 1."}]


def test_the_note_with_more_keywords_in_the_ticket_comes_first_wherever_it_stands():
    assert ids("a b c", note(1, "a"), note(2, "a", "b"), note(3, "a", "b", "c")) == ["D3", "D2"]
    assert ids("a b c", note(1, "a"), note(2, "x"), note(3, "a", "b", "c")) == ["D3", "D1"]


def test_notes_with_as_many_keywords_come_in_the_order_of_their_numbers():
    assert ids("a", note(10, "a"), note(2, "a")) == ["D2", "D10"]


def test_at_most_two_notes_are_found():
    assert MAX_EVIDENCE == 2
    assert len(ids("a", *[note(number, "a") for number in range(1, 6)])) == 2


def test_a_word_that_the_ticket_repeats_counts_once():
    assert ids("a a a b c", note(1, "a"), note(2, "b", "c")) == ["D2", "D1"]


def test_a_note_of_another_category_is_not_found():
    assert ids("pip", note(1, "pip", category="hardware"), note(2, "pip")) == ["D2"]


def test_unsupported_has_no_notes():
    assert retrieve("pip install usb serial port", "unsupported") == []


@pytest.mark.parametrize("text", ["port", "serial", "serialport", "a serial novel about an airport"])
def test_a_keyword_of_two_words_needs_both(text):
    assert ids(text, note(1, "serial port")) == []


@pytest.mark.parametrize("text", ["serial port", "SERIAL-PORT", "serial_port", "which port is the serial one?"])
def test_the_two_words_of_a_keyword_may_stand_anywhere(text):
    assert ids(text, note(1, "serial port")) == ["D1"]


@pytest.mark.parametrize("keyword", ["wi-fi", "wifi", "Wi-Fi"])
@pytest.mark.parametrize("text", ["no wifi", "no Wi-Fi", "no WI\u2011FI"])
def test_a_hyphen_in_a_keyword_makes_no_difference(keyword, text):
    assert ids(text, note(1, keyword)) == ["D1"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ZÜRICH CAFÉ", "D1"),
        ("Zu\u0308rich cafe\u0301", "D1"),
        ("возврат", "D2"),
        ("返金", "D3"),
        ("ＲＥＦＵＮＤ", "D4"),
        ("THE ReFuNd", "D4"),
        ("ABC101", "D5"),
        ("STRASSE", "D6"),
        ("ΕΠΙΣΤΡΟΦΉ", "D7"),
    ],
)
def test_every_alphabet_and_case_finds_its_note(text, found):
    words = ["Zürich", "возврат", "返金", "refund", "abc101", "Straße", "επιστροφή"]
    notes = [note(number, word) for number, word in enumerate(words, start=1)]

    assert ids(text, *notes) == [found]


@pytest.mark.parametrize(
    "text", ["what is the", "why does it", "the a of and", "🙂🙂", "", "   ", "?!", "\0", "\ud800"], ids=ascii
)
def test_a_ticket_without_a_word_of_the_notes_finds_nothing(text):
    assert retrieve(text, "setup") == []
    assert retrieve(text, "hardware") == []


@pytest.mark.parametrize(("written", "kept"), [("refunds", "refund"), ("refund", "refunds"), ("refunding", "refund")])
def test_known_limit_another_form_of_a_word_is_another_word_in_both_directions(written, kept):
    assert ids(written, note(1, kept)) == []


def test_known_limit_a_language_without_spaces_gives_one_long_word():
    assert ids("返金してください", note(1, "返金")) == []


def test_without_notes_nothing_is_found():
    assert retrieve("pip", "setup", notes=[]) == []


def test_a_note_whose_keywords_are_blank_matches_nothing():
    blank = Note.model_construct(id="D1", title="", text="", category="setup", keywords=("", " ", "?!", "🙂"))

    assert retrieve("? ! pip", "setup", notes=[blank]) == []


def test_one_note_is_enough():
    assert ids("pip", note(1, "pip")) == ["D1"]


@given(text=ANY_TEXT, category=st.sampled_from(["setup", "hardware", "unsupported"]))
def test_no_text_makes_retrieval_fail(text, category):
    assert len(retrieve(text, category)) <= MAX_EVIDENCE


@given(SPELLINGS)
def test_composed_and_decomposed_spellings_find_the_same_notes(text):
    notes = [note(1, "café", "각"), note(2, "й", "が"), note(3, "ç", "å")]
    nfc, nfd = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))

    assert ids(nfc, *notes) == ids(nfd, *notes)


@st.composite
def shelves(draw):
    """Up to six notes in any order, with numbers that have one to three digits."""
    numbers = draw(st.lists(st.sampled_from([1, 2, 9, 10, 11, 99, 100]), unique=True, max_size=6))
    keywords = st.lists(st.sampled_from(NOTE_WORDS), min_size=1, unique=True)
    return [note(number, *draw(keywords)) for number in numbers]


TICKETS = st.lists(st.sampled_from(["pip", "MODULE", "venv", "serial", "port", "banana"])).map(" ".join)


@given(text=TICKETS, shelf=shelves())
def test_a_note_of_another_category_changes_nothing(text, shelf):
    stranger = note(5, *NOTE_WORDS, category="hardware")

    assert ids(text, stranger, *shelf) == ids(text, *shelf)


@given(text=TICKETS, shelf=shelves())
def test_what_is_found_is_the_best_there_is_in_descending_order(text, shelf):
    scores = {item.id: overlap(item, tokens(text)) for item in shelf}
    order = sorted(shelf, key=lambda item: (-scores[item.id], len(item.id), item.id))

    assert ids(text, *shelf) == [item.id for item in order if scores[item.id]][:2]


@given(text=TICKETS, shelf=shelves(), data=st.data())
def test_the_order_of_the_file_does_not_matter(text, shelf, data):
    assert ids(text, *data.draw(st.permutations(shelf))) == ids(text, *shelf)


def test_the_node_returns_the_evidence_and_its_own_name_and_nothing_else():
    update = lookup({"text": "pip freeze", "category": "setup"})

    assert update == {"evidence": retrieve("pip freeze", "setup"), "trace": ["lookup"]}
    assert update["evidence"][0]["id"] == "D2"


def test_the_node_takes_another_retriever_and_leaves_the_state_alone():
    state = {"text": "pip", "category": "setup", "evidence": ["old"], "trace": ["classify"]}

    update = lookup(state, retriever=lambda text, category: [{"id": "D9", "title": text, "text": category}])

    assert update == {"evidence": [{"id": "D9", "title": "pip", "text": "setup"}], "trace": ["lookup"]}
    assert state == {"text": "pip", "category": "setup", "evidence": ["old"], "trace": ["classify"]}
