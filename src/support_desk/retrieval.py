"""Find the notes that share words with a ticket."""

from collections.abc import Callable, Iterable

from support_desk.knowledge import Note, load_notes, needed_words
from support_desk.state import Category, Evidence, TicketState
from support_desk.text import tokens

MAX_EVIDENCE = 2

Retriever = Callable[[str, Category], list[Evidence]]


def retrieve(text: str, category: Category, *, notes: Iterable[Note] | None = None) -> list[Evidence]:
    """The notes of this category that share most keywords with the text: best first, at most two.

    Of notes that share as many, D2 comes before D10. Sharing words is not understanding: a plural or a
    synonym finds nothing, and an accidental word finds the wrong note.
    """
    words = tokens(text)
    shelf = [note for note in (load_notes() if notes is None else notes) if note.category == category]
    found = [note for note in shelf if overlap(note, words) > 0]
    found.sort(key=lambda note: (-overlap(note, words), int(note.id[1:])))
    return [{"id": note.id, "title": note.title, "text": note.text} for note in found[:MAX_EVIDENCE]]


def overlap(note: Note, words: set[str]) -> int:
    """How many of the note's keywords are among the words; "serial port" needs both, anywhere."""
    return sum(bool(needed) and needed <= words for needed in map(needed_words, note.keywords))


def lookup(state: TicketState, *, retriever: Retriever = retrieve) -> TicketState:
    """The notes that may be cited in the reply."""
    return {"evidence": retriever(state["text"], state["category"]), "trace": ["lookup"]}
