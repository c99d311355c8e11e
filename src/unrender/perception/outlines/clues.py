"""Clues: the evidence about every region of a picture: its contours and, where it is thin, its centre lines,
cut into pieces."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import ndimage

from unrender.perception.budget import Budget
from unrender.perception.image.centrelines import CentreLines, Stroke
from unrender.perception.image.contours import UNSURE, Contours
from unrender.perception.image.mixed import OFF, UNRESOLVED, owners
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import Labels, Mask, Regions
from unrender.perception.image.residual import NOISES, palette
from unrender.perception.image.skeleton import Indices
from unrender.perception.image.solid_parts import solid_parts
from unrender.perception.outlines.cut import ARC, TIP, Pieces, cut
from unrender.primitives.evidence import Evidence, Line
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats
from unrender.render.shape import Window, grown

THICK = 12.0  # px: no line is wider, but for those of large pictures
SHARE_OF_SIDE = 0.11  # of the longer side of a picture
NOISY_PIXELS = 2.0  # times the noise of one pixel that of a point of a line is: several pixels tell it
LONG = 3.0  # times as long as wide: less may be no line
SHORT = 1.6  # and less is none, even if it stands alone
COLOURS = 8  # of the lines of one thin area
OTHERS = 8  # px along the middle of lines that show no colour known of a thin area: then there are others
OUTLINES, SHARE = 0.1, 0.3  # of the budget that contours may take, and that centre lines may
FEWEST = 5  # px of a thin area
QUIET = 1 / 255  # noise below which it is no chance whose mixture a pixel is nearest to
ROUNDED = 0.02  # RGB distance by which a pixel may be off a mixture because colours are rounded
BORDERED = 0.5  # of the contour of a region, beyond which lies what is no region: no line has a border
AS_WIDE = 1.6  # times as wide as another stroke that one may be and still be drawn by the same pen
EVEN = 1.25  # times as wide or narrow as most of it: what differs more is no part of a line
MOSTLY = 0.5  # of a region: if its lines paint less it is none, though its outline is long, as that of a star
NARROW = 0.7  # px: narrower lines are known less exactly


@dataclass(frozen=True, eq=False)
class Clue:
    """Evidence, with the colour and the window of what it is about."""

    evidence: Evidence
    colour: Doubles  # (3,)
    window: Window
    region: int = 0  # if it is all of one region
    pieces: tuple[int, ...] = ()  # the regions that may be made of its lines
    part: bool = False  # whether it is a solid part of a region that is lines elsewhere
    thin: bool = False  # it may be lines, of which it shows the outlines only
    slender: bool = False  # its outline is so long that it may be lines, a star, or several shapes that touch
    touches: bool = False  # other regions lie beside it, which may hide a part of it
    bordered: bool = False  # what lies around it is mostly no region, but a thin line
    stroke_error: float = math.inf  # px: the standard error of its centre lines where nothing crosses them

    @property
    def compact(self) -> bool:
        """Whether no line in it can be much longer than wide, as in a thick cross."""
        top, bottom, left, right = self.window
        return max(bottom - top, right - left) < (LONG + 1) * self.evidence.width + 4  # with its margin

    @property
    def error(self) -> float:
        """The standard error of its outer contour, px; infinite if it has none."""
        outlines = self.evidence.outlines
        return float(np.median(outlines[0].error)) if outlines and len(outlines[0].error) else math.inf


def clues(model: ImageModel, regions: Regions, budget: Budget) -> list[Clue]:
    """Of all regions and thin areas of a picture, and of the solid parts of these."""
    owner = owners(model.image, model.background, regions, model.sigma)
    found = list(_region_clues(model, regions, owner, budget))
    thick = np.arange(len(regions.area)) == 0
    thick[[clue.region for clue in found if not clue.thin]] = True
    lines = list(thin_areas(model, regions, owner, thick, budget))
    lined = np.zeros(len(regions.area), bool)
    lined[[region for _, own in lines for region in own]] = True
    parts: list[Clue] = []
    if budget.has(owner.size, SHARE):
        budget.trace(owner.size, 0)
        solid, among = solid_parts(regions, owner)
        told = _region_clues(model, solid, among, budget) if solid.area.any() else ()
        parts = [replace(clue, region=0, part=True, thin=False, slender=False) for clue in told]
    found = [replace(clue, thin=clue.slender and bool(lined[clue.region])) for clue in found]
    return [*found, *(clue for clue, _ in lines), *parts]


def _region_clues(model: ImageModel, regions: Regions, owner: Labels, budget: Budget) -> Iterator[Clue]:
    """Of all regions; those are thin that may be lines."""
    contours = Contours.of(model.image, model.background, regions, model.sigma, _edge_error(model), owner)
    contours = contours.longest(budget.points(OUTLINES))
    pieces = cut(contours.x, contours.y, contours.error, contours.start, np.ones(len(contours), bool))
    by_region: dict[int, list[int]] = {}
    for c in np.argsort(-contours.area, kind="stable").tolist():
        by_region.setdefault(int(contours.region[c]), []).append(c)
    for region, own in sorted(by_region.items()):
        area = float(contours.area[own].sum())
        around = sum(_length(contours, c) for c in own)
        width, length = _sides(area, around)
        wide = width > max(THICK, SHARE_OF_SIDE * max(model.size))
        beyond = [contours.beyond[contours.points(c)] for c in own]
        touches = _touches(beyond)
        bordered = float((beyond[0] == UNRESOLVED).sum()) > BORDERED * len(beyond[0])
        outlines = [_outline(contours, pieces, c) for c in own]
        budget.outline(sum(len(line.x) for line in outlines))
        mean, covariance = _moments(owner, region, regions.window(region, 2))
        yield Clue(
            Evidence(outlines, (), width, mean, covariance),
            regions.colour[region],
            regions.window(region, 2),
            region,
            thin=not (wide or bordered or length < (LONG if touches else SHORT) * width),
            slender=not (wide or bordered or length < LONG * width),
            touches=touches,
            bordered=bordered,
        )


def _edge_error(model: ImageModel) -> float:
    """The standard error (px) of a point of an edge between two colours that nothing else blurs: of stairs it
    is only known between which two pixels the edge runs."""
    return UNSURE if model.aliased else model.edge_error


def _touches(beyond: Sequence[Labels]) -> bool:
    """Whether others that lie beside a region, by the labels beyond its outer contour and its holes, may hide
    a part of it: one that surrounds all of it lies behind it, or is its border."""
    outer, *holes = beyond
    surrounded = bool((outer > 0).all()) and len(np.unique(outer)) == 1
    return (not surrounded and bool((outer > 0).any())) or any(bool((each > 0).any()) for each in holes)


def thin_areas(
    model: ImageModel, regions: Regions, owner: Labels, thick: Mask, budget: Budget
) -> Iterator[tuple[Clue, list[int]]]:
    """Connected pixels that no thick region owns, by the colours of the lines there, as far as the budget
    goes; with the regions that are made of these lines."""
    thin = (owner < 0) | ~thick[np.maximum(owner, 0)]
    for window, own in _parts(thin, budget, SHARE):
        top, bottom, left, right = window
        image = model.image[top:bottom, left:right]
        ground = _around(model, regions, owner, thin, window)
        touches = bool((thick & (np.arange(len(thick)) > 0))[_beside(owner, own, window)].any())
        colours = _colours(image, ground, own, regions, window, model.sigma)
        for colour in colours:
            alike = _regions_of(regions, window, own, colour)
            least = MOSTLY * float(regions.area[alike].sum())
            for clue in _lines(model, ground, own, colour, colours, window, budget, SHARE, least):
                yield replace(clue, touches=touches, pieces=tuple(alike)), alike


def _beside(owner: Labels, own: Mask, window: Window) -> Labels:
    """(K,): the regions whose pixels lie beside a part (h, w) of a window."""
    top, bottom, left, right = window
    rim = ndimage.binary_dilation(own, np.ones((3, 3)), iterations=2) & ~own
    found: Labels = np.maximum(np.unique(owner[top:bottom, left:right][rim]), 0)
    return found


def lines_left(
    model: ImageModel, canvas: Floats, wrong: Mask, budget: Budget, wanted: Callable[[Window], bool]
) -> Iterator[Clue]:
    """Lines among the pixels that look wrong (H, W), by the colours that these are mixtures of on what is
    drawn there (H, W, 3), in the windows that are wanted."""
    for window, own in _parts(wrong, budget, 1.0):
        if not wanted(window):
            continue
        top, bottom, left, right = window
        image, ground = model.image[top:bottom, left:right], canvas[top:bottom, left:right]
        limit = 3 * (NOISES * model.sigma) ** 2 + OFF**2
        found = palette(image[own].astype(np.float64), ground[own].astype(np.float64), limit)
        for colour in found[:COLOURS]:
            if budget.spent:
                return
            yield from _lines(model, ground, own, colour, found[:COLOURS], window, budget, 1.0)


def _parts(mask: Mask, budget: Budget, share: float) -> Iterator[tuple[Window, Mask]]:
    """Windows and masks (h, w) of the connected parts of a mask (H, W), as far as that share
    of the budget goes."""
    areas, _ = ndimage.label(mask, np.ones((3, 3)))
    for number, (rows, columns) in enumerate(ndimage.find_objects(areas), 1):
        window = grown((rows.start, rows.stop, columns.start, columns.stop), 2, *mask.shape)
        top, bottom, left, right = window
        own = areas[top:bottom, left:right] == number
        if own.sum() >= FEWEST and budget.has(own.size, share):
            yield window, own


def _lines(
    model: ImageModel,
    ground: Floats,
    own: Mask,
    colour: Doubles,
    colours: Sequence[Doubles],
    window: Window,
    budget: Budget,
    share: float,
    least: float = 0.0,
) -> Iterator[Clue]:
    """The centre lines of one of several colours in an area (h, w) on a ground (h, w, 3), those of each
    width, if they paint more than the least (px²) where they are about that wide, as far as a share of the
    budget goes."""
    top, bottom, left, right = window
    coverage = _coverage(model.image[top:bottom, left:right], ground, own, colour, model.sigma, colours)
    painted = float(np.count_nonzero(coverage))
    if not budget.has(own.size, share, painted):
        return
    budget.trace(own.size, 0, painted)
    contrast = math.sqrt(float(((colour - ground[own]) ** 2).sum(1).mean()))
    error = math.hypot(model.edge_error, NOISY_PIXELS * model.sigma / max(contrast, 1e-3))
    lines = CentreLines.of(coverage, max(error, _edge_error(model)), left, top)
    strokes = lines.strokes()
    if not strokes:
        return
    budget.trace(0, len(strokes))
    order = np.concatenate([stroke.points for stroke in strokes])
    start = np.cumsum([0] + [len(stroke.points) for stroke in strokes])
    x, y, wide = lines.x[order], lines.y[order], lines.width[order]
    typical = _typical(wide, start)
    for which in _as_wide(typical, np.diff(start)):
        points = np.concatenate([strokes[c].points for c in which])
        width = float(np.median(lines.width[points]))
        short = 0.5 * width  # a mere dot
        if least and _painted_evenly(x, y, wide, start, which, width, EVEN, short) <= least:
            continue
        told = list(_strokes(lines, [strokes[c] for c in which], width))
        mean = np.array([lines.x[points].mean(), lines.y[points].mean()])
        covariance = np.cov(np.stack([lines.x[points], lines.y[points]])) + np.eye(2) / 12
        evidence = Evidence((), told, width, mean, covariance)
        yield Clue(evidence, colour, window, stroke_error=error * max(1.0, NARROW / width))


def _as_wide(typical: Doubles, length: Indices) -> Iterator[Indices]:
    """The numbers of strokes that are about as wide as one another: first those that paint most. Beside the
    strokes of other colours lie seams of mixed pixels, which look like thin lines.

    typical: (C,) px, how wide each stroke is. length: (C,), how many points it has."""
    left = np.argsort(typical, kind="stable")
    while len(left):
        painted = np.cumsum((typical * length)[left])
        main = typical[left[int(np.searchsorted(painted, painted[-1] / 2))]]
        near = (main / AS_WIDE <= typical[left]) & (typical[left] <= main * AS_WIDE)
        yield left[near]
        left = left[~near]


@compiled
def _typical(width: Doubles, start: Indices) -> Doubles:
    """(C,): the median of the widths (P,) of each stroke."""
    found = np.empty(len(start) - 1)
    for c in range(len(found)):
        found[c] = np.median(width[start[c] : start[c + 1]])
    return found


@compiled
def _painted_evenly(
    x: Doubles,
    y: Doubles,
    own: Doubles,
    start: Indices,
    which: Indices,
    width: float,
    even: float,
    short: float,
) -> float:
    """The area (px²) that some strokes paint where they are about this wide, but for short ones."""
    total = 0.0
    for c in which:
        length, painted, last = 0.0, 0.0, start[c + 1] - 1
        for k in range(start[c], last + 1):
            step = width  # its end
            if k < last:
                step = math.sqrt((x[k + 1] - x[k]) ** 2 + (y[k + 1] - y[k]) ** 2)
                length += step
            if width / even < own[k] < width * even:
                painted += own[k] * step
        if length >= short:
            total += painted
    return total


def _regions_of(regions: Regions, window: Window, own: Mask, colour: Doubles) -> list[int]:
    """The solid regions of a colour in an area (h, w) of a window."""
    top, bottom, left, right = window
    labels = np.unique(regions.labels[top:bottom, left:right][own])
    solid = labels[regions.solid[labels] & (labels > 0)]
    near = ((regions.colour[solid] - colour) ** 2).sum(1) < 3 * OFF**2
    return [int(label) for label in solid[near]]


def _around(model: ImageModel, regions: Regions, owner: Labels, thin: Mask, window: Window) -> Floats:
    """(h, w, 3): the colour of what lies around thin areas, at every pixel that of the nearest such pixel."""
    top, bottom, left, right = window
    inside = thin[top:bottom, left:right]
    labels = np.maximum(owner[top:bottom, left:right], 0)
    if inside.all() or not labels[~inside].any():  # nothing but the background, as mostly
        return model.background[top:bottom, left:right]
    ground = np.where(
        (labels == 0)[:, :, None], model.background[top:bottom, left:right], regions.colour[labels]
    ).astype(np.float32)
    nearest = ndimage.distance_transform_edt(inside, return_distances=False, return_indices=True)
    found: Floats = ground[nearest[0], nearest[1]]
    return found


def _colours(
    image: Floats, ground: Floats, own: Mask, regions: Regions, window: Window, sigma: float
) -> list[Doubles]:
    """The colours of the lines of a thin area: those of its solid regions that differ, or the one that
    differs most from what is around; and those that the pixels are mixtures of that show none of these."""
    top, bottom, left, right = window
    labels = np.unique(regions.labels[top:bottom, left:right][own])
    solid = sorted((k for k in labels.tolist() if k and regions.solid[k]), key=lambda k: -regions.area[k])
    found: list[Doubles] = []
    for region in solid[: 4 * COLOURS]:
        colour = regions.colour[region]
        if all(((colour - other) ** 2).sum() > 3 * OFF**2 for other in found):
            found.append(colour)
    found = found[:COLOURS] or [_furthest(image, ground, own)]
    rest = own.copy()
    for colour in found:
        rest &= _coverage(image, ground, own, colour, sigma) == 0
    rest &= _middles(((image - ground) ** 2).sum(2))
    if len(found) < COLOURS and rest.sum() > OTHERS:
        limit = 3 * (NOISES * sigma) ** 2 + OFF**2
        found += palette(image[rest].astype(np.float64), ground[rest].astype(np.float64), limit)
    return found[:COLOURS]


def _middles(off: Floats) -> Mask:
    """bool (h, w): pixels that differ more from the ground, by their squared distance (h, w), than both
    neighbours in their row or in their column: the middle of a line, and no seam between two colours."""
    found = np.zeros(off.shape, bool)
    for way in (found, found.T):
        deep = off if way is found else off.T
        way[1:-1] |= (deep[1:-1] > deep[:-2] + OFF**2) & (deep[1:-1] > deep[2:] + OFF**2)
    return found


def _furthest(image: Floats, ground: Floats, own: Mask) -> Doubles:
    """The colour (3,) of the pixels of an area that differ most from the ground."""
    off = ((image - ground) ** 2).sum(2)[own]
    furthest = np.argsort(off)[-max(len(off) // 20, 1) :]
    colour: Doubles = np.median(image[own][furthest], 0).astype(np.float64)
    return colour


def _coverage(
    image: Floats,
    ground: Floats,
    own: Mask,
    colour: Doubles,
    sigma: float,
    rivals: Sequence[Doubles] = (),
) -> Floats:
    """(h, w): the share of each pixel of a thin area that is painted in a colour; 0 where others are, or
    where a mixture of a rival is nearer."""
    noise = 3 * (3 * sigma) ** 2
    limit, sure = noise + 3 * (2 * OFF) ** 2, noise + ROUNDED**2
    others = [rival for rival in rivals if rival is not colour] if sigma < QUIET else []
    every = np.array([colour, *others])
    return _shares(np.ascontiguousarray(image), np.ascontiguousarray(ground), own, every, limit, sure)


@compiled
def _shares(image: Floats, ground: Floats, own: Mask, colours: Doubles, limit: float, sure: float) -> Floats:
    """The same of the first of some colours (K, 3); a pixel whose squared distance from all its mixtures is
    beyond the limit, or by more than what is sure beyond that from mixtures of another, shows another."""
    tall, wide = own.shape
    found = np.zeros((tall, wide), np.float32)
    for i in range(tall):
        for j in range(wide):
            near = False
            for r in range(max(i - 1, 0), min(i + 2, tall)):
                for s in range(max(j - 1, 0), min(j + 2, wide)):
                    near |= own[r, s]
            if not near:
                continue
            first = 0.0
            for k in range(len(colours)):
                along, length, square = 0.0, 0.0, 0.0
                for c in range(3):
                    step, seen = colours[k, c] - ground[i, j, c], image[i, j, c] - ground[i, j, c]
                    along, length, square = along + step * seen, length + step * step, square + seen * seen
                share = min(max(along / max(length, 1e-6), 0.0), 1.0)
                off = square - 2 * share * along + share * share * length
                if k == 0:
                    if off >= limit:
                        break
                    first, found[i, j] = off, share
                elif off < first - sure:
                    found[i, j] = 0.0
                    break
    return found


def _strokes(lines: CentreLines, parts: Sequence[Stroke], width: float) -> Iterator[Line]:
    """Strokes of a width (px), cut."""
    order = np.concatenate([stroke.points for stroke in parts])
    start = np.cumsum([0] + [len(stroke.points) for stroke in parts])
    x, y, error = lines.x[order], lines.y[order], lines.error[order]
    closed = np.array([stroke.closed for stroke in parts])
    # at a bend the points end where the sides of the stroke meet, and none is as near as half its width
    pieces = cut(x, y, error, start, closed, TIP + 2 * width, max(2, int(width / 2)))
    for c, stroke in enumerate(parts):
        own = slice(int(start[c]), int(start[c + 1]))
        line = line_of(x[own], y[own], error[own], pieces, c, own.start)
        yield replace(line, free=stroke.free).extended(*stroke.beyond)


def _outline(contours: Contours, pieces: Pieces, contour: int) -> Line:
    own = contours.points(contour)
    return line_of(contours.x[own], contours.y[own], contours.error[own], pieces, contour, own.start)


def line_of(x: Doubles, y: Doubles, error: Doubles, pieces: Pieces, number: int, start: int) -> Line:
    """One of several lines that were cut: its points, the first of which was number `start`, and pieces."""
    own, closed = pieces.of(number), bool(pieces.closed[number])
    corner = pieces.corner[own]
    if not closed and len(corner):
        corner = np.concatenate([corner, pieces.end[own][-1:]])
    radius = np.where(pieces.kind[own] == ARC, pieces.radius[own], 0.0)
    return Line(x, y, error, corner, radius, pieces.centre[own], closed, pieces.first[own] - start)


def _sides(area: float, around: float) -> tuple[float, float]:
    """The shorter and the longer side of a rectangle of this area with a border of this length; of what is
    rounder than a square those of a square."""
    half = around / 4
    off = math.sqrt(max(half * half - area, 0.0))
    return max(half - off, 1e-9), half + off


def _length(contours: Contours, contour: int) -> float:
    own = contours.points(contour)
    x, y = contours.x[own], contours.y[own]
    return float(np.hypot(np.diff(x, append=x[:1]), np.diff(y, append=y[:1])).sum())


@compiled
def _moments(owner: Labels, region: int, window: Window) -> tuple[Doubles, Doubles]:
    """Mean (2,) and covariance (2, 2) of the pixels of a region."""
    top, bottom, left, right = window
    n, x, y, xx, xy, yy = 0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(top, bottom):
        for j in range(left, right):
            if owner[i, j] == region:
                dx, dy = float(j - left), float(i - top)
                n, x, y, xx, xy, yy = n + 1, x + dx, y + dy, xx + dx * dx, xy + dx * dy, yy + dy * dy
    x, y, covariance = x / max(n, 1), y / max(n, 1), np.eye(2)
    if n > 1:
        covariance[0, 0], covariance[1, 1] = (xx - n * x * x) / (n - 1), (yy - n * y * y) / (n - 1)
        covariance[0, 1] = covariance[1, 0] = (xy - n * x * y) / (n - 1)
        covariance += np.eye(2) / 12
    return np.array([x + left + 0.5, y + top + 0.5]), covariance
