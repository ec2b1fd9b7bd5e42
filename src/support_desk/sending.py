"""Send a reply once: `send` puts it into the outbox under a key, `deliver` hands it to the transport."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile

from langchain_core.runnables import RunnableConfig

from support_desk.state import TicketState
from support_desk.store import Store

Outbox = Callable[[str, str], object]      # put(key, reply); under each key the first reply stays
Transport = Callable[[str, str], None]     # carry(key, reply); the same key twice carries it once


def send(state: TicketState, config: RunnableConfig, *, outbox: Outbox) -> TicketState:
    """Queue the reply under the ticket's id. The key makes a second run of this node, after a crash, harmless."""
    outbox(config["configurable"]["thread_id"], state["reply"])
    return {"status": "queued", "trace": ["send"]}


def deliver(store: Store, transport: Transport) -> list[str]:
    """The keys of the replies carried now. Each is claimed first, so that two processes never carry the same one.

    When the transport fails, or the process dies, nobody knows whether the reply arrived. It is then `unknown`,
    or stays `claimed`, and a person decides: the desk sends at most once.
    """
    carried = []
    while reply := store.claim_reply():
        try:
            transport(reply["key"], reply["reply"])
        except Exception:
            store.mark_reply(reply["key"], "unknown")
            raise
        store.mark_reply(reply["key"], "sent")
        carried.append(reply["key"])
    return carried


def replies_beside(database: str | Path) -> Path:
    """The folder for a database's replies: its own name, so that no two databases share one."""
    return Path(f"{database}-replies")


def into_folder(folder: Path) -> Transport:
    """A transport that writes each reply to a file named by its key, whole or not at all. It sends no e-mail.

    The folder is made and tried here: where nothing can be written, OSError comes before any reply is claimed.
    Another reply under the same key is an error, FileExistsError, and stays what it was.
    """
    folder.mkdir(parents=True, exist_ok=True)
    TemporaryFile(dir=folder).close()

    def carry(key: str, reply: str) -> None:
        draft, file = folder / f".{key}.{os.getpid()}", folder / f"{key}.txt"
        if file.exists() and file.read_text(encoding="utf-8") != reply + "\n":
            raise FileExistsError(f"{file} holds another reply")
        try:
            draft.write_text(reply + "\n", encoding="utf-8", newline="\n")
            os.replace(draft, file)
        finally:
            draft.unlink(missing_ok=True)

    return carry
