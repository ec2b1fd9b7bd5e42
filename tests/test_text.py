"""A text is cut into words, the same however it was typed."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support_desk.text import tokens

ANY_TEXT = st.text() | st.text(st.characters(categories=["Cs", "Cc", "Mn", "Mc", "Cf", "So", "Lm", "Sk"]))
SPELLINGS = st.text("aeouAEçßıİk\u0438\u0301\u0306\u0308\u0327가각が\u3099Å\u212b \u200b-_")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Pip INSTALL", {"pip", "install"}),
        ("wi-fi", {"wi", "fi", "wifi"}),
        ("USB-C", {"usb", "c", "usbc"}),
        ("wi\u2010fi wi\u2011fi", {"wi", "fi", "wifi"}),
        ("--cert a--b -c- -", {"cert", "a", "b", "c"}),
        ("serial_port", {"serial", "port"}),
        ("/dev/ttyUSB0: Permission denied!", {"dev", "ttyusb0", "permission", "denied"}),
        ("STRASSE Straße", {"strasse"}),
        ("ＲＥＦＵＮＤ ａ－ｂ", {"refund", "a", "b", "ab"}),
        ("in\u00adstall mod\u200bule p\u2060ip", {"install", "module", "pip"}),
        ("ve\u200b\u200b\u200b\u200b\u200b\u200bnv", {"venv"}),
        ("Zürich café", {"zürich", "café"}),
        ("İstanbul", {"istanbul"}),
        ("возврат ЁЛКА", {"возврат", "ёлка"}),
        ("返金", {"返金"}),
        ("ΣΊΣΥΦΟΣ σίσυφος", {"σίσυφοσ"}),
        ("I²C ½", {"i2c", "1", "2"}),
        ("ℌello J\u030c", {"hello", "\u01f0"}),
        ("हिन्दी", {"हनद"}),
        ("Arduino™ Pi®", {"arduino", "pi"}),
        ("a\0b\ud800c", {"a", "b", "c"}),
        ("🙂 👩‍🔧 👍🏽 🇩🇪 ⚠️ 1️⃣ ℹ️ 🈁", set()),
        (" \t\n.,;!?[]()_-\u200b\u0301", set()),
        ("", set()),
    ],
)
def test_a_text_is_cut_into_words(text, words):
    assert tokens(text) == words


@pytest.mark.parametrize("text", ["ABC101", "abc101", "Abc101", "ａｂｃ101", "a\u200bbc101"])
def test_a_product_code_is_one_word_however_it_is_written(text):
    assert tokens(text) == {"abc101"}


def test_a_letter_and_the_same_letter_with_an_accent_are_two():
    assert tokens("cafe") != tokens("café")
    assert tokens("и") != tokens("й")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@given(text=SPELLINGS | ANY_TEXT)
def test_composed_and_decomposed_spellings_give_the_same_words(form, text):
    assert tokens(unicodedata.normalize(form, text)) == tokens(text)


@given(ANY_TEXT)
def test_a_word_has_letters_and_digits_only(text):
    assert all(re.fullmatch(r"[^\W_]+", word) for word in tokens(text))


@pytest.mark.parametrize(
    "piece",
    ["pip install ", "a", "a-", "-", "a\u200b", "🙂", "\u0316\u0301", "\uff9e\u0316", "a\u0316\u0301", "ＲＥＦ"],
    ids=ascii,
)
@pytest.mark.timeout(20)
def test_a_million_characters_are_read_to_their_end(piece):
    text = "first " + piece * (1_000_000 // len(piece)) + " last"

    assert {"first", "last"} <= tokens(text)
