"""Run every lesson once, as a learner would, and say how each one ended."""

import subprocess
import sys

from course import lessons


def tour() -> bool:
    """True when every lesson passed. Each runs in a process of its own; its command and its output are shown."""
    passed = sum(_passes(number) for number in lessons.numbers())
    print(f"\ntour: {passed} of {len(lessons.numbers())} lessons passed")
    return passed == len(lessons.numbers())


def run(number: int, arguments: list[str]) -> int:
    """One lesson's exit status; its input and output are this process's own."""
    return subprocess.run([sys.executable, str(lessons.folder(number) / "main.py"), *arguments]).returncode


def _passes(number: int) -> bool:
    script = lessons.folder(number) / "main.py"
    print(f"\n{'=' * 80}\npython {script.relative_to(lessons.ROOT).as_posix()}\n", flush=True)
    status = run(number, [])
    mark = _mark("\u2713", "ok") if status == 0 else _mark("\u2717", "failed")
    print(f"\n{mark} lesson {number}" + (f" ended with status {status}" if status else ""), flush=True)
    return status == 0


def _mark(sign: str, word: str) -> str:
    """The sign where the console can show it, else the word."""
    try:
        sign.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return word
    return sign
