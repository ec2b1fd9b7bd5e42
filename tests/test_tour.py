"""Every lesson runs from any folder, on any console, without a network; the tour runs them all."""

import io
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from course import lessons, tour
from tests.lesson_runs import process, script

# Python imports a sitecustomize.py that it finds on its path before anything else, in every process of a tour.
WATCH = """
import os, sys
def watch(event, arguments):
    if event == "socket.getaddrinfo" or event == "socket.connect" and arguments[1][:1] != ("127.0.0.1",):
        os.write(2, f"{event} {arguments}\\n".encode())
sys.addaudithook(watch)
"""
OLD = {
    "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0",
    "PYTHONWARNDEFAULTENCODING": "1", "PYTHONWARNINGS": "error::EncodingWarning",
}
KEYS = {f"{vendor}_API_KEY": "bogus-key" for vendor in ("OPENAI", "ANTHROPIC", "LANGSMITH", "LANGCHAIN")}


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """How each lesson ended in a copy at a difficult path, from another folder, in an old locale, with useless keys."""
    place = tmp_path_factory.mktemp("place")
    copy, watch = place / "My Course (1) é", place / "watch"
    for folder in ("lessons", "src", "tools"):
        shutil.copytree(lessons.ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    watch.mkdir()
    (watch / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    settings = {"cwd": place.anchor, "PYTHONPATH": str(watch), **OLD, **KEYS}
    with ThreadPoolExecutor(3) as pool:
        yield {number: pool.submit(process, script(number, copy), **settings) for number in lessons.numbers()}


@pytest.mark.parametrize("number", lessons.numbers())
def test_a_lesson_prints_what_its_page_shows_from_a_difficult_place_too(ended, number):
    page = (lessons.folder(number) / "README.md").read_text(encoding="utf-8")
    command = f"$ python lessons/{lessons.folder(number).name}/main.py\n"
    shown = page.partition(command)[2].partition("```")[0].partition("…")[0]

    printed = ended[number].result()

    assert (printed.status, printed.err) == (0, "")
    assert shown and printed.out.startswith(shown)
    assert "bogus" not in printed.out


def test_the_tour_shows_each_lesson_with_its_command_and_its_end_from_any_folder(monkeypatch, capfd, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lessons, "numbers", lambda: [1, 3])

    assert tour.tour() is True

    out, err = capfd.readouterr()
    assert err == ""
    first, second = out.split("=" * 80)[1:]
    assert first.startswith("\npython lessons/01_first_graph/main.py\n\nticket       My pip")
    assert "steps        2: classify, human\n" in second and " lesson 3\n" in second
    assert out.endswith("\ntour: 2 of 2 lessons passed\n")


def test_a_lesson_that_fails_is_named_and_the_tour_goes_on(monkeypatch, capsys):
    monkeypatch.setattr(lessons, "numbers", lambda: [1, 2, 3])
    monkeypatch.setattr(tour, "run", lambda number, arguments: 7 if number == 2 else 0)

    assert tour.tour() is False

    out = capsys.readouterr().out
    assert "lesson 2 ended with status 7\n" in out
    assert "lesson 3\n" in out
    assert out.endswith("\ntour: 2 of 3 lessons passed\n")


def test_a_tour_without_a_fault_is_true(monkeypatch):
    monkeypatch.setattr(tour, "run", lambda number, arguments: 0)

    assert tour.tour() is True


@pytest.mark.parametrize(("encoding", "marks"), [("utf-8", ["✓", "✗"]), ("cp1252", ["ok", "failed"])])
def test_the_mark_is_one_that_the_console_can_show(monkeypatch, encoding, marks):
    monkeypatch.setattr(lessons, "numbers", lambda: [1, 2])
    monkeypatch.setattr(tour, "run", lambda number, arguments: number - 1)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))

    tour.tour()

    sys.stdout.flush()
    out = sys.stdout.buffer.getvalue().decode(encoding)
    assert f"{marks[0]} lesson 1{os.linesep}" in out and f"{marks[1]} lesson 2 ended with status 1" in out


def test_a_run_hands_its_arguments_and_its_streams_on(capfd):
    assert tour.run(1, ["-refund please", "--json"]) == 0
    assert '"text": "-refund please"' in capfd.readouterr().out
    assert tour.run(1, [""]) == 2
