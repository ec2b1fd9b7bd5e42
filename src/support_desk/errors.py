"""What can go wrong for the people who use the desk, each with the exit status it ends a command with."""

from pydantic import ValidationError


class DeskError(Exception):
    """One sentence for a person: what is wrong, with what, and what to do next."""

    exit_status = 1


class BadInput(DeskError, ValueError):
    """The input cannot be used as it is."""

    exit_status = 2


class Refused(DeskError):
    """The input is well formed, and the desk's rules say no: unknown, already decided, stale, or one's own."""

    exit_status = 3


class StorageError(DeskError):
    """The database file cannot be opened, read or written."""

    exit_status = 4


def first_fault(error: ValidationError) -> str:
    """The first fault that pydantic found, as "where: what" in one line without a full stop."""
    fault = error.errors(include_url=False)[0]
    message = fault["msg"].removeprefix("Value error, ").rstrip(".")
    return ": ".join([".".join(map(str, fault["loc"])), message]).removeprefix(": ")
