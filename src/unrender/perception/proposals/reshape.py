"""Proposals that change forms: bent where they do not fit, and told again with fewer pieces or by a simpler
primitive."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.objective import KIND_BITS, PRECISION, shape_bits
from unrender.perception.outlines.clues import Clue, line_of
from unrender.perception.outlines.cubics import with_cubics
from unrender.perception.outlines.cut import cut
from unrender.perception.proposals.fits import of_areas
from unrender.perception.proposals.propose import (
    Choice,
    Sight,
    bits_at,
    near_colour,
    stroke_width,
    wrong_beside,
)
from unrender.perception.proposals.starting import HARDLY, guessed
from unrender.primitives.curve import curve
from unrender.primitives.evidence import Evidence, Line
from unrender.primitives.path import framed, path
from unrender.primitives.path import placed as on_canvas
from unrender.primitives.polycurve_edits import bent, from_outline, is_open
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.vector import Path, rings
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, Window, X, Y

WORTH = 100.0  # bits of such pixels: one piece more takes about so many
NOISY = 0.04  # noise beyond which the edge of a line is not known to a tenth of a pixel
STEP = 1.0  # px between the points of a curve that is cut again
ERROR = 0.05  # px: their standard error
ALL_ROUND = 0.9  # of a turn: an arc that sweeps more may be a circle
ROUND = 0.06  # of its radius by which the sides of a disc may differ
SAME = 0.06  # of its width by which another stroke may seem wider or narrower
ROUGHLY = 1000.0  # bits by which a simpler shape may be worse before it is refined
CUBICS = 8000.0  # the same of a form with cubics, which may have a long way to go
ARCS = 3  # of a path, at least, that cubics may tell with fewer numbers
CURVE = 10  # numbers of a chain of one cubic


def reshaped_strokes(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """The same of strokes only, of which nothing can be hidden by others of their colour."""
    if state.model.sigma > NOISY:  # how a line bends cannot be told
        return iter(())
    strokes = [
        placed for placed in state.shapes if placed.shape.fill is None or not of_areas(placed.shape.primitive)
    ]
    return _reshaped(state, sight, wrong, strokes)


def reshaped(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """A path in place of every shape beside whose edge something looks wrong, bent there."""
    return _reshaped(state, sight, wrong, list(state.shapes))


def _reshaped(
    state: Interpretation, sight: Sight, wrong: Mask, several: Sequence[Placed]
) -> Iterator[Choice]:
    if path not in sight.kinds:
        return
    for placed in several:
        if placed.shape.dashes is not None:
            continue
        x, y = wrong_beside(placed, wrong)
        bits = bits_at(state, x, y)
        if bits > WORTH and sight.unasked(("reshaped", placed.key, len(placed.shape.form)), bits):
            yield _bent(state, placed, x, y)


def retold(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """What its own curve would be told as, in place of every shape that may be a simpler one."""
    for placed in list(state.shapes):
        once = ("retold", placed.key, len(placed.shape.form))
        if _unusual(placed.shape) and placed.key not in sight.compared and once not in sight.tried:
            sight.tried[once] = len(state.changes)
            yield (Move([each], [placed]) for each in _simpler(state, sight.kinds, placed.shape, [placed]))


def smoothed(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Cubic pieces in place of several of a path each; a stroke of nothing else is a curve."""
    if path not in sight.kinds:
        return
    for placed in list(state.shapes):
        shape, once = placed.shape, ("smoothed", placed.key, len(placed.shape.form))
        if shape.primitive is not path or shape.dashes is not None or once in sight.tried:
            continue
        sight.tried[once] = len(state.changes)
        if len(shape.form) >= ARCS * 4 + 3:
            yield _smoother(state, sight.kinds, placed)


