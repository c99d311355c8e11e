"""The training set of γ: f(g(Q_j(χ))), pictures that the capsule's own `draw` makes.

Every picture holds a few shapes of the capsule's kind and, as occluders, shapes of the other kinds, in a
random depth order on a random background.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Generator, Tensor

from unrender.graphics.draw import (
    BLUE,
    FILLED,
    HEIGHT,
    RED,
    THICKNESS,
    WIDTH,
    X,
    Y,
    compose,
    coverage,
    half_stroke,
    visibility,
)
from unrender.graphics.registry import Primitive
from unrender.training.effects import AnyBackground, Background, Chain, Effect, uniform

AT_ONCE = 32  # shapes that are drawn together: their pixels fit into the processor's cache
CLOSE_COLOUR = 0.15  # a shape whose colour is nearer than this to its ground cannot be asked for


@dataclass(frozen=True)
class Batch:
    """Pictures with the truth about every shape of the capsule's own kind."""

    pictures: Tensor  # (N, 3, H, W)
    attributes: Tensor  # (N, K, A) in the columns of the capsule's primitive
    own: Tensor  # bool (N, K): this slot holds a shape of the capsule's kind
    visible: Tensor  # (N, K): the share of its coverage that can be seen


def quantiles(primitive: Primitive, rng: Generator, count: int, side: int) -> Tensor:
    """Q_j(χ_ij) for every attribute of `primitive`: (count, A); positions anywhere in the picture."""
    columns = torch.empty(count, len(primitive.columns))
    for j, name in enumerate(primitive.columns):
        if name not in ("x", "y", "width", "height"):
            columns[:, j] = primitive.quantile(name)(uniform(rng, (count,)))
    extent = primitive.quantile("extent")(uniform(rng, (count,)))
    aspect = primitive.quantile("aspect")(uniform(rng, (count,))).sqrt()
    columns[:, WIDTH], columns[:, HEIGHT] = extent * aspect, extent / aspect
    columns[:, X], columns[:, Y] = uniform(rng, (2, count), 0.0, float(side)).unbind(0)
    columns[:, THICKNESS] *= 1 - columns[:, FILLED]  # a filled shape ends at its boundary
    return columns


def _draw_into(alphas: Tensor, at: Tensor, primitive: Primitive, attributes: Tensor) -> None:
    """Draw shapes (n, A), each no further than it reaches, into the canvases `at` (n,) of (N, side, side)."""
    side = alphas.shape[-1]
    reach = torch.hypot(attributes[:, WIDTH], attributes[:, HEIGHT]) / 2 + half_stroke(attributes) + 1
    for part in torch.argsort(reach).split(AT_ONCE) if len(at) else ():
        span = min(side, 2 * math.ceil(float(reach[part[-1]])) + 1)
        corner = (attributes[part, X : Y + 1] - span / 2).floor().long().clamp(0, side - span)
        column, row = (corner[:, :, None] + torch.arange(span) + 0.5).unbind(1)  # (n, span) each
        shown = coverage(primitive, attributes[part, None, None], column[:, None, :], row[:, :, None])
        for canvas, (left, top), alpha in zip(at[part].tolist(), corner.tolist(), shown, strict=True):
            alphas[canvas, top : top + span, left : left + span] = alpha


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
        kinds = [self.primitive, *self.others]
        total = count * self.most
        kind = torch.randint(len(kinds), (total,), generator=rng)
        kind[uniform(rng, (total,)) < self.own] = 0
        there = torch.arange(self.most)[None] < torch.randint(
            self.fewest, self.most + 1, (count, 1), generator=rng
        )
        attributes = torch.zeros(total, len(self.primitive.columns))
        alphas = torch.zeros(total, self.side, self.side)
        stretch = torch.where(
            uniform(rng, (total,)) < self.stray,
            torch.exp2(uniform(rng, (total,), -2.0, 2.5)),
            torch.ones(total),
        )
        colours = torch.zeros(total, 3)
        places = self._places(rng, count).reshape(total, 2)
        for i, primitive in enumerate(kinds):
            chosen = ((kind == i) & there.reshape(-1)).nonzero()[:, 0]
            values = quantiles(primitive, rng, len(chosen), self.side)
            values[:, WIDTH : HEIGHT + 1] *= stretch[chosen, None]
            values[:, X : Y + 1] = places[chosen]
            _draw_into(alphas, chosen, primitive, values)
            colours[chosen] = values[:, RED : BLUE + 1]
            if i == 0:
                attributes[chosen] = values
        shape = (count, self.most)
        alphas = alphas.reshape(*shape, self.side, self.side)
        colours = colours.reshape(*shape, 3)
        ground = self.background.sample(rng, count, self.side, self.side)
        pictures = compose(alphas, colours, ground)
        own = (kind.reshape(shape) == 0) & there
        visible = self._visible(alphas, colours, ground)
        return Batch(self.effects.sample(rng, pictures), attributes.reshape(*shape, -1), own, visible)

    def _places(self, rng: Generator, count: int) -> Tensor:
        """(N, K, 2): anywhere in the picture, or near the shape before."""
        places = uniform(rng, (count, self.most, 2), 0.0, float(self.side))
        near = uniform(rng, (count, self.most)) < self.clustered
        steps = 6.5 * torch.randn((count, self.most, 2), generator=rng)
        for k in range(1, self.most):
            beside = places[:, k - 1] + steps[:, k]
            places[:, k] = torch.where(near[:, k, None], beside, places[:, k])
        return places

    @staticmethod
    def _visible(alphas: Tensor, colours: Tensor, ground: Tensor) -> Tensor:
        """(N, K): the share of each shape that is neither hidden nor of the colour of its ground."""
        seen = visibility(alphas)
        mean = ground.mean((-1, -2))[:, None, :]
        distinct = (colours - mean).abs().amax(-1) > CLOSE_COLOUR
        share = seen.sum((-1, -2)) / alphas.sum((-1, -2)).clamp_min(1e-3)
        return share * distinct
