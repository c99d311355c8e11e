"""The lines of a picture: centre lines where it is thin, outlines where it is solid; no shapes are told."""

from __future__ import annotations

import math

import numpy as np
from scipy import ndimage

from unrender.perception.image.background import unlike_background
from unrender.perception.image.contours import Contours
from unrender.perception.image.mixed import owners
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import divide, of_one_colour_each
from unrender.perception.image.skeleton import Indices, Mask, chains, depth, pruned, thinned
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats
from unrender.scene.line import CLOSED, Line

UNLIKE = 16.0  # squared noise (of 3 channels) from the background, beyond which something is drawn
THICK = 12.0  # px: no line is wider, but for those of large pictures
SHARE_OF_SIDE = 0.1  # of the longer side of a picture
LONG = 3.0  # times as long as wide: less is no line
LEAST, SHARE = 0.08, 0.3  # coverage of a pixel through which a line may run, also of that beside it
SMOOTH = 3  # rounds of a binomial filter along a chain of pixels


def lines_of(image: Floats) -> list[Line]:
    """The lines of a picture (H, W, 3) in 0..1; none if nothing is drawn in it."""
    model = ImageModel.of(image)
    drawn = unlike_background(image, model.background, np.float32(UNLIKE) * model.channel_variance)
    if not drawn.any():
        return []
    regions = divide(image, drawn, model.background, model.channel_variance)
    if model.aliased:
        regions = of_one_colour_each(regions)
    owner = owners(image, model.background, regions, model.sigma)
    contours = Contours.of(image, model.background, regions, model.sigma, model.edge_error, owner)
    thick = np.zeros(len(regions.area), bool)
    widest = max(THICK, SHARE_OF_SIDE * max(model.size))
    outlines = [
        np.stack([contours.x[own], contours.y[own]], 1) for own in map(contours.points, range(len(contours)))
    ]
    for region in np.unique(contours.region):
        own = np.nonzero(contours.region == region)[0]
        around = sum(_closed(outlines[c]).length for c in own)
        width, length = _sides(float(contours.area[own].sum()), around)
        thick[region] = width > widest or length < LONG * width
    thin = drawn & ~thick[np.maximum(owner, 0)]
    solid = [_closed(_smooth(outlines[c], True)) for c in range(len(contours)) if thick[contours.region[c]]]
    return centre_lines(_coverage(image, model.background, thin)) + [
        one for one in solid if len(one.points) > 3
    ]


def centre_lines(coverage: Floats) -> list[Line]:
    """The skeleton of what is covered (H, W), as smooth lines that meet at junctions."""
    deep = depth(coverage, LEAST, SHARE)
    skeleton = pruned(thinned(deep), deep)
    skeleton = thinned(np.where(skeleton, deep, np.float32(0.0)))
    rows, columns, start, ends, knots = chains(skeleton)
    junctions = _junctions(knots.astype(np.int64))
    found, met = [], set()
    for c, (first, last) in enumerate(ends.tolist()):
        own = slice(int(start[c]), int(start[c + 1]))
        points = np.stack([columns[own], rows[own]], 1).astype(np.float64) + 0.5
        if first == CLOSED:
            found.append(_closed(_smooth(points, True)))
            continue
        before, after = ([junctions[end][None]] if end > 0 else [] for end in (first, last))
        met |= {first, last}
        found.append(Line(_smooth(np.concatenate([*before, points, *after]), False), (first, last)))
    dots = [Line(junctions[k][None]) for k in range(1, len(junctions)) if k not in met]
    return found + dots


def _closed(points: Doubles) -> Line:
    return Line(np.concatenate([points, points[:1]]), (CLOSED, CLOSED))


def _junctions(knots: Indices) -> Doubles:
    """(K + 1, 2): the middle of each junction, px; the first is none."""
    rows, columns = np.nonzero(knots > 0)
    number = knots[rows, columns]
    count = np.maximum(np.bincount(number, minlength=int(knots.max(initial=0)) + 1), 1)
    x, y = np.bincount(number, columns + 0.5, len(count)), np.bincount(number, rows + 0.5, len(count))
    middle: Doubles = np.stack([x, y], 1) / count[:, None]
    return middle


def _smooth(points: Doubles, closed: bool) -> Doubles:
    """Without the stairs of a chain of pixels; the ends of an open one stay."""
    for _ in range(SMOOTH):
        mean = (np.roll(points, 1, 0) + 2 * points + np.roll(points, -1, 0)) / 4
        if not closed:
            mean[[0, -1]] = points[[0, -1]]
        points = mean
    return points


def _coverage(image: Floats, background: Floats, thin: Mask) -> Floats:
    """(H, W): the share of each pixel that is painted, by how far the strongest one beside it is from the
    background; a pixel next to what is thin may be its edge."""
    near = ndimage.binary_dilation(thin, np.ones((3, 3)))
    off = np.where(near, np.sqrt(((image - background) ** 2).sum(2)), 0)
    full = ndimage.maximum_filter(np.where(thin, off, 0), 5)
    return np.where(near, off / np.maximum(full, 1e-6), 0).clip(0, 1).astype(np.float32)


def _sides(area: float, around: float) -> tuple[float, float]:
    """The shorter and the longer side (px) of a rectangle of this area with a border of this length."""
    half = around / 4
    off = math.sqrt(max(half * half - area, 0.0))
    return max(half - off, 1e-9), half + off
