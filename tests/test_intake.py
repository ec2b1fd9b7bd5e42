"""Which tickets are taken, and how text is shown without letting it act."""

from io import BytesIO

import pytest

from support_desk.errors import BadInput
from support_desk.intake import MAX_CHARACTERS, clean, printable, read


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "The ticket is empty: write at least a few words."),
        (" \n\t", "The ticket is empty: write at least a few words."),
        ("\ufeff", "The ticket is empty: write at least a few words."),
        ("\u200b\u2060", "The ticket is empty: write at least a few words."),
        ("a" * 20_001, "The ticket has 20,001 characters and 20,000 is the most: shorten it."),
        ("a\0b", "The ticket holds bytes that are no text (NUL or broken Unicode): send it as plain UTF-8."),
        ("a\udcff", "The ticket holds bytes that are no text (NUL or broken Unicode): send it as plain UTF-8."),
    ],
)
def test_what_is_no_ticket_is_refused_in_one_line(text, why):
    with pytest.raises(BadInput) as caught:
        clean(text)

    assert str(caught.value) == why


@pytest.mark.parametrize("text", ["-refund", "--", "@file", "%PATH% $(id)", "помощь", "🙏", "a\nb", "?", "a" * 20_000])
def test_a_ticket_is_taken_to_the_letter(text):
    assert clean(f"  {text}\n") == text


def test_the_limit_counts_the_ticket_without_the_space_around_it():
    assert len(clean("\n" + "a" * 20_000 + " ")) == 20_000
    assert clean("\ufeff help \ufeff\n") == "help"


def test_no_more_is_read_than_the_longest_ticket_needs():
    stream = BytesIO(b"a" * 1_000_000)

    with pytest.raises(BadInput):
        read(stream)

    assert stream.tell() < 100_000


def test_a_reason_that_is_no_text_is_not_called_a_ticket():
    with pytest.raises(BadInput, match="^The reason is empty"):
        clean(" ", "reason")


def test_a_ticket_from_a_stream_may_have_a_byte_order_mark():
    assert read(BytesIO("\ufeffhélp\n".encode())) == "hélp"


def test_the_longest_ticket_of_the_widest_characters_is_taken():
    longest = "🙏" * MAX_CHARACTERS

    assert read(BytesIO(f"\ufeff{longest}\r\n".encode())) == longest
    assert read(BytesIO(longest.encode() + b" " * 4096)) == longest
    with pytest.raises(BadInput, match="^The ticket has 20,001 characters"):
        read(BytesIO(f"{longest}🙏".encode()))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"help \xff", "Standard input is not UTF-8 (byte 5): save the ticket as UTF-8."),
        ("help".encode("utf-16"), "Standard input is not UTF-8 (byte 0): save the ticket as UTF-8."),
        (b"a" * 1_000_000, "The ticket has more than 20,000 characters: shorten it."),
        (b"a" * 30_000, "The ticket has 30,000 characters and 20,000 is the most: shorten it."),
        (("🙏" * 30_000).encode(), "The ticket has more than 20,000 characters: shorten it."),
        (b"a" * 84_097, "The ticket has more than 20,000 characters: shorten it."),
        (b"cut short \xf0\x9f\x99", "Standard input is not UTF-8 (byte 10): save the ticket as UTF-8."),
        (b"", "The ticket is empty: write at least a few words."),
        (b"\xef\xbb\xbf", "The ticket is empty: write at least a few words."),
    ],
)
def test_a_stream_that_holds_no_ticket_is_refused_in_one_line(data, why):
    with pytest.raises(BadInput) as caught:
        read(BytesIO(data))

    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\rb\x00\x7f\x9b", r"a\rb\x00\x7f\x9b"),
        ("\u202eevil", r"\u202eevil"),
        ("\u061c\u2066\u2069\u200e\u200b\ufeff", r"\u061c\u2066\u2069\u200e\u200b\ufeff"),
        ("\U000e0041", r"\U000e0041"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\u2028b\udcff", r"a\u2028b\udcff"),
        ("tab\tline\nend", "tab\tline\nend"),
        ("👩\u200d🔧 Zürich", "👩\u200d🔧 Zürich"),
    ],
)
def test_characters_that_could_act_are_shown_as_escapes(text, shown):
    assert printable(text) == shown
