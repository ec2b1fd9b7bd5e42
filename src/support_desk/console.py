"""Run a command for a person: one line and a fitting status when something goes wrong, on every console."""

import os
import sqlite3
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from support_desk.errors import BadInput, DeskError, StorageError
from support_desk.intake import printable


def start(main: Callable[[], int | None]) -> NoReturn:
    """Run `main` and end with its status. What goes wrong for a person ends in one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    try:
        status = main() or 0
        sys.stdout.flush()
    except DeskError as error:
        status = _complain(error, error.exit_status)
    except sqlite3.Error as error:
        status = _complain(f"The database cannot be used: {error}. Try again, or name another file.",
                           StorageError.exit_status)
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader left; there is nobody to tell
        status = 0
    except OSError as error:
        status = _complain(f"A file cannot be used: {error}. Check its path and its folder.", StorageError.exit_status)
    raise SystemExit(status)


def run_app(app: Any) -> int:
    """The status of a typer app run on the command line. BadInput, in one line, when its words make no sense."""
    try:
        return app(standalone_mode=False) or 0
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        message = error.format_message().rstrip(".")
        if not message:
            return BadInput.exit_status  # there were no words at all, and the help is printed
        raise BadInput(f"{message}. See --help.") from None


def _complain(message: object, status: int) -> int:
    print(printable(" ".join(str(message).split())), file=sys.stderr)
    return status
