"""Painting a whole picture: layers back to front on a canvas of any size, with the masks of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.graphics.draw import BLUE, RED, coverage
from unrender.graphics.registry import Primitive, find

LARGEST, AREA = 1 << 15, 1 << 24  # px: the longest side of a canvas, and all of it
MOST = 1 << 26  # px that all layers together may touch, since each is kept for its mask
BAND = 1 << 20  # px that are computed at once


@dataclass(frozen=True)
class Layer:
    """One primitive with all its attributes, in the order of `primitive.columns`."""

    primitive: Primitive
    vector: tuple[float, ...]

    @classmethod
    def from_vector(cls, name: str, values: Mapping[str, float]) -> Layer:
        """From a flat mapping x, y, width, height, rotation, red, ...; what is missing gets its default."""
        primitive = find(name)
        for key in values:
            primitive.symbol.attribute(key)  # raises for an unknown name
        checked = (
            attribute.check(values.get(attribute.name, attribute.default), name)
            for attribute in primitive.symbol.all_attributes
        )
        return cls(primitive, tuple(checked))

    @classmethod
    def of(
        cls,
        name: str,
        position: tuple[float, float],
        size: tuple[float, float],
        rotation: float,
        attributes: Mapping[str, float],
    ) -> Layer:
        """From an observation's fields."""
        pose = {
            "x": position[0],
            "y": position[1],
            "width": size[0],
            "height": size[1],
            "rotation": rotation,
        }
        return cls.from_vector(name, pose | dict(attributes))

    def window(self, height: int, width: int) -> tuple[slice, slice]:
        """Rows and columns of the canvas that this layer can touch."""
        x, y, w, h, rotation = self.vector[:5]
        cos, sin = abs(math.cos(math.radians(rotation))), abs(math.sin(math.radians(rotation)))
        edge = 1 + self.vector[9] * min(w, h) / 2
        reach_x, reach_y = (cos * w + sin * h) / 2 + edge, (sin * w + cos * h) / 2 + edge

        def span(low: float, high: float, limit: int) -> slice:
            start = min(max(math.floor(low), 0), limit)
            return slice(start, min(max(math.ceil(high), start), limit))

        return span(y - reach_y, y + reach_y, height), span(x - reach_x, x + reach_x, width)


@dataclass(frozen=True)
class Painting:
    """A finished picture and, for every layer, the window it touched with its visible and full alpha."""

    image: NDArray[np.uint8]  # HxWx3
    windows: list[tuple[slice, slice]]
    visible: list[NDArray[np.float32]]
    full: list[NDArray[np.float32]]

    def mask(self, layers: Sequence[int], *, amodal: bool) -> NDArray[np.bool_]:
        """bool HxW: the pixels that these layers together paint at least by half.

        A stroke thinner than a pixel never does; there, half of the most that the layer paints anywhere.
        """
        total = np.zeros(self.image.shape[:2], np.float32)
        thin = np.zeros(self.image.shape[:2], bool)
        for i in layers:
            alpha, window = (self.full[i] if amodal else self.visible[i]), self.windows[i]
            if not alpha.size:
                continue
            total[window] = 1 - (1 - total[window]) * (1 - alpha) if amodal else total[window] + alpha
            if (most := float(self.full[i].max())) < 1:
                thin[window] |= alpha >= max(most / 2, 1 / 255)
        mask: NDArray[np.bool_] = (total >= 0.5) | thin
        return mask


def ground(canvas: tuple[int, int] | NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A fresh canvas: black for (width, height), or a copy of a uint8 HxWx3 picture."""
    if isinstance(canvas, np.ndarray):
        if canvas.dtype != np.uint8 or canvas.ndim != 3 or canvas.shape[2] != 3 or 0 in canvas.shape:
            raise UnrenderError(
                "A canvas must be (width, height) or a uint8 picture of height x width x 3, "
                f"not {canvas.dtype} of shape {canvas.shape}."
            )
        return canvas.copy()
    try:
        width, height = canvas
        sides = int(width), int(height)
    except (TypeError, ValueError, OverflowError):
        raise UnrenderError(f"A canvas must be (width, height) in pixels, not {canvas!r}.") from None
    if sides != (width, height) or not all(0 < side <= LARGEST for side in sides):
        raise UnrenderError(
            f"A canvas must have whole sides between 1 and {LARGEST} pixels, not {width}x{height}."
        )
    if sides[0] * sides[1] > AREA:
        raise UnrenderError(f"A canvas may have {AREA} pixels in all, so {width}x{height} is too large.")
    return np.zeros((sides[1], sides[0], 3), np.uint8)


def paint(layers: Sequence[Layer], background: NDArray[np.uint8]) -> Painting:
    """Paint `layers` back to front over a uint8 HxWx3 background."""
    height, width = background.shape[:2]
    windows = [layer.window(height, width) for layer in layers]
    if sum((r.stop - r.start) * (c.stop - c.start) for r, c in windows) > MOST:
        raise UnrenderError(
            "The shapes cover too many pixels to be painted; make them or the canvas smaller."
        )
    full = _alphas(layers, windows)
    picture = background.astype(np.float32) / 255
    clear = np.ones((height, width), np.float32)
    visible = list(full)
    for i in reversed(range(len(layers))):
        visible[i] = full[i] * clear[windows[i]]
        clear[windows[i]] *= 1 - full[i]
    picture *= clear[:, :, None]
    for layer, window, alpha in zip(layers, windows, visible, strict=True):
        picture[window] += alpha[:, :, None] * np.asarray(layer.vector[RED : BLUE + 1], np.float32)
    image = np.round(picture.clip(0, 1) * 255).astype(np.uint8)
    return Painting(image, windows, visible, full)


@torch.no_grad()
def _alphas(layers: Sequence[Layer], windows: Sequence[tuple[slice, slice]]) -> list[NDArray[np.float32]]:
    """Coverage of every layer in its window."""
    alphas = []
    for layer, (rows, columns) in zip(layers, windows, strict=True):
        x = torch.arange(columns.start, columns.stop, dtype=torch.float64)[None, :] + 0.5
        y = torch.arange(rows.start, rows.stop, dtype=torch.float64)[:, None] + 0.5
        vector = torch.tensor(layer.vector, dtype=torch.float64)
        bands = y.split(max(1, BAND // max(1, x.shape[1])))
        alphas.append(
            torch.cat(
                [coverage(layer.primitive, vector, x, band).to(torch.float32) for band in bands]
            ).numpy()
        )
    return alphas
