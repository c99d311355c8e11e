"""Loops over numbers, compiled to machine code when they are first used and kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

Loop = TypeVar("Loop", bound=Callable[..., Any])

_HOW: dict[str, Any] = {
    "nogil": True,
    "no_cfunc_wrapper": True,  # nothing in C calls it
    "error_model": "numpy",  # a division by 0 is infinite, not an error
    "fastmath": {"reassoc", "contract", "nsz", "arcp"},  # sums in any order; what is not a number stays so
}


def compiled(loop: Loop) -> Loop:
    """The same function, compiled for the types that it is first called with; it runs beside other
    threads."""
    from numba import njit

    from unrender.primitives.kept import KeptLoop, call_template

    made = njit(**_HOW)(loop)
    made._cache = KeptLoop(loop, _HOW)
    made.get_call_template = partial(call_template, made)
    return made  # type: ignore[no-any-return]


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl+C that comes while a loop is called is a KeyboardInterrupt, not an error of the loop."""
    try:
        yield
    except SystemError as error:
        cause: BaseException | None = error
        while isinstance(cause, SystemError):
            cause = cause.__cause__
        if isinstance(cause, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise
