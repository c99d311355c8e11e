"""Painting a whole picture: layers back to front on a canvas of any size, with the masks of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.render.coverage import Floats, Patch, cover
from unrender.render.layer import Layer
from unrender.render.shape import Window

LARGEST, AREA = 1 << 15, 1 << 24  # px: the longest side of a canvas, and all of it
MOST = 1 << 26  # px that all layers together may touch, since each is kept for its mask


@dataclass(frozen=True)
class Painting:
    """A finished picture and, for every layer, the window it touched with its visible and full alpha."""

    image: NDArray[np.uint8]  # HxWx3
    windows: list[tuple[slice, slice]]
    visible: list[Floats]
    full: list[Floats]

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


def blank(canvas: tuple[int, int] | NDArray[np.uint8]) -> NDArray[np.uint8]:
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
    shapes = [layer.shape for layer in layers]
    places = [shape.window(height, width) for shape in shapes]
    if sum((bottom - top) * (right - left) for top, bottom, left, right in places) > MOST:
        raise UnrenderError(
            "The shapes cover too many pixels to be painted; make them or the canvas smaller."
        )
    windows = [_slices(place) for place in places]
    picture: Floats = background.astype(np.float32) / np.float32(255)
    full: list[Floats] = []
    for layer, shape, place, window in zip(layers, shapes, places, windows, strict=True):
        patch = cover(shape, place)
        full.append(_painted(picture[window], layer, patch))
    clear = np.ones((height, width), np.float32)
    visible = list(full)
    for i in reversed(range(len(layers))):
        visible[i] = full[i] * clear[windows[i]]
        clear[windows[i]] *= 1 - full[i]
    image = np.round(picture.clip(0, 1) * 255).astype(np.uint8)
    return Painting(image, windows, visible, full)


def _painted(canvas: Floats, layer: Layer, patch: Patch) -> Floats:
    """Paint a layer's inside and then its stroke on the canvas (h, w, 3) of its window; the share of each
    pixel that either paints."""
    alpha = np.zeros(canvas.shape[:2], np.float32)
    inside = None if patch.fill is None else patch.fill * np.float32(layer.filled)
    for share, colour in ((inside, layer.colour), (patch.stroke, layer.stroke_colour)):
        if share is not None:
            canvas += share[:, :, None] * (np.array(colour, np.float32) - canvas)
            alpha += share * (1 - alpha)
    return alpha


def _slices(window: Window) -> tuple[slice, slice]:
    top, bottom, left, right = window
    return slice(top, bottom), slice(left, right)
