"""Show any name as plain text: nothing hidden, nothing that acts, nothing wider than its box."""

import re
import unicodedata

PLAIN = " _-.,!?"
JOINERS = "\u200c\u200d"  # Persian and Hindi words and many emoji need them; they cannot reorder text


def shown(text: str) -> str:
    r"""The text in one line; a character that a reader could not see is written as an escape, such as \x07."""
    return "".join(
        char if char.isprintable() or char in JOINERS else char.encode("unicode_escape").decode() for char in text
    )


def wrapped(text: str, width: int, most: int) -> list[str]:
    """The text in at most `most` lines of `width` characters, broken after a space, `_` or `-`; the rest is an …"""
    lines = [""]
    for word in re.split(r"(?<=[ _-])", text):
        for piece in re.findall(f".{{1,{width}}}", word):
            if len(lines[-1] + piece.rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    shown_lines = [line.strip() for line in lines]
    return shown_lines if len(lines) <= most else [*shown_lines[: most - 1], shown_lines[most - 1][: width - 1] + "…"]


def stand_in(line: str) -> str:
    """ASCII of about the same width in Arial: the layout program measures this, and never sees the name itself."""
    return "".join(map(_stand_in, line))


def _stand_in(char: str) -> str:
    if char.isascii():
        return char if char.isalnum() or char in PLAIN else "o"
    if unicodedata.category(char) in {"Mn", "Cf"}:
        return ""
    narrow = char.isalpha() and unicodedata.east_asian_width(char) not in "WF"
    return "o" if narrow and not char.isupper() else "@"
