"""Fix what varies in a node or a route (its drafter, its cap) and keep the function's own name."""

from collections.abc import Callable
from functools import partial, update_wrapper


def bind(function: Callable, **fixed: object) -> Callable:
    """The function with some keywords fixed; name, docstring and hints stay, so traces and drawings do too."""
    return update_wrapper(partial(function, **fixed), function)
