"""The workshop's notes: read from the package's file, and refused in one line when something is wrong with it."""

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from reprlib import repr as short
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from support_desk.errors import BadInput
from support_desk.text import tokens


class KnowledgeError(BadInput):
    """The file of notes cannot be used. One line says which file, which note, what is wrong and what to do."""


class Note(BaseModel):
    """One piece of guidance. A field's description says what it must be; the error message quotes it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: str = Field(pattern="^D[1-9][0-9]{0,3}$", description="D and a number, such as D1 or D12")
    title: str = Field(description="one line of printable words without square brackets")
    text: str = Field(description="one line of printable words without square brackets")
    category: Literal["setup", "hardware"] = Field(
        description="setup or hardware (unsupported has no notes: such a ticket goes to a person)"
    )
    keywords: tuple[str, ...] = Field(
        strict=False, min_length=1, description="a list of different words, at least one"
    )

    @field_validator("title", "text")
    @classmethod
    def _is_one_plain_line(cls, line: str) -> str:
        if not tokens(line) or not line.isprintable() or set(line) & set("[]［］"):
            raise ValueError(f"is {short(line)}")
        return line

    @field_validator("keywords")
    @classmethod
    def _are_different_words(cls, keywords: tuple[str, ...]) -> tuple[str, ...]:
        seen: set[frozenset[str]] = {frozenset()}
        for keyword in keywords:
            if needed_words(keyword) in seen:
                raise ValueError(f"holds {short(keyword)}, which is blank or was there before")
            seen.add(needed_words(keyword))
        return keywords


def load_notes(path: str | Path | None = None) -> tuple[Note, ...]:
    """The notes of the package, or of another file; a file with a fault raises `KnowledgeError`."""
    return _packaged_notes() if path is None else _read_notes(Path(path))


@cache
def _packaged_notes() -> tuple[Note, ...]:
    return _read_notes(files("support_desk") / "data" / "knowledge.json")


def _read_notes(source: Traversable) -> tuple[Note, ...]:
    notes: dict[str, Note] = {}
    for number, entry in enumerate(_read_list(source), start=1):
        note = _note(entry, f"{source}, note {number}")
        if note.id in notes:
            raise KnowledgeError(f"{source}, note {number}: the id {note.id} is taken; give the note a new one")
        notes[note.id] = note
    return tuple(notes.values())


def _read_list(source: Traversable) -> list[Any]:
    try:
        content = json.loads(source.read_bytes().decode("utf-8-sig"), object_pairs_hook=_object)
    except OSError as error:
        raise KnowledgeError(f"{source} cannot be read ({error.strerror}); check its name and its place") from error
    except UnicodeDecodeError as error:
        raise KnowledgeError(f"{source} is not UTF-8; save it again in that encoding") from error
    except RecursionError as error:
        raise KnowledgeError(f"{source} is nested too deeply; it must be one list of notes") from error
    except ValueError as error:
        raise KnowledgeError(f"{source} cannot be used as JSON: {error}; mend it there") from error
    if not isinstance(content, list):
        raise KnowledgeError(f"{source} holds {short(content)}; it must be one list of notes")
    return content


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs as a dict; `json` alone would keep the last of two equal keys without a word."""
    entry: dict[str, Any] = {}
    for key, value in pairs:
        if key in entry:
            raise ValueError(f"the key {short(key)} is twice in the note with the id {short(dict(pairs).get('id'))}")
        entry[key] = value
    return entry


def _note(entry: Any, place: str) -> Note:
    """The entry as a note, or its first fault in one line."""
    if not isinstance(entry, dict):
        raise KnowledgeError(f"{place} is {short(entry)}; it must be an object with the keys of a note")
    try:
        return Note.model_validate(entry)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
    field = fault["loc"][0]
    if field != "id":
        place += f", {short(entry.get('id'))}"
    if fault["type"] == "extra_forbidden":
        raise KnowledgeError(f"{place}: {short(field)} is no key of a note; take it out")
    problems = {"missing": "is missing", "value_error": str(fault.get("ctx", {}).get("error"))}
    problem = problems.get(fault["type"], f"is {short(entry.get(field))}")
    raise KnowledgeError(f"{place}: {field} {problem}; it must be {Note.model_fields[field].description}")


@cache
def needed_words(keyword: str) -> frozenset[str]:
    """The words of a keyword; a hyphen in it makes no difference, so "wi-fi" finds Wi-Fi and WiFi."""
    return frozenset(tokens(keyword.replace("-", "")))
