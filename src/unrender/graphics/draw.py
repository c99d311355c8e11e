"""draw (Equation pixLayer): attributes of primitives become coverage, in batched differentiable torch."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from unrender.graphics.registry import Primitive

X, Y, WIDTH, HEIGHT, ROTATION, RED, GREEN, BLUE, FILLED, THICKNESS, SHAPE = range(11)
"""Columns of an attribute tensor, in which a shape has one colour; from SHAPE on a primitive's own."""


def pixel_grid(height: int, width: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
    """x (1, W) and y (H, 1) of the pixel centres, in pixels."""
    x = torch.arange(width, dtype=dtype) + 0.5
    y = torch.arange(height, dtype=dtype) + 0.5
    return x[None, :], y[:, None]


def distance(primitive: Primitive, attributes: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Signed distance in pixels from points to shapes.

    attributes: (..., A), its leading dimensions broadcasting against those of x and y.
    """
    columns = attributes.unbind(-1)
    angle = columns[ROTATION] * (math.pi / 180)
    cos, sin = angle.cos(), angle.sin()
    dx, dy = x - columns[X], y - columns[Y]
    return primitive.distance(
        cos * dx + sin * dy,
        cos * dy - sin * dx,
        columns[WIDTH] / 2,
        columns[HEIGHT] / 2,
        *columns[SHAPE:],
    )


def inside(signed: Tensor) -> Tensor:
    """The share of a pixel that lies inside an edge at this signed distance from its centre."""
    return (0.5 - signed).clamp(0.0, 1.0)


def coverage(primitive: Primitive, attributes: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """alpha: the share of each pixel that the shape paints; differentiable in every attribute.

    The stroke of width 2τ is centred on the boundary; what it encloses is painted as far as `filled`
    says. So alpha = inside(d - τ) - (1 - filled) · inside(d + τ).
    """
    signed = distance(primitive, attributes, x, y)
    filled, tau = attributes[..., FILLED], half_stroke(attributes)
    return inside(signed - tau) - (1 - filled) * inside(signed + tau)


def half_stroke(attributes: Tensor) -> Tensor:
    """τ: half of the stroke width in pixels."""
    return attributes[..., THICKNESS] * torch.minimum(attributes[..., WIDTH], attributes[..., HEIGHT]) / 2


def draw(primitive: Primitive, attributes: Tensor, height: int, width: int) -> Tensor:
    """alpha of N shapes of one kind, each on a canvas of its own: (N, A) -> (N, H, W)."""
    x, y = pixel_grid(height, width, attributes.dtype)
    return coverage(primitive, attributes[:, None, None, :], x, y)


def compose(alphas: Tensor, colours: Tensor, background: Tensor) -> Tensor:
    """Paint L layers back to front: alphas (..., L, H, W), colours (..., L, 3) on (..., 3, H, W)."""
    picture = background
    for alpha, colour in zip(alphas.unbind(-3), colours.unbind(-2), strict=True):
        picture = picture + alpha[..., None, :, :] * (colour[..., :, None, None] - picture)
    return picture


def visibility(alphas: Tensor) -> Tensor:
    """How much of each layer is seen behind those in front of it: (..., L, H, W) -> the same shape."""
    seen, clear = [], torch.ones_like(alphas[..., 0, :, :])
    for alpha in reversed(alphas.unbind(-3)):
        seen.append(alpha * clear)
        clear = clear - seen[-1]  # what this layer and all in front of it let through
    return torch.stack(seen[::-1], -3)
