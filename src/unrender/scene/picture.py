"""Pictures as they are seen: float32 HxWx3 in 0..1, made of whatever the caller has.

One that is larger than can be seen is scaled down by a whole number while it is read, some rows at a time.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError

SMALLEST, LARGEST = 16, 4096  # px: the sides of a picture as it is seen
MOST = 2**27  # px of a picture that is scaled down to that: 134 million, which unpack to half a gigabyte
STRIP = 256  # rows as they are seen
PAPERS = (1.0, 0.0, 0.5)  # what may show through transparent pixels: the first that nothing is painted in


@dataclass(frozen=True)
class Picture:
    """A picture as it is seen."""

    pixels: NDArray[np.float32]  # HxWx3 in [0, 1]
    scale: float = 1.0  # its sides are those of the original times this: 1, or 1/2, 1/3, ... of a large one


def read_picture(source: Any) -> Picture:
    """The picture in a file at a path, a PIL image or an array (HxW, HxWx1, HxWx3, HxWx4).

    Arrays are bool, uint8, uint16, or float in 0..1. Transparent pixels show white, or black or grey where
    white is a colour of the picture. A photograph is turned as its EXIF says; of an animation the first
    frame is read.
    """
    from unrender.scene import picture_file

    if isinstance(source, Picture):
        return source
    if isinstance(source, np.ndarray):
        return from_array(source)
    if isinstance(source, (str, os.PathLike)):
        return picture_file.from_file(source)
    if hasattr(source, "convert") and hasattr(source, "getbands"):
        return picture_file.from_pillow(source, "This image")
    raise UnrenderError(
        f"A picture must be a path, a PIL image or a numpy array, not {type(source).__name__}."
    )


def reduction(width: int, height: int, name: str, most: int = MOST) -> int:
    """By which whole number the sides of a picture are divided so that it can be seen; 1 for nearly all.

    most: pixels that it may have.
    """
    size = f"{name} has {width}x{height} pixels"
    if min(height, width) < SMALLEST:
        raise UnrenderError(f"{size}; each side must have at least {SMALLEST}.")
    if width * height > most:
        raise UnrenderError(f"{size}; more than {most // 10**6} million are not read: make it smaller first.")
    factor = math.ceil(max(width, height) / LARGEST)
    if math.ceil(min(width, height) / factor) < SMALLEST:
        raise UnrenderError(
            f"{size}; scaled down to {LARGEST} at most, a side would have less than {SMALLEST}: cut it up."
        )
    return factor


def from_array(array: NDArray[Any]) -> Picture:
    """The picture in an array."""
    shape = "x".join(str(n) for n in array.shape) or "a single number"
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3, 4)):
        raise UnrenderError(f"A picture array must be HxW, HxWx3 or HxWx4, not {shape}.")
    height, width = array.shape[:2]
    reduction(width, height, "This array")
    array = np.asarray(array)  # what a masked array hides is shown
    if array.dtype == np.bool_ or array.dtype.newbyteorder("=") in (np.uint8, np.uint16):
        white = 1.0 if array.dtype == np.bool_ else float(np.iinfo(array.dtype).max)
    elif np.issubdtype(array.dtype, np.floating):
        low, high = finite_range(array)
        if low < -1e-3 or high > 1 + 1e-3:
            raise UnrenderError(
                f"A float picture must lie in 0..1; this one runs from {low:g} to {high:g}:"
                " scale it, or pass uint8."
            )
        white = 1.0
    else:
        raise UnrenderError(f"A picture array must be uint8 or float in 0..1, not {array.dtype}.")
    return stretched(array, 0.0, white, "This array")


def finite_range(values: NDArray[Any]) -> tuple[float, float]:
    """The lowest and the highest value."""
    low, high = float(values.min()), float(values.max())  # NaN if there is any
    if not (math.isfinite(low) and math.isfinite(high)):
        raise UnrenderError("This array holds values that are not finite (NaN or infinity).")
    return low, high


def stretched(array: NDArray[Any], low: float, high: float, name: str) -> Picture:
    """The picture in an array whose values are black at `low` and white at `high`: on paper where it is
    transparent, and scaled down where it is too large."""
    array = array[:, :, None] if array.ndim == 2 else array
    factor = reduction(array.shape[1], array.shape[0], name)
    paper = _paper(array[::factor, ::factor], low, high) if array.shape[2] == 4 else None
    sides = (math.ceil(side / factor) for side in array.shape[:2])
    pixels = np.empty((*sides, 3), np.float32)
    for rows in _strips(len(pixels)):
        values = array[rows.start * factor : rows.stop * factor]
        if paper is None:
            pixels[rows] = _unit(_averaged(values, factor), low, high)
        else:
            unit = _unit(values, low, high)
            pixels[rows] = _averaged(unit[:, :, :3] * unit[:, :, 3:] + paper * (1 - unit[:, :, 3:]), factor)
    return Picture(pixels, 1 / factor)


def _strips(height: int) -> Iterator[slice]:
    """The rows of a picture, some at a time, so that a large one is never held in many copies."""
    return (slice(row, row + STRIP) for row in range(0, height, STRIP))


def _averaged(values: NDArray[Any], factor: int) -> NDArray[Any]:
    """The mean of every block of factor x factor pixels; those at the right and at the bottom may be less."""
    if factor == 1:
        return values
    rows, columns = (np.arange(0, side, factor) for side in values.shape[:2])
    heights, widths = (np.diff([*at, side]) for at, side in zip((rows, columns), values.shape, strict=False))
    sums = np.add.reduceat(np.add.reduceat(_exact(values), rows, axis=0), columns, axis=1)
    return np.asarray(sums / np.outer(heights, widths)[:, :, None].astype(sums.dtype))


def _unit(values: NDArray[Any], low: float, high: float) -> NDArray[np.float32]:
    """Values from `low` to `high` as 0 to 1."""
    scaled = (_exact(values) - low) / (high - low)
    return np.asarray(scaled.clip(0, 1), np.float32)


def _exact(values: NDArray[Any]) -> NDArray[Any]:
    """Floating point numbers whose sums and differences are exact enough."""
    exact: NDArray[Any] = values.astype(np.float64 if values.dtype.itemsize >= 4 else np.float32)
    return exact


def _paper(array: NDArray[Any], low: float, high: float) -> np.float32:
    """What shows through a transparent picture: a colour that it does not have, so that all of it shows."""
    painted, alike = 0.0, np.zeros(len(PAPERS))
    for rows in _strips(len(array)):
        values = _unit(array[rows], low, high)
        alpha = values[:, :, 3]
        painted += float(alpha.sum())
        for i, paper in enumerate(PAPERS):
            near = np.abs(values[:, :, :3] - np.float32(paper)).max(axis=2) < 0.1
            alike[i] += float((alpha * near).sum())
    shares = alike / max(painted, 1e-6)
    return np.float32(
        PAPERS[next((i for i, share in enumerate(shares) if share < 0.01), int(shares.argmin()))]
    )
