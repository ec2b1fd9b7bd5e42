"""The file of notes, and what is said of a broken one."""

import json
import os
import re
import subprocess
import sys

import pytest

from support_desk.golden import load_golden
from support_desk.knowledge import KnowledgeError, Note, load_notes


def test_the_first_three_notes_are_the_ones_the_lessons_speak_of():
    assert [(item.id, item.title, item.category) for item in load_notes()[:3]] == [
        ("D1", "Python environments", "setup"),
        ("D2", "Package installation", "setup"),
        ("D3", "Serial port unavailable", "hardware"),
    ]


def test_there_are_at_least_twelve_notes_numbered_without_a_gap():
    notes = load_notes()

    assert len(notes) >= 12
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
