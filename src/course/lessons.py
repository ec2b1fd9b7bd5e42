"""Find the lessons by their folders, and import them: `04_retrieval` is no name that Python can import."""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from support_desk.errors import BadInput

ROOT = Path(__file__).resolve().parents[2]


@cache
def folders() -> dict[int, Path]:
    """Each lesson's number and folder, in order."""
    found = sorted((ROOT / "lessons").glob("[0-9][0-9]_*/main.py"))
    return {int(main.parent.name[:2]): main.parent for main in found}


def numbers() -> list[int]:
    """The numbers of the lessons, in order."""
    return list(folders())


def folder(number: int) -> Path:
    """One lesson's folder. BadInput when there is no such lesson."""
    if number not in folders():
        raise BadInput(f"There is no lesson {number}: choose one of {', '.join(map(str, numbers()))}.")
    return folders()[number]


def load(number: int) -> ModuleType:
    """One lesson's main.py as a module. Importing it runs nothing; `build_graph()` builds its graph."""
    name = f"lesson_{number:02}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, folder(number) / "main.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]
