"""Words of a text, the same however the text was typed."""

import re
import unicodedata

_HYPHENS = "-\u2010"                                  # NFKC turns the other hyphens into these two
_WORD = re.compile(rf"[^\W_]+(?:[{_HYPHENS}][^\W_]+)*")
_EMOJI = re.compile(".\ufe0f")                        # a sign, letter or digit shown as a picture
# Putting a long run of accents in order takes quadratic time, and no word has thirty of them.
_LONG_RUN = re.compile("([\\W\uff9e\uff9f]{30})[\\W\uff9e\uff9f]+")


def tokens(text: str) -> set[str]:
    """The words of a text, in lower case and one spelling; "Wi-Fi" gives wi, fi and wifi.

    Anything but letters and digits separates words. Plurals, synonyms and typing errors stay as they are.
    """
    found: set[str] = set()
    for word in _WORD.findall(_plain(text)):
        parts = re.split(f"[{_HYPHENS}]", word)
        found.update(parts, ["".join(parts)])
    return found


def _plain(text: str) -> str:
    """The text in one spelling: no pictures, no capitals, no full-width forms, no characters without a width."""
    text = _LONG_RUN.sub(r"\1 ", _EMOJI.sub(" ", text))
    text = _replace(text, {"So"}, " ")                # before NFKC, which would make letters of a trade mark sign
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _replace(text, {"Cf", "Mc", "Me", "Mn"}, "")


def _replace(text: str, categories: set[str], by: str) -> str:
    """The text with every character of these Unicode categories replaced."""
    return text.translate({ord(char): by for char in set(text) if unicodedata.category(char) in categories})
