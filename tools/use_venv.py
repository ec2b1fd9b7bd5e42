"""Go on in the Python of .venv, whichever Python was started. A script of the course begins with

    if __name__ == "__main__":
        import pathlib, runpy
        runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "use_venv.py"))

A Python that has the packages already stays: an activated environment, a notebook's, the tests'.
"""
# This file must parse on any old Python: no f-strings, no type hints.

import importlib.util
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
WINDOWS = os.name == "nt"
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "Scripts", "python.exe") if WINDOWS else os.path.join(VENV, "bin", "python")
FOREIGN = ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")  # meant for another Python
NEEDED = ("langgraph.checkpoint.sqlite", "pydantic", "markdown_it", "graphviz", "typer")
TRIED = "COURSE_TRIED_VENV"


def use_venv():
    """Return if this Python has the packages; else end as the same command in .venv, or with one line and status 2."""
    sys.excepthook = end_quietly
    tried = os.environ.pop(TRIED, None)  # a damaged .venv may lead back to this Python: never go round twice
    if sys.version_info >= (3, 11) and has_packages():
        use_this_folder()
    elif os.path.exists(PYTHON) and not tried:
        os.environ[TRIED] = "yes"
        try:
            hand_over([PYTHON] + same_command())
        except OSError:  # not a program of this system, say
            end_with_advice()
    else:
        end_with_advice()


def end_quietly(kind, error, trace):
    """End without a word when Ctrl-C comes while packages are being imported; tell of any other error as usual."""
    if kind is KeyboardInterrupt:
        os._exit(130)
    sys.__excepthook__(kind, error, trace)


def has_packages():
    """Whether this Python has all that the course imports: LangGraph alone brings no SQLite saver."""
    try:
        return all(importlib.util.find_spec(name) for name in NEEDED)
    except ImportError:
        return False


def same_command():
    """What follows the Python in the command that runs: its flags (from Python 3.10 on), the script, the arguments."""
    if hasattr(sys, "orig_argv"):
        return sys.orig_argv[1:]
    return [sys.modules["__main__"].__file__] + sys.argv[1:]  # argv[0] is this file, as long as runpy runs it


def use_this_folder():
    """Import the course from this folder, also when no copy of it, or another one, is installed."""
    source = os.path.join(ROOT, "src")
    found = importlib.util.find_spec("support_desk")
    if not (found and os.path.realpath(found.origin or "").startswith(source + os.sep)):
        sys.path.insert(0, source)


def hand_over(command):
    """End as this command, with the same terminal, input and folder, and with its exit status."""
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    if sys.stdout:  # None when it was closed before the start
        sys.stdout.flush()
    if not WINDOWS:
        os.execve(command[0], command, environment)
    import signal
    import subprocess

    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C reaches the command too, and the command decides
    status = subprocess.call(command, env=environment)
    sys.exit(130 if status == 0xC000013A else status)  # what Windows says of a program that Ctrl-C ended


def end_with_advice():
    """One line on how to set the course up."""
    start = os.path.join("tools", "start.py")
    if os.path.realpath(os.curdir) != ROOT:
        start = '"%s"' % os.path.join(ROOT, start)
    sys.stderr.write("The course is not set up yet, or not wholly. Run this first: python %s\n" % start)
    sys.exit(2)


if __name__ == "<run_path>":  # started by runpy, as above; tools/make_venv.py imports this file
    use_venv()
