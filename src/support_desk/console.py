"""Run a command for a person: one line and a fitting status when something goes wrong, on every console."""

import os
import sqlite3
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from support_desk.errors import BadInput, DeskError, StorageError
from support_desk.intake import printable


TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")


def start(main: Callable[[], int | None]) -> NoReturn:
    """Run `main` and end with its status. What goes wrong for a person ends in one line on standard error."""
    _prepare_streams()
    _keep_runs_here()
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
        if not hasattr(error, "format_message"):  # what typer says of words that make no sense has one
            raise
        message = error.format_message().rstrip(".")
        if not message:
            return BadInput.exit_status  # there were no words at all, and the help is printed
        raise BadInput(f"{message}. See --help.") from None


def _prepare_streams() -> None:
    """Escape what the console cannot show. A stream that was closed before the start is as good as an empty one."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")
    for name in ("stdout", "stderr"):
        setattr(sys, name, getattr(sys, name) or open(os.devnull, "w", encoding="utf-8"))
        getattr(sys, name).reconfigure(errors="backslashreplace")


def _keep_runs_here() -> None:
    """Switch tracing off, which would send tickets to a remote service, and say so."""
    tracing = [name for name in TRACING if os.environ.get(name, "").lower() in {"1", "true"}]
    for name in tracing:
        os.environ[name] = "false"
    if tracing:
        print(f"Tracing is off here, for it would send tickets away ({', '.join(tracing)} is set).", file=sys.stderr)


def _complain(message: object, status: int) -> int:
    print(printable(" ".join(str(message).split())), file=sys.stderr)
    return status
