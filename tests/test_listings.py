"""What a page quotes, code or output, is what the file holds and the command prints today."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from course import listings
from support_desk.errors import BadInput

PAGES = listings.pages()


@pytest.fixture(scope="module")
def today():
    """Each page as it should be; their commands run side by side, for each of them takes a second or two."""
    with ThreadPoolExecutor(3) as pool:
        yield {page: pool.submit(listings.refreshed, page) for page in PAGES}


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A function that writes a page, with a file to quote beside it, and says how it should be."""
    monkeypatch.setattr(listings, "ROOT", tmp_path)
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "main.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "say.py").write_text("import sys\nprint(*sys.argv[1:] or 'é', sep='\\n')\n", encoding="utf-8")

    def refreshed(text):
        path = tmp_path / "lessons" / "README.md"
        path.write_text(text, encoding="utf-8")
        return listings.refreshed(path)

    return refreshed


CODE = '''\
LIMIT: int = 3  # tries
PAIR = (
    1,
)


@decorated
class Desk:
    """A desk."""

    @property
    def open(self):
        return "é"


def check():
    pass
'''


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(listings.ROOT).as_posix())
def test_a_page_quotes_what_is_there_today(today, path):
    assert path.read_text(encoding="utf-8") == today[path].result(), f"{path} is stale: run `course listings`."


def test_every_page_of_the_course_is_looked_at():
    names = [path.relative_to(listings.ROOT).as_posix() for path in PAGES]

    assert names[0] == "README.md"
    assert "lessons/04_retrieval/README.md" in names


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("LIMIT", "LIMIT: int = 3  # tries\n"),
        ("PAIR", "PAIR = (\n    1,\n)\n"),
        ("check", "def check():\n    pass\n"),
        ("Desk", CODE.partition("\n\n\n")[2].partition("\n\n\n")[0] + "\n"),
        ("Desk.open", '@property\ndef open(self):\n    return "é"\n'),
    ],
    ids=["LIMIT", "PAIR", "check", "Desk", "Desk.open"],
)
def test_a_definition_is_quoted_whole_with_its_decorators(page, name, code):
    for file in ("main.py", "lessons/main.py"):
        assert page(f"a\n```python {file}::{name}\nold\n```\nb") == f"a\n```python {file}::{name}\n{code}```\nb"


@pytest.mark.parametrize(
    ("reference", "complaint"),
    [
        ("none.py::check", "lessons/README.md quotes none.py, and there is no such file."),
        ("lessons/none.py::check", "lessons/README.md quotes lessons/none.py, and there is no such file."),
        ("main.py::chek", "lessons/README.md quotes main.py::chek, and main.py defines no chek."),
        ("main.py::Desk.close", "lessons/README.md quotes main.py::Desk.close, and main.py defines no Desk.close."),
        ("main.py::LIMIT.more", "lessons/README.md quotes main.py::LIMIT.more, and main.py defines no LIMIT.more."),
    ],
)
def test_a_quotation_of_what_does_not_exist_is_refused_by_name(page, reference, complaint):
    with pytest.raises(BadInput, match=f"^{re.escape(complaint)}$"):
        page(f"```python {reference}\n```")


def test_a_command_is_quoted_with_what_it_prints_on_both_streams(page):
    block = '```console\n$ python say.py "two words" one\nold\n$ python none.py\n```'

    lines = page(block).splitlines()

    assert lines[:4] == ["```console", '$ python say.py "two words" one', "two words", "one"]
    assert lines[4] == "$ python none.py" and "No such file" in lines[5]


def test_a_long_output_is_cut_and_says_so(page):
    block = "```console 2\n$ python say.py {}\n{}```"

    assert page(block.format("a b c d", "")) == block.format("a b c d", "a\nb\n… and 2 more lines\n")
    assert page(block.format("a b", "")) == block.format("a b", "a\nb\n")


def test_output_is_utf_8_whatever_the_console(page, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")

    assert page("```console\n$ python say.py\n```") == "```console\n$ python say.py\né\n```"


def test_other_blocks_are_left_alone(page):
    text = "```console by-hand\n$ rm -rf x\n```\n```text\n$ python say.py\n```\n```\n$ python say.py\n```\n"

    assert page(text) == text


def test_only_python_is_run(page):
    with pytest.raises(BadInput, match="^A console block runs `rm -rf x`: start it with python, or tag"):
        page("```console\n$ rm -rf x\n```")
