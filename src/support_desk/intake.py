"""Take text in from people, and show it back to them without letting it act."""

import unicodedata
from typing import BinaryIO

from support_desk.errors import BadInput

MAX_CHARACTERS = 20_000
MAX_BYTES = 4 * MAX_CHARACTERS + 4096  # UTF-8 has at most four bytes a character; space around it is trimmed
SHOWN_AS_IT_IS = {"\n", "\t"}
INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
JOINERS = {"\u200c", "\u200d"}  # Persian and Hindi words and many emoji need them; they cannot reorder text


def clean(text: str, what: str = "ticket") -> str:
    """The text, trimmed. BadInput when nothing is left, when it is too long, or when it is no text at all."""
    text = text.strip().strip("\ufeff").strip()
    if not any(char.isprintable() and not char.isspace() for char in text):
        raise BadInput(f"The {what} is empty: write at least a few words.")
    if len(text) > MAX_CHARACTERS:
        raise BadInput(f"The {what} has {len(text):,} characters and {MAX_CHARACTERS:,} is the most: shorten it.")
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise BadInput(f"The {what} holds bytes that are no text (NUL or broken Unicode): send it as plain UTF-8.")
    return text


def read(stream: BinaryIO) -> str:
    """The ticket from a stream of UTF-8 bytes, read no further than the longest ticket allowed."""
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadInput(f"The ticket has more than {MAX_CHARACTERS:,} characters: shorten it.")
    try:
        return clean(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadInput(f"Standard input is not UTF-8 (byte {error.start}): save the ticket as UTF-8.") from None


def printable(text: str) -> str:
    r"""The text with every character that could move, hide or reorder others written as an escape, such as \x1b."""
    return "".join(char if _is_plain(char) else char.encode("unicode_escape").decode() for char in text)


def _is_plain(char: str) -> bool:
    return char in SHOWN_AS_IT_IS or char in JOINERS or unicodedata.category(char) not in INVISIBLE
