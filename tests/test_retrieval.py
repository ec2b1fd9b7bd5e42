"""Words, notes and the overlap between them."""

import json
import os
import re
import subprocess
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support_desk.golden import load_golden
from support_desk.retrieval import (
    MAX_EVIDENCE, KnowledgeError, Note, load_notes, lookup, overlap, retrieve, tokens,
)

ANY_TEXT = st.text() | st.text(st.characters(categories=["Cs", "Cc", "Mn", "Mc", "Cf", "So", "Lm", "Sk"]))
SPELLINGS = st.text("aeouAEçßıİк\u0438\u0301\u0306\u0308\u0327가각が\u3099Å\u212b \u200b-_")
NOTE_WORDS = ["pip", "module", "venv", "proxy", "serial port"]


def note(number, *keywords, category="setup"):
    return Note(id=f"D{number}", title=f"Note {number}", text=f"Do {number}.", category=category, keywords=keywords)


def ids(text, *notes, category="setup"):
    return [found["id"] for found in retrieve(text, category, notes=notes)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Pip INSTALL", {"pip", "install"}),
        ("wi-fi", {"wi", "fi", "wifi"}),
        ("USB-C", {"usb", "c", "usbc"}),
        ("wi\u2010fi wi\u2011fi", {"wi", "fi", "wifi"}),
        ("--cert a--b -c- -", {"cert", "a", "b", "c"}),
        ("serial_port", {"serial", "port"}),
        ("/dev/ttyUSB0: Permission denied!", {"dev", "ttyusb0", "permission", "denied"}),
        ("STRASSE Straße", {"strasse"}),
        ("ＲＥＦＵＮＤ ａ－ｂ", {"refund", "a", "b", "ab"}),
        ("in\u00adstall mod\u200bule p\u2060ip", {"install", "module", "pip"}),
        ("ve\u200b\u200b\u200b\u200b\u200b\u200bnv", {"venv"}),
        ("Zürich café", {"zürich", "café"}),
        ("İstanbul", {"istanbul"}),
        ("возврат ЁЛКА", {"возврат", "ёлка"}),
        ("返金", {"返金"}),
        ("ΣΊΣΥΦΟΣ σίσυφος", {"σίσυφοσ"}),
        ("I²C ½", {"i2c", "1", "2"}),
        ("ℌello J\u030c", {"hello", "\u01f0"}),
        ("हिन्दी", {"हनद"}),
        ("Arduino™ Pi®", {"arduino", "pi"}),
        ("a\0b\ud800c", {"a", "b", "c"}),
        ("🙂 👩‍🔧 👍🏽 🇩🇪 ⚠️ 1️⃣ ℹ️ 🈁", set()),
        (" \t\n.,;!?[]()_-\u200b\u0301", set()),
        ("", set()),
    ],
)
def test_a_text_is_cut_into_words(text, words):
    assert tokens(text) == words


@pytest.mark.parametrize("text", ["ABC101", "abc101", "Abc101", "ａｂｃ101", "a\u200bbc101"])
def test_a_product_code_is_one_word_however_it_is_written(text):
    assert tokens(text) == {"abc101"}


def test_a_letter_and_the_same_letter_with_an_accent_are_two():
    assert tokens("cafe") != tokens("café")
    assert tokens("и") != tokens("й")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@given(text=SPELLINGS | ANY_TEXT)
def test_composed_and_decomposed_spellings_give_the_same_words(form, text):
    assert tokens(unicodedata.normalize(form, text)) == tokens(text)


@given(ANY_TEXT)
def test_a_word_has_letters_and_digits_only(text):
    assert all(re.fullmatch(r"[^\W_]+", word) for word in tokens(text))


