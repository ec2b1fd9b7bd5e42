"""Which shelf of notes a ticket belongs to, told by counting cue words."""

from collections.abc import Callable

from support_desk.state import Category, TicketState
from support_desk.text import tokens

Classifier = Callable[[str], Category]

SETUP_CUES = frozenset(
    "python pip package module import install installation venv environment interpreter editor terminal "
    "path proxy version requirements script jupyter".split()
)
HARDWARE_CUES = frozenset(
    "board arduino esp32 raspberry usb cable serial port driver firmware bootloader power battery led motor "
    "sensor camera printer nozzle filament bed".split()
)


def classify_text(text: str) -> Category:
    """The category with more of its cue words in the text; a tie or no cue word at all is "unsupported".

    On a tie a person reads the ticket: a guess would look among the wrong notes half of the time.
    """
    words = tokens(text)
    setup, hardware = len(words & SETUP_CUES), len(words & HARDWARE_CUES)
    if setup == hardware:
        return "unsupported"
    return "setup" if setup > hardware else "hardware"


def classify(state: TicketState, *, classifier: Classifier = classify_text) -> TicketState:
    """The ticket's category."""
    return {"category": classifier(state["text"]), "trace": ["classify"]}
