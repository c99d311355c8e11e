"""What nothing explains: the pixels that look wrong, divided by the colours that they are mixtures of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.perception.image.regions import Mask, Regions
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

COLOURS = 24  # that are told apart
NOISES = 4.0  # standard deviations of a channel by which pixels of one colour may differ


def unexplained(image: Floats, canvas: Floats, wrong: Mask, sigma: float) -> Regions:
    """Pixels that look wrong, by the colours that they are mixtures of; connected ones of a colour are a
    region."""
    rows, columns = np.nonzero(wrong)
    seen, drawn = image[rows, columns].astype(np.float64), canvas[rows, columns].astype(np.float64)
    palette = _palette(seen, drawn, 3 * (NOISES * sigma) ** 2 + 1e-4)
    nearest = _assigned(seen, drawn, palette)
    labels, count = np.zeros(wrong.shape, np.int32), 1
    colours = [np.zeros(3)]
    for k, colour in enumerate(palette):
        own = np.zeros(wrong.shape, bool)
        own[rows[nearest == k], columns[nearest == k]] = True
        near = ndimage.binary_dilation(
            own, np.ones((3, 3))
        )  # what a pixel that another colour covers tears apart
        pieces, found = ndimage.label(near, np.ones((3, 3)))
        labels[own] = pieces[own] + (count - 1)
        count += found
        colours += [colour] * found
    boxes = np.zeros((count, 4), np.int64)
    for n, window in enumerate(ndimage.find_objects(labels), 1):
        if window is not None:
            boxes[n] = window[0].start, window[0].stop, window[1].start, window[1].stop
    area = np.bincount(labels.ravel(), minlength=count)
    return Regions(labels, np.array(colours), area, np.arange(count) > 0, boxes)


def _palette(seen: Doubles, drawn: Doubles, limit: float) -> list[Doubles]:
    """The colours (3,) that most pixels (P, 3) show or are mixtures of, the most frequent first."""
    off = ((seen - drawn) ** 2).sum(1)
    left = np.ones(len(seen), bool)
    found: list[Doubles] = []
    side = max(np.sqrt(limit / 3), 1 / 64)
    bins = np.floor(seen / side).astype(np.int64)
    key = (bins[:, 0] * 4096 + bins[:, 1]) * 4096 + bins[:, 2]
    while left.sum() > 3 and len(found) < COLOURS:
        _, inverse = np.unique(key[left], return_inverse=True)
        # a pure colour stands out more than its mixtures with what is drawn
        fullest = np.bincount(inverse, off[left]).argmax()
        start = np.median(seen[left][inverse == fullest], 0)
        near = left & (((seen - start) ** 2).sum(1) < limit)
        colour = np.median(seen[near], 0) if near.any() else start
        found.append(colour)
        mixed = _from_mixture(seen, drawn, colour) < limit
        if not (mixed & left).any():
            break
        left &= ~mixed
    return found


def _from_mixture(seen: Doubles, drawn: Doubles, colour: Doubles) -> Doubles:
    """(P,): squared distance of each pixel from the mixtures of what is drawn there and a colour."""
    step = colour - drawn
    share = (((seen - drawn) * step).sum(1) / np.maximum((step**2).sum(1), 1e-9)).clip(0, 1.1)
    off: Doubles = ((seen - drawn - share[:, None] * step) ** 2).sum(1)
    return off


def _assigned(seen: Doubles, drawn: Doubles, palette: list[Doubles]) -> NDArray[np.int64]:
    """(P,): which colour each pixel is a mixture of."""
    if not palette:
        return np.zeros(0, np.int64)
    found: NDArray[np.int64] = np.stack([_from_mixture(seen, drawn, colour) for colour in palette]).argmin(0)
    return found