@pytest.mark.parametrize(
    "piece",
    ["pip install ", "a", "a-", "-", "a\u200b", "🙂", "\u0316\u0301", "\uff9e\u0316", "a\u0316\u0301", "ＲＥＦ"],
    ids=ascii,
)
def test_a_million_characters_take_well_under_a_second(piece):
    text = piece * (1_000_000 // len(piece))

    start = time.perf_counter()
    tokens(text)

    assert time.perf_counter() - start < 1


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


def test_the_first_three_notes_are_the_ones_the_lessons_speak_of():
    assert [(item.id, item.title, item.category) for item in load_notes()[:3]] == [
        ("D1", "Python environments", "setup"),
        ("D2", "Package installation", "setup"),
        ("D3", "Serial port unavailable", "hardware"),
    ]


def test_there_are_twelve_to_sixteen_notes_numbered_without_a_gap():
    notes = load_notes()

    assert 12 <= len(notes) <= 16
    assert [item.id for item in notes] == [f"D{number}" for number in range(1, len(notes) + 1)]


@pytest.mark.parametrize("item", load_notes(), ids=lambda item: item.id)
def test_a_note_is_two_to_four_sentences_and_the_first_can_stand_alone(item):
    sentences = re.split(r"(?<=[.?!]) (?=[A-Z])", item.text)

    assert 2 <= len(sentences) <= 4
    assert all(sentence.endswith(".") for sentence in sentences)
    assert 40 <= len(sentences[0]) <= 180


def test_the_packaged_notes_are_read_once():
    assert load_notes() is load_notes()


GOOD = {"id": "D1", "title": "Pip", "text": "Use pip.", "category": "setup", "keywords": ["pip"]}
LINE = "it must be one line of printable words without square brackets"
WORDS = "it must be a list of different words, at least one"
SHELF = "it must be setup or hardware (unsupported has no notes: such a ticket goes to a person)"
AGAIN = "which is blank or was there before"
NUMBER = "it must be D and a number, such as D1 or D12"


def saved(tmp_path, content):
    path = tmp_path / "notes.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode("utf-8"))
    return path


def message(path):
    with pytest.raises(KnowledgeError) as caught:
        load_notes(path)
    return str(caught.value).removeprefix(str(path))


FAULTS = [
    ({"id": "d2"}, f", note 2: id is 'd2'; {NUMBER}"),
    ({"id": "D02"}, f", note 2: id is 'D02'; {NUMBER}"),
    ({"id": "D2\n"}, f", note 2: id is 'D2\\n'; {NUMBER}"),
    ({"id": "D2２"}, f", note 2: id is 'D2２'; {NUMBER}"),
    ({"id": "E2"}, f", note 2: id is 'E2'; {NUMBER}"),
    ({"id": 2}, f", note 2: id is 2; {NUMBER}"),
    ({"id": "D1"}, ", note 2: the id D1 is taken; give the note a new one"),
    ({"title": " \u200b "}, f", note 2, 'D2': title is ' \\u200b '; {LINE}"),
    ({"title": None}, f", note 2, 'D2': title is None; {LINE}"),
    ({"text": ""}, f", note 2, 'D2': text is ''; {LINE}"),
    ({"text": "Use\npip."}, f", note 2, 'D2': text is 'Use\\npip.'; {LINE}"),
    ({"text": "See [D1]."}, f", note 2, 'D2': text is 'See [D1].'; {LINE}"),
    ({"text": "See ［D1］."}, f", note 2, 'D2': text is 'See ［D1］.'; {LINE}"),
    ({"text": "?!"}, f", note 2, 'D2': text is '?!'; {LINE}"),
    ({"text": 7}, f", note 2, 'D2': text is 7; {LINE}"),
    ({"text": "\ud800 pip"}, f", note 2, 'D2': text is '\\ud800 pip'; {LINE}"),
    ({"category": "unsupported"}, f", note 2, 'D2': category is 'unsupported'; {SHELF}"),
    ({"category": "Setup"}, f", note 2, 'D2': category is 'Setup'; {SHELF}"),
    ({"keywords": []}, f", note 2, 'D2': keywords is []; {WORDS}"),
    ({"keywords": "pip"}, f", note 2, 'D2': keywords is 'pip'; {WORDS}"),
    ({"keywords": ["pip", 3]}, f", note 2, 'D2': keywords is ['pip', 3]; {WORDS}"),
    ({"keywords": ["pip", "?"]}, f", note 2, 'D2': keywords holds '?', {AGAIN}; {WORDS}"),
    ({"keywords": ["wifi", "Wi-Fi"]}, f", note 2, 'D2': keywords holds 'Wi-Fi', {AGAIN}; {WORDS}"),
    ({"new\nkey": 1}, ", note 2, 'D2': 'new\\nkey' is no key of a note; take it out"),
]


@pytest.mark.parametrize(("change", "expected"), FAULTS, ids=[ascii(change) for change, _ in FAULTS])
def test_a_fault_in_a_note_is_told_in_one_line(tmp_path, change, expected):
    assert message(saved(tmp_path, [GOOD, {**GOOD, "id": "D2", **change}])) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("id", f", note 1: id is missing; {NUMBER}"),
        ("title", f", note 1, 'D1': title is missing; {LINE}"),
        ("text", f", note 1, 'D1': text is missing; {LINE}"),
        ("category", f", note 1, 'D1': category is missing; {SHELF}"),
        ("keywords", f", note 1, 'D1': keywords is missing; {WORDS}"),
    ],
)
def test_a_missing_key_is_named(tmp_path, key, expected):
    assert message(saved(tmp_path, [{other: GOOD[other] for other in GOOD if other != key}])) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"notes": []}, " holds {'notes': []}; it must be one list of notes"),
        ([GOOD, "D2"], ", note 2 is 'D2'; it must be an object with the keys of a note"),
        (b"", " cannot be used as JSON: Expecting value: line 1 column 1 (char 0); mend it there"),
        ("[]".encode("utf-16"), " is not UTF-8; save it again in that encoding"),
        ("[\"é\"]".encode("latin-1"), " is not UTF-8; save it again in that encoding"),
        (b"[" * 200_000, " is nested too deeply; it must be one list of notes"),
        (
            b'[{"id": "D1", "text": "a", "text": "b"}]',
            " cannot be used as JSON: the key 'text' is twice in the note with the id 'D1'; mend it there",
        ),
    ],
    ids=["no list", "no object", "empty", "UTF-16", "Latin-1", "deep", "twice"],
)
def test_a_file_that_is_no_list_of_notes_is_refused_in_one_line(tmp_path, content, expected):
    assert message(saved(tmp_path, content)) == expected


