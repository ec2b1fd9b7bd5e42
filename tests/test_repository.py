"""What holds for every file of the repository, on every machine that checks it out."""

import re
import socket
import subprocess
import tomllib
import warnings
from itertools import chain
from pathlib import PurePosixPath

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pytest_socket import SocketBlockedError

from course.lessons import ROOT

BINARY = {".png", ".gguf"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RESERVED = {"con", "prn", "aux", "nul", *[f"{port}{n}" for port in ("com", "lpt") for n in range(10)]}

pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="these rules are for a git checkout")


def test_no_test_can_reach_a_network():
    with pytest.raises((SocketBlockedError, UserWarning)):  # a warning first, from pytest-socket 0.8 on
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)


def test_a_warning_fails_a_test():
    with pytest.raises(UserWarning):
        warnings.warn("old", stacklevel=1)


def tracked():
    """The paths of all files in git, and of those that would be added next."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [path for path in sorted(set(listed)) if path and (ROOT / path).is_file()]


def texts():
    return {path: (ROOT / path).read_bytes() for path in tracked() if PurePosixPath(path).suffix not in BINARY}


def lines_with(pattern):
    """Each line of a text file that the pattern finds, as path:number."""
    found = re.compile(pattern, re.IGNORECASE)
    return [
        f"{path}:{number}"
        for path, text in texts().items()
        for number, line in enumerate(text.decode().split("\n"), start=1) if found.search(line)
    ]


def test_no_path_is_too_long_for_windows():
    assert [path for path in tracked() if len(path) > 120] == []


def test_every_name_is_one_that_every_system_allows():
    parts = {part for path in tracked() for part in path.split("/")}

    assert [part for part in parts if not re.fullmatch(r"[\w.-]+", part, re.ASCII) or part.endswith(".")] == []
    assert {part.partition(".")[0].lower() for part in parts} & RESERVED == set()


def test_no_two_paths_differ_only_in_capitals():
    assert len({path.casefold() for path in tracked()}) == len(tracked())


@pytest.mark.parametrize("fault", [b"\r", b" \n", b"\t\n", b"\xef\xbb\xbf"], ids=["CR", "space", "tab", "mark"])
def test_no_text_has_invisible_faults(fault):
    assert [path for path, text in texts().items() if fault in text] == []


def test_every_text_is_utf_8_and_ends_with_one_line_break():
    wrong = [path for path, text in texts().items() if text and (not text.endswith(b"\n") or text.endswith(b"\n\n"))]

    assert wrong == []
    assert all(text.decode("utf-8") or not text for text in texts().values())


def test_no_file_names_a_place_on_somebodys_machine():
    folders = "|".join(["home", "root", "users", "work", "tmp", "private", "mnt"])

    assert lines_with(rf"(?<![\w.}}>])/({folders})/\w|\b[a-z]:\\users") == []


def test_no_file_holds_the_address_of_a_registry():
    hosts = {host for text in texts().values() for host in re.findall(r"https?://([\w.-]+)", text.decode())}
    words = ["pypi", "python" + "hosted", "artifactory", "nexus", "mirror", "registry", "proxy", "index", "packages"]

    assert [host for host in hosts if any(word in host for word in words)] == []
    assert [host for host in hosts if re.fullmatch(r"[\d.]+", host)] in ([], ["127.0.0.1"])


def test_line_breaks_are_the_same_on_every_system():
    assert "* text=auto eol=lf" in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()


def test_the_licence_is_mit():
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n")
    assert (PROJECT["license"], PROJECT["license-files"]) == ("MIT", ["LICENSE"])


def test_the_lowest_python_is_3_11():
    assert PROJECT["requires-python"] == ">=3.11"


def pins(file):
    lines = (ROOT / "tools" / file).read_text(encoding="utf-8").splitlines()
    requirements = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(requirement.name): requirement.specifier for requirement in requirements}


EXTRAS = PROJECT["optional-dependencies"]
NEEDED = [Requirement(line) for line in [*PROJECT["dependencies"], *chain.from_iterable(EXTRAS.values())]]


@pytest.mark.parametrize("requirement", NEEDED, ids=lambda requirement: requirement.name)
def test_a_dependency_is_pinned_inside_its_range(requirement):
    pin = pins("constraints.txt")[canonicalize_name(requirement.name)]

    [exact] = pin
    assert exact.operator == "==" and requirement.specifier.contains(exact.version)
