"""Sets of shapes of one colour that fill an area together: what shows of the area, which sets are cheapest,
and their refinement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import ndimage

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask, Regions
from unrender.perception.interpretation import Elsewhere, Interpretation, Move
from unrender.perception.objective import shape_bits
from unrender.perception.proposals.cover import cheapest
from unrender.perception.proposals.placements import Shown
from unrender.perception.proposals.propose import SAME, of_colour
from unrender.perception.refine.pixels import FAR, Pass, refine
from unrender.primitives.protocol import Doubles
from unrender.render.composite import layers
from unrender.render.coverage import distances
from unrender.render.shape import Shape, Window

POINTS = 400  # of an area, by which sets are compared
STEPS, ROUNDS = 3, 2  # of a refinement among others, and how often each shape of a set is refined


def shown_of(state: Interpretation, regions: Regions, region: int) -> Shown:
    """How much of each pixel in and around a region shows its colour rather than the background."""
    top, bottom, left, right = regions.window(region, 2)
    labels = regions.labels[top:bottom, left:right]
    mask = labels == region
    behind = state.model.background[top:bottom, left:right]
    step = regions.colour[region] - behind
    share = ((state.model.image[top:bottom, left:right] - behind) * step).sum(2) / np.maximum(
        (step * step).sum(2), 1e-9
    )
    mixed = ndimage.binary_dilation(mask, np.ones((3, 3))) & ~regions.solid[labels]
    alpha = np.where(mask, 1.0, np.where(mixed, share.clip(0, 1), 0.0)).astype(np.float32)
    return Shown(alpha, left, top)


def painted_of(state: Interpretation, placed: Placed) -> Shown | None:
    """What a shape of one colour paints of the picture, as far as it shows."""
    painted = layers(placed.shape, placed.patch)
    if len(painted) != 1 or not painted[0][1].size:
        return None
    alpha = painted[0][1]
    stage = state.stage(state.shapes, state.shapes.index(placed))
    top, _, left, _ = placed.patch.window
    row, column = top - stage.window[0], left - stage.window[2]
    shows = stage.shows[row : row + alpha.shape[0], column : column + alpha.shape[1]]
    return Shown((alpha * shows).astype(np.float32), left, top)


def told_in(state: Interpretation, shown: Shown, colour: Doubles) -> list[Placed]:
    """The shapes of a colour of which most of what shows lies in an area."""
    tall, wide = shown.alpha.shape
    window = (shown.top, shown.top + tall, shown.left, shown.left + wide)
    near, found = SAME + 3 * state.model.paint_sigma**2, []
    for placed in of_colour(state, window, colour):
        top, _, left, _ = placed.patch.window
        painted = sum(alpha for _, alpha, _ in layers(placed.shape, placed.patch))
        rows, columns = np.nonzero(np.asarray(painted) > 0.5)
        visible = ((state.canvas[rows + top, columns + left] - colour) ** 2).sum(1) < near
        rows, columns = rows[visible], columns[visible]
        within = shown.at(columns + np.float64(left + 0.5), rows + np.float64(top + 0.5))
        if len(rows) and (within > 0.5).mean() > 0.5:
            found.append(placed)
    return found


def filling(state: Interpretation, shown: Shown, shapes: Sequence[Shape]) -> list[list[Shape]]:
    """Sets of shapes that fill an area, the cheapest first."""
    if not shapes:
        return []
    rows, columns = np.nonzero(shown.alpha > 0.5)
    step = max(len(rows) // POINTS, 1)
    x, y = columns[::step] + np.float64(shown.left + 0.5), rows[::step] + np.float64(shown.top + 0.5)
    covers = np.stack([distances(shape, x, y)[0][0] < 0.25 for shape in shapes])
    bits = np.array([shape_bits(shape, state.model) for shape in shapes])
    order = np.argsort(bits, kind="stable")
    _, first = np.unique(covers[order], axis=0, return_index=True)
    kept = order[np.sort(first)]  # of those that cover the same points the cheapest
    sets = cheapest(covers[kept], bits[kept], state.model.cap * len(rows) / len(x))
    return [[shapes[kept[n]] for n in chosen] for chosen in sets]


def estimated_bits(state: Interpretation, shown: Shown, several: Sequence[Shape]) -> float:
    """About the bits of some shapes and of what they leave of an area or paint beside it."""
    rows, columns = np.indices(shown.alpha.shape).reshape(2, -1)
    step = max(len(rows) // (2 * POINTS), 1)
    x, y = columns[::step] + np.float64(shown.left + 0.5), rows[::step] + np.float64(shown.top + 0.5)
    painted = np.any([distances(shape, x, y)[0][0] < 0 for shape in several], axis=0)
    wrong = painted != (shown.alpha[rows[::step], columns[::step]] > 0.5)
    bits = sum(shape_bits(shape, state.model) for shape in several)
    return bits + state.model.cap * step * float(wrong.sum())


def refined_together(
    state: Interpretation,
    several: Sequence[Shape],
    without: Sequence[Placed],
    rounds: int = ROUNDS,
    elsewhere: Elsewhere | None = None,
) -> list[Placed]:
    """Further shapes, each refined among the others and those that are there.

    elsewhere: pixels that show something else, whether it is told already or not.
    """
    new = [Placed.of(shape, state.model) for shape in several]
    shapes = state.after(Move(new, without))
    for _ in range(rounds):
        for n, placed in enumerate(new):
            at = shapes.index(placed)
            stage = state.stage(shapes, at)
            if elsewhere is not None:
                stage = replace(stage, shows=np.where(elsewhere(stage.window), 0, stage.shows))
            shape = refine(placed.shape, stage, state.model, Pass(STEPS, reach=FAR))
            new[n] = shapes[at] = Placed.of(shape, state.model)
    return new


def other_regions(regions: Regions, which: Sequence[int]) -> Elsewhere:
    """Pixels of other regions that are no mixtures."""
    others = regions.solid.copy()
    others[[0, *which]] = False

    def elsewhere(window: Window) -> Mask:
        top, bottom, left, right = window
        mask: Mask = others[regions.labels[top:bottom, left:right]]
        return mask

    return elsewhere