def test_a_file_that_is_not_there_is_named(tmp_path):
    expected = " cannot be read (No such file or directory); check its name and its place"

    assert message(tmp_path / "none.json") == expected


def test_a_note_made_by_hand_is_checked_as_strictly():
    with pytest.raises(ValueError, match="title"):
        Note(**{**GOOD, "title": b"Pip"})


def test_a_huge_value_does_not_fill_the_screen(tmp_path):
    path = saved(tmp_path, [{**GOOD, "category": "x" * 100_000}])

    assert len(message(path)) < 200


def test_a_file_with_a_byte_order_mark_and_an_empty_list_are_fine(tmp_path):
    marked = saved(tmp_path, b"\xef\xbb\xbf" + json.dumps([GOOD]).encode("utf-8"))
    assert [item.id for item in load_notes(marked)] == ["D1"]

    assert load_notes(str(saved(tmp_path, []))) == ()


def test_notes_keep_every_alphabet(tmp_path):
    entry = {**GOOD, "text": "Größe: 60 °C, 返金."}
    path = saved(tmp_path, json.dumps([entry], ensure_ascii=False).encode("utf-8"))

    assert load_notes(path)[0].text == "Größe: 60 °C, 返金."


def test_an_old_locale_and_another_folder_change_nothing(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "knowledge.json").write_text("broken", encoding="utf-8")
    (tmp_path / "knowledge.json").write_text("broken", encoding="utf-8")
    program = "from support_desk import golden, retrieval as r; print(len(golden.load_golden()), ascii(r.load_notes()))"
    old = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    command = [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning", "-c", program]
    run = subprocess.run(command, cwd=tmp_path, env=old, capture_output=True, encoding="utf-8")

    assert run.stderr == ""
    assert run.stdout == f"{len(load_golden())} {ascii(load_notes())}\n"
