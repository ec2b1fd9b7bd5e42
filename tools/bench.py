"""Print how quick the course is, as ratios measured in one run: python tools/bench.py [--quick]

Seconds depend on the machine, and a ratio of two times from the same minutes hardly does. The last figure is in
seconds all the same: it sets a copy of the course up from nothing, which needs the network; --quick leaves it out.
"""

if __name__ == "__main__":  # whichever Python runs this file, go on with the one that has the course
    import pathlib, runpy
    runpy.run_path(str(pathlib.Path(__file__).resolve().parents[1] / "tools" / "use_venv.py"))

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from course import drawings, lessons
from graph_tools import layout

ROUNDS = 7


def seconds(action: Callable[[], object]) -> float:
    """How long the action takes."""
    begun = perf_counter()
    action()
    return perf_counter() - begun


def process(*arguments: str) -> float:
    """How long a Python process takes, from its start to its end."""
    command = [sys.executable, *arguments]
    return seconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))


def lessons_over_import() -> list[float]:
    """Wall time of lessons 1 to 4, each over a bare `import langgraph.graph` beside it: median ratios."""
    scripts = [str(lessons.folder(number) / "main.py") for number in (1, 2, 3, 4)]
    rounds = []
    for _ in range(ROUNDS + 1):
        bare = process("-c", "import langgraph.graph")
        rounds.append([process(script) / bare for script in scripts])
    return [median(ratios) for ratios in zip(*rounds[1:])]  # the first round warms the disk


def drawing_over_dot() -> float:
    """The time to render every part, imports left out, over the time that `dot` takes of it: the median ratio."""
    models = [drawings.part(number).model for number in lessons.numbers()]
    run_dot, in_dot = layout.run_dot, []

    def timed(source: str) -> str:
        begun = perf_counter()
        drawn = run_dot(source)
        in_dot.append(perf_counter() - begun)
        return drawn

    layout.run_dot = timed
    ratios = []
    for _ in range(ROUNDS + 1):
        in_dot.clear()
        whole = seconds(lambda: [drawings.render(model) for model in models])
        ratios.append(whole / sum(in_dot))
    layout.run_dot = run_dot
    return median(ratios[1:])


def set_up() -> tuple[float, float]:
    """Seconds to set the course up from nothing and run lesson 1, and to run lesson 1 by the same command again."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "the course"
        shutil.copytree(lessons.ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", "work"))
        command = (str(copy / "tools" / "start.py"), "run", "1")
        return process(*command), process(*command)


def main() -> None:
    """Print each figure as it is measured."""
    for number, ratio in enumerate(lessons_over_import(), start=1):
        print(f"lesson {number} / import langgraph.graph   {ratio:.2f}   (aim: at most 1.4)", flush=True)
    print(f"all drawings / dot's part of it      {drawing_over_dot():.2f}   (aim: at most 2)", flush=True)
    if "--quick" not in sys.argv:
        first, again = set_up()
        print(f"set-up from nothing, then lesson 1   {first:.1f} s; again {again:.1f} s")


if __name__ == "__main__":
    main()
