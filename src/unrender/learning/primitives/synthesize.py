"""The training set of γ: f(g(Q_j(χ))), pictures that `render` draws.

Every picture holds a few shapes of the capsule's kind and, as occluders, shapes of the other kinds, in a
random depth order on a random background.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.random import Generator

from unrender.learning.primitives.effects import AnyBackground, Background, Chain, Effect
from unrender.learning.primitives.quantiles import quantile
from unrender.primitives.handles import DRAWN, extent_of
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.composite import composite, layers
from unrender.render.coverage import Floats, Patch, cover
from unrender.render.shape import OWN, TAU, A, B, Shape, X, Y

CLOSE_COLOUR = 0.15  # a shape whose colours are nearer than this to its ground cannot be asked for
STEP = 6.5  # px: the spread of shapes that lie close to another
LIT = ("red", "green", "blue")
STROKE = (*LIT, "extent", "rotation", "thickness")  # what is drawn for a stroke, besides its line


@dataclass(frozen=True, eq=False)
class Batch:
    """Pictures with the truth about them."""

    pictures: Floats  # (N, H, W, 3)
    scenes: list[list[Shape]]  # of each picture, back to front
    visible: list[Doubles]  # of each of these shapes the share of its coverage that can be seen


def quantiles(primitive: Primitive, rng: Generator, count: int, side: int) -> list[Shape]:
    """Shapes whose attributes are Q_j(χ_ij), anywhere in a picture with sides of `side` px."""

    def drawn(name: str) -> Doubles:
        return quantile(primitive, name)(rng.random(count))

    if primitive.handles is not None:
        return list(_strokes(primitive, rng, {name: drawn(name) for name in STROKE}, side))

    extent, aspect = drawn("extent"), np.sqrt(drawn("aspect"))
    width, height = extent * aspect, extent / aspect
    filled, bordered, mitred = (drawn(name) > 0 for name in ("filled", "bordered", "mitred"))
    stroked = ~filled | bordered
    sides = (np.minimum if primitive.closed else np.maximum)(width, height)
    tau = stroked * drawn("thickness") * sides / 2
    place = rng.uniform(0, side, (2, count))
    own = [
        np.full(count, own.default) if primitive.held_at(own.name) else drawn(own.name)
        for own in primitive.own
    ]
    pose = np.stack([*place, width / 2, height / 2, np.radians(drawn("rotation")), tau, *own], 1)
    inside = np.stack([drawn(name) for name in LIT], 1)
    other = (inside + rng.uniform(CLOSE_COLOUR, 1 - CLOSE_COLOUR, inside.shape)) % 1  # never close to it
    stroke = np.where(filled[:, None], other, inside)
    return [
        Shape(
            primitive,
            pose[n],
            inside[n] if filled[n] else None,
            stroke[n] if stroked[n] else None,
            mitre=bool(mitred[n]) and primitive.mitred is not None,
        )
        for n in range(count)
    ]


def _strokes(
    primitive: Primitive, rng: Generator, drawn: Mapping[str, Doubles], side: int
) -> Iterator[Shape]:
    """Strokes whose lines go through handles at random; own parameters that are held are at one of their
    values."""
    handles = primitive.handles
    assert handles is not None
    held = [n for n, own in enumerate(primitive.own) if primitive.held_at(own.name)]
    for n, extent in enumerate(drawn["extent"].tolist()):
        points, turn = handles.drawn(rng.random(DRAWN)), np.radians(drawn["rotation"][n])
        points = (points - points.mean(0)) * (extent / extent_of(points))
        points = points @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        pose, form = handles.through(points + rng.uniform(0, side, 2), 2 * extent * drawn["thickness"][n])
        for k in held:
            pose[OWN + k] = rng.choice(primitive.held_at(primitive.own[k].name))
        colour = np.array([drawn[name][n] for name in LIT])
        fill, stroke = (colour, None) if primitive.closed else (None, colour)
        yield Shape(primitive, pose, fill, stroke, form)


@dataclass(frozen=True)
class Synthesizer:
    """Draws batches for the capsule of `primitive`; `others` stand in the way."""

    primitive: Primitive
    others: Sequence[Primitive]
    side: int = 48
    fewest: int = 1
    most: int = 10  # shapes in a picture
    own: float = 0.35  # share of shapes that are of the own kind, besides its fair share of the rest
    clustered: float = 0.65  # share of shapes that lie close to, or over, the one before
    background: Background = field(default_factory=AnyBackground)
    effects: Effect = field(default_factory=Chain)
    stray: float = 0.25  # share of shapes whose size belongs to another pyramid level

    def sample(self, rng: Generator, count: int) -> Batch:
        """`count` pictures with the truth about them."""
        scenes = self._scenes(rng, count)
        pictures = self.background.sample(rng, count, self.side, self.side)
        visible = [self._paint(picture, shapes) for picture, shapes in zip(pictures, scenes, strict=True)]
        return Batch(self.effects.sample(rng, pictures), scenes, visible)

    def _scenes(self, rng: Generator, count: int) -> list[list[Shape]]:
        """The shapes of every picture."""
        kinds = [self.primitive, *self.others]
        kind = rng.integers(len(kinds), size=(count, self.most))
        kind[rng.random(kind.shape) < self.own] = 0
        kind[np.arange(self.most) >= rng.integers(self.fewest, self.most + 1, (count, 1))] = -1  # none
        stretch = np.where(
            rng.random(kind.shape) < self.stray, np.exp2(rng.uniform(-2.0, 2.5, kind.shape)), 1
        )
        places = self._places(rng, count)
        made = [iter(quantiles(own, rng, int((kind == i).sum()), self.side)) for i, own in enumerate(kinds)]
        return [
            [
                _moved(next(made[kind[n, k]]), places[n, k], stretch[n, k])
                for k in range(self.most)
                if kind[n, k] >= 0
            ]
            for n in range(count)
        ]

    def _places(self, rng: Generator, count: int) -> Doubles:
        """(N, K, 2): anywhere in the picture, or near the shape before."""
        places = rng.uniform(0.0, self.side, (count, self.most, 2))
        near = rng.random((count, self.most)) < self.clustered
        steps = STEP * rng.standard_normal((count, self.most, 2))
        for k in range(1, self.most):
            beside = places[:, k - 1] + steps[:, k]
            places[:, k] = np.where(near[:, k, None], beside, places[:, k])
        return places

    def _paint(self, picture: Floats, shapes: Sequence[Shape]) -> Doubles:
        """Paint shapes on a ground (H, W, 3); the share (K,) of each that is neither hidden nor of the colour
        of its ground."""
        ground, scratch = picture.mean((0, 1)), np.zeros(picture.shape[:2], np.float32)
        patches = [cover(shape, shape.window(*picture.shape[:2])) for shape in shapes]
        for shape, patch in zip(shapes, patches, strict=True):
            composite(picture, scratch, (0, 0), layers(shape, patch))
        found, clear = np.zeros(len(shapes)), np.ones(picture.shape[:2], np.float32)
        for k in reversed(range(len(shapes))):
            top, bottom, left, right = patches[k].window
            alpha, behind = _painted(patches[k]), clear[top:bottom, left:right]
            if _distinct(shapes[k], ground):
                found[k] = (alpha * behind).sum() / max(float(alpha.sum()), 1e-3)
            behind *= 1 - alpha
        return found


def _moved(shape: Shape, place: Doubles, stretch: float) -> Shape:
    """The shape elsewhere and in another size."""
    pose = shape.pose.copy()
    if shape.primitive.handles is not None:  # an arc lies beside its centre
        place = place + stretch * (pose[[X, Y]] - shape.primitive.handles.of(pose, shape.form).mean(0))
    pose[[A, B, TAU]] *= stretch
    pose[[X, Y]] = place
    return replace(shape, pose=pose)


def _painted(patch: Patch) -> Floats:
    """(h, w): the share of each pixel that the inside or the stroke paints."""
    shares = [share for share in (patch.fill, patch.stroke) if share is not None]
    return shares[0] if len(shares) == 1 else 1 - (1 - shares[0]) * (1 - shares[1])


def _distinct(shape: Shape, ground: Floats) -> bool:
    """Whether any of its colours differs from the mean of the background (3,)."""
    colours = [colour for colour in (shape.fill, shape.stroke) if colour is not None]
    return any(float(np.abs(colour - ground).max()) > CLOSE_COLOUR for colour in colours)
