"""Makes .venv, or puts it right, so that it holds what the course needs; tools/start.py is the way in."""

import errno
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import use_venv
from run_pip import BEGUN, INSTALLING, PINS, ROOT, SetupError, run, tell

VENV = Path(use_venv.VENV)
PYTHON = use_venv.PYTHON
MARK = VENV / "course-setup.json"  # there: this .venv is ours; with content: it is whole, and this is what it holds
LOG = VENV / "course-setup.log"
MAKE = [getattr(sys, "_base_executable", sys.executable), "-I", "-m", "venv", str(VENV)]  # never by .venv's own Python
INSTALL = [PYTHON, "-I", "-m", "pip", "install", "--editable"]


def main(arguments: list[str]) -> int:
    """Set up what the command needs and end as that command; or say why that fails, and return 1."""
    testing = arguments[:1] == ["test"]
    try:
        set_up(["test"] if testing else [])
        if testing:
            os.chdir(ROOT)
            use_venv.hand_over([PYTHON, "-m", "pytest", *arguments[1:]])
        use_venv.hand_over([PYTHON, "-P", "-m", "course", *(arguments or ["tour"])])
    except SetupError as error:
        tell(f"The course could not be set up: {error}")
    except OSError as error:
        tell(f"The course could not be set up: {explain_os(error)}")
    return 1


def set_up(extras: list[str]) -> None:
    """Leave .venv whole, with what is pinned and these extras. Raises SetupError or OSError."""
    want = {"root": str(ROOT), "pins": pins(), "extras": extras}
    if serves(read_mark(), want):
        return
    with alone() as lock:
        have = read_mark()
        if serves(have, want):  # another run has just done it
            return
        want["extras"] = sorted({*extras, *have.get("extras", [])})
        if is_whole(have):
            change(have, want, lock)
        else:
            make_again(have, want, lock)
    tell(f"The course is set up ({time.monotonic() - BEGUN:.0f} s).")


# What is there


def read_mark() -> dict:
    """What .venv holds, by its mark; {} if it is not ours or not whole."""
    with suppress(OSError, ValueError):
        mark = json.loads(MARK.read_text(encoding="utf-8"))
        if {"root", "pins", "extras", "python", "packages"} == {*mark}:
            return mark
    return {}


def serves(have: dict, want: dict) -> bool:
    """Whether the .venv of this mark holds all that is wanted."""
    return bool(have) and have["pins"] == want["pins"] and {*want["extras"]} <= {*have["extras"]} and is_whole(have)


def is_whole(have: dict) -> bool:
    """Whether the .venv of this mark was finished, in this folder, and nothing of it has gone since."""
    return is_at_home(have) and have["python"] == python_tag() and {*have["packages"]} <= packages()


def is_at_home(have: dict) -> bool:
    """Whether .venv was made in this folder; its commands name the folder, so a moved or copied one is no good."""
    with suppress(OSError):
        return bool(have) and os.path.samefile(have["root"], ROOT)
    return False


def pins() -> str:
    """A digest of the files that say what to install."""
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", PINS))).hexdigest()


def python_tag() -> str:
    """What the Python of .venv says it is, such as cpython-311; empty if it does not run in .venv."""
    with suppress(OSError):
        ask = "import sys; print(sys.implementation.cache_tag if sys.prefix != sys.base_prefix else '')"
        command = [PYTHON, "-I", "-c", ask]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout.strip()
    return ""


def packages() -> set[str]:
    """The names in site-packages."""
    return {entry for folder in site_packages() for entry in os.listdir(folder)} - {"__pycache__"}


def site_packages() -> list[Path]:
    """The folder, in a list, where pip puts packages."""
    return [*VENV.glob("Lib/site-packages" if use_venv.WINDOWS else "lib/python*/site-packages")]


# Making it


def change(have: dict, want: dict, lock: BinaryIO) -> None:
    """Install what is new in a whole .venv. If pip gives up before it touches anything, all stays as it was."""
    tell("Bringing .venv up to date.")
    LOG.unlink(missing_ok=True)
    MARK.write_text("")
    try:
        install(want, lock)
    except (SetupError, KeyboardInterrupt):
        if INSTALLING not in LOG.read_text(errors="replace"):
            write_mark(have)
        raise


def make_again(have: dict, want: dict, lock: BinaryIO) -> None:
    """Make .venv from nothing."""
    if not (importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv")):
        name = "python%d.%d" % sys.version_info[:2]
        raise SetupError(f"{name} has no venv module. On Debian and Ubuntu: sudo apt install {name}-venv")
    if not MARK.exists():
        tell(f"Setting up the course in {VENV}. This takes a minute, once.")
    else:
        why = "unfinished" if not have else "damaged" if is_at_home(have) else "from another folder"
        tell(f"The .venv here is {why}. Making it again, which takes a minute.")
    clear()
    run("making .venv", MAKE, LOG, lock)
    install(want, lock)


def clear() -> None:
    """Leave a .venv with nothing but our mark. One that is not ours is kept under another name."""
    if os.path.lexists(VENV) and not MARK.exists() and not (VENV.is_dir() and not any(VENV.iterdir())):
        kept = next(name for number in range(1, 1000) if not os.path.lexists(name := f"{VENV}-kept-{number}"))
        VENV.rename(kept)
        tell(f"The .venv that was here is not from this command. It is now {os.path.basename(kept)}.")
    VENV.mkdir(exist_ok=True)
    MARK.write_text("")
    for entry in VENV.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry != MARK:
            entry.unlink()


def install(want: dict, lock: BinaryIO) -> None:
    """Have pip install the course with its extras; when all is there, say so in the mark."""
    extras = f"[{','.join(want['extras'])}]" if want["extras"] else ""
    run("collecting packages", [*INSTALL, "." + extras], LOG, lock)
    for folder in site_packages():
        for link in folder.glob("*support_desk_course.pth"):
            # A relative path is ASCII: before Python 3.13 Windows misreads other letters here.
            link.write_text(os.path.relpath(ROOT / "src", folder), encoding="ascii")
    write_mark({**want, "python": python_tag(), "packages": sorted(packages())})


def write_mark(mark: dict) -> None:
    """Say that .venv is whole and what it holds, in one stroke."""
    new = MARK.with_suffix(".new")
    new.write_text(json.dumps(mark), encoding="utf-8")
    os.replace(new, MARK)


@contextmanager
def alone() -> Iterator[BinaryIO]:
    """Hold the lock that keeps two runs apart. It lies on this very file; the system frees it, whatever ends us."""
    with open(__file__, "rb", buffering=0) as lock:
        if not take(lock):
            tell("Another run is setting up this folder. Waiting for it to end.")
            while not take(lock):
                time.sleep(0.2)
        yield lock


def take(lock: BinaryIO) -> bool:
    """Take the lock if it is free. Where there are no locks, as on some network folders, go on without."""
    try:
        if use_venv.WINDOWS:
            import msvcrt

            lock.seek(2**30)  # far beyond the end, where it keeps nobody from reading the file
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True


def explain_os(error: OSError) -> str:
    """Why the system refused and what to do."""
    if error.errno == errno.ENOSPC:
        return "the disk is full. Make room, about 300 MB, then run this again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return (
            f"{error.filename or ROOT} cannot be written. Close the programs that use .venv, or copy the course to a "
            "folder of your own, then run this again."
        )
    return f"{error}."
