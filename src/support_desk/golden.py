"""The golden tickets: what the desk says today, and where a person would want something else."""

import json
from importlib.resources import files
from typing import Literal, NotRequired, TypedDict

from support_desk.state import Category

Limit = Literal[
    "plural",               # "conflict" is not "conflicts", and the other way round
    "inflection",           # "uploading" is not "upload"
    "synonym",              # "webcam" is not "camera"
    "typo",
    "split word",           # "fire wall" is not "firewall"
    "other language",
    "two questions",        # one ticket has one category
    "tie",                  # as many cue words of setup as of hardware
    "negation",             # "not the cable" holds the word "cable" all the same
    "cue word misleads",    # the category is wrong
    "accidental word",      # the category is right and the note is wrong
]


class GoldenTicket(TypedDict):
    """One line of tickets.jsonl. The last three keys come together, and only where the desk misses."""

    text: str
    category: Category                          # what the desk says today
    note: str | None                            # id of the first note it finds today
    limit: NotRequired[Limit]                   # why it misses
    wanted_category: NotRequired[Category]      # what a person would want
    wanted_note: NotRequired[str | None]


def load_golden() -> list[GoldenTicket]:
    """The golden tickets, in the order of the file.

    They were chosen to show each limit, not drawn at random: the share of misses is no error rate.
    """
    lines = (files("support_desk") / "data" / "tickets.jsonl").read_text(encoding="utf-8-sig").split("\n")
    return [json.loads(line) for line in lines if line]
