"""Runs pip, and says what it is doing and why it failed in a line of plain English."""

import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import use_venv

ROOT = Path(use_venv.ROOT)
PINS = "tools/constraints.txt"  # relative to ROOT, since PIP_CONSTRAINT takes no spaces
BEGUN = time.monotonic()

# The caller's settings that say how to reach the packages. Others (a target folder, --user) would lead pip astray.
KEPT_FOR_PIP = re.compile(
    r"PIP_((EXTRA_)?INDEX_URL|NO_INDEX|FIND_LINKS|TRUSTED_HOST|PROXY|(CLIENT_)?CERT|(NO_)?CACHE_DIR|CONFIG_FILE"
    r"|KEYRING_PROVIDER|USE_FEATURE|USE_DEPRECATED|(DEFAULT_)?TIMEOUT|RETRIES)"
)
SET_FOR_PIP = {
    "PIP_CONSTRAINT": PINS,
    "PIP_BUILD_CONSTRAINT": PINS,  # from pip 25.3 the line above leaves the build alone
    "PIP_USER": "0",
    "PIP_NO_INPUT": "1",
    "PIP_NO_COLOR": "1",
    "PIP_PROGRESS_BAR": "off",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
INSTALLING = "Installing collected packages: "
STEPS = (  # a line of pip's, what it is doing
    (r"Collecting ([\w.-]+)", "collecting packages"),
    (r"Downloading ([\w.]+)", "collecting packages"),
    (r"Building editable for ([\w.-]+)", "building the course"),
    (INSTALLING + "(.+)", "installing packages"),
)
REASONS = (  # in the output, what is wrong, what to do next
    ("No space left|Errno 28\\b|not enough space", "the disk is full", "Make room, about 300 MB"),
    ("CERTIFICATE_VERIFY_FAILED|SSLError", "the certificate of the package index is not trusted",
     "If a company's proxy is in between, name its certificate file in PIP_CERT"),
    ("NewConnectionError|ConnectTimeout|ReadTimeout|NameResolutionError|ProxyError|ConnectionError|timed out|"
     "Connection (?:refused|reset|aborted)", "the package index cannot be reached", "Check the network and the proxy"),
    ("(?:No matching distribution found for|Cannot install) ([\\w.-]+)", "pip finds no {} for this Python",
     "Check PIP_INDEX_URL and PIP_NO_INDEX, take a Python from 3.11 to 3.14"),
    ("Read-only file system|Permission denied", "the folder cannot be written", "Copy the course to one of your own"),
)  # fmt: skip


class SetupError(Exception):
    """One line: why the course could not be set up, and what to do next."""


def run(step: str, command: list[str], log: Path, lock: BinaryIO) -> None:
    """Run a child to its end, its output in the log, its steps on the terminal. Raises SetupError if it fails."""
    keeps = {} if use_venv.WINDOWS else {"pass_fds": [lock.fileno()]}  # should we be killed, it holds the lock
    with log.open("ab") as writing, log.open(errors="replace") as reading:
        child = subprocess.Popen(
            command, cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL, stdout=writing, stderr=writing, **keeps
        )
        try:
            show(step, "")
            while child.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    child.wait(0.1)
                before, step = step, newest_step(reading.read()) or step
                show(step, before)
        finally:
            stop(child)
            tell("", end="")
    if child.returncode:
        raise SetupError(explain(log, child.returncode))


def stop(child: subprocess.Popen) -> None:
    """End a child that is still running."""
    if child.poll() is None:
        child.terminate()
        with suppress(subprocess.TimeoutExpired):
            child.wait(5)
        child.kill()
        child.wait()


def environment() -> dict[str, str]:
    """The caller's variables, without those that would lead Python or pip to another place than .venv."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if KEPT_FOR_PIP.fullmatch(name) or not name.startswith(("PIP_", "PYTHON", *use_venv.FOREIGN))
    }
    return {"PIP_RETRIES": "2", **kept, **SET_FOR_PIP}  # pip's own five take minutes to find that there is no network


def newest_step(output: str) -> str:
    """What pip is doing by its newest lines, as "kind: detail"; empty if they do not say."""
    for line in reversed(output.splitlines()):
        for pattern, kind in STEPS:
            if found := re.match(rf"\s*{pattern}", line):
                names = found[1].split(", ")
                return f"{kind}: {names[0] if len(names) == 1 else len(names)}"
    return ""


def show(step: str, before: str) -> None:
    """Show a step: on a terminal over the one before, with the seconds; elsewhere a plain line for each new kind."""
    if sys.stderr.isatty():
        tell(f"  {step} ({time.monotonic() - BEGUN:.0f} s)", end="")
    elif (kind := step.partition(":")[0]) != before.partition(":")[0]:
        tell(f"  {kind}")


def tell(line: str, end: str = "\n") -> None:
    """Write a line for the reader: on standard error, since standard output belongs to the command."""
    with suppress(OSError):  # nobody reads any more: no reason to stop
        if sys.stderr.isatty():
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write("\r" + " " * width + "\r")
            line = line if end else line[:width]
        sys.stderr.write(line + end)
        sys.stderr.flush()


def explain(log: Path, status: int) -> str:
    """Why a child failed and what to do, from its output."""
    output = log.read_text(errors="replace")
    if shutil.disk_usage(ROOT).free < 2**20:
        output = "No space left"  # too full even for the log
    for pattern, what, advice in REASONS:
        if found := re.search(pattern, output):
            what = what.replace("{}", found[found.lastindex or 0])
            return f"{what}. {advice}, then run this again. All that pip said: {log}"
    errors = re.findall(r"^\s*(\w*error\b.*?)\.?$", output, re.IGNORECASE | re.MULTILINE) or [f"status {status}"]
    return f"pip stopped with {errors[-1]}. All that it said: {log}"
