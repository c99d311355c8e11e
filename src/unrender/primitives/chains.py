"""Whether numbers that anybody may have written are a form: compiled loops believe what they are given."""

from __future__ import annotations

import math
from collections.abc import Sequence

from unrender.errors import UnrenderError

SIZES = (3, 4, 7)  # numbers of a node, by the kind of piece that begins there: straight, arc, cubic
CODES = (0, 1, 2, 4, 5, 6, 8)  # kind + 4 * end; no piece begins at the last node of an open chain
FAR = 1e4  # no control point lies further out, in half sides


def numbers(form: object) -> tuple[float, ...]:
    """What a caller gives as a form."""
    try:
        return tuple(float(value) for value in form)  # type: ignore[attr-defined]
    except (TypeError, ValueError, OverflowError):
        raise UnrenderError(f"A form is a sequence of numbers, not {form!r}.") from None


def is_polycurve(form: Sequence[float]) -> bool:
    """Whether these are whole chains of pieces, as `polycurve` tells them."""
    i = count = 0  # of nodes in this chain
    end = 0
    while i < len(form):
        if form[i] not in CODES:
            return False
        kind, end = int(form[i]) % 4, int(form[i]) // 4
        i, count = i + SIZES[kind], count + 1
        if end and count < 2 and kind != 2:  # a chain of one node is a loop of one cubic
            return False
        count = 0 if end else count
    return len(form) > 0 and i == len(form) and end > 0 and _ordinary(form)


def is_cubic(form: Sequence[float]) -> bool:
    """Whether these are four control points."""
    return len(form) == 8 and _ordinary(form)


def _ordinary(form: Sequence[float]) -> bool:
    return all(math.isfinite(value) and abs(value) <= FAR for value in form)
