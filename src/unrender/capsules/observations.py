"""From an interpretation to observations: canonical poses, named attributes, depth ranks and p."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.silhouette import Silhouette
from unrender.grammar.attribute import DASH_NAMES, STYLE_NAMES
from unrender.perception.depth import Placed
from unrender.perception.image.background import unlike_background
from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import UNLIKE
from unrender.perception.refine.stage import Stage
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import cover, distances, pixels_near
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, X, Y
from unrender.scene import Observation
from unrender.scene.residual import Residual

NEAR = 2.3  # px from an edge: what lies further off does not say where it is
FAINT = 0.06  # colour distance that nobody sees
SHOWN = 0.6  # of the pixels across an edge must show, so that it can be judged there
SEEN = 0.65  # of an outline: a shape of which less can be seen is judged as if so much could
SLACK = 0.4  # px: an edge this far from where it should be agrees by 1/e
ROUGH = 0.9  # px: the same for a line, which people draw less exactly than they fill
POINTED = 1.5  # px: half the width of a stroke from which on it shows whether its corners are pointed
EXACT = 0.2  # px by which two sides may differ that are told as equal

Told = list[tuple[Placed, list[Observation]]]
"""Every shape of an interpretation with its observations: one, or the parts of a known object."""


def observations(state: Interpretation) -> Told:
    """What each shape is told as, back to front, with depth ranks; a known object as the parts of its g."""
    told: Told = []
    depth = 0
    for n, placed in enumerate(state.shapes):
        p = activation(state, n)
        nodes = [replace(node, depth=depth + k) for k, node in enumerate(observed(placed.shape, state, p))]
        depth += len(nodes)
        told.append((placed, nodes))
    return told


def observed(shape: Shape, state: Interpretation, p: float) -> list[Observation]:
    """One shape in its canonical pose, with its attributes by name."""
    if isinstance(shape.primitive, Silhouette):
        parts = shape.primitive.parts(shape.pose)
        return [replace(part, attributes=part.attributes | _style(shape, part), p=p) for part in parts]
    wide, high = 2 * float(shape.pose[A]), 2 * float(shape.pose[B])
    # sides that differ by less than the pixels can tell are the same
    equal = 0.002 + (EXACT + 4 * state.model.sigma) / min(wide, high)
    width, height, turn = shape.primitive.symmetry.canonical(
        wide, high, math.degrees(shape.pose[ANGLE]), equal
    )
    attributes = _style(shape)
    if shape.dashes is not None:  # which begin somewhere
        width, height, turn = wide, high, math.remainder(math.degrees(shape.pose[ANGLE]), 360.0)
        attributes |= zip(DASH_NAMES, shape.dashes, strict=True)
    if shape.broken and not shape.primitive.strokelike:
        attributes["cap"] = float(not shape.butt)
    if shape.stroke is not None:
        side = shape.primitive.stroke_side(width, height)
        attributes["thickness"] = min(2 * float(shape.pose[TAU]) / side, 1.0)
        if shape.mitre and shape.pose[TAU] > POINTED:
            attributes["mitre"] = 1.0
    for value, own in zip(shape.pose[OWN:], shape.primitive.own, strict=True):
        attributes[own.name] = float(min(max(value, own.low), own.high))
    if (width, height) == (high, wide):
        attributes = shape.primitive.symmetry.exchanged(attributes)
    position = float(shape.pose[X]), float(shape.pose[Y])
    form = tuple(shape.form.tolist()) if shape.primitive.formed else None
    return [Observation(shape.primitive.name, position, (width, height), turn, attributes, p=p, form=form)]


def _style(shape: Shape, part: Observation | None = None) -> dict[str, float]:
    """Colours, whether it is filled, and no stroke; what is not painted takes the other's colour.

    part: of a known object, whose own strokes it keeps.
    """
    inner = shape.stroke if shape.fill is None else shape.fill
    outer = shape.fill if shape.stroke is None else shape.stroke
    assert inner is not None
    assert outer is not None
    values = {f"{name}": float(value) for name, value in zip(("red", "green", "blue"), inner, strict=True)}
    values |= {f"stroke_{name}": float(v) for name, v in zip(("red", "green", "blue"), outer, strict=True)}
    if part is None:
        values |= {"filled": float(shape.fill is not None), "thickness": 0.0}
    return {name: value for name, value in values.items() if name in STYLE_NAMES}


def activation(state: Interpretation, index: int) -> float:
    """p of a primitive capsule (Equation CapsuleInternals2): the mean of Z over the outline that can be seen.

    The only inputs are pixels, whose own probability never differs from its past mean, so the factor
    w(p_i / p̄_i - 1) of the equation is 1. A shape of which little can be seen is judged as if more could.
    """
    shape = state.shapes[index].shape
    stage = state.stage(state.shapes, index)
    z, counted, inside = pixel_agreement(state, shape, stage)
    if not counted.any():
        return 0.0
    visible = max(float(counted.mean()), SEEN)
    return float((z * counted).mean() / visible) * inside


def pixel_agreement(
    state: Interpretation, shape: Shape, stage: Stage
) -> tuple[Doubles, NDArray[np.bool_], float]:
    """Z of a primitive capsule: how well drawn and seen pixels agree across each px (K,) of the outline.

    What is left over there beyond the noise, divided by the squared contrast of the edge, is about the
    distance in px by which the edge is off. Also which of them can be judged (K,), and the agreement of the
    inside. An outline too faint to be judged px by px is judged as a whole.
    """
    rows, columns = (each.astype(np.int64) for each in pixels_near(shape, stage.window, NEAR))
    top, bottom, left, right = stage.window
    image, canvas = (each[top:bottom, left:right] for each in (state.model.image, state.canvas))
    off = ((image - canvas) ** 2).sum(2) - 3 * state.model.sigma**2
    behind, step = stage.behind[rows, columns], np.zeros(len(rows))
    for colour in (shape.fill, shape.stroke):
        if colour is not None:
            step = np.maximum(step, ((behind - colour) ** 2).sum(1))
    shows = stage.shows[rows, columns].astype(np.float64)
    cell, count = _along(shape, columns + np.float64(left + 0.5), rows + np.float64(top + 0.5))
    many = np.maximum(np.bincount(cell, minlength=count), 1)
    contrast = np.bincount(cell, step, count) / many
    wrong = np.bincount(cell, off[rows, columns] * shows, count)
    shown = np.bincount(cell, shows, count) / many > SHOWN
    counted = shown & (contrast > (FAINT + 3 * state.model.sigma) ** 2)
    if shown.any() and not counted.any():  # too faint px by px, but perhaps not as a whole
        faint = (FAINT + 3 * state.model.sigma / math.sqrt(shown.sum())) ** 2
        contrast, wrong = (np.full(count, own[shown].mean()) for own in (contrast, wrong))
        counted = shown & (contrast > faint)
    slack = SLACK if shape.stroke is None else ROUGH
    z = np.exp(-np.maximum(wrong, 0.0) / np.maximum(contrast, 1e-4) / slack)
    fill = None if shape.fill is None else cover(shape, stage.window, state.model.sharpness).fill
    return z, counted, _inside(off, stage, fill, float(contrast.mean()) if count else 1.0)


def _along(shape: Shape, x: Doubles, y: Doubles) -> tuple[NDArray[np.int64], int]:
    """Of points near an outline the px of the outline that each is nearest to, numbered (M,), and their
    number."""
    signed, nx, ny = (each[0] for each in distances(shape, x, y))
    cos, sin = math.cos(shape.pose[ANGLE]), math.sin(shape.pose[ANGLE])
    at_x = np.floor(x - signed * (cos * nx - sin * ny)).astype(np.int64)
    at_y = np.floor(y - signed * (sin * nx + cos * ny)).astype(np.int64)
    if not len(x):
        return np.zeros(0, np.int64), 0
    key = (at_y - at_y.min()) * (at_x.max() - at_x.min() + 1) + at_x - at_x.min()
    number = np.cumsum(np.bincount(key) > 0) - 1
    return number[key], int(number[-1]) + 1


def _inside(
    off: NDArray[np.floating], stage: Stage, fill: NDArray[np.float32] | None, contrast: float
) -> float:
    """How well the pixels inside agree, of those that show."""
    if fill is None:
        return 1.0
    shown = (fill == 1) & (stage.shows > SHOWN)
    wrong = np.maximum(off[shown], 0.0)
    return float((1 + np.exp(-wrong / (0.5 * contrast + 1e-4)).sum()) / (1 + shown.sum()))


def leaves(told: Told) -> list[Observation]:
    """All observations, back to front."""
    return [node for _, nodes in told for node in nodes]


def residual(state: Interpretation) -> Residual:
    """The pixels unlike the background that no shape explains, and their share of all that are unlike it."""
    model = state.model
    unlike = unlike_background(model.image, model.background, UNLIKE * model.channel_variance)
    mask = state.wrong & unlike
    return Residual(mask, float(mask.sum() / max(unlike.sum(), 1)))


def background(state: Interpretation) -> NDArray[np.uint8]:
    """uint8 (H, W, 3)."""
    return np.round(state.model.background * 255).clip(0, 255).astype(np.uint8)