def _smoother(state: Interpretation, kinds: Sequence[Primitive], placed: Placed) -> Iterator[Move]:
    """A path with few cubics or some, and the curve that it may be."""
    shape = placed.shape
    for form in with_cubics(path_form(shape)):
        if len(form) >= len(shape.form):
            continue
        pose, own = framed(form, float(shape.pose[TAU]))
        told = Move([Placed.of(Shape(path, pose, shape.fill, shape.stroke, own), state.model)], [placed])
        if state.gain(told) < -CUBICS:
            continue
        better = state.refined(told.add[0].shape, [placed])
        told = Move([Placed.of(better, state.model)], [placed])
        yield told
        flat = path_form(better)
        if curve in kinds and is_open(flat) and len(flat) == CURVE:
            pose, own = curve.canonical(np.array([0.0, 0.0, 1.0, 1.0, 0.0, better.pose[TAU]]), _control(flat))
            yield Move([Placed.of(Shape(curve, pose, None, better.stroke, own), state.model)], [placed])


def _control(flat: Doubles) -> Doubles:
    """The four control points (8,) of a chain of one cubic."""
    return np.concatenate([flat[1:7], flat[8:]])


def renamed(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Another primitive that draws the same: a straight stroke with straight ends is a rectangle, and one of
    no length a disc. Among strokes that are as wide it is one of them, whose width need not be told again;
    among others that could be either, what most of them are."""
    by_name = {kind.name: kind for kind in sight.kinds}
    told = [(placed, _namesake(placed.shape, by_name)) for placed in state.shapes]
    widths = [width for placed, other in told if other is None and (width := stroke_width(placed.shape))]
    either = [(placed, other) for placed, other in told if other is not None]
    for placed, other in either:
        if not sight.fresh(state, ("renamed", placed.key, len(widths), len(either)), placed.patch.window):
            continue
        stroke = other if other.primitive.strokelike else placed.shape
        like = any(_as_wide(stroke, half, colour) for half, colour in widths)
        if not like and (alike := _alike(stroke, either)):
            if minority := _minority(state, alike):
                yield [_instead(state, sight, minority, KIND_BITS * len(minority))]
            continue
        if stroke is other and not like and not _rounded(placed.shape):
            continue  # a disc or a rectangle by itself is no stroke
        saved = math.log2(math.sqrt(math.prod(state.model.size)) / PRECISION) if like else 0.0
        yield [_instead(state, sight, [(placed, other)], saved if stroke is other else -saved)]


def _alike(stroke: Shape, either: Sequence[tuple[Placed, Shape]]) -> list[tuple[Placed, Shape]]:
    """Those of shapes with two names that are as wide as a straight stroke and of its colour; none if it is
    the only one."""
    found = []
    for placed, other in either:
        bar = placed.shape if placed.shape.primitive.strokelike else other
        width = stroke_width(bar)
        if width is not None and _as_wide(stroke, *width):
            found.append((placed, other))
    return found if len(found) > 1 else []


def _minority(state: Interpretation, alike: Sequence[tuple[Placed, Shape]]) -> list[tuple[Placed, Shape]]:
    """Those of shapes that are alike which do not have the name that takes all of them the fewest bits."""
    saved = 0.0  # bits, if all are strokes
    for placed, other in alike:
        off = placed.bits - shape_bits(other, state.model)
        saved += off if other.primitive.strokelike else -off
    return [each for each in alike if each[1].primitive.strokelike == (saved > 0)]


def _instead(
    state: Interpretation, sight: Sight, several: Sequence[tuple[Placed, Shape]], saved: float
) -> Move:
    """Shapes by their other names."""
    told = [Placed.of(other, state.model) for _, other in several]
    sight.compared.update(each.key for each in told)  # or else `in_one` would tell it as before, for ever
    return Move(told, [placed for placed, _ in several], saved)


def _rounded(shape: Shape) -> bool:
    """Whether a shape is a rectangle whose corners are all round, which is a stroke with round ends."""
    return shape.primitive.name == "square" and shape.pose[OWN] > 1 - ROUND


def _namesake(shape: Shape, by_name: Mapping[str, Primitive]) -> Shape | None:
    """The shape of another primitive that draws the same, if there is any."""
    pose, name = shape.pose.copy(), shape.primitive.name
    if shape.dashes is not None:
        return None
    if _rounded(shape) and "circle" in by_name:
        if abs(pose[A] - pose[B]) < ROUND * pose[A]:
            return replace(shape, primitive=by_name["circle"], pose=pose[:OWN])
        if shape.stroke is None and "edge" in by_name:
            return replace(shape, primitive=by_name["edge"], pose=_longways(pose, 1.0))
    if name == "arc" and pose[OWN + 1] > ALL_ROUND and "circle" in by_name:
        return replace(shape, primitive=by_name["circle"], pose=pose[:OWN])
    if shape.stroke is not None or "edge" not in by_name:
        return None
    if name in ("edge", "square") and pose[OWN] == 0 and "square" in by_name:
        other = by_name["square" if name == "edge" else "edge"]
        return replace(shape, primitive=other, pose=_longways(pose, 0.0))
    half = math.sqrt(pose[A] * pose[B])
    if abs(pose[A] - pose[B]) > ROUND * half:
        return None
    if name == "edge" and pose[OWN] == 1 and "circle" in by_name:
        dot = np.array([pose[X], pose[Y], half, half, 0.0, 0.0])
        return replace(shape, primitive=by_name["circle"], pose=dot)
    if name == "circle":
        dot = np.array([pose[X], pose[Y], half, half, 0.0, 0.0, 1.0])
        return replace(shape, primitive=by_name["edge"], pose=dot)
    return None


def _longways(pose: Doubles, own: float) -> Doubles:
    """The same box, its longer side first, with another own parameter."""
    x, y, a, b, angle, tau, *_ = pose.tolist()
    return np.array([x, y, a, b, angle, tau, own] if a >= b else [x, y, b, a, angle + math.pi / 2, tau, own])


def _as_wide(stroke: Shape, half: float, colour: Doubles) -> bool:
    """Whether a straight stroke has this half width and this colour."""
    told = stroke_width(stroke)
    return (
        told is not None
        and abs(told[0] - half) < max(SAME * half, PRECISION)
        and near_colour(told[1], colour, 0.0)
    )


def _unusual(shape: Shape) -> bool:
    """Whether a shape may be a simpler one: it has a form, or is a part of an outline."""
    return shape.dashes is None and (shape.primitive.formed or not shape.primitive.closed)


def _bent(state: Interpretation, placed: Placed, x: Doubles, y: Doubles) -> Iterator[Move]:
    """A shape as a path with rounded corners where pixels look wrong, or with other pieces too."""
    shape = as_path(placed.shape)
    reach = max(4.0, 1.5 * shape.pose[TAU])
    within = around(x, y, 2 * shape.pose[TAU] + reach + 4)
    flat = path_form(shape)
    sizes = {len(shape.form)}
    for pieces in (False, True):
        pose, form = framed(bent(flat, x, y, reach, pieces), float(shape.pose[TAU]))
        if len(form) in sizes:
            continue
        sizes.add(len(form))
        better = state.refined(Shape(path, pose, shape.fill, shape.stroke, form), [placed], within=within)
        yield Move([Placed.of(better, state.model)], [placed])
        for simpler in _simpler(state, [path], better, [placed], within):
            yield Move([simpler], [placed])


def around(x: Doubles, y: Doubles, margin: float) -> Window:
    """The window that holds some points, wider by a margin (px)."""
    top, left = math.floor(y.min() - margin), math.floor(x.min() - margin)
    return top, math.ceil(y.max() + margin), left, math.ceil(x.max() + margin)


def as_path(shape: Shape) -> Shape:
    """The same shape as a path."""
    if shape.primitive is path:
        return shape
    form = from_outline(_told(shape), shape.pose)
    if shape.primitive.strokelike:
        pose, form = framed(form, float(shape.pose[B]))
        return Shape(path, pose, None, shape.fill, form)
    pose, form = framed(form, float(shape.pose[TAU]))
    return Shape(path, pose, shape.fill, shape.stroke, form)


def path_form(shape: Shape) -> Doubles:
    """The form of a path in px of the canvas."""
    return on_canvas(shape.pose, shape.form)


def _simpler(
    state: Interpretation,
    kinds: Sequence[Primitive],
    shape: Shape,
    without: Sequence[Placed],
    within: Window | None = None,
) -> Iterator[Placed]:
    """What the curve of a shape with a form may be told as, refined."""
    clue = Clue(evidence(shape), np.zeros(3), (0, 0, 0, 0))
    for guesses in guessed([clue], [kind for kind in kinds if kind.starts is not None], state.budget)[0]:
        for guess in guesses[:2] + guesses[-1:]:
            new = guess.shape
            if new.primitive is shape.primitive and len(new.form) >= len(shape.form):
                continue
            if guess.share < HARDLY:  # all of its curve is known
                continue
            fill, stroke = shape.fill, shape.stroke
            if new.primitive.strokelike:
                if fill is not None:
                    continue
                fill, stroke = stroke, None
            elif (new.fill is None) != (fill is None) or (not new.primitive.closed and fill is not None):
                continue
            pose = new.pose.copy()
            if fill is not None and stroke is not None:  # the guess is of what is painted inside
                pose[TAU] = shape.pose[TAU]
            told = Shape(new.primitive, pose, fill, stroke, new.form)
            if state.gain(Move([Placed.of(told, state.model)], without)) > -ROUGHLY:
                yield Placed.of(state.refined(told, without, within=within), state.model)


def evidence(shape: Shape) -> Evidence:
    """What the curve of a shape tells by itself: its points, cut again."""
    lines: list[Line] = []
    closed = _is_closed(shape)
    for points in evenly(shape):
        x, y, error = points[:, 0].copy(), points[:, 1].copy(), np.full(len(points), ERROR)
        pieces = cut(x, y, error, np.array([0, len(x)]), np.array([closed]))
        lines.append(line_of(x, y, error, pieces, 0, 0))
    points = np.concatenate([np.stack([line.x, line.y]) for line in lines], 1)
    mean, covariance = points.mean(1), np.cov(points) + np.eye(2) / 12
    width = 2 * float(shape.pose[TAU])
    if shape.fill is not None:
        return Evidence(lines, (), width, mean, covariance)
    return Evidence((), lines, width, mean, covariance)


def evenly(shape: Shape) -> list[Doubles]:
    """Points (N, 2) on the canvas, about STEP px apart, along each line of the curve of a shape."""
    a, b = float(shape.pose[A]), float(shape.pose[B])
    cos, sin = np.cos(shape.pose[ANGLE]), np.sin(shape.pose[ANGLE])
    turn = np.array([[cos, sin], [-sin, cos]])
    closed = _is_closed(shape)
    return [_even(shape.pose[[X, Y]] + ring @ turn, closed) for ring in rings(_told(shape), a, b)]


def _told(shape: Shape) -> Path:
    """The curve of a shape in its own frame."""
    return shape.primitive.path(float(shape.pose[A]), float(shape.pose[B]), (*shape.pose[OWN:], *shape.form))


def _is_closed(shape: Shape) -> bool:
    return any(kind == "Z" for kind, _ in _told(shape))


def _even(line: Doubles, closed: bool) -> Doubles:
    """Points (N, 2) about STEP px apart along a line."""
    if closed:
        line = np.concatenate([line, line[:1]])
    length = np.hypot(*np.diff(line, axis=0).T)
    way = np.concatenate([[0.0], np.cumsum(length)])
    count = max(int(way[-1] / STEP), 8)
    at = np.linspace(0, way[-1], count + 1)
    if closed:
        at = at[:-1]
    return np.stack([np.interp(at, way, line[:, 0]), np.interp(at, way, line[:, 1])], 1)
