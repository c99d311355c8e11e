"""Loops over numbers, compiled to machine code when they are first used and kept beside their source.

Many small arrays cost more to hand around than to compute; a compiled loop needs none of them. What is kept
is compiled anew when its own file changes; a constant that it takes from another file is not watched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_HOW: dict[str, Any] = {
    "nogil": True,
    "no_cfunc_wrapper": True,  # nothing in C calls it
    "error_model": "numpy",  # a division by 0 is infinite, not an error
    "fastmath": {"reassoc", "contract", "nsz", "arcp"},  # sums in any order; what is not a number stays so
}


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, compiled for the types that it is called with; it runs beside other threads."""
    from numba import njit

    made: Callable[..., Any]
    try:
        made = njit(cache=True, **_HOW)(function)
    except RuntimeError:  # nowhere to keep it
        made = njit(**_HOW)(function)
    return made
