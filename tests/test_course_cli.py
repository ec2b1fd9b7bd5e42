"""The command `course` hands on what lessons say, and answers nonsense with one line."""

import sys
from types import ModuleType

import pytest

from course import cli, listings, tour
from tests.lesson_runs import call, process


def course(*words):
    return call(cli.main, *words)


def test_run_hands_everything_after_the_number_to_the_lesson(monkeypatch):
    handed = []
    monkeypatch.setattr(tour, "run", lambda number, arguments: handed.append((number, arguments)) or 3)

    for words in ([], ["-refund please"], ["--drafter", "unknown-id", "--json"], ["--help"], ["--", "-x"], [""], ["-"]):
        assert course("run", "4", *words).status == 3
        assert handed.pop() == (4, words)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["run", "9"], "There is no lesson 9: choose one of 1, 2, 3, 4, 5, 6"),
        (["run", "-1"], "There is no lesson -1"),
        (["run", "four"], "integer"),
        (["run"], "Missing argument"),
        (["rum"], "No such command"),
        (["tour", "5"], "unexpected extra argument"),
        (["tour", "--fast"], "--fast"),
        (["--fast"], "--fast"),
    ],
)
def test_what_makes_no_sense_ends_in_one_line_and_status_2(words, complaint):
    ended = course(*words)

    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert complaint in ended.err


@pytest.mark.parametrize(("passed", "status"), [(True, 0), (False, 1)])
def test_the_tours_status_says_whether_it_passed(monkeypatch, passed, status):
    monkeypatch.setattr(tour, "tour", lambda: passed)

    assert course("tour") == (status, "", "")


def test_the_model_is_installed_by_its_own_module(monkeypatch):
    model = ModuleType("course.model")
    model.install = lambda: 5
    monkeypatch.setitem(sys.modules, "course.model", model)
    monkeypatch.setattr("course.model", model, raising=False)

    assert course("model").status == 5


def test_listings_brings_every_page_up_to_date(monkeypatch, tmp_path):
    (tmp_path / "say.py").write_text("NEW = 1\nprint('new')\n", encoding="utf-8")
    page = tmp_path / "README.md"
    old = "```python ./say.py::NEW\nold\n```\n→\n```console\n$ python say.py\n```\n"
    page.write_bytes(old.replace("\n", "\r\n").encode())
    monkeypatch.setattr(listings, "ROOT", tmp_path)
    monkeypatch.setattr(listings, "pages", lambda: [page])

    assert course("listings") == (0, "", "")

    new = "```python ./say.py::NEW\nNEW = 1\n```\n→\n```console\n$ python say.py\nnew\n```\n"
    assert page.read_bytes() == new.encode()


def test_a_page_with_a_wrong_reference_is_named_and_left_alone(monkeypatch, tmp_path):
    page = tmp_path / "README.md"
    page.write_text("```python none.py::x\n```\n", encoding="utf-8")
    monkeypatch.setattr(listings, "ROOT", tmp_path)
    monkeypatch.setattr(listings, "pages", lambda: [page])

    ended = course("listings")

    assert (ended.status, ended.err) == (2, "README.md quotes none.py, and there is no such file.\n")
    assert page.read_text(encoding="utf-8") == "```python none.py::x\n```\n"


def test_no_word_at_all_shows_the_help_and_ends_with_status_2():
    ended = course()

    assert ended.status == 2
    assert "Usage" in ended.out + ended.err and "Traceback" not in ended.err


def test_help_names_every_command():
    ended = process("-m", "course", "--help", COLUMNS="80")

    assert (ended.status, ended.err) == (0, "")
    assert all(command in ended.out for command in ("tour", "run", "model", "listings"))
