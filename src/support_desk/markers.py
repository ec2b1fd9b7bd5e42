"""Find the citation markers in a reply, such as [D2], and what only looks like one."""

import re
import unicodedata
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

MARKER = re.compile(r"\[(D(?:0|[1-9][0-9]*))\](?!\()")
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://\S+")

# What follows is used after `_fold`, which makes every bracket [ or ] and every letter lower case.
BRACKETED = re.compile(r"\[([^\[\]]{1,80})\]")
HALF_OPEN = re.compile(r"\[\W{0,3}d\s?\d+\b|\bd\s?\d+\W{0,3}\]")
WORD_OR_NUMBER = re.compile(r"[^\W\d_]+|\d+")
JOINING_WORDS = {"and", "or", "to", "see", "note", "notes", "source", "ref"}


def markers(reply: str) -> list[str]:
    """The ids of the markers that a reader sees, each once, in order. Code and addresses do not count."""
    return list(dict.fromkeys(MARKER.findall(_prose(reply))))


def has_malformed_marker(reply: str) -> bool:
    """True when something looks like a marker and is none: [d2], [D 2], (D2), [D2, D3], a bracket left open.

    Letters and brackets of other alphabets count as look-alikes. So does a marker inside a code block that
    never ends: it swallows the rest of the reply. A bare D2 is no marker; it may be the name of a pin.
    """
    text = _fold(MARKER.sub(" ", _prose(reply)))
    return (
        any(_holds_only_ids(inside) for inside in BRACKETED.findall(text))
        or bool(HALF_OPEN.search(BRACKETED.sub(" ", text)))
        or bool(MARKER.search(_swallowed(reply)))
    )


def says_something(reply: str) -> bool:
    """True when anything but markers, space and invisible characters is there to read."""
    rest = MARKER.sub("", reply)
    return any(not char.isspace() and unicodedata.category(char) not in {"Cc", "Cf", "Cs"} for char in rest)


def _holds_only_ids(inside: str) -> bool:
    """True for "d2", "ꓓ2", "d 2", "d1, d3", "see d2": a letter that stands for D with a number, and nothing else."""
    words = [word for word in WORD_OR_NUMBER.findall(inside) if word not in JOINING_WORDS]
    letters, numbers = words[::2], words[1::2]
    if not numbers or not letters[0].isalpha():
        return False
    return all(word.isdecimal() or word == "d" or len(word) == 1 and not word.isascii() for word in letters + numbers)


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(_bracket(char) for char in plain if unicodedata.category(char) != "Cf")


def _bracket(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Ps" or char == "<":
        return "["
    return "]" if category == "Pe" or char == ">" else char


@cache
def _markdown() -> MarkdownIt:
    """A Markdown parser that knows code and nothing else."""
    return MarkdownIt("zero").enable(["fence", "code", "backticks"])


def _prose(reply: str) -> str:
    """The reply without its code and addresses, which hold brackets that cite nothing."""
    blocks = [_text(token) for token in _markdown().parse(reply) if token.type == "inline"]
    return ADDRESS.sub(" ", "\n".join(blocks))


def _text(inline: Token) -> str:
    return "".join("\n" if part.type == "softbreak" else part.content if part.type == "text" else " "
                   for part in inline.children)


def _swallowed(reply: str) -> str:
    """What stands in a code block that is opened and never closed, "" when all are closed."""
    fences = [token for token in _markdown().parse(reply) if token.type == "fence"]
    if not fences:
        return ""
    last = fences[-1]
    closing = reply.rstrip("\n").rsplit("\n", 1)[-1].strip()
    ends_here = last.map[1] < len(reply.rstrip("\n").split("\n")) or closing.startswith(last.markup)
    return "" if ends_here else last.content
