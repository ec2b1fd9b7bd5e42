"""Set the course up and run it. The first time takes a minute, after that a moment.

    python tools/start.py                 the tour of the lessons
    python tools/start.py test            every test; what follows goes to pytest
    python tools/start.py run 4           any other command of the course

Everything is installed in the folder .venv beside this one, nowhere else, and nothing needs activating. Whatever
was interrupted or damaged is put right by running this again. To start over, or to change to another Python, delete
.venv and run this with the Python you want. A .venv that this command did not make is kept, under another name.
"""
# This file must parse on any old Python, so that it can say what is missing: no f-strings, no type hints.

import os
import subprocess
import sys

OLDEST = (3, 11)
NEWEST = (3, 14)


def newer_python():
    """The first command on this machine that starts a Python new enough, or None."""
    names = ["3.%d" % minor for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
    commands = [["python" + name] for name in names] + [["py", "-" + name] for name in names] + [["python3"]]
    return next((" ".join(command) for command in commands if is_new_enough(command)), None)


def is_new_enough(command):
    """Whether this command is there and starts a Python new enough: a name alone may be a stub that only fails."""
    test = "import sys; sys.exit(not %r <= sys.version_info[:2] <= %r)" % (OLDEST, NEWEST)
    with open(os.devnull, "r+") as nothing:
        try:
            return subprocess.call(command + ["-c", test], stdin=nothing, stdout=nothing, stderr=nothing) == 0
        except OSError:
            return False


def too_old():
    """One line: what is wrong, and which Python to take instead."""
    newer = newer_python()
    if newer:
        advice = 'This machine has one. Run: %s "%s"' % (newer, sys.argv[0])
    else:
        advice = "Install one from https://www.python.org/downloads/ and run this with it."
    return "The course needs Python %d.%d or newer; this is %d.%d. %s" % (OLDEST + sys.version_info[:2] + (advice,))


def main(arguments):
    """The exit status; most often this process ends as the course itself."""
    if arguments[:1] in (["-h"], ["--help"]):
        sys.stdout.write(__doc__)
        return 0
    if sys.version_info < OLDEST:
        sys.stderr.write(too_old() + "\n")
        return 2
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -I and -P leave it out
    try:
        import make_venv

        return make_venv.main(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped. Run the same command again to go on.\n")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
