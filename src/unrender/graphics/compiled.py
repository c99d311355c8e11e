"""Loops over numbers, compiled to machine code when they are first used and kept beside their source.

Many small arrays cost more to hand around than to compute; a compiled loop needs none of them. What is kept
is compiled anew when its own file changes; a constant that it takes from another file is not watched.
Write loops over single numbers: to compile what assigns a slice or adds whole arrays takes seconds.

A loop whose parameters say exactly what they are, by the types below, can be compiled before it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

Floats1 = Annotated[NDArray[np.float32], 1]  # row after row in memory, with so many axes
Floats2 = Annotated[NDArray[np.float32], 2]
Floats3 = Annotated[NDArray[np.float32], 3]
Doubles1 = Annotated[NDArray[np.float64], 1]
Ints1 = Annotated[NDArray[np.int64], 1]
Ints3 = Annotated[NDArray[np.int64], 3]
Labels2 = Annotated[NDArray[np.int32], 2]
Flags1 = Annotated[NDArray[np.bool_], 1]
Flags2 = Annotated[NDArray[np.bool_], 2]

_HOW: dict[str, Any] = {
    "nogil": True,
    "no_cfunc_wrapper": True,  # nothing in C calls it
    "error_model": "numpy",  # a division by 0 is infinite, not an error
    "fastmath": {"reassoc", "contract", "nsz", "arcp"},  # sums in any order; what is not a number stays so
}
_made: list[Any] = []


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, compiled for the types that it is called with; it runs beside other threads."""
    from numba import njit

    try:
        made = njit(cache=True, **_HOW)(function)
    except RuntimeError:  # nowhere to keep it
        made = njit(**_HOW)(function)
    _made.append(made)
    return made  # type: ignore[no-any-return]


def exact() -> list[tuple[Any, tuple[Any, ...]]]:
    """Every compiled function that says exactly what it takes, with that; the longest first."""
    found = [(made, _types(made.py_func)) for made in _made if hasattr(made, "py_func")]
    known = [(made, types) for made, types in found if types is not None]
    return sorted(known, key=lambda kernel: -len(kernel[0].py_func.__code__.co_code))


def _types(function: Callable[..., Any]) -> tuple[Any, ...] | None:
    """The compiler's types of all parameters; None if one of them does not say enough."""
    hints = get_type_hints(function, include_extras=True)
    types = [_type(hint) for name, hint in hints.items() if name != "return"]
    return None if None in types else tuple(types)


def _type(hint: Any) -> Any:
    from numba import from_dtype, types

    if hint in (int, float, bool):
        return {int: types.int64, float: types.float64, bool: types.boolean}[hint]
    if hint is np.float32:
        return types.float32
    if get_origin(hint) is tuple:
        several: Any = types.UniTuple
        return several(types.int64, len(get_args(hint)))
    if get_origin(hint) is Annotated:
        array, axes = get_args(hint)
        number = get_args(get_args(array)[1])[0]  # of an ndarray[shape, dtype[number]]
        return types.Array(from_dtype(np.dtype(number)), axes, "C")
    return None
